/* SPDX-License-Identifier: Apache-2.0 */
/* States and steps in Kubernetes' words. */
#include "cluster/actor/actor.h"
#include "cluster/build/random_clocked.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/intent/intent.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"
#include "object/time.h"

#include <string.h>

static const char *node_name(struct population_worker *worker, uint32_t config)
{
    const struct population *population = worker->population;
    const struct node_template *template = worker->catalog->configs.items[config]->template;
    if (!template->anonymous)
        return template->node->meta.name;
    return population->scope->groups[population->templates.items[template->id].group].name;
}

/* "node a", "a node of group workers"; in the scratch space. */
static const char *node_words(struct population_worker *worker, uint32_t config)
{
    const struct node_template *template = worker->catalog->configs.items[config]->template;
    return arena_printf(&worker->scratch, template->anonymous ? "a node of group %s" : "node %s",
                        node_name(worker, config));
}

/* "2 web, 1 web terminating" */
static void describe_pods(struct population_worker *worker, const struct node_config *config,
                          struct text *text)
{
    const struct population *population = worker->population;
    static const char *const stages[] = {" starting", "", " terminating", " bound", " waiting"};
    if (config_entry_count(config) == 0)
        text_append_string(text, "empty");
    for (uint32_t p = 0; p < config_entry_count(config); p++) {
        const struct class_info *info = &worker->classes.items[config->pods[p].pod];
        const struct revision *revision = &population->revisions.items[info->revision];
        if (revision->ordinal >= 0)
            text_printf(text, "%s%s%s", p ? ", " : "", revision->pod->meta.name,
                        stages[info->stage]);
        else
            text_printf(text, "%s%u %s%s", p ? ", " : "", config->pods[p].count,
                        revision->owner_meta->name, stages[info->stage]);
        if (info->level > 0 && info->stage == STAGE_READY)
            text_printf(text, " using %lldm",
                        (long long)population->workloads.items[revision->workload]
                            .levels[info->level]
                            .cpu_milli);
    }
}

void population_describe_state(const struct model *model, void *own, const uint32_t *words,
                               uint32_t length, struct text *text)
{
    struct population_worker *worker = own;
    const struct population *population = worker->population;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    (void)model;
    const struct population_state *state = state_unpack(worker, words, length);
    for (uint32_t w = 0; w < population->managed_count; w++)
        text_printf(text, "%s%s wants %d", w ? "; " : "",
                    population->workloads.items[w].setup->object->meta->name, state->replicas[w]);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (state->pending[r] > 0)
            text_printf(text, "; %u %s waiting", state->pending[r],
                        population->revisions.items[r].owner_meta->name);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        const char *word = condition_traits[config_condition(worker, config)].word;
        text_printf(text, "; %u x %s%s%s%s: ", state->nodes[n].count, node_name(worker, config),
                    *word ? " (" : "", word, *word ? ")" : "");
        describe_pods(worker, worker->catalog->configs.items[config], text);
    }
    arena_rewind(&worker->scratch, mark);
}

static void describe_sets(const struct population *population, const struct population_state *from,
                          const struct population_state *to, struct text *text)
{
    bool first = true;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        if (from->sets[r].replicas == to->sets[r].replicas)
            continue;
        const struct revision *revision = &population->revisions.items[r];
        const char *set = revision->pod->meta.owners[0].name;
        text_append_string(text, first ? "" : "; ");
        if (from->sets[r].replicas < 0)
            text_printf(text, "Deployment %s creates ReplicaSet %s with %d replica%s",
                        revision->owner_meta->name, set, to->sets[r].replicas,
                        to->sets[r].replicas == 1 ? "" : "s");
        else
            text_printf(text, "Deployment %s scales ReplicaSet %s from %d to %d",
                        revision->owner_meta->name, set, from->sets[r].replicas,
                        to->sets[r].replicas);
        first = false;
    }
    if (first)
        text_append_string(text, "Deployment updates the annotations of its ReplicaSets");
}

static const struct check_event *event_between(const struct population *population,
                                               const struct population_state *from,
                                               const struct population_state *to)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (from->event_used[e] != to->event_used[e])
            return population->events.items[e].event;
    return NULL;
}

/* The workloads that come, and those that are to have more or fewer replicas. */
static void describe_replicas(const struct population *population,
                              const struct population_state *from,
                              const struct population_state *to, struct text *text)
{
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (from->present[w] == WORKLOAD_ABSENT && to->present[w] != WORKLOAD_ABSENT)
            text_printf(text, ": %s is created",
                        population->workloads.items[w].setup->object->meta->name);
        else if (from->replicas[w] != to->replicas[w])
            text_printf(text, ": %s goes from %d to %d replicas",
                        population->workloads.items[w].setup->object->meta->name, from->replicas[w],
                        to->replicas[w]);
}

static const struct event_type *type_of(const struct population *population, uint32_t action)
{
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct event_type *type = population->events.items[e].type;
        if (type->emit && type->action == action)
            return type;
    }
    return NULL;
}

static void describe_event(struct population_worker *worker, const struct population_state *from,
                           const struct population_state *to, const struct step *step,
                           uint32_t node, uint32_t amount, struct text *text)
{
    const struct population *population = worker->population;
    const struct event_type *type = type_of(population, step->action);
    if (!type)
        return;
    if (!type->describe) {
        text_append_string(text, type->words ? type->words : type->name);
        describe_replicas(population, from, to, text);
        return;
    }
    const bool has_node = node < from->node_count;
    const struct event_telling telling = {
        .worker = worker,
        .from = from,
        .to = to,
        .event = event_between(population, from, to),
        .entry = has_node ? node : UINT32_MAX,
        .node = has_node ? node_words(worker, from->nodes[node].config) : "a node",
        .amount = amount,
    };
    type->describe(&telling, text);
}

static void describe(struct population_worker *worker, const struct population_state *from,
                     const struct population_state *to, const struct step *step, struct text *text)
{
    const struct population *population = worker->population;
    const struct step_subject subject = step_subject_of(step);
    const uint32_t revision = subject.revision;
    const uint32_t node = subject.node;
    const uint32_t amount = subject.amount;
    const char *name = revision < population->revisions.count
                           ? population->revisions.items[revision].owner_meta->name
                           : "";
    const bool has_node = node < from->node_count;
    switch (step->action) {
    case ACT_DEPLOYMENT_SYNC: describe_sets(population, from, to, text); return;
    case ACT_SET_CREATE:
    case ACT_SET_DELETE:
    case ACT_STATEFUL_CREATE:
    case ACT_STATEFUL_DELETE: {
        const bool creates = step->action == ACT_SET_CREATE || step->action == ACT_STATEFUL_CREATE;
        text_printf(text, "%s of %s %s %u pods",
                    population->revisions.items[revision].pod->meta.owners[0].kind, name,
                    creates ? "creates" : "deletes", amount);
        return;
    }
    case ACT_JOB_CREATE:
    case ACT_JOB_DELETE:
        text_printf(text, "Job %s %s %u pods", name,
                    step->action == ACT_JOB_CREATE ? "creates" : "deletes", amount);
        return;
    case ACT_JOB_COMPLETE: text_printf(text, "Job %s is complete", name); return;
    case ACT_JOB_FAIL:
        text_printf(text, "Job %s has failed: more pods failed than its backoffLimit allows", name);
        return;
    case ACT_JOB_DEADLINE:
        text_printf(text, "Job %s has failed: it ran for longer than activeDeadlineSeconds", name);
        return;
    case ACT_POD_SUCCEEDS: text_printf(text, "a pod of %s succeeds on ", name); break;
    case ACT_POD_FAILS: text_printf(text, "a pod of %s fails on ", name); break;
    case ACT_STATEFUL_STATUS:
        text_printf(text, "StatefulSet %s has updated all its pods", name);
        return;
    case ACT_DAEMON_SYNC:
        text_printf(text, "DaemonSet %s creates %u pods, or deletes some", name, amount);
        return;
    case ACT_BIND: text_printf(text, "the scheduler binds a pod of %s to ", name); break;
    case ACT_UNSCHEDULABLE:
        text_printf(text, "the scheduler finds no node for a pod of %s", name);
        break;
    case ACT_PREEMPT:
        text_printf(text, "the scheduler preempts %u pods for a pod of %s on ", amount, name);
        break;
    case ACT_ADMIT: text_printf(text, "the kubelet admits %u pods of %s on ", amount, name); break;
    case ACT_REJECT:
    case ACT_PRESSURE_REJECT:
        text_printf(text, "the kubelet rejects %u pods of %s on ", amount, name);
        break;
    case ACT_PRESSURE_EVICT:
        text_printf(text, "under pressure, the kubelet evicts a pod of %s from ", name);
        break;
    case ACT_POD_GARBAGE:
        text_printf(text, "the pod garbage collector deletes %u pods of %s: their node is missing",
                    amount, name);
        return;
    case ACT_PRESSURE_ENDS: text_append_string(text, "under no pressure any more: "); break;
    case ACT_KUBELET_PREEMPT:
        text_printf(text, "the kubelet preempts %u pods for a pod of %s on ", amount, name);
        break;
    case ACT_START:
        if (!has_node) {
            text_printf(text, "%u pod%s of %s become%s ready", amount, amount == 1 ? "" : "s", name,
                        amount == 1 ? "s" : "");
            return;
        }
        text_printf(text, "a pod of %s becomes ready on ", name);
        break;
    case ACT_TERMINATED: text_printf(text, "a pod of %s has terminated on ", name); break;
    case ACT_TAINT_EVICT:
        text_printf(text, "the taint manager evicts a pod of %s from ", name);
        break;
    case ACT_DESCHEDULE:
        text_printf(text, "the descheduler evicts %u %s, of %s from ", amount,
                    amount == 1 ? "pod" : "pods", name);
        break;
    case ACT_DRAIN_EVICT: text_printf(text, "the drain evicts a pod of %s from ", name); break;
    case ACT_DRAIN_DONE: text_append_string(text, "drained: maintenance of "); break;
    case ACT_ENDPOINT_REMOVED:
        text_printf(text, "a pod of %s is no endpoint any more, on ", name);
        break;
    case ACT_TAINT_NODE: text_append_string(text, "no answer, so tainted NoExecute: "); break;
    case ACT_COLLECT: text_printf(text, "the garbage collector deletes a pod of %s, ", name); break;
    case ACT_PANIC: text_append_string(text, "too much load, kernel panic: "); break;
    case ACT_TIME:
        if (population->clock) {
            text_printf(
                text, "%s pass",
                duration_format(&worker->scratch, clock_ticks_ns(population, step->argument)));
            return;
        }
        text_append_string(text, "time passes: pods move on in their pattern of usage");
        return;
    case ACT_BEGIN: text_append_string(text, "everything has settled: here it begins"); return;
    case ACT_SYNC: text_append_string(text, "HorizontalPodAutoscaler: nothing to do"); return;
    case ACT_CYCLE: text_append_string(text, "the descheduler finds nothing to evict"); return;
    case ACT_AGE: text_append_string(text, "ages pass a threshold"); return;
    case ACT_USAGE:
        text_printf(text, "%u pod%s of %s move%s on in %s pattern of usage", amount,
                    amount == 1 ? "" : "s", name, amount == 1 ? "s" : "",
                    amount == 1 ? "its" : "their");
        return;
    case ACT_WAVE:
        for (uint32_t w = 0; w < population->workloads.count; w++) {
            const struct workload *workload = &population->workloads.items[w];
            if (workload->load > 0 &&
                from->loads[workload->load - 1] != to->loads[workload->load - 1])
                text_printf(text, "the load of %s is %lldm of CPU now",
                            workload->setup->object->meta->name,
                            (long long)workload->totals.items[to->loads[workload->load - 1] - 1]);
        }
        return;
    case ACT_NODE_NOTICED:
        text_append_string(text, "nothing was heard for too long, so it is tainted: ");
        break;
    case ACT_SETTLED: text_append_string(text, "nothing moves any more"); return;
    case ACT_NODE_RETURN: text_append_string(text, "back again: "); break;
    case ACT_AUTOSCALE:
        for (uint32_t w = 0; w < population->managed_count; w++)
            if (from->replicas[w] != to->replicas[w])
                text_printf(text, "HorizontalPodAutoscaler scales %s from %d to %d",
                            population->workloads.items[w].setup->object->meta->name,
                            from->replicas[w], to->replicas[w]);
        return;
    case ACT_REAPPLY:
        text_append_string(text, "the GitOps controller applies its manifest again");
        describe_replicas(population, from, to, text);
        return;
    case ACT_EVENT_ROLLBACK:
        text_append_string(text, "the user applies the former manifest again");
        describe_replicas(population, from, to, text);
        return;
    default: describe_event(worker, from, to, step, node, amount, text); return;
    }
    if (has_node && step->action != ACT_UNSCHEDULABLE) {
        text_printf(text, "%s (", node_words(worker, from->nodes[node].config));
        describe_pods(worker, worker->catalog->configs.items[from->nodes[node].config], text);
        text_append_string(text, ")");
    }
}

void population_describe_step(const struct model *model, void *own, const uint32_t *from,
                              uint32_t from_length, const struct step *step, struct text *text)
{
    struct population_worker *worker = own;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    (void)model;
    describe(worker, state_unpack(worker, from, from_length),
             state_unpack(worker, step->words, step->length), step, text);
    arena_rewind(&worker->scratch, mark);
}
