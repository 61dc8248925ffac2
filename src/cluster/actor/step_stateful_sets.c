/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The StatefulSet controller. Its pods have identities: the pod of an ordinal
 * is there once or not at all, waits for a node or is on one. A pod that
 * terminates on a node that is gone keeps its name and blocks its ordinal, as
 * on a real cluster.
 *
 * What a sync does is one step, its new status included.
 */
#include "cluster/actor/step_stateful_sets.h"
#include "cluster/actor_type.h"
#include "cluster/ask/admission.h"
#include "cluster/ask/availability.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/stateful_set/stateful_set_controller.h"

/* The pod of one ordinal. */
struct stateful_member {
    bool exists;
    uint32_t revision;
    uint32_t entry; /* UINT32_MAX: it waits for a node */
    uint32_t class;
};

struct syncing {
    struct worker *worker;
    const struct state *state;
    uint32_t number; /* of the workload */
    const struct workload *workload;
    uint32_t present;                /* the number of its present template */
    struct stateful_member *members; /* by ordinal, from the first one */
    struct stateful_pod *pods;       /* those that exist */
    uint32_t pod_count;
};

static struct stateful_member *member_of(const struct syncing *syncing, uint32_t revision)
{
    const int32_t ordinal = syncing->worker->population->revisions.items[revision].ordinal;
    return &syncing->members[ordinal - syncing->workload->first_ordinal];
}

static void find_members(struct syncing *syncing)
{
    struct worker *worker = syncing->worker;
    const struct workload *workload = syncing->workload;
    for (uint32_t i = 0; i < workload->revision_count; i++) {
        const uint32_t revision = workload->first_revision + i;
        if (syncing->state->pending[revision] > 0)
            *member_of(syncing, revision) = (struct stateful_member){true, revision, UINT32_MAX, 0};
    }
    for (struct pod_walk pods = pods_on_nodes(worker, syncing->state); pods_next(&pods);)
        if (class_revision(worker, pods.class)->workload == syncing->number)
            *member_of(syncing, pods.info->revision) =
                (struct stateful_member){true, pods.info->revision, pods.entry, pods.class};
}

static struct stateful_pod facts_of(const struct syncing *syncing,
                                    const struct stateful_member *member)
{
    struct worker *worker = syncing->worker;
    const struct state *state = syncing->state;
    const struct revision *revision = &worker->population->revisions.items[member->revision];
    struct stateful_pod pod = {
        .ordinal = revision->ordinal,
        .created = true,
        .current_revision = revision->number == state->statuses[syncing->number].current,
        .update_revision = revision->number == syncing->present,
    };
    if (member->entry != UINT32_MAX) {
        const struct class_info *info = class_info(worker, member->class);
        /* A pod that terminates may be ready, but it is not healthy. */
        pod.terminating = info->stage == STAGE_TERMINATING;
        pod.ready = pod_is_ready_on(worker, info, state->nodes[member->entry].config);
        pod.available = pod.ready && clock_pod_is_available(worker->population, state, info);
    }
    return pod;
}

static struct syncing syncing_of(struct worker *worker, const struct state *state, uint32_t number)
{
    const struct workload *workload = &worker->population->workloads.items[number];
    struct syncing syncing = {
        .worker = worker,
        .state = state,
        .number = number,
        .workload = workload,
        .present = worker->population->revisions.items[state->present[number]].number,
        .members = ARENA_ARRAY(&worker->scratch, struct stateful_member, workload->ordinal_count),
        .pods = ARENA_ARRAY(&worker->scratch, struct stateful_pod, workload->ordinal_count),
    };
    find_members(&syncing);
    for (uint32_t i = 0; i < workload->ordinal_count; i++)
        if (syncing.members[i].exists)
            syncing.pods[syncing.pod_count++] = facts_of(&syncing, &syncing.members[i]);
    return syncing;
}

static const struct stateful_set_decision *decide(const struct syncing *syncing)
{
    const struct population *population = syncing->worker->population;
    const struct state *state = syncing->state;
    const struct stateful_set *set =
        state_spec(population, state, syncing->number)->as.stateful_set;
    const struct stateful_set_facts facts = {
        .features = &population->options.features,
        .replicas = state->replicas[syncing->number],
        .start_ordinal = syncing->workload->first_ordinal,
        .parallel = set->pod_management_policy == POD_MANAGEMENT_PARALLEL,
        .on_delete = set->update_strategy == UPDATE_ON_DELETE,
        .same_revision = state->statuses[syncing->number].current == syncing->present,
        .partition = set->partition,
        .max_unavailable = stateful_set_max_unavailable(&population->options.features, set,
                                                        state->replicas[syncing->number]),
        .pods = syncing->pods,
        .pod_count = syncing->pod_count,
    };
    return stateful_set_sync(&syncing->worker->scratch, &facts);
}

/* A pod that waits for a node is gone at once. An entry with a pod that has an
 * identity is one node, so that it changes in place. */
static void delete_pod(struct worker *worker, struct state *next,
                       const struct stateful_member *member)
{
    if (member->entry == UINT32_MAX)
        next->pending[member->revision] = 0;
    else
        next->nodes[member->entry].config =
            config_end(worker, next->nodes[member->entry].config, member->class, END_DISOWNED);
}

static void emit_sync(struct expansion *expansion, struct state *next, struct happening happening)
{
    if (happening.action == ACT_STATEFUL_CREATE)
        expansion_emit_created(expansion, next, happening, happening.revision);
    else
        expansion_emit(expansion, next, happening);
}

/* The next creation of the sync may be refused, because others use up a quota. */
static void emit_begun(struct expansion *expansion, const struct state *begun,
                       struct happening happening)
{
    emit_sync(expansion, state_copy(expansion->worker, begun), happening);
}

static void sync(struct expansion *expansion, uint32_t number)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    const uint32_t current = state->statuses[number].current;
    const struct syncing syncing = syncing_of(worker, state, number);
    const struct stateful_set_decision *decision = decide(&syncing);
    uint32_t completed = decision->update_complete ? syncing.present : current;
    if (decision->actions.count == 0 && completed == current)
        return;
    struct state *next = state_copy(worker, state);
    struct happening happening =
        happening_with(worker->population, ACT_STATEFUL_STATUS, state->present[number], UINT32_MAX,
                       decision->actions.count);
    for (uint32_t a = 0; a < decision->actions.count; a++) {
        const struct stateful_action *action = &decision->actions.items[a];
        const uint32_t index = (uint32_t)(action->ordinal - syncing.workload->first_ordinal);
        const uint32_t template = action->update_revision ? syncing.present : current;
        if (action->verb == STATEFUL_DELETE) {
            delete_pod(worker, next, &syncing.members[index]);
            happening.revision = syncing.members[index].revision;
            happening.action =
                happening.action == ACT_STATEFUL_CREATE ? ACT_STATEFUL_CREATE : ACT_STATEFUL_DELETE;
            continue;
        }
        const uint32_t revision =
            syncing.workload->first_revision + template * syncing.workload->ordinal_count + index;
        /* The sync ends with the error. What it did before stands. */
        if (expansion_refuses(expansion, next, revision)) {
            completed = current;
            if (a == 0)
                return;
            break;
        }
        if (a > 0 && worker->population->revisions.items[revision].may_be_delayed)
            emit_begun(expansion, next, happening);
        happening.action = ACT_STATEFUL_CREATE;
        happening.revision = revision;
        const char *name = worker->population->revisions.items[happening.revision].node_name;
        happening.node = state_add_pods(worker, next, happening.revision, 1);
        if (happening.node != UINT32_MAX) /* it may have another place in the next state */
            happening.node = state_find_named(worker, state, name);
    }
    next->statuses[number].current = completed;
    emit_sync(expansion, next, happening);
}

static void step_stateful_sets(struct expansion *expansion)
{
    for (uint32_t w = 0; w < expansion->population->managed_count; w++)
        if (expansion->population->workloads.items[w].kind == OBJECT_STATEFUL_SET &&
            expansion->state->present[w] != WORKLOAD_ABSENT)
            sync(expansion, w);
}

const char *stateful_set_note(struct worker *worker, const struct state *state, uint32_t workload,
                              struct arena *arena)
{
    static const char *const waits[] = {
        [STATEFUL_WAITS_TERMINATING] = "to be gone",
        [STATEFUL_WAITS_READY] = "to become ready",
        [STATEFUL_WAITS_AVAILABLE] = "to become available",
        [STATEFUL_WAITS_UPDATED] = "to become ready before it updates the next",
        [STATEFUL_WAITS_LIMIT] = "to be updated",
        [STATEFUL_WAITS_GONE] = "to be gone",
    };
    if (state->present[workload] == WORKLOAD_ABSENT)
        return NULL;
    const struct syncing syncing = syncing_of(worker, state, workload);
    const struct stateful_set_decision *decision = decide(&syncing);
    if (!waits[decision->wait])
        return NULL;
    return arena_printf(arena, "it waits for pod %s-%d %s",
                        syncing.workload->setup->object->meta->name, decision->wait_ordinal,
                        waits[decision->wait]);
}

const struct actor actor_stateful_set = {
    .name = "StatefulSet controller",
    .prompt = true,
    .step = step_stateful_sets,
    .writes = PART_STATUSES | PART_WAITING | PART_PODS | PART_NOMINATIONS,
};
