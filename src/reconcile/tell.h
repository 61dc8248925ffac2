/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a run of the environment, in plain words and with their causes. */
#ifndef FATHOM_RECONCILE_TELL_H
#define FATHOM_RECONCILE_TELL_H

#include "explore/explore.h"
#include "reconcile/environment.h"

enum { STEP_CAUSES_MOST = 3 };

struct controller_step {
    const char *actor;  /* "user", "controller", "API server", ... */
    const char *action; /* the name of the model's action */
    const char *object; /* "StatefulSet/default/a"; NULL: none in particular */
    const char *detail; /* the sentence */
    const char *from;   /* who sends a message, one of controller_lanes, */
    const char *to;     /* and who gets it; NULL: it happens at `from` alone */
    /* Earlier steps, from 1 on; 0: from outside. */
    uint32_t causes[STEP_CAUSES_MOST];
    uint32_t cause_count;
    bool is_user, is_fault;
    uint32_t operation; /* of the script, if is_user */
};

struct controller_run {
    struct controller_step *steps;
    uint32_t count;
    bool loops;
    uint32_t loop_from;  /* steps before the loop */
    bool loop_rests;     /* nothing happens any more */
    const char *at_rest; /* what is wrong there, for a run that ends or loops */
};

/* Between whom messages go, in the order in which a diagram has them. */
enum { CONTROLLER_LANE_COUNT = 6 };
extern const char *const controller_lanes[CONTROLLER_LANE_COUNT];

/* All in the arena. */
struct controller_run *tell_run(const struct environment *environment,
                                const struct environment_options *options, struct arena *arena,
                                const struct run_path *path);

#endif
