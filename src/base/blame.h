/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input that may break an invariant. A checkpoint is checked when it is read, but not in full: that
 * a state has a predecessor, say, is only seen when somebody looks for it.
 */
#ifndef FATHOM_BASE_BLAME_H
#define FATHOM_BASE_BLAME_H

/* From now on bug() names this input, with exit code 2. The text is not copied. */
void bug_blame(const char *input);

#endif
