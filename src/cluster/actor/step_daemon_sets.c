/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DaemonSet controller. Each of its pods is for one node: a pod that the
 * scheduler has not placed yet waits in the config of its node. So nodes whose
 * pods wait differ from others, and equal nodes still share one entry.
 */
#include "cluster/actor_type.h"
#include "cluster/ask/admission.h"
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
#include "decide/controller/daemon_set/daemon_set_controller.h"
#include "decide/node_reads.h"

/* The pods of a DaemonSet on the nodes of one entry, and their classes. */
struct daemon_pods {
    VEC(struct daemon_pod) pods;
    VEC(uint32_t) classes;
};

struct daemon_sync {
    struct expansion *expansion;
    uint32_t present;         /* revision */
    struct daemon_pods *pods; /* by entry */
    const struct daemon_set_facts *facts;
    const struct daemon_set_decision *decision;
    bool one_by_one; /* true if each step creates one pod */
    uint32_t created;
    uint32_t deleted;
};

/* When pods were created, as far as it is known: the oldest of those of a template before the
 * others, and those of an old template before new ones. */
enum { OLDEST_OLD_POD, OLD_POD, OLDEST_NEW_POD, NEW_POD };

static void collect(struct worker *worker, const struct state *state, uint32_t present,
                    struct daemon_pods *found)
{
    const uint32_t workload = worker->population->revisions.items[present].workload;
    for (struct pod_walk pods = pods_of_nodes(worker, state); pods_next(&pods);) {
        if (class_revision(worker, pods.class)->workload != workload)
            continue;
        const bool ready = pod_is_ready_on(worker, pods.info, pods.config->id);
        const struct daemon_pod pod = {
            .assigned = pods.info->stage != STAGE_WAITING,
            .terminating = pods.info->stage == STAGE_TERMINATING,
            .ready = ready,
            .available = ready,
            .updated = pods.info->revision == present,
            .creation_time = pods.info->revision == present ? NEW_POD : OLD_POD,
        };
        for (uint32_t i = 0; i < pods.count; i++) {
            VEC_PUSH(&worker->scratch, &found[pods.entry].pods, pod);
            VEC_PUSH(&worker->scratch, &found[pods.entry].classes, pods.class);
        }
    }
}

static uint32_t with_new_pod(struct worker *worker, uint32_t config, uint32_t revision)
{
    return worker->population->revisions.items[revision].node_name
               ? config_with_new_pod(worker, config, revision)
               : config_replace(worker, config, VIEW_NONE,
                                class_at(worker->population, revision, STAGE_WAITING, 0));
}

static bool wants_pod(const struct daemon_node_decision *decision)
{
    return decision->create || decision->create_updated;
}

/* What happens on every node of the entry. */
static uint32_t manage(struct daemon_sync *sync, uint32_t entry)
{
    struct worker *worker = sync->expansion->worker;
    const struct view_node *node = &sync->expansion->state->nodes[entry];
    const struct daemon_node_decision *decision = &sync->decision->nodes[entry];
    uint32_t config = node->config;
    for (uint32_t i = 0; i < sync->pods[entry].pods.count; i++)
        if (decision->removed[i]) {
            config =
                config_delete(worker, config, sync->pods[entry].classes.items[i], END_DISOWNED);
            sync->deleted += node->count;
        }
    if (!sync->one_by_one && wants_pod(decision) &&
        !expansion_refuses(sync->expansion, sync->expansion->state, sync->present)) {
        config = with_new_pod(worker, config, sync->present);
        sync->created += node->count;
    }
    return config;
}

/* What happens on a node whose old pod is replaced. */
static uint32_t replace(struct daemon_sync *sync, uint32_t entry)
{
    const uint32_t config = sync->expansion->state->nodes[entry].config;
    const struct daemon_pods *pods = &sync->pods[entry];
    if (sync->decision->surges)
        return with_new_pod(sync->expansion->worker, config, sync->present);
    for (uint32_t i = 0; i < pods->pods.count; i++)
        if (!pods->pods.items[i].updated && !pods->pods.items[i].terminating)
            return config_delete(sync->expansion->worker, config, pods->classes.items[i],
                                 END_DISOWNED);
    return config;
}

/* Every choice of so many nodes among the candidates from this entry on. */
static void choose(struct daemon_sync *sync, const struct state *chosen, uint32_t entry,
                   uint32_t left)
{
    struct worker *worker = sync->expansion->worker;
    const struct state *state = sync->expansion->state;
    if (left == 0) {
        const struct happening happening = happening_with(worker->population, ACT_DAEMON_SYNC,
                                                          sync->present, UINT32_MAX, sync->created);
        if (sync->created > 0)
            expansion_emit_created(sync->expansion, state_copy(worker, chosen), happening,
                                   sync->present);
        else
            expansion_emit(sync->expansion, state_copy(worker, chosen), happening);
        return;
    }
    while (entry < state->node_count && !sync->decision->nodes[entry].candidate)
        entry++;
    if (entry == state->node_count)
        return;
    const uint32_t config = replace(sync, entry);
    const uint32_t nodes = node_count_exact(worker->catalog, state->nodes[entry]);
    struct state *next = state_copy(worker, chosen);
    for (uint32_t taken = 0; taken <= left && taken <= nodes; taken++) {
        if (taken > 0)
            state_move_node(worker, next, entry, config);
        choose(sync, next, entry + 1, left - taken);
    }
}

/* Where a quota or a webhook may stop a DaemonSet half way, nodes get their pods one by one, in any
 * order. */
static void create_one(struct daemon_sync *sync)
{
    struct worker *worker = sync->expansion->worker;
    const struct state *state = sync->expansion->state;
    const bool surges = sync->decision->surges && sync->decision->replacements > 0;
    bool wanted = surges;
    for (uint32_t n = 0; n < state->node_count; n++)
        wanted |= wants_pod(&sync->decision->nodes[n]);
    if (!wanted || expansion_refuses(sync->expansion, state, sync->present))
        return;
    sync->created = 1;
    for (uint32_t n = 0; n < state->node_count; n++) {
        if (!wants_pod(&sync->decision->nodes[n]))
            continue;
        struct state *next = state_copy(worker, state);
        state_move_node(worker, next, n,
                        with_new_pod(worker, state->nodes[n].config, sync->present));
        choose(sync, next, 0, 0);
    }
    if (surges)
        choose(sync, state, 0, 1);
}

/* The pods are as they are, and so is their order. */
static void sync_in_order(struct daemon_sync sync)
{
    struct expansion *expansion = sync.expansion;
    const struct state *state = expansion->state;
    const struct revision *present = &expansion->population->revisions.items[sync.present];
    sync.one_by_one = present->may_be_refused || present->may_be_delayed;
    sync.decision = daemon_set_sync(&expansion->worker->scratch, sync.facts);
    struct state *next = state_copy(expansion->worker, state);
    for (uint32_t n = 0; n < state->node_count; n++)
        next->nodes[n].config = manage(&sync, n);
    const bool refused = sync.decision->surges && sync.decision->replacements > 0 &&
                         (sync.one_by_one || expansion_refuses(expansion, state, sync.present));
    const uint32_t replacements = refused ? 0 : sync.decision->replacements;
    sync.created += sync.decision->surges ? replacements : 0;
    sync.deleted += sync.decision->surges ? 0 : replacements;
    if (sync.created + sync.deleted > 0)
        choose(&sync, next, 0, replacements);
    if (sync.one_by_one)
        create_one(&sync);
}

/* Is the pod the first of its class that could be the oldest of its template there? */
static bool may_be_oldest(const struct daemon_pods *pods, uint32_t number, bool updated)
{
    const struct daemon_pod *pod = &pods->pods.items[number];
    if (!pod->assigned || pod->terminating || pod->updated != updated)
        return false;
    for (uint32_t i = 0; i < number; i++)
        if (pods->classes.items[i] == pods->classes.items[number])
            return false;
    return true;
}

/* Of several pods on a node, which were adopted, the oldest stays: any of them may be that. `turn`:
 * the entry, once for pods of old templates and once for the others. */
static void sync_in_any_order(const struct daemon_sync *sync, uint32_t turn)
{
    const uint32_t entry = turn / 2;
    const bool updated = turn % 2 != 0;
    uint32_t candidates = 0;
    if (entry == sync->expansion->state->node_count) {
        sync_in_order(*sync);
        return;
    }
    struct daemon_pods *pods = &sync->pods[entry];
    for (uint32_t i = 0; i < pods->pods.count; i++)
        candidates += may_be_oldest(pods, i, updated);
    if (candidates < 2) {
        sync_in_any_order(sync, turn + 1);
        return;
    }
    for (uint32_t i = 0; i < pods->pods.count; i++) {
        if (!may_be_oldest(pods, i, updated))
            continue;
        pods->pods.items[i].creation_time = updated ? OLDEST_NEW_POD : OLDEST_OLD_POD;
        sync_in_any_order(sync, turn + 1);
        pods->pods.items[i].creation_time = updated ? NEW_POD : OLD_POD;
    }
}

/* How many nodes without pods of the DaemonSet are not for it makes no difference. */
static uint32_t count_of(struct worker *worker, const struct view_node *nodes, bool counts)
{
    return counts ? node_count_exact(worker->catalog, *nodes) : nodes->count;
}

static void sync_daemon_set(struct expansion *expansion, uint32_t workload)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct state *state = expansion->state;
    const uint32_t present = state->present[workload];
    const struct revision *revision = &population->revisions.items[present];
    struct daemon_node_class *nodes =
        ARENA_ARRAY(&worker->scratch, struct daemon_node_class, state->node_count + 1);
    struct daemon_pods *pods =
        ARENA_ARRAY(&worker->scratch, struct daemon_pods, state->node_count + 1);
    collect(worker, state, present, pods);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t template = state_config(worker, state, n)->template->id;
        const bool should_run = revision->daemon_places[template].should_run;
        nodes[n] = (struct daemon_node_class){
            .count = count_of(worker, &state->nodes[n], should_run || pods[n].pods.count > 0),
            .present = n < state->listed_count,
            .should_run = should_run,
            .should_continue = revision->daemon_places[template].should_continue,
            .pods = pods[n].pods.items,
            .pod_count = pods[n].pods.count,
        };
    }
    const struct daemon_set *set = state_spec(population, state, workload)->as.daemon_set;
    const struct daemon_set_facts facts = {
        .on_delete = set->update_strategy == UPDATE_ON_DELETE,
        .features = &population->options.features,
        .max_unavailable = set->max_unavailable,
        .max_surge = set->max_surge,
        .nodes = nodes,
        .node_class_count = state->node_count,
    };
    sync_in_any_order(
        &(struct daemon_sync){
            .expansion = expansion, .present = present, .pods = pods, .facts = &facts},
        0);
}

static void step_daemon_sets(struct expansion *expansion)
{
    for (uint32_t w = 0; w < expansion->population->workloads.count; w++)
        if (expansion->population->workloads.items[w].kind == OBJECT_DAEMON_SET &&
            expansion->state->present[w] != WORKLOAD_ABSENT)
            sync_daemon_set(expansion, w);
}

const struct actor actor_daemon_set = {
    .name = "DaemonSet controller",
    .prompt = true,
    .step = step_daemon_sets,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_PODS | PART_NODES,
    .writes = PART_PODS | PART_NOMINATIONS,
};
