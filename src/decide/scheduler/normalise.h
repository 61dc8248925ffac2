/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_SCHEDULER_NORMALISE_H
#define FATHOM_DECIDE_SCHEDULER_NORMALISE_H

#include "decide/scheduler/plugin.h"

/* Scales scores so that the highest becomes 100 (pkg/scheduler/framework/plugins/
 * helper/normalize_score.go @ v1.26.15). Reversed: 100 minus that, so that the
 * highest becomes 0 and, if all are 0, all become 100. */
void normalise_to_highest(const struct cycle *cycle, int64_t *scores, bool reversed);

#endif
