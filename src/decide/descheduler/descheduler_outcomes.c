/* SPDX-License-Identifier: Apache-2.0 */
/* All outcomes of a cycle, each once. */
#include "decide/descheduler/descheduler_outcomes.h"

#include <stdlib.h>

enum { RUNS_MOST = 1000000 };

static int compare_losses(const void *left, const void *right)
{
    const struct descheduler_loss *a = left;
    const struct descheduler_loss *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->plugin > b->plugin) - (a->plugin < b->plugin);
}

/* Equal losses add up. */
static uint32_t sum_up(struct descheduler_loss *losses, uint32_t count)
{
    uint32_t kept = 0;
    qsort(losses, count, sizeof(*losses), compare_losses);
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && compare_losses(&losses[kept - 1], &losses[i]) == 0)
            losses[kept - 1].count += losses[i].count;
        else
            losses[kept++] = losses[i];
    }
    return kept;
}

/* A multiset over the nodes of each kind of the multisets that they lose. */
static struct signature sign(const struct cluster *cluster, const struct descheduler_loss *losses,
                             uint32_t count)
{
    struct signature sum = {0};
    for (uint32_t i = 0; i < count;) {
        const uint32_t node = losses[i].node;
        struct signature of_node = {.left = cluster->nodes[node].kind, .right = 7};
        for (; i < count && losses[i].node == node; i++) {
            of_node = signature_mix(of_node, losses[i].kind);
            of_node = signature_mix(of_node, losses[i].plugin);
            of_node = signature_mix(of_node, losses[i].count);
        }
        sum = signature_add(sum, signature_mix(of_node, 3));
    }
    return sum;
}

static struct descheduler_outcome outcome_of(struct arena *arena, const struct cluster *cluster,
                                             const struct descheduler_eviction *evictions,
                                             uint32_t count)
{
    struct descheduler_outcome outcome = {0};
    outcome.losses = ARENA_ARRAY(arena, struct descheduler_loss, count + 1);
    for (uint32_t i = 0; i < count; i++)
        outcome.losses[i] = (struct descheduler_loss){
            .node = evictions[i].node,
            .kind = cluster->pods[evictions[i].pod].kind,
            .plugin = evictions[i].plugin,
            .count = 1,
        };
    outcome.loss_count = sum_up(outcome.losses, count);
    outcome.signature = sign(cluster, outcome.losses, outcome.loss_count);
    return outcome;
}

struct signature descheduler_outcome_signature(struct cluster *cluster,
                                               const struct descheduler_eviction *evictions,
                                               uint32_t count)
{
    const struct arena_mark mark = arena_mark(cluster->arena);
    const struct signature signature =
        outcome_of(cluster->arena, cluster, evictions, count).signature;
    arena_rewind(cluster->arena, mark);
    return signature;
}

void descheduler_enumerate(struct arena *arena, const struct descheduler_setup *setup,
                           struct cluster *cluster, struct descheduler_limits limits,
                           struct descheduler_outcomes *outcomes)
{
    const uint64_t runs_most = limits.runs_most > 0 ? limits.runs_most : RUNS_MOST;
    struct signature_set known = {0};
    struct choice choice;
    struct arena scratch;
    bool more = true;
    *outcomes = (struct descheduler_outcomes){0};
    arena_init(&scratch, arena->memory);
    choice_init(&choice, arena, !limits.without_memory);
    const struct arena_mark mark = arena_mark(&scratch);
    while (more && outcomes->runs < runs_most) {
        struct descheduler_result result;
        choice_rewind(&choice);
        descheduler_run_choosing(&scratch, setup, cluster, &choice, &result);
        outcomes->runs++;
        if (!choice.given_up) {
            const struct descheduler_outcome found =
                outcome_of(&scratch, cluster, result.evicted.items, result.evicted.count);
            if (signature_set_add(arena, &known, found.signature)) {
                struct descheduler_outcome kept = found;
                kept.losses =
                    arena_copy(arena, found.losses, (found.loss_count + 1) * sizeof(*found.losses));
                VEC_PUSH(arena, &outcomes->items, kept);
            }
        }
        arena_rewind(&scratch, mark);
        more = choice_advance(&choice);
    }
    outcomes->too_many = more;
    arena_release(&scratch);
}
