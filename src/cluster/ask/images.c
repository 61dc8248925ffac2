/* SPDX-License-Identifier: Apache-2.0 */
/* Nobody knows how large an image is that no node reports, so a node that has pulled it may get
 * any score from ImageLocality. */
#include "cluster/ask/images.h"
#include "decide/scheduler/plugin.h"
#include "decide/scheduler/scheduler.h"

#include <string.h>

bool images_could_decide(const struct decision *decision)
{
    const struct profile *profile = decision->plan->profile;
    uint32_t place = 0;
    while (place < profile->score_count &&
           strcmp(profile->scores[place].plugin->name, "ImageLocality") != 0)
        place++;
    if (place == profile->score_count || decision->best_count == 0)
        return false;
    const int64_t most = (int64_t)NODE_SCORE_MOST * profile->scores[place].weight;
    const int64_t best = decision->nodes[decision->best[0]].total;
    for (uint32_t n = 0; n < decision->node_count; n++) {
        const struct node_decision *node = &decision->nodes[n];
        if (!node->verdict.plugin && node->scores && node->total < best &&
            node->total - node->scores[place] + most >= best)
            return true;
    }
    return false;
}
