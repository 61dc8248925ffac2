/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kubelets: which pods they admit, when pods become ready, when they are gone.
 *
 * A pod that reaches a node is bound; the kubelet admits it or fails it. No controller reads
 * failed pods, so they are not in a state: the owner sees that one is missing. Admission is no step
 * of its own where nothing can come in between (admits_at_once): then a pod that reaches the node
 * is admitted with the same step.
 *
 * Bound pods of one class on one node are alike and handled in one go, as a kubelet handles what
 * its watch brings: as many as fit are admitted, the others are rejected.
 */
#include "cluster/actor/step_kubelets.h"
#include "cluster/actor_type.h"
#include "cluster/ask/admission.h"
#include "cluster/ask/attachments.h"
#include "cluster/ask/availability.h"
#include "cluster/ask/traffic.h"
#include "cluster/ask/waits.h"
#include "cluster/emit.h"
#include "cluster/event_type.h"
#include "cluster/intent/expression_looks.h"
#include "cluster/intent/victims.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/kubelet.h"

#include <string.h>

/* A step by which a pod of the class on a node of the entry changes. */
static struct happening about(const struct expansion *expansion, enum population_action action,
                              uint32_t class, uint32_t entry, uint32_t amount)
{
    const struct population *population = expansion->population;
    struct happening happening = happening_with(
        population, action, class_info(expansion->worker, class)->revision, entry, amount);
    happening.victims = victims_of(population, happening.revision);
    return happening;
}

/* A critical pod takes the place of some of these pods, which fail. */
static void preempt(struct expansion *expansion, uint32_t entry, uint32_t class,
                    const struct pod_count *pods, uint32_t count)
{
    struct worker *worker = expansion->worker;
    const struct node_config *node = state_config(worker, expansion->state, entry);
    const uint32_t *preempted = kubelet_ask(worker, node, pods, count, class).preempted;
    uint32_t config = node->id;
    struct happening happening = about(expansion, ACT_KUBELET_PREEMPT, class, entry, 0);
    happening.victims = 0;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t i = 0; i < preempted[p]; i++) {
            const uint32_t victim = class_info(worker, pods[p].pod)->revision;
            config = config_replace(worker, config, pods[p].pod, VIEW_NONE);
            happening.victims |= victims_of(expansion->population, victim);
            happening.amount++;
        }
    config = config_replace(worker, config, class, class_admitted(worker, class));
    expansion_emit_node(expansion, config, happening);
}

/* Among pods that are equal to the kubelet a map's order decides: with the
 * classes in every order each choice comes up. The first `fixed` keep their places. */
static void preempt_in_any_order(struct expansion *expansion, uint32_t entry, uint32_t class,
                                 struct pod_count *pods, uint32_t count, uint32_t fixed)
{
    if (fixed == count)
        preempt(expansion, entry, class, pods, count);
    for (uint32_t i = fixed; i < count; i++) {
        const struct pod_count first = pods[fixed];
        pods[fixed] = pods[i];
        pods[i] = first;
        preempt_in_any_order(expansion, entry, class, pods, count, fixed + 1);
        pods[i] = pods[fixed];
        pods[fixed] = first;
    }
}

static void admit(struct expansion *expansion, uint32_t entry, const struct pod_count *bound)
{
    enum { ORDERED_MOST = 6 };
    struct worker *worker = expansion->worker;
    const struct node_config *config = state_config(worker, expansion->state, entry);
    const struct admitted_batch batch = kubelet_admit_batch(worker, config->id, bound);
    if (batch.drives_out && batch.handled == 0) {
        struct pod_count *pods;
        const uint32_t count = kubelet_admitted_pods(worker, config, &pods);
        const bool tied = kubelet_ask(worker, config, pods, count, bound->pod).preemption_tied;
        worker->findings.overflowed |= tied && count > ORDERED_MOST;
        preempt_in_any_order(expansion, entry, bound->pod, pods, count,
                             tied && count <= ORDERED_MOST ? 0 : count);
        return;
    }
    const enum population_action action = !batch.reason ? ACT_ADMIT
                                          : batch.reason->rejection == KUBELET_UNDER_PRESSURE
                                              ? ACT_PRESSURE_REJECT
                                              : ACT_REJECT;
    expansion_emit_node(
        expansion, batch.config,
        about(expansion, action, bound->pod, entry, batch.reason ? batch.rejected : batch.handled));
}

/* A pod becomes ready, unless it has to wait for a disk. */
static void start(struct expansion *expansion, uint32_t entry, uint32_t class)
{
    const struct class_info info = *class_info(expansion->worker, class);
    if (expansion->population->has_disks &&
        disk_attached_elsewhere(expansion->worker, expansion->state, entry, info.revision))
        expansion_emit_idle(expansion, about(expansion, ACT_MULTI_ATTACH, class, entry, 1));
    else
        expansion_emit_pod(expansion, class,
                           class_like(expansion->worker, &info, STAGE_READY, info.level),
                           about(expansion, ACT_START, class, entry, 1));
}

/* May the pod be one that waits for a node? Then it starts when the scheduler finds one. */
static bool is_up_to_scheduler(const struct expansion *expansion, uint32_t entry,
                               const struct pod_count *pods)
{
    return config_condition(expansion->worker, expansion->state->nodes[entry].config) ==
               NODE_POOL &&
           waits_in_pool(expansion->worker, pods->pod);
}

static void look_after(struct expansion *expansion, uint32_t entry, const struct pod_count *pods)
{
    const struct population *population = expansion->population;
    const struct class_info info = *class_info(expansion->worker, pods->pod);
    if (expansion_leaves_out_pods(expansion, info.revision))
        return;
    switch (info.stage) {
    case STAGE_BOUND: admit(expansion, entry, pods); break;
    case STAGE_STARTING:
        if (!population->revisions.items[info.revision].never_ready &&
            !clock_starts_pod(population, &info) && !is_up_to_scheduler(expansion, entry, pods))
            start(expansion, entry, pods->pod);
        break;
    case STAGE_TERMINATING:
        if (!kubelet_must_wait(population, &info))
            expansion_emit_pod(expansion, pods->pod, VIEW_NONE,
                               about(expansion, ACT_TERMINATED, pods->pod, entry, 1));
        break;
    default: break;
    }
}

static void step_kubelets(struct expansion *expansion)
{
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const struct node_config *config = state_config(expansion->worker, expansion->state, n);
        const bool acts = config_facts(expansion->worker, config->id)->kubelet_acts;
        for (uint32_t p = 0; acts && p < config->pod_entry_count; p++)
            look_after(expansion, n, &config->pods[p]);
    }
}

/* Does the scheduler check at least what kubelets check? */
static bool scheduler_checks(const struct profile *profile)
{
    static const char *const asked[] = {"NodeResourcesFit", "NodeAffinity", "NodePorts",
                                        "TaintToleration"};
    if (profile->settings->node_resources_fit.ignored_resources.count > 0 ||
        profile->settings->node_resources_fit.ignored_resource_groups.count > 0)
        return false;
    for (size_t a = 0; a < sizeof(asked) / sizeof(*asked); a++) {
        bool found = false;
        for (uint32_t f = 0; f < profile->filter_count; f++)
            found = found || strcmp(profile->filters[f]->name, asked[a]) == 0;
        if (!found)
            return false;
    }
    return true;
}

bool admission_matters(const struct population *population)
{
    bool matters = false;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        struct revision *revision = &population->revisions.items[r];
        const struct profile *profile =
            profiles_find(&population->profiles, revision->pod->spec.scheduler_name);
        revision->unchecked =
            !revision->node_name && !revision->never_waits && profile && !scheduler_checks(profile);
        matters |= revision->node_name || revision->unchecked;
    }
    matters |= !events_have(population, LEAVES_ADMISSION_ALONE);
    for (uint32_t g = 0; g < population->scope->group_count; g++)
        matters |= population->scope->groups[g].pressures != 0;
    return matters;
}

bool rejections_are_told(const struct population *population)
{
    bool runs_low = false;
    for (uint32_t e = 0; e < population->events.count; e++)
        runs_low |= population->events.items[e].type->pressure != NULL;
    return runs_low && (population->has_job_rules || expressions_read_pods(population, "phase"));
}

static const enum population_action kubelet_actions[] = {
    ACT_ADMIT,        ACT_REJECT, ACT_PRESSURE_REJECT, ACT_KUBELET_PREEMPT,
    ACT_MULTI_ATTACH, ACT_START,  ACT_TERMINATED,      ACTIONS_END};

const struct actor actor_kubelet = {
    .name = "kubelet",
    .actions = kubelet_actions,
    .step = step_kubelets,
    .minds_ends = never_minds,
    .minds_waits = never_minds,
    .reads = PART_PODS | PART_NODES,
    .writes = PART_PODS,
};
