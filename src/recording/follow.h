/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a recorded run a behaviour of the model?
 *
 * Every committed write of a controller must be one that the controller of the
 * model would make as well, deciding by the very code that the checker runs,
 * from what it could see at that moment: the cluster as it was after some
 * earlier commit. How far a view may lag behind is bounded (rules.def),
 * and how far it had to is measured. Where a controller's decision has several
 * outcomes (ties, equal ranks), any of them will do.
 *
 * Not looked at, because no decision of the model goes by it: the number of
 * retries after conflicts, Events, and when a status is written.
 * Environment, which may do as it likes: the user, and the health of nodes.
 */
#ifndef FATHOM_RECORDING_FOLLOW_H
#define FATHOM_RECORDING_FOLLOW_H

#include "decide/features.h"
#include "recording/recording.h"

/* What became of the writes of one kind. */
struct follow_count {
    const char *actor;
    const char *action;
    const char *kind;
    bool judged; /* a rule of the model stands behind it */
    uint32_t total;
    uint32_t followed;
    uint32_t blind;  /* not judged, for want of what was not recorded */
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
    FOLLOW_END_BUSY,     /* it was cut while things went on, or something holds them back */
    FOLLOW_END_RESTS,    /* it settled, and nothing is left to do in the model, either */
    FOLLOW_END_RESTLESS, /* it settled, but some controller of the model would go on */
    FOLLOW_END_LOOPS,    /* it was cut, and had come to be as it was before */
};

/* A cycle: the cluster is at one time as it was at another, and pods have been
 * replaced in between. */
struct follow_loop {
    double from; /* seconds */
    double to;
    uint32_t replaced;
};

struct follow_result {
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

/* By the rules of these features. False if the recording makes no sense (problems say
 * why). The result lives in the recording's arena. */
bool follow_recording(struct recording *recording, struct manifest_reader *reader,
                      const struct features *features, struct follow_result *result,
                      struct problems *problems);

#endif
