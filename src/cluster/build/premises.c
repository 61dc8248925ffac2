/* SPDX-License-Identifier: Apache-2.0 */
/* What the model relies on, and where the manifests themselves speak against it. */
#include "cluster/population.h"
#include "decide/controller/kubelet.h"
#include "object/scheduler_configuration.h"
#include "object/time.h"

static int64_t ready_latest(const struct pod_spec *spec)
{
    int64_t latest = 0;
    for (uint32_t c = 0; c < spec->container_count; c++) {
        int64_t earliest;
        int64_t last;
        kubelet_ready_window(spec->containers[c].startup_probe, spec->containers[c].readiness_probe,
                             &earliest, &last);
        latest = last > latest ? last : latest;
    }
    return latest;
}

/* Settle-first means that pods are ready before the next sync. */
const char *population_settles_late(struct arena *arena, const struct scope *scope)
{
    const int64_t period = scope_sync_period_ns(scope);
    for (uint32_t w = 0; scope->time != TIME_CLOCKED && w < scope->workload_count; w++) {
        const struct setup_workload *workload = &scope->workloads[w];
        const struct pod_template *template = workload_template(workload->object);
        const int64_t latest = workload->autoscaler && template ? ready_latest(&template->spec) : 0;
        if (latest > period)
            return arena_printf(arena,
                                "pods of %s take up to %s to be ready, and its autoscaler syncs "
                                "every %s: --time clocked sees what it does in between",
                                workload->name, duration_format(arena, latest),
                                duration_format(arena, period));
    }
    return NULL;
}

/* What share of the nodes the least thorough profile scores; 0: as upstream sees fit. */
static int64_t percentage_scored(const struct check *check)
{
    const struct scheduler_configuration *configuration =
        check && check->controllers.scheduler ? check->controllers.scheduler->configuration : NULL;
    const int64_t common = configuration ? configuration->percentage_of_nodes_to_score : 0;
    int64_t least = configuration && configuration->profile_count > 0 ? INT64_MAX : common;
    for (uint32_t i = 0; configuration && i < configuration->profile_count; i++) {
        const struct optional_int own = configuration->profiles[i].percentage_of_nodes_to_score;
        const int64_t scored = own.set ? own.value : common;
        least = scored < least ? scored : least;
    }
    return least;
}

const char *population_scores_more(const struct scope *scope)
{
    enum { NODES_ALWAYS_EXAMINED = 100, ALL = 100 };
    int64_t nodes = 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        nodes += scope->groups[g].most;
    return nodes <= NODES_ALWAYS_EXAMINED || percentage_scored(scope->check) >= ALL
               ? NULL
               : "every node is scored: beyond 100 nodes kube-scheduler stops at a sample, in "
                 "which "
                 "the best need not be, unless percentageOfNodesToScore is 100";
}
