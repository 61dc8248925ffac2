/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to one line of the data sets (`fathom slo --batch`):
 * {"verdict", "violationAtSecond", "states"}. */
#ifndef FATHOM_SLO_BATCH_H
#define FATHOM_SLO_BATCH_H

#include "base/error.h"
#include "base/json_out.h"
#include "manifest/document.h"
#include "slo/questions.h"

/* Writes one value under the key "result". An undecided line has "limit" in
 * place of numbers. False, with problems, if the line is wrong. */
bool slo_answer_line(struct arena *arena, const struct value *scenario,
                     const struct slo_limits *limits, enum verdict *verdict, struct json_out *json,
                     struct problems *problems);

#endif
