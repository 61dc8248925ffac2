/* SPDX-License-Identifier: Apache-2.0 */
/* What CEL or its libraries in Kubernetes have and the subset does not. */
#ifndef FATHOM_EXPRESSION_EXPRESSION_LEFT_OUT_H
#define FATHOM_EXPRESSION_EXPRESSION_LEFT_OUT_H

/* Why the function, the library or the variable is not part of the subset, and what can be asked
 * instead; NULL: nothing is known of it. */
const char *expression_left_out(const char *name);

#endif
