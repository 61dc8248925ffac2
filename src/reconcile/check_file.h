/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ControllerCheck (docs/controller.md): which controller, what users do, how
 * much may go wrong, when a custom resource is matched, what must never happen.
 */
#ifndef FATHOM_RECONCILE_CHECK_FILE_H
#define FATHOM_RECONCILE_CHECK_FILE_H

#include "manifest/document.h"
#include "reconcile/environment.h"
#include "reconcile/predicates.h"

/* A desired state to pair with others (--matrix). */
struct desired_state {
    const char *name;
    const struct datum *spec;
};

struct controller_check {
    const char *name;
    const char *file;
    struct controller controller;
    bool opened; /* it is to be released */
    struct environment_options options;
    struct match_rules match;
    struct safety_rules safety;
    struct place safety_place;
    const struct desired_state *states;
    uint32_t state_count;
    const struct desired_state *bad_states;
    uint32_t bad_count;
};

/* False if anything is wrong with it. A controller that is a program has so long for
 * an answer (0: the default). What was opened is released with
 * controller_check_release, in any case. All else is in the arena. */
bool controller_check_read(struct arena *arena, const struct value *root, int64_t timeout_ns,
                           struct controller_check *check, struct problems *problems);
void controller_check_release(struct controller_check *check);

/* A program need not say of which kinds its custom resources are: what the users of the
 * check write and the API server has not built in. The last one is NULL. */
const char *const *controller_check_script_kinds(struct arena *arena, const struct value *root);

/* Its JSON Schema, from controller_check.schema.json. */
extern const char controller_check_schema[];

#endif
