/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a recorded run a behaviour of the model?
 *
 * Every committed write of a controller must be one that the controller of the
 * model would make as well, deciding by the same code that the checker runs,
 * from what it could see at that moment: the cluster as it was after some
 * earlier commit. How far a view may lag behind is bounded (rules.def), and how
 * far it had to is measured. Where a controller's decision has several outcomes
 * (ties, equal ranks), any of them will do.
 *
 * The number of retries after conflicts, Events, and the time at which a status
 * is written are not compared, because no decision of the model depends on
 * them. The user and the health of nodes are the environment, which is not
 * restricted.
 */
#ifndef FATHOM_RECORDING_FOLLOW_H
#define FATHOM_RECORDING_FOLLOW_H

#include "decide/features.h"
#include "recording/recording.h"

/* How many writes of one kind were followed. */
struct follow_count {
    const char *actor;
    const char *action;
    const char *kind;
    bool judged; /* a rule of the model judges it */
    uint32_t total;
    uint32_t followed;
    uint32_t blind;  /* not judged, because what decides was not recorded */
    double lag_most; /* seconds that the view lagged behind */
};

struct follow_stop {
    const struct deed *deed;
    const char *node;  /* that the deed was about; NULL: none */
    const char *would; /* what the model would have allowed, for people */
    bool undecided;    /* there were too many views to look at them all */
};

/* How the recording ends. */
enum follow_end {
    FOLLOW_END_BUSY,  /* the recording ends while controllers still have work, or something that is
                         not modelled delays them */
    FOLLOW_END_RESTS, /* the cluster settled, and no controller of the model has anything to do */
    FOLLOW_END_RESTLESS, /* the cluster settled, but a controller of the model would still act */
    FOLLOW_END_LOOPS,    /* the recording ends while the cluster repeats a cycle */
};

/* A cycle: the cluster has the same state at two times, and pods were replaced in between. */
struct follow_loop {
    double from; /* seconds */
    double to;
    uint32_t replaced;
};

struct follow_result {
    int minor; /* by the rules of Kubernetes 1.`minor` */
    VEC(struct follow_count) counts;
    uint32_t judged;
    uint32_t followed;
    uint32_t unjudged;  /* writes of the environment, and those that do not matter */
    uint32_t undecided; /* of those that were not followed */
    uint32_t cut;       /* requests after the watch had ended */
    enum follow_end end;
    const char *restless;          /* the object with which the model would go on */
    struct follow_loop loop;       /* of FOLLOW_END_LOOPS */
    VEC(struct follow_stop) stops; /* what could not be followed, in order */
};

/* By the rules of these features; NULL: of those that the recording tells. False if the recording
 * is not valid (problems say why). The result lives in the recording's arena. */
bool follow_recording(struct recording *recording, struct manifest_reader *reader,
                      const struct features *features, struct follow_result *result,
                      struct problems *problems);

#endif
