/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the HorizontalPodAutoscaler's controller remembers between syncs: recent
 * recommendations (for the stabilization windows) and recent changes (for the
 * rate limits), each with its age.
 *
 * There are two ways to keep it, read by the same code:
 *
 *   exact    the slots as the controller keeps them, old ones overwritten;
 *   bounded  only what can still matter: the recommendations that no newer one
 *            exceeds or undercuts, and the changes within the longest period, in
 *            a canonical order. It is finite, so states recur, and it is empty
 *            once nothing has changed for long enough.
 *
 * Both lead to the same replicas for ever, as long as the rules of the object
 * do not change: a rule with a longer window might have seen what the bounded
 * form forgot.
 *
 * Entries live in the arena given to hpa_memory_record.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_HPA_MEMORY_H
#define FATHOM_DECIDE_CONTROLLER_HPA_MEMORY_H

#include "base/vec.h"
#include "decide/controller/hpa.h"

struct hpa_memory_entry {
    int32_t replicas; /* recommended, or the size of the change */
    int64_t age;      /* nanoseconds */
};

struct hpa_memory_list {
    struct hpa_memory_entry *items;
    uint32_t count;
    uint32_t capacity;
};

struct hpa_memory {
    bool started; /* there was a sync before */
    struct hpa_memory_list recommendations;
    struct hpa_memory_list scale_ups;
    struct hpa_memory_list scale_downs;
};

/* Time passes. */
void hpa_memory_age(struct hpa_memory *memory, int64_t nanoseconds);

/* The memory after the sync that decided this, exactly as upstream keeps it. */
void hpa_memory_record(struct arena *arena, struct hpa_memory *memory,
                       const struct hpa_input *input, const struct hpa_decision *decision);

/* Brings the memory into the bounded form; to be called after each record. */
void hpa_memory_bound(struct hpa_memory *memory, const struct hpa_input *input);

/* The least and the greatest of `seed` and the recommendations younger than
 * `window` (with `edge`: not older). Before the first sync the current replicas
 * count as one, just made. */
void hpa_memory_range(const struct hpa_memory *memory, int32_t current, int64_t window, bool edge,
                      int32_t seed, int32_t *least, int32_t *greatest);

/* The sum of the changes younger than `period`. */
int32_t hpa_memory_change(const struct hpa_memory_list *list, int64_t period);

/* Seconds of the stabilization windows, after the controller's defaulting. */
int64_t hpa_up_window(const struct hpa_input *input);
int64_t hpa_down_window(const struct hpa_input *input);

#endif
