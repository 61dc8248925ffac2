/* SPDX-License-Identifier: Apache-2.0 */
/* The menu of `fathom simulate --interactive`: what may happen next. */
#ifndef FATHOM_CLI_CHOOSE_NEXT_H
#define FATHOM_CLI_CHOOSE_NEXT_H

#include "cli/session.h"
#include "walk/walk.h"

#include <stdio.h>

enum next_kind {
    NEXT_STEP,
    NEXT_RANDOM,
    NEXT_UNDO,
    NEXT_STATE,   /* show the cluster */
    NEXT_QUIT,    /* or the input is over */
    NEXT_NOTHING, /* there is nothing to choose */
};

struct next_choice {
    enum next_kind kind;
    uint32_t choice; /* of the walk; NEXT_STEP */
};

/* Asks until the answer makes sense. */
struct next_choice choose_next(struct session *session, const struct walk *walk, FILE *in,
                               FILE *out);

#endif
