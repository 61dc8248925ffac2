/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/normalise.h"

#include "decide/scheduler/cycle.h"

void normalise_to_highest(const struct cycle *cycle, int64_t *scores, bool reversed)
{
    int64_t highest = 0;
    CYCLE_EACH_FEASIBLE(cycle, entry)
    highest = scores[entry] > highest ? scores[entry] : highest;
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        int64_t scaled = highest > 0 ? NODE_SCORE_MOST * scores[entry] / highest : 0;
        scores[entry] = reversed ? NODE_SCORE_MOST - scaled : scaled;
    }
}
