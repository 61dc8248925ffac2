/* SPDX-License-Identifier: Apache-2.0 */
/* One Deployment of `fathom decide deployment`: read from its objects, synced, and
 * written down. */
#ifndef FATHOM_DECIDE_CONTROLLER_DEPLOYMENT_DEPLOYMENT_CASE_H
#define FATHOM_DECIDE_CONTROLLER_DEPLOYMENT_DEPLOYMENT_CASE_H

#include "base/vec.h"
#include "decide/controller/deployment/deployment.h"
#include "decide/decider.h"
#include "decide/features.h"
#include "object/object.h"

/* A ReplicaSet with what only the decider needs to know of it. */
struct case_set {
    struct replica_set_facts facts;
    const char *uid;
    const char *image;     /* of the first container; "" if there is none */
    const char *signature; /* of the template */
    bool named; /* false: created here, and the scenario has not mentioned its name yet */
};

struct deployment_case {
    struct arena *arena;
    struct deployment deployment; /* a copy that edits change */
    const struct value *template; /* its source */
    struct deployment_facts facts;
    struct features features;
    VEC(struct case_set) sets;
    uint32_t created;
};

/* ---- deployment_case.c ---- */
/* "Available", by condition. */
extern const char *const deployment_condition_names[DEPLOYMENT_CONDITION_TYPE_COUNT];

void deployment_case_fill(struct arena *arena, const struct objects *objects,
                          const struct object *object, const struct features *features,
                          struct deployment_case *a_case);
/* What the spec says, after every edit. */
void deployment_case_fill_spec(struct deployment_case *a_case);
/* Decides, and applies the decision to the case. */
struct deployment_decision *deployment_case_advance(struct deployment_case *a_case,
                                                    const struct objects *objects);

/* ---- deployment_written.c ---- */
/* Is the set of this number deleted by the decision? */
bool deployment_deletes(const struct deployment_decision *decision, uint32_t set);
void deployment_write_decision(struct json_out *json, const char *key,
                               const struct deployment_case *a_case,
                               const struct deployment_decision *decision);
/* The same in words. */
void deployment_write_sentences(struct text *sentences, const struct deployment_case *a_case,
                                const struct deployment_decision *decision);

#endif
