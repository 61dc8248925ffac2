/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pristine nodes of a group are those of its kind without names, as the first state has them.
 * Where nodes are told apart, or others come and go that are not in the setup, only the explored
 * size is claimed: nothing of these parts of the model is followed.
 */
#include "cluster/build/build_sizes.h"
#include "cluster/build/build_nodes.h"
#include "cluster/population.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "decide/node_reads.h"
#include "setup/scope_reads.h"

/* Why nothing is known of other sizes; NULL: something may be. */
static const char *why_untracked(const struct population *population)
{
    const struct scope *scope = population->scope;
    if (scope->group_count > SIZE_GROUPS_MOST)
        return "there are more than 16 groups of nodes";
    if (population->autoscaling)
        return "the cluster autoscaler adds and removes nodes";
    if (scope->start == START_OBSERVED || scope->start == START_CANONICAL)
        return "runs start from pods on certain nodes";
    if (scope->reads->mentions.all_hostnames && nodes_may_be_mentioned(scope))
        return "something mentions nodes by their names";
    if (population->options.nodes == NODES_ALL_DISTINGUISHED)
        return "every node is distinguished";
    return NULL;
}

void sizes_begin(struct population *population)
{
    struct worker *maker = population->maker;
    if (!population->options.every_size)
        return;
    struct node_reads *reads = ARENA_NEW(&population->arena, struct node_reads);
    reads->group_count = population->scope->group_count < SIZE_GROUPS_MOST
                             ? population->scope->group_count
                             : SIZE_GROUPS_MOST;
    reads->nodes = population->setup->nodes;
    reads->region = &maker->findings.sizes;
    for (uint32_t g = 0; g < SIZE_GROUPS_MOST; g++)
        reads->pristine[g] = VIEW_NONE;
    for (uint32_t g = 0; g < reads->group_count; g++)
        reads->open |= population->scope->groups[g].open ? UINT32_C(1) << g : 0;
    maker->findings.sizes = size_region_all();
    maker->catalog->node_reads = reads;
}

/* The entry of the group's nodes without names; NULL: it has none. */
static const struct view_node *pristine_entry(const struct population *population, uint32_t group)
{
    const struct state *state = population->initial;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct template_info *info = state_template(population->maker, state, n);
        const struct node_kind *kind = &population->node_kinds.items[info->node];
        if (info->group == group && info->condition != NODE_POOL && !kind->named &&
            !kind->distinguished)
            return &state->nodes[n];
    }
    return NULL;
}

/* Nodes that are mentioned are there with the same names. */
static void keep_names(const struct population *population, struct node_reads *reads,
                       uint32_t group)
{
    const struct mentioned_nodes names = nodes_mentioned(population, group, reads->nodes[group]);
    size_region_narrow(reads->region, UINT32_C(1) << group, names.last,
                       names.next > 0 ? names.next - 1 : SIZE_UNBOUNDED);
}

static void begin_group(const struct population *population, struct node_reads *reads,
                        uint32_t group)
{
    const struct catalog *catalog = population->maker->catalog;
    const struct view_node *entry = pristine_entry(population, group);
    keep_names(population, reads, group);
    if (!entry || population->scope->groups[group].names ||
        population->scope->groups[group].single) {
        node_reads_pin(reads, UINT32_C(1) << group, "nodes of the group have names");
        return;
    }
    reads->pristine[group] = entry->config;
    /* Fairness is another one where several nodes are alike (emit.c), and two of them may have to
     * be told apart (confirm_loops.c). */
    node_count_exceeds(catalog, *entry, 1);
    if (population->options.nodes == NODES_ONE_DISTINGUISHED)
        node_count_exceeds(catalog, *entry, 2);
}

void sizes_begin_states(struct population *population)
{
    struct node_reads *reads = population->maker->catalog->node_reads;
    if (!reads)
        return;
    const char *why = why_untracked(population);
    if (why) {
        *reads->region = size_region_point(why);
        return;
    }
    /* Which nodes may be the best beside others goes by how much better they are
     * (decide/scheduler/lead.h). */
    reads->keeps_raw =
        population->options.others && !population->options.others->unknown && !population->pools;
    reads->keeps_scores = population->image_sets.count > 0 || reads->keeps_raw;
    for (uint32_t g = 0; g < reads->group_count; g++)
        begin_group(population, reads, g);
}
