/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The size of an image that no node reports is not known, so a node that has pulled it may get
 * any score from ImageLocality. Nodes that have the same of these images get the same, and a
 * node that has more of them gets no less.
 */
#include "cluster/ask/images.h"
#include "cluster/state/configs.h"
#include "cluster/state/images.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/plugin.h"
#include "decide/scheduler/plugin/image_locality.h"
#include "decide/scheduler/scheduler.h"

#include <string.h>

/* Which of the profile's scores is ImageLocality's; score_count: none. */
static uint32_t place_of_images(const struct profile *profile)
{
    uint32_t place = 0;
    while (place < profile->score_count &&
           strcmp(profile->scores[place].plugin->name, "ImageLocality") != 0)
        place++;
    return place;
}

static bool has_score(const struct node_decision *node)
{
    return !node->verdict.plugin && node->scores;
}

/* The total of a node whose images get this score. */
static int64_t total_with(const struct decision *decision, uint32_t place,
                          const struct node_decision *node, int64_t score)
{
    return node->total - node->scores[place] +
           score * decision->plan->profile->scores[place].weight;
}

bool images_could_decide(const struct population *population, const struct decision *decision)
{
    const struct profile *profile = decision->plan->profile;
    const uint32_t place = place_of_images(profile);
    if (place == profile->score_count || decision->best_count == 0)
        return false;
    const int64_t best = decision->nodes[decision->best[0]].total;
    /* The size that an option gives to images is an assumption, too. */
    const int64_t most = population->options.image_bytes > 0
                             ? NODE_SCORE_MOST
                             : image_locality_most(decision->plan->score_parts[place]);
    for (uint32_t n = 0; n < decision->node_count; n++) {
        const struct node_decision *node = &decision->nodes[n];
        if (has_score(node) && node->total < best &&
            total_with(decision, place, node, most) >= best)
            return true;
    }
    return false;
}

/* The images of the revision that nodes of the entry have and nobody knows the size of. */
static uint32_t images_of_any_size(const struct worker *worker, const struct view *view,
                                   uint32_t revision, uint32_t entry)
{
    const struct population *population = worker->population;
    const uint32_t kind = config_template(worker, view->nodes[entry].config)->node;
    uint32_t images =
        population->revisions.items[revision].images & population->node_kinds.items[kind].pulled;
    for (uint32_t s = 0; s < population->image_sets.count; s++)
        if (!population->image_sets.items[s].any_size)
            images &= ~(1U << s);
    return images;
}

uint32_t *images_widen(struct worker *worker, const struct view *view, uint32_t revision,
                       const struct decision *decision, uint32_t *count)
{
    const struct profile *profile = decision->plan->profile;
    const uint32_t place = place_of_images(profile);
    if (worker->population->image_sets.count == 0) {
        *count = decision->best_count;
        return arena_copy(&worker->scratch, decision->best, *count * sizeof(*decision->best));
    }
    uint32_t *best = ARENA_ARRAY(&worker->scratch, uint32_t, decision->node_count + 1);
    const int64_t most = decision->nodes[decision->best[0]].total;
    *count = 0;
    for (uint32_t n = 0; n < decision->node_count; n++) {
        const struct node_decision *node = &decision->nodes[n];
        bool wins = false;
        for (uint32_t b = 0; b < decision->best_count && !wins; b++)
            wins = decision->best[b] == n;
        const uint32_t images = images_of_any_size(worker, view, revision, n);
        if (!wins && place < profile->score_count && has_score(node) && images != 0) {
            const int64_t total = total_with(decision, place, node, NODE_SCORE_MOST);
            wins = total >= most;
            for (uint32_t o = 0; o < decision->node_count && wins; o++)
                wins = !has_score(&decision->nodes[o]) ||
                       (images & ~images_of_any_size(worker, view, revision, o)) != 0 ||
                       total >= total_with(decision, place, &decision->nodes[o], NODE_SCORE_MOST);
        }
        if (wins)
            best[(*count)++] = n;
    }
    return best;
}
