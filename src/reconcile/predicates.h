/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions on objects, as a ControllerCheck writes them down: what has to exist
 * for a custom resource to be matched, and what must never be the case.
 *
 * `{name}` and `{namespace}` in the name of an object stand for those of the
 * custom resource; `self` is the custom resource.
 */
#ifndef FATHOM_RECONCILE_PREDICATES_H
#define FATHOM_RECONCILE_PREDICATES_H

#include "reconcile/controller.h"

/* A text with `{name}` and `{namespace}` in it, for each part of a key. */
struct object_pattern {
    bool self;
    const char *kind;
    const char *name_space;
    const char *name;
};

struct field_rule {
    const char *path;
    const char *resource_path; /* of the custom resource; NULL: `value` is wanted */
    const struct datum *value;
};

/* An object that has to exist, with the given fields and without others. */
struct match_rule {
    struct object_pattern object;
    const struct field_rule *fields;
    uint32_t field_count;
    const char *const *absent_fields;
    uint32_t absent_count;
    bool absent; /* it must not exist */
};

struct match_rules {
    const struct match_rule *items;
    uint32_t count;
};

enum comparison {
    COMPARE_EXISTS,
    COMPARE_ABSENT, /* the object, or the field */
    COMPARE_EQUALS,
    COMPARE_DIFFERS,
    COMPARE_LESS,
    COMPARE_GREATER,
};

/* All fields of an object that does not exist are absent; an absent number that is
 * less or greater than another counts as 0. */
struct object_condition {
    struct object_pattern object;
    const char *path; /* NULL: the object itself */
    enum comparison comparison;
    const struct datum *value;
    const char *resource_path; /* of the custom resource, in place of the value */
};

struct safety_rule {
    const char *name;
    const struct object_condition *never; /* all at once */
    uint32_t count;
};

struct safety_rules {
    const struct safety_rule *items;
    uint32_t count;
};

bool match_rules_hold(const struct match_rules *rules, const struct object_list *store,
                      const struct datum *resource);
/* Bit i: rule i is broken for one of the resources, which need not exist. */
uint64_t safety_rules_broken(const struct safety_rules *rules, const struct object_list *store,
                             const struct object_key *resources, uint32_t count);

#endif
