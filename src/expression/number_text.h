/* SPDX-License-Identifier: Apache-2.0 */
/* Doubles with the fewest digits that tell them from others, as strconv.FormatFloat of Go writes
 * them, which string() goes by. */
#ifndef FATHOM_EXPRESSION_NUMBER_TEXT_H
#define FATHOM_EXPRESSION_NUMBER_TEXT_H

#include "base/arena.h"

#include <stdint.h>

/* With an exponent if it is small or large: 1e+06, 1.5, +Inf, NaN. */
const char *number_text(struct arena *arena, double number);
/* In seconds, without an exponent: 90s, 1.5s. */
const char *number_text_of_duration(struct arena *arena, int64_t nanoseconds);

#endif
