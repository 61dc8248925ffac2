/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_RECONCILE_ENV_ANSWER_H
#define FATHOM_RECONCILE_ENV_ANSWER_H

#include "reconcile/env_inquiry.h"

/* Fills in the answer; false: the controller or the setting is wrong, which has been
 * reported. */
bool inquiry_answer(const struct inquiry *inquiry, enum question_kind kind);

#endif
