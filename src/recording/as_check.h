/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording as a Check (docs/formats.md): the cluster as it was at the beginning,
 * what people and the environment did as events, and intents.
 *
 * An event of a Check may come at any time, so the Check has more runs than the one
 * that was recorded, and that one is among them. What a Check has no words for is left
 * out, and said in a comment; then the recorded run need not be among them.
 */
#ifndef FATHOM_RECORDING_AS_CHECK_H
#define FATHOM_RECORDING_AS_CHECK_H

#include "decide/features.h"
#include "recording/recording.h"

struct as_check_file {
    const char *name; /* inside the folder of the Check */
    const char *content;
};

struct as_check {
    VEC(struct as_check_file) files; /* the Check is the first, then what its events apply */
    uint32_t left_out;               /* how many things could not be expressed */
};

/* `name` is the Check's; `given` are the features to go by instead of the recording's, or NULL.
 * Everything lives in the recording's arena. False, with problems,
 * if the recording makes no sense. */
bool recording_as_check(struct recording *recording, struct manifest_reader *reader,
                        const char *name, const struct features *given, struct as_check *made,
                        struct problems *problems);

#endif
