/* SPDX-License-Identifier: Apache-2.0 */
/* Answers about runs by hand: one (POST /api/explore), or two side by side (/api/what-if). */
#ifndef FATHOM_UI_UI_RUNS_H
#define FATHOM_UI_UI_RUNS_H

#include "ui/ui_request.h"

void ui_answer_explore(struct ui_work *work, const struct text *body, struct ui_answer *answer);
void ui_answer_what_if(struct ui_work *work, const struct text *body, struct ui_answer *answer);

#endif
