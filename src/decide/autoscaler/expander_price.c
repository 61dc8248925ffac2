/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The price expander: what the nodes cost for what the pods are worth, and how far the nodes are
 * from the size that suits the cluster. The prices of pods are those of the recordings.
 */
#include "decide/autoscaler/expander.h"

#include <math.h>

static const double price_of_core = 0.03;
static const double price_of_gibibyte = 0.004;

static double pod_price(int64_t cpu_milli, int64_t memory)
{
    const double gibibyte = 1024.0 * 1024.0 * 1024.0;
    return (double)cpu_milli / 1000.0 * price_of_core +
           (double)memory / gibibyte * price_of_gibibyte;
}

/* The larger the cluster, the larger the nodes. */
static double preferred_cpu_milli(uint32_t nodes)
{
    static const uint32_t steps[] = {2, 6, 20, 60, 200};
    double cpu = 1000;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && nodes > steps[i]; i++)
        cpu *= 2;
    return cpu;
}

static double unfitness(const struct cluster_autoscaler *autoscaler,
                        const struct scale_option *option)
{
    const double gradual = 15.0;
    const struct quantity *capacity =
        resource_list_find(&option->group->template->node->status.capacity, "cpu");
    const double cpu = capacity ? (double)quantity_milli_value(*capacity) : 0;
    const double preferred = preferred_cpu_milli(autoscaler->nodes.count);
    const double plain = fmax(preferred / cpu, cpu / preferred);
    return (plain - 1.0) * (1.0 - tanh((double)(option->nodes - 1) / gradual)) + 1.0;
}

double expander_price(const struct cluster_autoscaler *autoscaler,
                      const struct scale_option *option)
{
    const double stabilization = pod_price(500, 500LL * 1024 * 1024);
    double pods = 0;
    for (uint32_t i = 0; i < option->pods.count; i++)
        pods += pod_price(autoscaler_pod_cpu_milli(option->pods.items[i]),
                          autoscaler_pod_memory(option->pods.items[i]));
    const double nodes = option->group->price * (double)option->nodes;
    return unfitness(autoscaler, option) * ((nodes + stabilization) / (pods + stabilization));
}
