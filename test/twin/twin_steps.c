/* SPDX-License-Identifier: Apache-2.0 */
/* What can happen next, object by object. */
#include "model/claim.h"
#include "model/controller/deployment/deployment.h"
#include "model/controller/disruption.h"
#include "model/controller/eviction.h"
#include "model/controller/hpa.h"
#include "model/controller/hpa_memory.h"
#include "model/controller/hpa_object.h"
#include "model/controller/replica_set/replica_set_controller.h"
#include "model/controller/taint_manager.h"
#include "twin/twin_internal.h"

#include <string.h>

enum { ALL = UINT32_MAX };

/* ---- counting ---- */

static bool kubelet_works(const struct twin_state *state, uint32_t node)
{
    return state->conditions[node] == UP || state->conditions[node] == CORDONED;
}

bool twin_pod_ready(const struct twin_state *state, uint32_t place)
{
    return state->pods[place].stage == POD_IS_READY &&
           kubelet_works(state, state->pods[place].node);
}

static bool is_active(const struct place_of_pod *pod)
{
    return pod->stage == POD_WAITS || pod->stage == POD_STARTS || pod->stage == POD_IS_READY;
}

uint32_t twin_count(const struct twin *twin, const struct twin_state *state, uint32_t revision,
                    bool ready)
{
    uint32_t count = 0;
    (void)twin;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (is_active(&state->pods[p]) && state->pods[p].revision == revision)
            count += ready ? twin_pod_ready(state, p) : 1;
    return count;
}

static uint32_t workload_of(const struct twin *twin, const struct place_of_pod *pod)
{
    return twin->revisions[pod->revision].workload;
}

/* ---- Deployment ---- */

static void sync_deployment(struct twin_run *run, uint32_t number)
{
    struct twin *twin = run->twin;
    const struct twin_state *state = run->state;
    const struct deployment *object = twin->workloads[number].deployment;
    struct deployment sized = *object;
    sized.replicas = state->replicas[number];
    struct deployment_facts facts = {
        .replicas = state->replicas[number],
        .paused = object->paused,
        .recreate = object->strategy == DEPLOYMENT_RECREATE,
        .min_ready_seconds = object->min_ready_seconds,
        .history_limit = INT32_MAX,
        .progress_deadline_seconds = INT32_MAX,
    };
    deployment_resolve_fenceposts(&sized, &facts.max_surge, &facts.max_unavailable);
    struct replica_set_facts sets[REVISIONS_MOST + 1] = {0};
    uint32_t revisions[REVISIONS_MOST + 1] = {0};
    uint32_t count = 0;
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        if (twin->revisions[r].workload != number || state->set_replicas[r] < 0)
            continue;
        const bool present = state->present[number] == r;
        const int32_t ready = (int32_t)twin_count(twin, state, r, true);
        revisions[count] = r;
        sets[count++] = (struct replica_set_facts){
            .name = "",
            .creation_time = r,
            .replicas = state->set_replicas[r],
            .status_replicas = (int32_t)twin_count(twin, state, r, false),
            .ready_replicas = ready,
            .available_replicas = ready,
            .present_template = present,
            .observed = true,
            .revision = present ? 1000 : (int64_t)r + 1,
            .desired = {true, state->set_desired[r]},
            .most = {true, state->set_desired[r] + facts.max_surge},
        };
        for (uint32_t p = 0; p < TWIN_PODS_MOST && !present; p++)
            facts.old_pods_unfinished +=
                state->pods[p].stage == POD_TERMINATES && state->pods[p].revision == r;
    }
    const struct deployment_decision *decision =
        deployment_sync(&twin->scratch, &facts, sets, count, "new");
    struct twin_state next = *state;
    revisions[count] = state->present[number];
    for (uint32_t i = 0; i < decision->set_count; i++) {
        next.set_replicas[revisions[i]] = decision->sets[i].replicas;
        next.set_desired[revisions[i]] = (int32_t)decision->sets[i].desired.value;
    }
    if (memcmp(&next, state, sizeof(next)) != 0)
        twin_emit(run, &next, TWIN_ACT_DEPLOYMENT_SYNC, about_workload(number), number, 0, FAST);
}

/* ---- ReplicaSet ---- */

static void create_pods(struct twin_run *run, uint32_t revision, int32_t amount)
{
    struct twin_state next = *run->state;
    for (uint32_t p = 0; p < TWIN_PODS_MOST && amount > 0; p++)
        if (next.pods[p].stage == PLACE_FREE) {
            next.pods[p] = (struct place_of_pod){POD_WAITS, (uint8_t)revision, 0, NOBODY};
            amount--;
        }
    if (amount > 0)
        run->twin->overflow = true;
    else
        twin_emit(run, &next, TWIN_ACT_SET_CREATE, about_set(revision),
                  run->twin->revisions[revision].workload, 0, FAST);
}

static struct replica_set_pod_class rank_of(const struct twin_run *run, uint32_t place)
{
    const struct twin_state *state = run->state;
    const struct place_of_pod *pod = &state->pods[place];
    const uint32_t workload = workload_of(run->twin, pod);
    struct replica_set_pod_class class = {
        .count = 1,
        .phase = pod->stage == POD_IS_READY ? POD_RUNNING : POD_PENDING,
        .assigned = pod->node != NOBODY,
        .ready = twin_pod_ready(state, place),
        .ready_age = AGE_NONE,
        .creation_age = AGE_NONE,
    };
    for (uint32_t p = 0; p < TWIN_PODS_MOST && run->twin->workloads[workload].deployment; p++)
        class.node_crowd += pod->node != NOBODY && is_active(&state->pods[p]) &&
                            state->pods[p].node == pod->node &&
                            workload_of(run->twin, &state->pods[p]) == workload;
    return class;
}

/* Every choice of `amount` pods in which nobody stays who goes before one that
 * leaves. */
static void delete_pods(struct twin_run *run, uint32_t revision, uint32_t amount)
{
    const struct twin_state *state = run->state;
    uint32_t places[TWIN_PODS_MOST];
    struct replica_set_pod_class ranks[TWIN_PODS_MOST];
    uint32_t count = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (is_active(&state->pods[p]) && state->pods[p].revision == revision) {
            ranks[count] = rank_of(run, p);
            places[count++] = p;
        }
    for (uint32_t chosen = 0; chosen < 1U << count; chosen++) {
        bool good = (uint32_t)__builtin_popcount(chosen) == amount;
        for (uint32_t i = 0; i < count && good; i++)
            for (uint32_t j = 0; j < count && good; j++)
                good = !(!(chosen >> i & 1) && (chosen >> j & 1) &&
                         replica_set_compare(&ranks[i], &ranks[j], NULL) < 0);
        if (!good)
            continue;
        struct twin_state next = *state;
        for (uint32_t i = 0; i < count; i++) {
            struct place_of_pod *pod = &next.pods[places[i]];
            if (!(chosen >> i & 1))
                continue;
            if (pod->node == NOBODY)
                *pod = (struct place_of_pod){0};
            else
                *pod = (struct place_of_pod){POD_TERMINATES, pod->revision, 0, pod->node};
        }
        twin_emit(run, &next, TWIN_ACT_SET_DELETE, about_set(revision),
                  run->twin->revisions[revision].workload, 0, FAST);
    }
}

static void sync_set(struct twin_run *run, uint32_t revision)
{
    const int32_t wanted = run->state->set_replicas[revision];
    const int32_t there = (int32_t)twin_count(run->twin, run->state, revision, false);
    if (wanted > there)
        create_pods(run, revision, wanted - there);
    else if (wanted >= 0 && wanted < there)
        delete_pods(run, revision, (uint32_t)(there - wanted));
}

/* ---- scheduler ---- */

uint32_t twin_class(struct twin *twin, uint32_t place, const struct place_of_pod *pod)
{
    uint32_t *known = &twin->classes[place][pod->revision][pod->stage][pod->level];
    if (*known)
        return *known - 1;
    struct arena *arena = &twin->arena;
    struct pod *copy = arena_copy(arena, twin->revisions[pod->revision].pod, sizeof(*copy));
    struct condition *ready = ARENA_NEW(arena, struct condition);
    copy->meta.name = arena_printf(arena, "pod-%u-%u", pod->revision, place);
    if (pod->stage != POD_WAITS) {
        copy->status.phase = pod->stage == POD_STARTS ? POD_PENDING : POD_RUNNING;
        copy->status.start_time = 0;
        if (pod->stage == POD_TERMINATES)
            copy->meta.deletion_time = 0;
        *ready = (struct condition){.type = "Ready",
                                    .status = pod->stage == POD_IS_READY ? "True" : "False",
                                    .last_transition_time = 0,
                                    .last_update_time = TIME_NONE,
                                    .last_heartbeat_time = TIME_NONE};
        copy->status.conditions = (struct conditions){ready, 1};
    }
    *known = catalog_add_pod(twin->catalog, copy) + 1;
    while (twin->place_of_class.count < *known)
        VEC_PUSH(&twin->arena, &twin->place_of_class, place);
    return *known - 1;
}

struct view twin_view(struct twin_run *run)
{
    struct twin *twin = run->twin;
    struct view_node *nodes = ARENA_ARRAY(&twin->scratch, struct view_node, twin->node_count + 1);
    for (uint32_t n = 0; n < twin->node_count; n++) {
        struct pod_count pods[TWIN_PODS_MOST];
        uint32_t count = 0;
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
            if (run->state->pods[p].stage != PLACE_FREE && run->state->pods[p].node == n)
                pods[count++] = (struct pod_count){twin_class(twin, p, &run->state->pods[p]), 1};
        const uint32_t template = twin->nodes[n].templates[run->state->conditions[n]];
        nodes[n] = (struct view_node){
            catalog_intern_config(twin->catalog, template, pods, count, NULL, 0), 1};
    }
    return (struct view){.catalog = twin->catalog, .nodes = nodes, .node_count = twin->node_count};
}

static void schedule(struct twin_run *run)
{
    struct twin *twin = run->twin;
    const struct view view = twin_view(run);
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (pod->stage != POD_WAITS)
            continue;
        const uint32_t workload = workload_of(twin, pod);
        const struct decision *decision =
            scheduler_decide(twin->scheduler, &view, twin_class(twin, p, pod), VIEW_NONE);
        if (!decision || decision->best_count == 0) {
            struct twin_state same = *run->state;
            if (decision)
                twin_emit(run, &same, TWIN_ACT_UNSCHEDULABLE, about_pod(p), workload, 0, IDLE);
            continue;
        }
        for (uint32_t b = 0; b < decision->best_count; b++) {
            struct twin_state next = *run->state;
            next.pods[p].stage = POD_STARTS;
            next.pods[p].node = (uint8_t)decision->best[b];
            twin_emit(run, &next, TWIN_ACT_BIND, about_pod(p), workload, 0, FAST);
        }
    }
}

/* ---- nodes ---- */

static void change_pod(struct twin_run *run, uint32_t place, struct place_of_pod to,
                       enum twin_action action)
{
    struct twin_state next = *run->state;
    const uint32_t workload = workload_of(run->twin, &next.pods[place]);
    next.pods[place] = to;
    twin_emit(run, &next, action, about_pod(place), workload, 1U << workload, FAST);
}

static void kubelet(struct twin_run *run, uint32_t place)
{
    struct place_of_pod pod = run->state->pods[place];
    if (pod.node == NOBODY || !kubelet_works(run->state, pod.node))
        return;
    if (pod.stage == POD_STARTS) {
        pod.stage = POD_IS_READY;
        change_pod(run, place, pod, TWIN_ACT_START);
    } else if (pod.stage == POD_TERMINATES) {
        change_pod(run, place, (struct place_of_pod){0}, TWIN_ACT_TERMINATED);
    }
}

static struct place_of_pod terminating(struct place_of_pod pod)
{
    return (struct place_of_pod){POD_TERMINATES, pod.revision, 0, pod.node};
}

/* As many terminating pods of the kind on the node as the workload has replicas. */
static bool kubelet_lags(const struct twin_run *run, const struct place_of_pod *pod)
{
    const int32_t replicas = run->state->replicas[workload_of(run->twin, pod)];
    int32_t count = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        count += run->state->pods[p].stage == POD_TERMINATES &&
                 run->state->pods[p].revision == pod->revision &&
                 run->state->pods[p].node == pod->node;
    return count >= (replicas > 1 ? replicas : 1);
}

/* Somebody answers: nodes that do not are given up, and tainted. */
static bool anybody_answers(const struct twin_run *run)
{
    for (uint32_t n = 0; n < run->twin->node_count; n++)
        if (kubelet_works(run->state, n))
            return true;
    return false;
}

static void taint_manager(struct twin_run *run, uint32_t place)
{
    const struct place_of_pod *pod = &run->state->pods[place];
    if (!is_active(pod) || pod->node == NOBODY || kubelet_lags(run, pod))
        return;
    const uint32_t template =
        run->twin->nodes[pod->node].templates[run->state->conditions[pod->node]];
    const struct node *node = run->twin->catalog->templates.items[template]->node;
    const struct pod_spec *spec = &run->twin->revisions[pod->revision].pod->spec;
    const bool silent = !kubelet_works(run->state, pod->node) && anybody_answers(run);
    struct taint taints[4];
    uint32_t count = 0;
    for (uint32_t t = 0; t < node->spec.taint_count; t++)
        if (node->spec.taints[t].effect == TAINT_NO_EXECUTE &&
            (silent || strcmp(node->spec.taints[t].key, "node.kubernetes.io/unreachable") != 0))
            taints[count++] = node->spec.taints[t];
    const int64_t seconds =
        taint_manager_tolerated_seconds(taints, count, spec->tolerations, spec->toleration_count);
    if (count == 0 || seconds == TOLERATED_FOREVER)
        return;
    /* That takes minutes: meanwhile everything else may come to rest. */
    struct twin_state next = *run->state;
    const uint32_t workload = workload_of(run->twin, pod);
    next.pods[place] = terminating(*pod);
    twin_emit(run, &next, TWIN_ACT_TAINT_EVICT, about_pod(place), workload, 1U << workload,
              silent || seconds > 0 ? LAZY : FAST);
}

/* ---- drains ---- */

static bool guards(const struct pod_disruption_budget *budget, const struct pod *pod)
{
    return strcmp(budget->meta.namespace, pod->meta.namespace) == 0 && budget->selector &&
           label_selector_matches(budget->selector, &pod->meta.labels);
}

static struct eviction_budget budget_now(const struct twin_run *run,
                                         const struct pod_disruption_budget *budget)
{
    struct budget_pod_class pods[TWIN_PODS_MOST];
    struct budget_status status = {0};
    uint32_t count = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (is_active(pod) && guards(budget, run->twin->revisions[pod->revision].pod))
            pods[count++] = (struct budget_pod_class){1, workload_of(run->twin, pod),
                                                      twin_pod_ready(run->state, p), false,
                                                      BUDGET_NOT_DISRUPTED};
    }
    budget_decide(budget, pods, count, run->state->replicas, run->twin->workload_count, &status);
    return (struct eviction_budget){
        .current_healthy = status.current_healthy,
        .desired_healthy = status.desired_healthy,
        .disruptions_allowed = status.disruptions_allowed,
        .observed = true,
        .unhealthy_eviction_policy = budget->unhealthy_eviction_policy,
    };
}

int32_t twin_budget_allows(const struct twin_run *run, const struct pod_disruption_budget *budget)
{
    return budget_now(run, budget).disruptions_allowed;
}

static void drain_pod(struct twin_run *run, uint32_t place)
{
    const struct place_of_pod *pod = &run->state->pods[place];
    struct eviction_budget budgets[4];
    uint32_t count = 0;
    if (!is_active(pod) || pod->node == NOBODY || run->state->conditions[pod->node] != CORDONED)
        return;
    const struct objects *objects = run->twin->scope->objects;
    for (uint32_t i = 0; i < objects->count && count < 4; i++)
        if (objects->items[i].kind == OBJECT_POD_DISRUPTION_BUDGET &&
            guards(objects->items[i].as.pod_disruption_budget,
                   run->twin->revisions[pod->revision].pod))
            budgets[count++] = budget_now(run, objects->items[i].as.pod_disruption_budget);
    const bool ready = pod->stage == POD_IS_READY;
    const struct eviction_pod seen = {.phase = ready ? POD_RUNNING : POD_PENDING, .ready = ready};
    if (eviction_allowed(eviction_decide(eviction_rules_of(26), &seen, budgets, count)))
        change_pod(run, place, terminating(*pod), TWIN_ACT_DRAIN_EVICT);
}

static void change_node(struct twin_run *run, uint32_t node, enum twin_condition condition,
                        enum twin_action action, enum twin_pace pace)
{
    struct twin_state next = *run->state;
    next.conditions[node] = (uint8_t)condition;
    twin_emit(run, &next, action, about_node(node), ALL, 0, pace);
}

static void drain_node(struct twin_run *run, uint32_t node)
{
    bool empty = true;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        empty =
            empty && !(run->state->pods[p].stage != PLACE_FREE && run->state->pods[p].node == node);
    if (run->state->conditions[node] == CORDONED && empty)
        change_node(run, node, AWAY, TWIN_ACT_DRAIN_DONE, FAST);
    else if (run->state->conditions[node] == AWAY || run->state->conditions[node] == REPAIRED)
        change_node(run, node, UP, TWIN_ACT_NODE_RETURN, LAZY);
}

/* ---- autoscaler ---- */

static void autoscale(struct twin_run *run, uint32_t number)
{
    struct twin *twin = run->twin;
    const struct twin_workload *workload = &twin->workloads[number];
    const struct horizontal_pod_autoscaler *object = workload->setup->autoscaler;
    const int64_t long_ago = INT64_C(86400) * NANOSECONDS_PER_SECOND;
    struct hpa_sample samples[TWIN_PODS_MOST];
    struct hpa_request requests[TWIN_PODS_MOST];
    struct hpa_pod_class pods[TWIN_PODS_MOST];
    uint32_t count = 0;
    int32_t active = 0;
    if (!object)
        return;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (!is_active(pod) || workload_of(twin, pod) != number)
            continue;
        const bool running = pod->stage == POD_IS_READY;
        const bool answers = pod->node != NOBODY && kubelet_works(run->state, pod->node);
        active++;
        samples[count] =
            (struct hpa_sample){.state = running && answers ? HPA_SAMPLE_VALUE : HPA_SAMPLE_NONE,
                                .milli = workload->levels[pod->level]};
        requests[count] = (struct hpa_request){.milli = workload->levels[0]};
        pods[count] = (struct hpa_pod_class){
            .count = 1,
            .phase = running ? POD_RUNNING : POD_PENDING,
            .readiness = running && answers ? HPA_READY_TRUE : HPA_READY_FALSE,
            .started = true,
            .start_age = long_ago,
            .ready_age = long_ago,
            .name = "",
            .samples = &samples[count],
            .requests = &requests[count],
        };
        count++;
    }
    const struct hpa_metric metric = {
        .source = object->metrics[0].source,
        .target = hpa_metric_target(&object->metrics[0]),
        .target_value = object->metrics[0].target.average_utilization.value,
        .cpu = true,
    };
    struct hpa_input input = {
        .rules = hpa_rules_of(26),
        .spec_replicas = run->state->replicas[number],
        .status_replicas = active,
        .min_replicas = workload->least,
        .max_replicas = workload->most,
        .metrics = &metric,
        .metric_count = 1,
        .pods = pods,
        .pod_count = count,
    };
    hpa_input_set_tolerance(&input);
    const struct hpa_memory memory = {.started = true};
    struct hpa_proposal proposal;
    struct hpa_decision decision;
    hpa_decide(&input, &memory, &proposal, &decision);
    if (decision.replicas == run->state->replicas[number])
        return;
    struct twin_state next = *run->state;
    next.replicas[number] = decision.replicas;
    if (!workload->deployment)
        next.set_replicas[next.present[number]] = decision.replicas;
    twin_emit(run, &next, TWIN_ACT_AUTOSCALE, about_workload(number), number, 0, FAST);
}

/* ---- all ---- */

void twin_steps(struct twin_run *run)
{
    struct twin *twin = run->twin;
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (twin->workloads[w].deployment)
            sync_deployment(run, w);
    for (uint32_t r = 0; r < twin->revision_count; r++)
        sync_set(run, r);
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        kubelet(run, p);
        taint_manager(run, p);
        drain_pod(run, p);
    }
    for (uint32_t n = 0; n < twin->node_count; n++)
        drain_node(run, n);
    schedule(run);
    const bool busy = run->moved;
    const bool settled = !busy && !run->waits;
    struct twin_state rested = *run->state;
    if (settled && twin->remembers)
        rested.settled_once = 1;
    run->state = &rested;
    for (uint32_t w = 0; w < twin->workload_count && !busy; w++)
        autoscale(run, w);
    if (!busy)
        twin_deschedule(run);
    if (settled && twin_rest_disliked(twin, run->state)) {
        struct twin_state same = rested;
        twin_emit(run, &same, TWIN_ACT_SETTLED, 0, ALL, 0, IDLE);
    }
    twin_events(run, settled);
}
