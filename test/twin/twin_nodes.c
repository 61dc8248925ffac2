/* SPDX-License-Identifier: Apache-2.0 */
/* What happens on nodes: kubelets, the node lifecycle, taints, drains, pressure,
 * load. */
#include "decide/controller/kubelet.h"
#include "decide/controller/taint_manager.h"
#include "twin/twin_internal.h"

#include <string.h>

static enum twin_condition condition_of(const struct twin_run *run, const struct place_of_pod *pod)
{
    return (enum twin_condition)run->state->conditions[pod->node];
}

static void emit_about(struct twin_run *run, struct twin_state *next, uint32_t place,
                       enum twin_action action, enum twin_pace pace)
{
    const uint32_t workload = workload_of(run->twin, &run->state->pods[place]);
    twin_emit(run, next, action, about_pod(place), workload, 1U << workload, pace);
}

static void evict(struct twin_run *run, uint32_t place, enum twin_action action,
                  enum twin_pace pace)
{
    struct twin_state next = *run->state;
    if (action == TWIN_ACT_DRAIN_EVICT)
        twin_spend_budget(run->twin, &next, place);
    end_pod(run->twin, &next, place);
    emit_about(run, &next, place, action, pace);
}

/* ---- kubelets ---- */

static struct kubelet_admission ask(struct twin *twin, const struct twin_state *state,
                                    uint32_t place, bool all)
{
    const uint32_t node = state->pods[place].node;
    struct pod_count pods[TWIN_PODS_MOST];
    uint32_t count = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (p != place && pod_is_there(pod) && pod->node == node &&
            (all || pod->stage != POD_IS_BOUND))
            pods[count++] = (struct pod_count){twin_class(twin, p, pod), 1};
    }
    const struct kubelet_node seen = {
        .catalog = twin->catalog,
        .template = twin->catalog->templates.items[node_template_of(twin, state, node)],
        .pods = pods,
        .pod_entry_count = count,
        .pressures = state->pressures[node] % PASSES,
    };
    const uint32_t class = twin_class(twin, place, &state->pods[place]);
    struct pod_class comes = *twin->catalog->pods.items[class];
    struct pod here = *comes.pod;
    struct kubelet_admission admission;
    /* Who was adopted names the node that it is on, whatever its template says. */
    here.spec.node_name = NULL;
    comes.pod = &here;
    kubelet_admit(&twin->scratch, &seen, &comes, &admission);
    return admission;
}

/* Are some pods of this revision told apart, by their ordinals or by the policy of their Job? Which
 * of them gets the last place makes a difference. */
static bool has_kinds(struct twin *twin, const struct place_of_pod *pod)
{
    const uint32_t workload = workload_of(twin, pod);
    switch (kind_of(twin, pod)) {
    case OBJECT_STATEFUL_SET: return twin->workloads[workload].largest > 1;
    case OBJECT_JOB: return twin_job_has_variants(twin, workload);
    default: return false;
    }
}

/* May pods of another kind come to the node though they do not fit? */
static bool has_rivals(struct twin *twin, const struct place_of_pod *pod, uint32_t node)
{
    for (uint32_t r = 0; r < twin->revision_count; r++)
        if ((twin->revisions[r].node == node ||
             (twin->revisions[r].unchecked &&
              twin->revisions[r].scheduler != twin->revisions[pod->revision].scheduler)) &&
            (r != pod->revision || has_kinds(twin, pod)))
            return true;
    return false;
}

static bool waits_for_kubelet(const struct twin_state *state, uint32_t place, uint32_t node)
{
    return state->pods[place].stage == POD_IS_BOUND && state->pods[place].node == node;
}

/* A kubelet hears of pods in the order in which one scheduler binds them. So who was
 * made sure of a place is looked at before those that came later. */
static bool has_turn(const struct twin *twin, const struct twin_state *state, uint32_t place)
{
    const struct place_of_pod *pod = &state->pods[place];
    const struct twin_revision *own = &twin->revisions[pod->revision];
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct twin_revision *other = &twin->revisions[state->pods[p].revision];
        if (waits_for_kubelet(state, p, pod->node) && state->pods[p].turn < pod->turn &&
            !other->pod->spec.node_name && !own->pod->spec.node_name && !other->unchecked &&
            other->scheduler == own->scheduler)
            return false;
    }
    return true;
}

void twin_count_turns(struct twin_state *next)
{
    uint8_t turns[TWIN_PODS_MOST] = {0};
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        for (uint32_t q = 0; q < TWIN_PODS_MOST && next->pods[p].stage == POD_IS_BOUND; q++)
            if (waits_for_kubelet(next, q, next->pods[p].node) &&
                next->pods[q].turn < next->pods[p].turn)
                turns[p]++;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        next->pods[p].turn = turns[p];
}

void twin_arrive(struct twin *twin, struct twin_state *next, uint32_t place, uint32_t node)
{
    struct place_of_pod *pod = &next->pods[place];
    pod->node = (uint8_t)node;
    pod->nominated = NOBODY;
    pod->stage = POD_IS_BOUND;
    /* A drain lists pods once. */
    pod->late = !twin->clocked && next->conditions[node] == CORDONED &&
                kind_of(twin, pod) != OBJECT_DAEMON_SET;
    if (twin->manner == TWIN_TAKES_ALL) {
        pod->turn = TWIN_PODS_MOST; /* the last */
        twin_count_turns(next);
        return;
    }
    const struct kubelet_admission admission = ask(twin, next, place, true);
    if (!twin->admits ||
        (condition_works((enum twin_condition)next->conditions[node]) && !twin->tells &&
         !has_rivals(twin, pod, node) && admission.admitted && !admission.preempted))
        pod->stage = POD_STARTS;
}

/* Pods of a Job are alike if its policy does not tell their indexes apart. */
static bool are_alike(struct twin *twin, const struct place_of_pod *a, const struct place_of_pod *b)
{
    return a->revision == b->revision &&
           (a->member == b->member ||
            (kind_of(twin, a) == OBJECT_JOB && twin_job_pods_are_alike(twin, a, b)));
}

static bool comes_with(struct twin *twin, const struct twin_state *state, uint32_t place,
                       uint32_t other)
{
    const struct place_of_pod *a = &state->pods[place];
    const struct place_of_pod *b = &state->pods[other];
    return place == other ||
           (b->stage == POD_IS_BOUND && are_alike(twin, a, b) && a->node == b->node &&
            a->late == b->late && a->chosen == b->chosen && a->start == b->start);
}

/* Of pods that are alike the population admits all that are bound in one go. */
static void admit(struct twin_run *run, uint32_t place)
{
    struct twin *twin = run->twin;
    struct twin_state next = *run->state;
    enum twin_action action = TWIN_ACT_ADMIT;
    if (!has_turn(twin, run->state, place))
        return;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        if (twin->manner == TWIN_TAKES_ALL ? p != place : !comes_with(twin, run->state, place, p))
            continue;
        const struct kubelet_admission admission = ask(twin, &next, p, false);
        if (admission.preempted) {
            twin->overflow = true; /* critical pods are not generated */
            return;
        }
        if (admission.admitted) {
            next.pods[p].stage = POD_STARTS;
            next.pods[p].start = 0;
            continue;
        }
        action = admission.reasons.items[0].rejection == KUBELET_UNDER_PRESSURE
                     ? TWIN_ACT_PRESSURE_REJECT
                     : TWIN_ACT_REJECT;
        lose_pod(twin, &next, p);
    }
    emit_about(run, &next, place, action, FAST);
}

/* Does the scheduler ask at least what the kubelets ask? */
static bool scheduler_asks(const struct profile *profile)
{
    static const char *const asked[] = {"NodeResourcesFit", "NodeAffinity", "NodePorts",
                                        "TaintToleration"};
    uint32_t found = 0;
    for (uint32_t f = 0; f < profile->filter_count; f++)
        for (uint32_t a = 0; a < 4; a++)
            found |= strcmp(profile->filters[f]->name, asked[a]) == 0 ? 1U << a : 0;
    return found == 15;
}

bool twin_admission_matters(struct twin *twin)
{
    bool matters = false;
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        const struct pod_spec *spec = &twin->revisions[r].pod->spec;
        const struct profile *profile = profiles_find(&twin->profiles, spec->scheduler_name);
        /* Bystanders that are on their nodes are not scheduled any more. */
        const bool comes =
            !is_bystander(twin, twin->revisions[r].workload) || twin->revisions[r].waits;
        twin->revisions[r].unchecked =
            comes && !spec->node_name && profile && !scheduler_asks(profile);
        matters |= spec->node_name || twin->revisions[r].unchecked;
    }
    for (uint32_t e = 0; e < twin->event_count; e++)
        matters |= twin->events[e].event->kind == EVENT_NODE_PRESSURE;
    for (uint32_t n = 0; n < twin->node_count; n++)
        matters |= twin->initial.pressures[n] != 0;
    return matters;
}

static void kubelet(struct twin_run *run, uint32_t place)
{
    const struct place_of_pod *pod = &run->state->pods[place];
    struct twin_state next = *run->state;
    if (pod->node == NOBODY || !condition_works(condition_of(run, pod)))
        return;
    if (pod->stage == POD_IS_BOUND) {
        admit(run, place);
    } else if (pod->stage == POD_STARTS && !twin_never_ready(run->twin, pod) &&
               !twin_starts_by_clock(run->twin, pod)) {
        if (twin_waits_for_disk(run->twin, run->state, place)) {
            emit_about(run, &next, place, TWIN_ACT_MULTI_ATTACH, IDLE);
            return;
        }
        next.pods[place].stage = POD_IS_READY;
        next.pods[place].since = 0;
        emit_about(run, &next, place, TWIN_ACT_START, FAST);
    } else if (pod->stage == POD_TERMINATES && !kubelet_waits(run->twin, pod)) {
        lose_pod(run->twin, &next, place);
        emit_about(run, &next, place, TWIN_ACT_TERMINATED, FAST);
    }
}

/* ---- pressure ---- */

/* A pod may be the first to go if it is for some usage that nobody knows. */
static bool may_be_evicted(const struct twin_run *run, uint32_t node, uint32_t place,
                           enum kubelet_signal signal)
{
    const int64_t very_much = INT64_C(1000000000000000);
    struct twin *twin = run->twin;
    struct kubelet_eviction_pod pods[TWIN_PODS_MOST];
    bool victims[TWIN_PODS_MOST] = {0};
    uint32_t count = 0;
    uint32_t number = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (pod->node != node || (pod->stage != POD_STARTS && pod->stage != POD_IS_READY))
            continue;
        const uint32_t number_of_class = twin_class(twin, p, pod);
        const struct pod_class *class = twin->catalog->pods.items[number_of_class];
        const int64_t memory = class->shape->requests.memory;
        const int64_t disk = class->shape->requests.ephemeral_storage;
        if (p == place)
            number = count;
        pods[count++] = (struct kubelet_eviction_pod){
            .count = 1,
            .priority = class->shape->priority,
            .critical = kubelet_pod_is_critical(class->pod),
            .measured = true,
            .memory_used = p == place ? very_much : memory == 0,
            .memory_requested = memory,
            .disk_used = p == place ? very_much : disk == 0,
            .disk_requested = disk,
            .processes = p == place ? very_much : 1,
        };
    }
    return kubelet_victims(signal, pods, count, victims) && victims[number];
}

static void press(struct twin_run *run, uint32_t node)
{
    const uint32_t pressures = run->state->pressures[node];
    bool busy = false;
    if (pressures & PASSES) {
        struct twin_state next = *run->state;
        next.pressures[node] = 0;
        twin_emit(run, &next, TWIN_ACT_PRESSURE_ENDS, about_node(node), ALL, 0, LAZY);
    }
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        busy |= run->state->pods[p].stage == POD_TERMINATES && run->state->pods[p].node == node;
    const enum kubelet_signal signal =
        pressures & KUBELET_MEMORY_PRESSURE ? KUBELET_MEMORY_AVAILABLE
        : pressures & KUBELET_DISK_PRESSURE ? KUBELET_NODEFS_AVAILABLE
                                            : KUBELET_PID_AVAILABLE;
    for (uint32_t p = 0; p < TWIN_PODS_MOST && pressures && !busy; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (pod->node == node && (pod->stage == POD_STARTS || pod->stage == POD_IS_READY) &&
            may_be_evicted(run, node, p, signal))
            evict(run, p, TWIN_ACT_PRESSURE_EVICT, FAST);
    }
}

/* ---- taints ---- */

/* As many terminating pods of the kind on the node as the workload has replicas;
 * where the kubelet is gone, only if more pods can come past the scheduler. */
static bool kubelet_lags(const struct twin_run *run, const struct place_of_pod *pod)
{
    const int32_t replicas = run->state->replicas[workload_of(run->twin, pod)];
    int32_t count = 0;
    if (is_bystander(run->twin, workload_of(run->twin, pod)))
        return false;
    if (!condition_works(condition_of(run, pod)) && kind_of(run->twin, pod) != OBJECT_DAEMON_SET &&
        !pod_names_node(run->twin, pod))
        return false;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        count += run->state->pods[p].stage == POD_TERMINATES &&
                 run->state->pods[p].revision == pod->revision &&
                 run->state->pods[p].member == pod->member && run->state->pods[p].node == pod->node;
    return count >= (replicas > 1 ? replicas : 1);
}

static bool all_are_noticed(const struct twin_run *run)
{
    for (uint32_t n = 0; n < run->twin->node_count; n++)
        if (condition_is_unnoticed((enum twin_condition)run->state->conditions[n]))
            return false;
    return true;
}

static void taint_manager(struct twin_run *run, uint32_t place)
{
    struct twin *twin = run->twin;
    const struct place_of_pod *pod = &run->state->pods[place];
    if (!pod_is_active(pod) || pod->node == NOBODY || kubelet_lags(run, pod))
        return;
    const struct node *node =
        twin->catalog->templates.items[node_template_of(twin, run->state, pod->node)]->node;
    const bool silent =
        !condition_is_ready(condition_of(run, pod)) && lifecycle_gives_up(twin, run->state);
    const int64_t seconds = twin_tolerated_seconds(twin, node, pod->revision, silent);
    if (seconds == TOLERATED_FOREVER ||
        (twin->clocked && !twin_tolerated_for(twin, run->state, place, seconds)))
        return;
    /* All leases have run out 15 s after the first one. */
    if (seconds > 15 && !all_are_noticed(run))
        return;
    /* Without clocks that takes minutes: meanwhile everything else may come to rest. */
    evict(run, place, TWIN_ACT_TAINT_EVICT,
          !twin->clocked && (silent || seconds > 0) ? LAZY : FAST);
}

static void change_node(struct twin_run *run, uint32_t node, enum twin_condition condition,
                        enum twin_action action, enum twin_pace pace)
{
    struct twin_state next = *run->state;
    set_condition(run->twin, &next, node, condition);
    twin_emit(run, &next, action, about_node(node), ALL, 0, pace);
}

static void lifecycle(struct twin_run *run, uint32_t node)
{
    const enum twin_condition condition = (enum twin_condition)run->state->conditions[node];
    const bool partitioned =
        condition == PARTITIONED_UNTAINTED || condition == PARTITIONED_UNNOTICED;
    if ((condition != UNTAINTED && condition != UNNOTICED && !partitioned) ||
        !lifecycle_may_taint(run->twin, run->state, node))
        return;
    struct twin_state next = *run->state;
    next.conditions[node] = partitioned ? PARTITIONED : DOWN;
    twin_emit(run, &next, TWIN_ACT_TAINT_NODE, about_node(node), ALL, 0, FAST);
}

static void notice(struct twin_run *run)
{
    struct twin_state next = *run->state;
    if (all_are_noticed(run))
        return;
    for (uint32_t n = 0; n < run->twin->node_count; n++)
        if (next.conditions[n] == UNNOTICED)
            set_condition(run->twin, &next, n, UNTAINTED);
        else if (next.conditions[n] == PARTITIONED_UNNOTICED)
            set_condition(run->twin, &next, n, PARTITIONED_UNTAINTED);
    twin_emit(run, &next, TWIN_ACT_NODES_NOTICED, 0, ALL, 0, FAST);
}

/* ---- drains ---- */

static void drain_pod(struct twin_run *run, uint32_t place)
{
    const struct place_of_pod *pod = &run->state->pods[place];
    if (!pod_is_active(pod) || pod->node == NOBODY || condition_of(run, pod) != CORDONED ||
        pod->late || kind_of(run->twin, pod) == OBJECT_DAEMON_SET)
        return;
    if (twin_may_evict(run, place) && !twin_refuses(run, "pods/eviction", "CREATE", pod->revision))
        evict(run, place, TWIN_ACT_DRAIN_EVICT, FAST);
}

static void leave_or_return(struct twin_run *run, uint32_t node)
{
    const enum twin_condition condition = (enum twin_condition)run->state->conditions[node];
    bool drained = true;
    bool empty = true;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (!pod_is_there(pod))
            continue;
        const bool daemon = kind_of(run->twin, pod) == OBJECT_DAEMON_SET;
        drained = drained && (pod->node != node || daemon || pod->late);
        empty = empty && pod->node != node && !(daemon && pod->member == node);
    }
    if (condition == CORDONED && drained)
        change_node(run, node, AWAY, TWIN_ACT_DRAIN_DONE, FAST);
    else if (condition_returns(condition) && (condition != GONE_AWHILE || empty))
        change_node(run, node, UP, TWIN_ACT_NODE_RETURN, LAZY);
}

/* ---- load ---- */

static void panic(struct twin_run *run, uint32_t node)
{
    struct twin *twin = run->twin;
    const int64_t has =
        twin->catalog->templates.items[twin->nodes[node].templates[UP]]->allocatable.cpu_milli;
    int64_t used = 0;
    if (run->state->conditions[node] != UP && run->state->conditions[node] != CANDIDATE &&
        run->state->conditions[node] != SPARE && run->state->conditions[node] != LEAVING)
        return;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (run->state->pods[p].stage == POD_IS_READY && run->state->pods[p].node == node)
            used += twin_usage(twin, run->state, p);
    for (uint32_t e = 0; e < twin->event_count; e++) {
        const struct check_event *event = twin->events[e].event;
        const char *group = twin->scope->groups[twin->nodes[node].group].name;
        if (event->kind == EVENT_KERNEL_PANIC &&
            (!event->group || strcmp(event->group, group) == 0) &&
            used > twin_amount(&event->above_cpu, has))
            change_node(run, node, twin->clocked ? LOST_AWAY : REPAIRED, TWIN_ACT_PANIC, FAST);
    }
}

void twin_nodes(struct twin_run *run)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        kubelet(run, p);
        taint_manager(run, p);
        drain_pod(run, p);
    }
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        leave_or_return(run, n);
        press(run, n);
        panic(run, n);
        lifecycle(run, n);
    }
    notice(run);
}
