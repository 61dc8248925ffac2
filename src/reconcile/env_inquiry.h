/* SPDX-License-Identifier: Apache-2.0 */
/* A new question, as trees, while it is being answered. */
#ifndef FATHOM_RECONCILE_ENV_INQUIRY_H
#define FATHOM_RECONCILE_ENV_INQUIRY_H

#include "reconcile/environment_internal.h"

enum question_kind {
    QUESTION_STEP,
    QUESTION_VERB,
    QUESTION_LIST,
    QUESTION_EXTERNAL,
    QUESTION_USER,
    QUESTION_USER_REQUEST,
    QUESTION_STATUS,
    QUESTION_FAILURE,
    QUESTION_STORE,
    QUESTION_SAFETY,
};

struct inquiry {
    struct environment *environment;
    const struct memo_question *question;
    struct arena *arena; /* until it is answered */
    uint32_t extra;      /* the number in the question: an operation, an error, a key, a flag */
    const struct datum **trees; /* the parts of the question; NULL: no shape */
    uint32_t count;
    struct answer *answer;
};

/* The controller gave no answer: reported, unless it has done so itself. False. */
bool inquiry_gave_up(const struct inquiry *inquiry, uint32_t errors, const char *what);
/* Some questions are asked twice: this soon detects a controller whose answers
 * depend on time, chance or earlier calls. */
bool inquiry_asks_twice(const struct environment *environment);

#endif
