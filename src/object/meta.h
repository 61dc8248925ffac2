/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every object has, and the small types that many kinds share.
 *
 * All texts are NUL-terminated and live in the arena of the objects; an absent
 * text is NULL. Instants are nanoseconds since 1970 UTC, TIME_NONE when absent.
 * Numbers that may be absent are `struct optional_int`.
 */
#ifndef FATHOM_OBJECT_META_H
#define FATHOM_OBJECT_META_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIME_NONE INT64_MIN

enum { NANOSECONDS_PER_SECOND = 1000000000 };

struct optional_int {
    bool set;
    int64_t value;
};

enum tristate { TRISTATE_UNSET, TRISTATE_FALSE, TRISTATE_TRUE };

struct string_list {
    const char **items;
    uint32_t count;
};

struct label {
    const char *key;
    const char *value;
};

/* Labels, annotations, node selectors: sorted by key, each key once. */
struct labels {
    struct label *items;
    uint32_t count;
};

/* NULL when there is no such key (an empty value is ""). */
const char *labels_find(const struct labels *labels, const char *key);
/* Are all that are wanted among the labels, with the same values? */
bool labels_include(const struct labels *labels, const struct labels *wanted);

struct owner_reference {
    const char *api_version;
    const char *kind;
    const char *name;
    const char *uid;
    bool controller;
    bool block_owner_deletion;
};

struct object_meta {
    const char *name;
    const char *generate_name;
    const char *namespace; /* NULL for kinds that have none */
    const char *uid;
    const char *resource_version;
    int64_t generation;
    int64_t creation_time;
    int64_t deletion_time; /* set: the object is terminating */
    struct optional_int deletion_grace_seconds;
    struct labels labels;
    struct labels annotations;
    struct owner_reference *owners;
    uint32_t owner_count;
    struct string_list finalizers;
};

/* The owner that is marked as controller; NULL when there is none. */
const struct owner_reference *object_meta_controller(const struct object_meta *meta);

/* The conditions of pods, nodes, deployments, ... */
struct condition {
    const char *type;
    const char *status; /* "True", "False", "Unknown" */
    const char *reason;
    const char *message;
    int64_t last_transition_time;
    int64_t last_update_time;
    int64_t last_heartbeat_time;
};

struct conditions {
    struct condition *items;
    uint32_t count;
};

const struct condition *conditions_find(const struct conditions *conditions, const char *type);

/* An absolute number or a percentage: "25%". */
struct int_or_percent {
    bool set;
    bool percent;
    int64_t value;
};

bool int_or_percent_equal(struct int_or_percent a, struct int_or_percent b);

/* The percentage of `total`, or the number itself. */
int64_t int_or_percent_of(struct int_or_percent value, int64_t total, bool round_up);

#endif
