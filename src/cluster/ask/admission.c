/* SPDX-License-Identifier: Apache-2.0 */
/* Whether kubelets admit pods that come to their nodes. */
#include "cluster/ask/admission.h"
#include "cluster/state/classes.h"
#include "cluster/state/clock.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/kubelet.h"

#include <string.h>

struct kubelet_admission kubelet_ask(struct worker *worker, const struct node_config *config,
                                     const struct pod_count *pods, uint32_t pod_entry_count,
                                     uint32_t class)
{
    const struct kubelet_node node = {
        .catalog = worker->catalog,
        .template = config->template,
        .pods = pods,
        .pod_entry_count = pod_entry_count,
        .pressures = config_template(worker, config->id)->pressures,
    };
    struct kubelet_admission admission;
    kubelet_admit(&worker->scratch, &node, worker->catalog->pods.items[class], &admission);
    return admission;
}

uint32_t kubelet_admitted_pods(struct worker *worker, const struct node_config *config,
                               struct pod_count **pods)
{
    uint32_t count = 0;
    *pods = ARENA_ARRAY(&worker->scratch, struct pod_count, config->pod_entry_count + 2);
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (class_info(worker, config->pods[p].pod)->stage != STAGE_BOUND)
            (*pods)[count++] = config->pods[p];
    return count;
}

/* Can pods of another revision that do not fit reach this node, so that its kubelet may admit
 * them first? They name the node, or another scheduler binds them without checking. (A scheduler
 * knows what it has bound itself, and kubelets learn of it in that order.) */
static bool rivals(const struct population *population, const struct node_config *config,
                   uint32_t revision)
{
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *other = &population->revisions.items[r];
        const bool named = other->node_name && !config->template->anonymous &&
                           strcmp(other->node_name, config->template->node->meta.name) == 0;
        const bool foreign =
            other->unchecked && other->scheduler != population->revisions.items[revision].scheduler;
        if (r != revision && (named || foreign))
            return true;
    }
    return false;
}

/*
 * Is a pod that comes to this node admitted whatever happens before the kubelet
 * looks at it? It fits beside everything that is there or on its way, and the
 * scheduler keeps its place; only rivals could take it. If the node runs low first, the pod is
 * lost, too, as one that the kubelet evicts: few can tell.
 */
static bool admits_at_once(struct worker *worker, uint32_t number, uint32_t revision)
{
    const struct population *population = worker->population;
    const struct node_config *config = config_at(worker, number);
    if (!population->admission_matters)
        return true;
    if (population->tells_rejections || !condition_traits[config_condition(worker, number)].works ||
        rivals(population, config, revision))
        return false;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct kubelet_admission admission =
        kubelet_ask(worker, config, config->pods, config->pod_entry_count,
                    class_at(population, revision, STAGE_BOUND, 0));
    const bool admitted = admission.admitted && !admission.preempted;
    arena_rewind(&worker->scratch, mark);
    return admitted;
}

/* The class of a pod that its kubelet has not admitted or rejected yet. With clocks it has an
 * age, because how long it has been on the node counts for taints. */
static uint32_t class_of_bound(struct worker *worker, uint32_t revision)
{
    const struct population *population = worker->population;
    const uint32_t level = revision_workload(population, revision)->first_level;
    return population->clock && population->clock->pods[revision].start[STAGE_BOUND].count > 0
               ? class_in_slot(worker, revision, STAGE_BOUND, level, SLOT_NEW)
               : class_at(population, revision, STAGE_BOUND, level);
}

uint32_t config_with_new_pod(struct worker *worker, uint32_t config, uint32_t revision)
{
    const uint32_t class = admits_at_once(worker, config, revision)
                               ? class_of_new(worker, revision)
                               : class_of_bound(worker, revision);
    const bool late = config_condition(worker, config) == NODE_CORDONED &&
                      !worker->population->revisions.items[revision].pinned;
    worker->findings.held.binds = true;
    return config_replace(worker, config, VIEW_NONE, class_late(worker, class, late));
}

struct admitted_batch kubelet_admit_batch(struct worker *worker, uint32_t number,
                                          const struct pod_count *bound)
{
    const struct node_config *config = config_at(worker, number);
    const uint32_t new_class = class_admitted(worker, bound->pod);
    struct admitted_batch batch = {.config = number};
    struct pod_count *pods;
    const uint32_t count = kubelet_admitted_pods(worker, config, &pods);
    pods[count] = (struct pod_count){new_class, 0};
    for (; batch.handled < bound->count; batch.handled++) {
        const struct kubelet_admission admission =
            kubelet_ask(worker, config, pods, count + 1, bound->pod);
        batch.drives_out = admission.preempted != NULL;
        if (batch.drives_out)
            break;
        if (admission.admitted) {
            pods[count].count++;
        } else {
            batch.rejected++;
            batch.reason = &admission.reasons.items[0];
        }
        batch.config = config_replace(worker, batch.config, bound->pod,
                                      admission.admitted ? new_class : VIEW_NONE);
    }
    return batch;
}

const struct kubelet_reason *kubelet_why_rejected(struct worker *worker, uint32_t number,
                                                  uint32_t revision)
{
    const struct node_config *config = config_at(worker, number);
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct class_info *info = class_info(worker, config->pods[p].pod);
        if (info->stage == STAGE_BOUND && info->revision == revision)
            return kubelet_admit_batch(worker, number, &config->pods[p]).reason;
    }
    return NULL;
}

uint32_t state_add_pods(struct worker *worker, struct state *state, uint32_t revision,
                        uint32_t count)
{
    const char *name = worker->population->revisions.items[revision].node_name;
    const uint32_t node = name ? state_find_named(worker, state, name) : UINT32_MAX;
    if (node == UINT32_MAX) {
        state->pending[revision] += count;
        return node;
    }
    uint32_t config = state->nodes[node].config;
    for (uint32_t i = 0; i < count; i++)
        config = config_with_new_pod(worker, config, revision);
    state->nodes[node].config = config;
    return node;
}
