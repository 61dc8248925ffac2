/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that nobody has asked before, as trees (env_ask.c), and their answers. */
#ifndef FATHOM_RECONCILE_ENV_ANSWER_H
#define FATHOM_RECONCILE_ENV_ANSWER_H

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

/* The question as trees, while it is being answered. */
struct inquiry {
    struct environment *environment;
    const struct memo_question *question;
    struct arena *arena;
    uint32_t extra;
    const struct datum **trees; /* NULL: no shape */
    uint32_t count;
    struct answer *answer;
};

/* ---- env_answer.c ---- */
/* Fills in the answer; false: the controller or the setting is wrong, which has been
 * reported. */
bool inquiry_answer(const struct inquiry *inquiry, enum question_kind kind);
/* The controller gave no answer: reported, unless it has done so itself. */
bool inquiry_gave_up(const struct inquiry *inquiry, uint32_t errors, const char *what);
/* Some questions are asked twice: a controller that looks at clocks, dice or its
 * own past is found out soon. */
bool inquiry_asks_twice(const struct environment *environment);

/* ---- env_properties.c ---- */
/* Which custom resources are wanted, and which of these are not matched yet. */
bool inquiry_answer_store(const struct inquiry *inquiry);
/* Which safety properties a change breaks. */
bool inquiry_answer_safety(const struct inquiry *inquiry);

#endif
