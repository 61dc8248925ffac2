/* SPDX-License-Identifier: Apache-2.0 */
/* StatefulSets and DaemonSets, and all kinds together. */
#include "decide/controller/daemon_set/daemon_set_controller.h"
#include "decide/controller/stateful_set/stateful_set_controller.h"
#include "twin/twin_internal.h"

#include <string.h>

/* ---- StatefulSet ---- */

/* The place of the pod with this ordinal. */
static uint32_t find_member(const struct twin_run *run, uint32_t workload, uint32_t ordinal)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (pod_is_there(&run->state->pods[p]) &&
            workload_of(run->twin, &run->state->pods[p]) == workload &&
            run->state->pods[p].member == ordinal)
            return p;
    return NOBODY;
}

static const struct stateful_set_decision *decide_stateful(const struct twin_run *run,
                                                           uint32_t number)
{
    struct twin *twin = run->twin;
    const struct twin_state *state = run->state;
    const struct stateful_set *set = twin_spec(twin, state, number)->as.stateful_set;
    struct stateful_pod pods[TWIN_PODS_MOST];
    uint32_t count = 0;
    for (uint32_t ordinal = 0; ordinal < TWIN_PODS_MOST; ordinal++) {
        const uint32_t place = find_member(run, number, ordinal);
        if (place == NOBODY)
            continue;
        const struct place_of_pod *pod = &state->pods[place];
        pods[count++] = (struct stateful_pod){
            .ordinal = (int32_t)ordinal,
            .created = true,
            .ready = twin_pod_ready(state, place),
            .available = twin_is_available(twin, state, place),
            .terminating = pod->stage == POD_TERMINATES,
            .current_revision = pod->revision == state->current[number],
            .update_revision = pod->revision == state->present[number],
        };
    }
    const struct stateful_set_facts facts = {
        .features = &twin->features,
        .replicas = state->replicas[number],
        .parallel = set->pod_management_policy == POD_MANAGEMENT_PARALLEL,
        .on_delete = set->update_strategy == UPDATE_ON_DELETE,
        .same_revision = state->current[number] == state->present[number],
        .partition = set->partition,
        .pods = pods,
        .pod_count = count,
    };
    return stateful_set_sync(&twin->scratch, &facts);
}

static void sync_stateful_set(struct twin_run *run, uint32_t number)
{
    const struct stateful_set_decision *decision = decide_stateful(run, number);
    struct twin_state next = *run->state;
    enum twin_action action = TWIN_ACT_STATEFUL_STATUS;
    bool refused = false; /* which ends the sync */
    for (uint32_t a = 0; a < decision->actions.count; a++) {
        const struct stateful_action *one = &decision->actions.items[a];
        if (one->verb == STATEFUL_CREATE) {
            const uint32_t revision =
                one->update_revision ? next.present[number] : run->state->current[number];
            if (twin_admitted(run->twin, &next, revision, 1) == 0) {
                struct twin_state same = *run->state;
                twin_emit(run, &same, TWIN_ACT_CREATE_REFUSED, about_workload(number), number, 0,
                          IDLE);
                refused = true;
                break;
            }
            action = TWIN_ACT_STATEFUL_CREATE;
            new_pod(run->twin, &next, revision, (uint32_t)one->ordinal);
        } else {
            action = action == TWIN_ACT_STATEFUL_CREATE ? action : TWIN_ACT_STATEFUL_DELETE;
            end_pod(run->twin, &next, find_member(run, number, (uint32_t)one->ordinal));
        }
    }
    if (decision->update_complete && !refused)
        next.current[number] = next.present[number];
    if (memcmp(&next, run->state, sizeof(next)) != 0)
        twin_emit(run, &next, action, about_workload(number), number, 0, FAST);
}

/* ---- DaemonSet ---- */

struct daemon_sync {
    struct twin_run *run;
    uint32_t workload;
    const struct daemon_set_decision *decision;
    uint32_t places[TWIN_NODES_MOST][TWIN_PODS_MOST]; /* by node: of its pods */
    struct daemon_pod pods[TWIN_NODES_MOST][TWIN_PODS_MOST];
    uint32_t counts[TWIN_NODES_MOST];
};

static void find_daemons(struct daemon_sync *sync, uint32_t node)
{
    const struct twin_state *state = sync->run->state;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (!pod_is_there(pod) || workload_of(sync->run->twin, pod) != sync->workload ||
            pod->member != node)
            continue;
        const bool updated = pod->revision == state->present[sync->workload];
        sync->places[node][sync->counts[node]] = p;
        sync->pods[node][sync->counts[node]++] = (struct daemon_pod){
            .assigned = pod->node != NOBODY,
            .terminating = pod->stage == POD_TERMINATES,
            .ready = twin_pod_ready(state, p),
            .available = twin_pod_ready(state, p),
            .updated = updated,
            .creation_time = updated ? 3 : 1,
        };
    }
}

static const struct daemon_set_decision *decide_daemons(struct daemon_sync *sync)
{
    struct twin *twin = sync->run->twin;
    const struct twin_state *state = sync->run->state;
    const struct daemon_set *set = twin_spec(twin, state, sync->workload)->as.daemon_set;
    const struct pod *pod = twin->revisions[state->present[sync->workload]].pod;
    struct daemon_set present = *set;
    present.template = *twin->revisions[state->present[sync->workload]].template;
    struct daemon_node_class nodes[TWIN_NODES_MOST];
    for (uint32_t n = 0; n < twin->node_count; n++) {
        nodes[n] = (struct daemon_node_class){
            .count = 1,
            .present = node_is_listed(state, n),
            .pods = sync->pods[n],
            .pod_count = sync->counts[n],
        };
        daemon_set_should_run(
            &present, pod->spec.tolerations, pod->spec.toleration_count,
            twin->catalog->templates.items[node_template_of(twin, state, n)]->node,
            &nodes[n].should_run, &nodes[n].should_continue);
    }
    const struct daemon_set_facts facts = {
        .features = &twin->features,
        .on_delete = set->update_strategy == UPDATE_ON_DELETE,
        .max_unavailable = set->max_unavailable,
        .max_surge = set->max_surge,
        .nodes = nodes,
        .node_class_count = twin->node_count,
    };
    return daemon_set_sync(&twin->scratch, &facts);
}

static void replace_daemon(const struct daemon_sync *sync, struct twin_state *next, uint32_t node)
{
    if (sync->decision->surges) {
        new_pod(sync->run->twin, next, next->present[sync->workload], node);
        return;
    }
    for (uint32_t i = 0; i < sync->counts[node]; i++)
        if (!sync->pods[node][i].updated && !sync->pods[node][i].terminating) {
            end_pod(sync->run->twin, next, sync->places[node][i]);
            return;
        }
}

/* Where a quota is in between, one new pod at a time, on any node that lacks one or gets one more
 * for a while. */
static void create_daemons(struct daemon_sync *sync)
{
    struct twin_run *run = sync->run;
    const struct daemon_set_decision *decision = sync->decision;
    const uint32_t present = run->state->present[sync->workload];
    const bool surges = decision->surges && decision->replacements > 0;
    bool wanted = surges;
    for (uint32_t n = 0; n < run->twin->node_count; n++)
        wanted |= decision->nodes[n].create || decision->nodes[n].create_updated;
    if (!wanted || twin_admit(run, present, about_workload(sync->workload), 1) == 0)
        return;
    for (uint32_t n = 0; n < run->twin->node_count; n++)
        if (decision->nodes[n].create || decision->nodes[n].create_updated ||
            (surges && decision->nodes[n].candidate)) {
            struct twin_state next = *run->state;
            new_pod(run->twin, &next, present, n);
            twin_emit(run, &next, TWIN_ACT_DAEMON_SYNC, about_workload(sync->workload),
                      sync->workload, 0, FAST);
        }
}

static void emit_daemon_sync(struct daemon_sync *sync)
{
    struct twin_run *run = sync->run;
    struct twin *twin = run->twin;
    const uint32_t number = sync->workload;
    struct twin_state certain = *run->state;
    const bool charged = twin_is_charged(twin, certain.present[number]) ||
                         twin_admitted(twin, run->state, certain.present[number], 1) == 0;
    sync->decision = decide_daemons(sync);
    const uint32_t replaced = charged && sync->decision->surges ? 0 : sync->decision->replacements;
    for (uint32_t n = 0; n < twin->node_count; n++) {
        const struct daemon_node_decision *node = &sync->decision->nodes[n];
        for (uint32_t i = 0; i < sync->counts[n]; i++)
            if (node->removed[i])
                end_pod(twin, &certain, sync->places[n][i]);
        if (!charged && (node->create || node->create_updated))
            new_pod(twin, &certain, certain.present[number], n);
    }
    if (charged)
        create_daemons(sync);
    /* Any of the candidates may be replaced, so many in all. */
    for (uint32_t chosen = 0; chosen < 1U << twin->node_count; chosen++) {
        struct twin_state next = certain;
        bool good = (uint32_t)__builtin_popcount(chosen) == replaced;
        for (uint32_t n = 0; n < twin->node_count && good; n++)
            good = !(chosen >> n & 1) || sync->decision->nodes[n].candidate;
        for (uint32_t n = 0; n < twin->node_count && good; n++)
            if (chosen >> n & 1)
                replace_daemon(sync, &next, n);
        if (good && memcmp(&next, run->state, sizeof(next)) != 0)
            twin_emit(run, &next, TWIN_ACT_DAEMON_SYNC, about_workload(number), number, 0, FAST);
    }
}

/* Nobody knows who of several on a node is the oldest: each of them, in turn. */
static void order_daemons(struct daemon_sync *sync, uint32_t node, bool updated)
{
    bool any = false;
    if (node == sync->run->twin->node_count) {
        emit_daemon_sync(sync);
        return;
    }
    for (uint32_t i = 0; i < sync->counts[node]; i++) {
        struct daemon_pod *pod = &sync->pods[node][i];
        if (pod->updated != updated || pod->terminating || !pod->assigned)
            continue;
        any = true;
        pod->creation_time--;
        order_daemons(sync, node + updated, !updated);
        pod->creation_time++;
    }
    if (!any)
        order_daemons(sync, node + updated, !updated);
}

static void sync_daemon_set(struct twin_run *run, uint32_t number)
{
    struct daemon_sync sync = {.run = run, .workload = number};
    for (uint32_t n = 0; n < run->twin->node_count; n++)
        find_daemons(&sync, n);
    order_daemons(&sync, 0, false);
}

/* ---- all ---- */

void twin_sync_kinds(struct twin_run *run)
{
    for (uint32_t w = 0; w < run->twin->workload_count; w++) {
        if (run->state->present[w] == NOBODY)
            continue;
        switch (run->twin->workloads[w].kind) {
        case OBJECT_STATEFUL_SET: sync_stateful_set(run, w); break;
        case OBJECT_DAEMON_SET: sync_daemon_set(run, w); break;
        case OBJECT_JOB: twin_sync_job(run, w, false); break;
        default: break;
        }
    }
}
