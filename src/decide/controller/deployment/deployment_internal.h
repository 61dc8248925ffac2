/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One sync under way, shared by the files of the Deployment controller.
 *
 * Upstream's controller works on cached copies: a write gives back a new
 * object, while most lists still hold the old one. What the sync decides next
 * and the status it computes at its end therefore mostly see the sets as they
 * were. So every set is here twice: `seen` (as the sync goes on seeing it) and
 * the decision's own (as it is in the API server).
 */
#ifndef FATHOM_DECIDE_CONTROLLER_DEPLOYMENT_INTERNAL_H
#define FATHOM_DECIDE_CONTROLLER_DEPLOYMENT_INTERNAL_H

#include "decide/controller/deployment/deployment.h"

struct deployment_sync {
    struct arena *arena;
    struct deployment_facts deployment; /* its status and revision change during the sync */
    struct replica_set_facts *seen;
    uint32_t seen_count;
    const char *name_new;
    struct deployment_decision *decision;
};

enum { NO_SET = UINT32_MAX };

/* A list of sets, by index. */
struct set_list {
    uint32_t *items;
    uint32_t count;
};

/* sets.c */
int64_t sync_replicas_sum(const struct deployment_sync *sync, const struct set_list *sets);
int64_t sync_available_sum(const struct deployment_sync *sync, const struct set_list *sets);
enum set_order { OLDEST_FIRST, LARGEST_THEN_NEWEST, LARGEST_THEN_OLDEST };
void sync_sort(const struct deployment_sync *sync, struct set_list *sets, enum set_order order);
/* Oldest first, the same age by name. */
struct set_list sync_old_sets(const struct deployment_sync *sync, uint32_t new_set,
                              bool active_only);
struct set_list sync_with(const struct deployment_sync *sync, struct set_list sets, uint32_t set);
/* Writes size and annotations if either differs; true if the size was changed. */
bool sync_write_scale(struct deployment_sync *sync, uint32_t set, int32_t replicas);
/* The same, but a set that has the size already is left alone. */
bool sync_scale(struct deployment_sync *sync, uint32_t set, int32_t replicas);
/* The size that a rolling update allows the new set now. */
int32_t sync_new_replicas(const struct deployment_sync *sync, const struct set_list *all,
                          uint32_t new_set);

/* revision.c */
uint32_t
revision_find_new_set(struct deployment_sync *sync); /* may write annotations; NO_SET: none */
uint32_t revision_ensure_new_set(struct deployment_sync *sync); /* creates it if need be */

/* rolling.c, recreate.c, history.c */
void rolling_sync(struct deployment_sync *sync);
void recreate_sync(struct deployment_sync *sync);
void history_clean(struct deployment_sync *sync, const struct set_list *old);

/* progress.c */
void progress_check_paused(struct deployment_sync *sync);
void progress_set_condition(struct deployment_status_facts *status,
                            struct deployment_condition condition);
bool progress_has_deadline(const struct deployment_sync *sync);
bool progress_complete(const struct deployment_sync *sync,
                       const struct deployment_status_facts *status);
void progress_write_status(struct deployment_sync *sync, const struct set_list *all,
                           uint32_t new_set);
void progress_write_rollout_status(struct deployment_sync *sync, const struct set_list *all,
                                   uint32_t new_set);

#endif
