/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The size of an image that no node reports is not known, so it may count any number of bytes on
 * nodes that have pulled it. Nodes that have the same of these images get as many bytes of them,
 * and a node that has more of them gets no less. What they get for images whose size is known
 * comes on top, and that may differ.
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

/* One node against the others, whose images may have any size. */
struct contest {
    const struct worker *worker;
    const struct view *view;
    const struct decision *decision;
    uint32_t unsized; /* the sets with images of any size that the pod is placed by */
    uint32_t place;   /* of ImageLocality among the scores */
    const struct part *part;
};

/* Those of these sets that nodes of the entry have. */
static uint32_t images_at(const struct contest *contest, uint32_t entry)
{
    const uint32_t kind =
        config_template(contest->worker, contest->view->nodes[entry].config)->node;
    return contest->unsized & contest->worker->population->node_kinds.items[kind].pulled;
}

static const struct node *node_of_entry(const struct contest *contest, uint32_t entry)
{
    return config_at(contest->worker, contest->view->nodes[entry].config)->template->node;
}

/* The total of a node whose images of any size count so many bytes. */
static int64_t total_at(const struct contest *contest, uint32_t entry, int64_t bytes)
{
    return total_with(contest->decision, contest->place, &contest->decision->nodes[entry],
                      image_locality_with(contest->part, node_of_entry(contest, entry), bytes));
}

/* Is the node among the best if its images of any size count so many bytes? Those of others that
 * have all of them count no less. */
static bool wins_with(const struct contest *contest, uint32_t entry, int64_t bytes)
{
    const uint32_t images = images_at(contest, entry);
    const int64_t total = total_at(contest, entry, bytes);
    for (uint32_t o = 0; o < contest->decision->node_count; o++) {
        const bool shares = (images & ~images_at(contest, o)) == 0;
        if (has_score(&contest->decision->nodes[o]) &&
            total < total_at(contest, o, shares ? bytes : 0))
            return false;
    }
    return true;
}

/* With every byte the node gains on those that lack its images, and loses nothing to those that
 * share them, until it has all points. More bytes help others alone. */
static bool may_win(const struct contest *contest, uint32_t entry)
{
    if (!has_score(&contest->decision->nodes[entry]) || images_at(contest, entry) == 0)
        return false;
    const struct node *node = node_of_entry(contest, entry);
    return wins_with(contest, entry, image_locality_lacks(contest->part, node));
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
    const struct contest contest = {
        .worker = worker,
        .view = view,
        .decision = decision,
        .unsized = place < profile->score_count
                       ? worker->population->revisions.items[revision].unsized
                       : 0,
        .place = place,
        .part = place < profile->score_count ? decision->plan->score_parts[place] : NULL,
    };
    uint32_t *best = ARENA_ARRAY(&worker->scratch, uint32_t, decision->node_count + 1);
    *count = 0;
    for (uint32_t n = 0; n < decision->node_count; n++) {
        bool wins = may_win(&contest, n);
        for (uint32_t b = 0; b < decision->best_count && !wins; b++)
            wins = decision->best[b] == n;
        if (wins)
            best[(*count)++] = n;
    }
    return best;
}
