/* SPDX-License-Identifier: Apache-2.0 */
/* Every reduction and every combination of them, on one model. */
#ifndef FATHOM_TEST_NAIVE_REDUCTIONS_H
#define FATHOM_TEST_NAIVE_REDUCTIONS_H

#include "naive/compare.h"

/* The same verdicts as without, paths of the plain model, and as many states as
 * the plain ones fold to. Does nothing for models that offer nothing to reduce. */
void compare_reductions(const struct comparison *comparison);

#endif
