/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom verify --learn-scale FOLDER`: up to which size failures show at all,
 * learnt from those that are known (section 4.2.3 of the Kivi paper).
 *
 * For every Check of the folder the smallest scale that violates one of its
 * intents is looked for, with no upper bound on the ranges that it gives, in the
 * order of scaling, up to the first violation. The most nodes of all these scales
 * and the most pods per node, each doubled, are the sufficient scale.
 */
#ifndef FATHOM_CLI_LEARN_SCALE_H
#define FATHOM_CLI_LEARN_SCALE_H

#include "cli/verify_settings.h"
#include "verify/plan.h"

/* Gives the exit code: 3 if a Check shows no failure, or a limit came first. */
int learn_scale(struct session *session, const struct verify_settings *settings,
                const char *folder);

#endif
