/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scenario of `fathom decide NAME --batch`: a cluster's objects, and what
 * else a controller looks at.
 *
 *     {"objects": [...], "input": {"clock": "2024-03-01T12:00:00Z", ...},
 *      "kubernetesVersion": "1.33", "featureGates": {"SidecarContainers": false}}
 *
 * The version and the gates may stand in `input` instead. Other members ("id",
 * "family", "result") are left alone.
 */
#ifndef FATHOM_DECIDE_SCENARIO_H
#define FATHOM_DECIDE_SCENARIO_H

#include "decide/features.h"
#include "manifest/document.h"
#include "object/object.h"

struct scenario {
    struct objects objects;
    const struct value *input; /* a mapping, or NULL */
    int64_t clock;             /* input.clock; TIME_NONE when it is absent */
    struct features features;  /* of kubernetesVersion and featureGates */
};

/* `features` are the rules of a scenario that states no version. */
bool scenario_read(struct arena *arena, const struct value *value, const struct features *features,
                   struct scenario *scenario, struct problems *problems);

/* The rules that a scenario states: its `kubernetesVersion` and `featureGates`,
 * at its top or in its `input`. What it does not state stays as it is. */
bool scenario_read_features(const struct value *value, struct features *features,
                            struct problems *problems);

/* Adds every object of a list (NULL: none). */
bool scenario_read_objects(struct arena *arena, const struct value *list, struct objects *objects,
                           struct problems *problems);

/* The same for objects that the API server has not judged. */
bool scenario_read_unvalidated(struct arena *arena, const struct value *list,
                               struct objects *objects, struct problems *problems);

/* The instant in a member; TIME_NONE, and no problem, when it is absent. */
bool scenario_read_time(const struct value *mapping, const char *key, int64_t *time,
                        struct problems *problems);

/* What a number may be, and what it is where it is not given. */
struct scenario_number {
    int64_t otherwise;
    int64_t least;
    int64_t most;
};

/* The whole number in a member. */
bool scenario_read_integer(const struct value *mapping, const char *key,
                           struct scenario_number allowed, int64_t *number,
                           struct problems *problems);

/* The only object of a kind; a problem, and NULL, when there is none or more. */
struct object *scenario_only(const struct objects *objects, enum object_kind kind,
                             struct problems *problems);

/* The present time of a cluster that is given as objects: the latest time that
 * any of them mentions. 0 when none does. */
int64_t scenario_present(const struct objects *objects);

/* The clock of a scenario; its present when it states none. */
int64_t scenario_clock(const struct scenario *scenario);

#endif
