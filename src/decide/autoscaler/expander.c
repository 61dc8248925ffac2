/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/expander.h"

#include <string.h>

void keep_lowest(struct cluster_autoscaler *autoscaler, option_list *options,
                 double (*score)(const struct cluster_autoscaler *autoscaler,
                                 const struct scale_option *option))
{
    option_list best = {0};
    double lowest = 0;
    for (uint32_t i = 0; i < options->count; i++) {
        const double value = score(autoscaler, options->items[i]);
        if (best.count > 0 && value > lowest)
            continue;
        if (best.count > 0 && value < lowest)
            best.count = 0;
        lowest = value;
        VEC_PUSH(autoscaler->loop_arena, &best, options->items[i]);
    }
    *options = best;
}

static double score_pods(const struct cluster_autoscaler *autoscaler,
                         const struct scale_option *option)
{
    (void)autoscaler;
    return -(double)option->pods.count;
}

static int64_t capacity_of(const struct scale_option *option, const char *resource, bool milli)
{
    const struct quantity *capacity =
        resource_list_find(&option->group->template->node->status.capacity, resource);
    if (!capacity)
        return 0;
    return milli ? quantity_milli_value(*capacity) : quantity_value(*capacity);
}

/* The shares of cpu and memory that the new nodes have and the pods do not ask for. */
static double score_waste(const struct cluster_autoscaler *autoscaler,
                          const struct scale_option *option)
{
    int64_t cpu = 0;
    int64_t memory = 0;
    (void)autoscaler;
    for (uint32_t i = 0; i < option->pods.count; i++) {
        cpu += autoscaler_pod_cpu_milli(option->pods.items[i]);
        memory += autoscaler_pod_memory(option->pods.items[i]);
    }
    const int64_t all_cpu = capacity_of(option, "cpu", true) * option->nodes;
    const int64_t all_memory = capacity_of(option, "memory", false) * option->nodes;
    const double wasted_cpu = (double)(all_cpu - cpu) / (double)all_cpu;
    const double wasted_memory = (double)(all_memory - memory) / (double)all_memory;
    return wasted_cpu + wasted_memory;
}

static bool is_known(const char *name)
{
    static const char *const names[] = {"random", "most-pods", "least-waste", "priority", "price"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

const char *expanders_wrong(struct arena *arena, const struct string_list *chain)
{
    for (uint32_t i = 0; i < chain->count; i++) {
        const char *name = chain->items[i];
        if (!is_known(name))
            return arena_printf(
                arena, "expected random, most-pods, least-waste, priority or price, found \"%s\"",
                name);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(chain->items[k], name) == 0)
                return arena_printf(
                    arena, "%s is given twice: the cluster autoscaler does not start with it",
                    name);
        if (i > 0 && strcmp(chain->items[i - 1], "random") == 0)
            return arena_printf(arena,
                                "%s comes after random, which leaves one option: the cluster "
                                "autoscaler does not start with it",
                                name);
    }
    return NULL;
}

void expand_best(struct cluster_autoscaler *autoscaler, option_list *options)
{
    const struct string_list *chain = &autoscaler->options.expander;
    for (uint32_t i = 0; i < chain->count && options->count > 1; i++) {
        if (strcmp(chain->items[i], "most-pods") == 0)
            keep_lowest(autoscaler, options, score_pods);
        else if (strcmp(chain->items[i], "least-waste") == 0)
            keep_lowest(autoscaler, options, score_waste);
        else if (strcmp(chain->items[i], "price") == 0)
            keep_lowest(autoscaler, options, expander_price);
        else if (strcmp(chain->items[i], "priority") == 0)
            expander_priority(autoscaler, options);
    }
}
