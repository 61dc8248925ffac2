/* SPDX-License-Identifier: Apache-2.0 */
/* Bin packing: the largest pods first, each on the first new node that has room. */
#include "decide/autoscaler/estimator.h"

#include "decide/autoscaler/every_outcome.h"
#include "decide/autoscaler/group_templates.h"
#include "decide/autoscaler/hidden_orders.h"

#include <stdlib.h>

struct scored_pod {
    const struct autoscaler_pod *pod;
    double score;
    uint32_t order;
};

static int compare_scores(const void *left, const void *right)
{
    const struct scored_pod *a = left;
    const struct scored_pod *b = right;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* The shares of a node's cpu and memory that its containers ask for. */
static double score_pod(const struct autoscaler_pod *pod, const struct node *node)
{
    const struct quantity *cpu = resource_list_find(&node->status.allocatable, "cpu");
    const struct quantity *memory = resource_list_find(&node->status.allocatable, "memory");
    double score = 0;
    if (cpu && quantity_milli_value(*cpu) > 0)
        score += (double)autoscaler_pod_cpu_milli(pod) / (double)quantity_milli_value(*cpu);
    if (memory && quantity_value(*memory) > 0)
        score += (double)autoscaler_pod_memory(pod) / (double)quantity_value(*memory);
    return score;
}

static uint64_t shape_of_pod(const struct cluster_autoscaler *autoscaler, const void *item)
{
    (void)autoscaler;
    return (*(const struct autoscaler_pod *const *)item)->shape;
}

/* Go's sort leaves equal items in order as long as there are few. */
enum { SORTED_STABLY_MOST = 12 };

static struct scored_pod *score_pods(struct cluster_autoscaler *autoscaler,
                                     const struct scale_option *option)
{
    struct scored_pod *scored =
        ARENA_ARRAY(autoscaler->loop_arena, struct scored_pod, option->pods.count + 1);
    if (option->pods.count > SORTED_STABLY_MOST)
        orders_mix_kinds(autoscaler, option->pods.items, option->pods.count,
                         sizeof(*option->pods.items), shape_of_pod);
    for (uint32_t i = 0; i < option->pods.count; i++) {
        const struct autoscaler_pod *pod = option->pods.items[i];
        scored[i] = (struct scored_pod){pod, score_pod(pod, option->group->template->node), i};
    }
    qsort(scored, option->pods.count, sizeof(*scored), compare_scores);
    return scored;
}

struct packing {
    struct cluster_autoscaler *autoscaler;
    const struct autoscaler_group *group;
    struct acceptable new_nodes;
    int64_t asked;        /* for permission to add a node */
    uint32_t last;        /* position of the node that was added last */
    bool last_is_empty;   /* no pod could be put on it */
    int64_t filled_nodes; /* with at least one pod */
};

static bool may_ask(struct packing *packing)
{
    const int64_t most = packing->autoscaler->options.max_nodes_per_scale_up;
    if (most > 0 && packing->asked >= most)
        return false;
    packing->asked++;
    return true;
}

/* A further node; it stays even if the pod cannot be put on it. */
static bool pack_on_new_node(struct packing *packing, const struct autoscaler_pod *pod)
{
    struct cluster_autoscaler *autoscaler = packing->autoscaler;
    const char *name = packing->group->template->name;
    packing->last =
        add_template_node(autoscaler, packing->group, packing->group->template_number, name, name);
    packing->last_is_empty =
        simulation_check(autoscaler->simulation, pod, packing->last).code != VERDICT_FEASIBLE;
    if (packing->last_is_empty)
        return false;
    simulation_add_pod(autoscaler->simulation, packing->last, pod);
    packing->filled_nodes++;
    return true;
}

struct estimate {
    struct cluster_autoscaler *autoscaler;
    struct scale_option option; /* as it was given */
    pod_list packed;
    int64_t nodes;
};

static void pack(void *context)
{
    struct estimate *estimate = context;
    struct cluster_autoscaler *autoscaler = estimate->autoscaler;
    struct simulated_cluster *simulation = autoscaler->simulation;
    const struct scored_pod *scored = score_pods(autoscaler, &estimate->option);
    const uint32_t count = estimate->option.pods.count;
    struct packing packing = {.autoscaler = autoscaler,
                              .group = estimate->option.group,
                              .new_nodes = {.first = simulation->count}};
    estimate->packed = (pod_list){0};
    simulation_fork(simulation);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t position = simulation_fit_any(simulation, scored[i].pod, &packing.new_nodes);
        bool placed = position != SIMULATION_NOWHERE;
        if (placed) {
            simulation_add_pod(simulation, position, scored[i].pod);
            if (packing.last_is_empty && position == packing.last) {
                packing.last_is_empty = false;
                packing.filled_nodes++;
            }
        } else if (!may_ask(&packing)) {
            break;
        } else if (!packing.last_is_empty) {
            placed = pack_on_new_node(&packing, scored[i].pod);
        }
        if (placed)
            VEC_PUSH(autoscaler->loop_arena, &estimate->packed, scored[i].pod);
    }
    simulation_revert(simulation);
    estimate->nodes = packing.filled_nodes;
}

/* Packing takes everything back itself. */
static void unpack(void *context)
{
    (void)context;
}

static void tell_packed(void *context, struct text *text)
{
    const struct estimate *estimate = context;
    text_printf(text, "%lld", (long long)estimate->nodes);
    for (uint32_t i = 0; i < estimate->packed.count; i++)
        text_printf(text, " %u", estimate->packed.items[i]->likeness);
}

void estimate_nodes(struct cluster_autoscaler *autoscaler, struct scale_option *option)
{
    struct estimate estimate = {.autoscaler = autoscaler, .option = *option};
    trial_run(autoscaler, &(struct outcome_trial){pack, unpack, tell_packed, &estimate});
    option->pods = estimate.packed;
    option->nodes = estimate.nodes;
}
