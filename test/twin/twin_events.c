/* SPDX-License-Identifier: Apache-2.0 */
/* What the world may do, and what is left over from it. */
#include "twin/twin_internal.h"

#include <stdio.h>
#include <string.h>

static bool concerns(const struct twin *twin, const struct check_event *event, uint32_t node)
{
    return !event->group ||
           strcmp(twin->scope->groups[twin->nodes[node].group].name, event->group) == 0;
}

static void emit_event(struct twin_run *run, struct twin_state *next, enum twin_action action,
                       uint32_t workload)
{
    twin_emit(run, next, action, 0, workload, 0, FAST);
}

static void node_event(struct twin_run *run, uint32_t number, enum twin_condition condition,
                       enum twin_action action)
{
    const struct check_event *event = run->twin->events[number].event;
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        const bool falls = run->state->conditions[n] == LEAVING && !condition_works(condition) &&
                           event->kind != EVENT_MAINTENANCE;
        if ((run->state->conditions[n] != UP && run->state->conditions[n] != CANDIDATE &&
             run->state->conditions[n] != SPARE && !falls) ||
            !concerns(run->twin, event, n))
            continue;
        struct twin_state next = *run->state;
        next.used[number]++;
        set_condition(run->twin, &next, n, condition);
        emit_event(run, &next, action, ALL);
    }
}

static void maintenance(struct twin_run *run, uint32_t number)
{
    const struct check_event *event = run->twin->events[number].event;
    int32_t busy = 0;
    for (uint32_t n = 0; n < run->twin->node_count; n++)
        busy += run->state->conditions[n] == CORDONED || run->state->conditions[n] == AWAY;
    if (busy < event->concurrent)
        node_event(run, number, event->drain ? CORDONED : AWAY, TWIN_ACT_EVENT_MAINTENANCE);
}

/* ---- failures ---- */

static enum twin_condition taken_by(const struct twin *twin, const struct check_event *event)
{
    if (twin->clocked && (event->kind != EVENT_PARTITION || event->from != PARTITION_CLIENTS))
        return event->recovers ? LOST_AWAY : LOST;
    if (event->kind != EVENT_PARTITION || event->from == PARTITION_BOTH)
        return event->recovers ? REPAIRED : twin->taints_late ? UNTAINTED : DOWN;
    if (event->from == PARTITION_CLIENTS)
        return event->recovers ? CUT_AWHILE : CUT;
    return event->recovers     ? PARTITIONED_AWHILE
           : twin->taints_late ? PARTITIONED_UNTAINTED
                               : PARTITIONED;
}

static const char *label_of(const struct twin *twin, uint32_t node, const char *key)
{
    return labels_find(
        &twin->catalog->templates.items[twin->nodes[node].templates[UP]]->node->meta.labels, key);
}

/* Nobody is made better by it. */
static bool is_worse(enum twin_condition from, enum twin_condition to)
{
    if (to == CUT || to == CUT_AWHILE)
        return from == UP || from == CANDIDATE || from == SPARE;
    return condition_works(from) ||
           (condition_returns(from) && from != GONE_AWHILE && !condition_returns(to));
}

/* Can several nodes stop for good once more? */
static bool more_may_stop(const struct twin *twin, const struct twin_state *state)
{
    for (uint32_t e = 0; e < twin->event_count; e++) {
        const struct check_event *event = twin->events[e].event;
        if (event->topology_key && !event->recovers && state->used[e] < (uint32_t)event->at_most &&
            (event->kind == EVENT_ZONE_OUTAGE ||
             (event->kind == EVENT_PARTITION && event->from != PARTITION_CLIENTS)))
            return true;
    }
    return false;
}

/* Does it matter that nodes which stopped together are not noticed together? Not if all of them
 * are tainted anyway. */
static bool notices_matter(struct twin *twin, const struct twin_state *next)
{
    bool matters = more_may_stop(twin, next);
    for (uint32_t n = 0; n < twin->node_count; n++)
        matters |=
            (next->conditions[n] == UNTAINTED || next->conditions[n] == PARTITIONED_UNTAINTED ||
             condition_is_unnoticed((enum twin_condition)next->conditions[n])) &&
            !lifecycle_may_taint(twin, next, n);
    return matters && twin->taints_late;
}

/* The nodes of the zone stop; false: there are none that could. */
static bool stop_zone(const struct twin_run *run, struct twin_state *next, uint32_t number,
                      const char *value, enum twin_condition condition, bool unnoticed)
{
    const struct check_event *event = run->twin->events[number].event;
    bool any = false;
    *next = *run->state;
    next->used[number]++;
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        const char *zone = label_of(run->twin, n, event->topology_key);
        const enum twin_condition before = (enum twin_condition)run->state->conditions[n];
        enum twin_condition after = condition;
        if (!zone || strcmp(zone, value) != 0 || !is_worse(before, condition))
            continue;
        if (unnoticed && condition_is_ready(before) && condition == UNTAINTED)
            after = UNNOTICED;
        if (unnoticed && condition_is_ready(before) && condition == PARTITIONED_UNTAINTED)
            after = PARTITIONED_UNNOTICED;
        set_condition(run->twin, next, n, after);
        any = true;
    }
    return any;
}

static void zone_event(struct twin_run *run, uint32_t number, const char *value,
                       enum twin_condition condition, enum twin_action action)
{
    struct twin_state next;
    if (!stop_zone(run, &next, number, value, condition, false))
        return;
    if (notices_matter(run->twin, &next))
        stop_zone(run, &next, number, value, condition, true);
    emit_event(run, &next, action, ALL);
}

static void failure(struct twin_run *run, uint32_t number)
{
    const struct check_event *event = run->twin->events[number].event;
    const enum twin_condition condition = taken_by(run->twin, event);
    const enum twin_action action = event->kind == EVENT_PARTITION     ? TWIN_ACT_EVENT_PARTITION
                                    : event->kind == EVENT_ZONE_OUTAGE ? TWIN_ACT_EVENT_ZONE_FAILS
                                                                       : TWIN_ACT_EVENT_NODE_FAILS;
    if (!event->topology_key) {
        node_event(run, number, condition, action);
        return;
    }
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        const char *value = label_of(run->twin, n, event->topology_key);
        bool first = value && (!event->zone || strcmp(event->zone, value) == 0);
        for (uint32_t m = 0; m < n && first; m++) {
            const char *other = label_of(run->twin, m, event->topology_key);
            first = !other || strcmp(other, value) != 0;
        }
        if (first)
            zone_event(run, number, value, condition, action);
    }
}

static void pressure(struct twin_run *run, uint32_t number)
{
    static const uint8_t bits[] = {[PRESSURE_MEMORY] = 1, [PRESSURE_DISK] = 2, [PRESSURE_PID] = 4};
    const struct check_event *event = run->twin->events[number].event;
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        if ((run->state->conditions[n] != UP && run->state->conditions[n] != CANDIDATE &&
             run->state->conditions[n] != LEAVING) ||
            run->state->pressures[n] != 0 || !concerns(run->twin, event, n))
            continue;
        struct twin_state next = *run->state;
        next.used[number]++;
        next.pressures[n] = bits[event->condition] | (event->recovers ? PASSES : 0);
        emit_event(run, &next, TWIN_ACT_EVENT_PRESSURE, ALL);
    }
}

/* ---- load ---- */

static void cpu_change(struct twin_run *run, uint32_t number)
{
    const struct twin_event *event = &run->twin->events[number];
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (pod->stage != POD_IS_READY || workload_of(run->twin, pod) != event->workload)
            continue;
        for (uint32_t l = 0; l < event->event->level_count; l++) {
            struct twin_state next = *run->state;
            if (event->first + l == pod->level)
                continue;
            next.used[number]++;
            next.pods[p].level = (uint8_t)(event->first + l);
            emit_event(run, &next, TWIN_ACT_EVENT_CPU, event->workload);
        }
    }
}

static void load(struct twin_run *run, uint32_t number)
{
    const struct twin_event *event = &run->twin->events[number];
    const int64_t *totals = run->twin->workloads[event->workload].totals;
    const uint32_t before = run->state->load[event->workload];
    for (uint32_t t = 0; t < event->event->total_count; t++) {
        if (before > 0 && totals[before - 1] == totals[event->first + t])
            continue;
        struct twin_state next = *run->state;
        next.used[number]++;
        next.load[event->workload] = event->first + t + 1;
        emit_event(run, &next, TWIN_ACT_EVENT_LOAD, event->workload);
    }
}

/* ---- users ---- */

static void set_replicas(const struct twin *twin, struct twin_state *state, uint32_t workload,
                         int32_t replicas)
{
    state->replicas[workload] = replicas;
    if (twin->workloads[workload].kind == OBJECT_REPLICA_SET)
        state->set_replicas[state->present[workload]] = replicas;
}

static void scale(struct twin_run *run, uint32_t number)
{
    const struct twin_event *event = &run->twin->events[number];
    for (uint32_t i = 0; i < event->event->to_count; i++) {
        struct twin_state next = *run->state;
        if (next.present[event->workload] == NOBODY ||
            event->event->to[i] == next.replicas[event->workload])
            continue;
        next.used[number]++;
        set_replicas(run->twin, &next, event->workload, event->event->to[i]);
        emit_event(run, &next, TWIN_ACT_EVENT_SCALE, event->workload);
    }
}

static void apply(struct twin_run *run, uint32_t number, enum twin_action action)
{
    const struct twin_event *event = &run->twin->events[number];
    const uint32_t workload = event->workload;
    struct twin_state next = *run->state;
    const bool comes = next.present[workload] == NOBODY;
    next.present[workload] = event->revision;
    next.spec[workload] = event->spec;
    if (comes && run->twin->workloads[workload].kind == OBJECT_STATEFUL_SET)
        next.current[workload] = event->revision;
    /* What goes already is nothing to the new one. */
    for (uint32_t p = 0; comes && p < TWIN_PODS_MOST; p++)
        if (next.pods[p].stage == POD_TERMINATES &&
            workload_of(run->twin, &next.pods[p]) == workload &&
            run->twin->workloads[workload].kind == OBJECT_JOB)
            next.pods[p].disowned = 1;
    if (event->gives_replicas || comes || (event->changes_replicas && next.used[number] == 0))
        set_replicas(run->twin, &next, workload, event->replicas);
    next.used[number] = event->event->repeats ? 1 : next.used[number] + 1;
    twin_emit(run, &next, action, action == TWIN_ACT_REAPPLY ? about_workload(workload) : 0,
              workload, 0, FAST);
}

void twin_reapplies(struct twin_run *run, bool settled)
{
    for (uint32_t e = 0; e < run->twin->event_count; e++) {
        const struct twin_event *event = &run->twin->events[e];
        const bool counts =
            run->state->used[e] == 0 ? event->changes_replicas : event->gives_replicas;
        if (event->event->repeats &&
            !(run->state->present[event->workload] != NOBODY &&
              twin_kubelets_lag(run, event->workload)) &&
            (!event->event->after_settled || settled || run->state->settled_once) &&
            (run->state->present[event->workload] != event->revision ||
             run->state->spec[event->workload] != event->spec ||
             (counts && run->state->replicas[event->workload] != event->replicas)))
            apply(run, e, TWIN_ACT_REAPPLY);
    }
}

void twin_rollbacks(struct twin_run *run)
{
    for (uint32_t e = 0; e < run->twin->event_count; e++) {
        const struct twin_event *event = &run->twin->events[e];
        const uint32_t workload = event->workload;
        if (event->event->kind != EVENT_APPLY || !event->event->recovers ||
            run->state->used[e] == 0 || run->state->present[workload] != event->revision ||
            run->state->spec[workload] != event->spec)
            continue;
        const struct twin_workload *of = &run->twin->workloads[workload];
        if (event->revision == of->first && event->spec == 0)
            continue; /* it was nothing new */
        struct twin_state next = *run->state;
        next.present[workload] = of->first;
        next.spec[workload] = 0;
        if (event->changes_replicas)
            set_replicas(run->twin, &next, workload, of->replicas);
        /* With clocks the user may take a while. */
        twin_emit(run, &next, TWIN_ACT_EVENT_ROLLBACK, about_workload(workload), workload, 0,
                  run->twin->clocked ? LAZY : FAST);
    }
}

/* ---- deletions ---- */

/* The name of the pod, as far as its controller does not make it up. */
static bool is_named(const struct twin *twin, const struct place_of_pod *pod, const char *pattern)
{
    const char *owner = twin->workloads[workload_of(twin, pod)].setup->object->meta->name;
    char name[64];
    const size_t length = strcspn(pattern, "*");
    if (is_bystander(twin, workload_of(twin, pod)))
        snprintf(name, sizeof(name), "%s", owner);
    else if (kind_of(twin, pod) == OBJECT_STATEFUL_SET)
        snprintf(name, sizeof(name), "%s-%u", owner, pod->member);
    else
        snprintf(name, sizeof(name), "%s-", owner);
    return pattern[length] == '*' ? strncmp(pattern, name, length) == 0
                                  : strcmp(pattern, name) == 0;
}

static void delete_pods(struct twin_run *run, uint32_t number)
{
    const struct check_event *event = run->twin->events[number].event;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (!pod_is_active(pod) || !is_named(run->twin, pod, event->object.name))
            continue;
        struct twin_state next = *run->state;
        next.used[number]++;
        end_pod(run->twin, &next, p);
        emit_event(run, &next, TWIN_ACT_EVENT_DELETE, workload_of(run->twin, pod));
    }
}

static void delete_nodes(struct twin_run *run, uint32_t number)
{
    const struct check_event *event = run->twin->events[number].event;
    const size_t length = strcspn(event->object.name, "*");
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        if (!node_is_listed(run->state, n) ||
            strncmp(run->twin->nodes[n].name, event->object.name, length) != 0)
            continue;
        struct twin_state next = *run->state;
        next.used[number]++;
        set_condition(run->twin, &next, n, event->recovers ? GONE_AWHILE : GONE);
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
            if (next.pods[p].stage == POD_WAITS && next.pods[p].nominated == n)
                next.pods[p].nominated = NOBODY;
        emit_event(run, &next, TWIN_ACT_EVENT_DELETE, ALL);
    }
}

static void delete_workload(struct twin_run *run, uint32_t number, uint32_t workload)
{
    struct twin_state next = *run->state;
    if (next.present[workload] == NOBODY)
        return;
    next.used[number]++;
    next.present[workload] = NOBODY;
    next.replicas[workload] = 0;
    next.spec[workload] = 0;
    next.current[workload] = 0;
    next.succeeded[workload] = 0;
    next.failed[workload] = 0;
    next.over[workload] = 0;
    for (uint32_t r = 0; r < run->twin->revision_count; r++)
        if (run->twin->revisions[r].workload == workload) {
            next.set_replicas[r] = -1;
            next.set_desired[r] = 0;
        }
    emit_event(run, &next, TWIN_ACT_EVENT_DELETE, workload);
}

static void delete_object(struct twin_run *run, uint32_t number)
{
    const struct twin_event *event = &run->twin->events[number];
    if (strcmp(event->event->object.kind, "Pod") == 0) {
        delete_pods(run, number);
    } else if (strcmp(event->event->object.kind, "Node") == 0) {
        delete_nodes(run, number);
    } else if (event->workload != NOBODY) {
        delete_workload(run, number, event->workload);
    } else if (run->state->used[number] == 0) {
        struct twin_state next = *run->state;
        next.used[number]++;
        emit_event(run, &next, TWIN_ACT_EVENT_DELETE, ALL);
    }
}

static bool is_alike(const struct place_of_pod *a, const struct place_of_pod *b)
{
    return a->stage == b->stage && a->revision == b->revision && a->member == b->member;
}

/* Of pods that wait the population deletes all that are alike at once if nobody counts them. */
static bool go_at_once(const struct twin *twin)
{
    return twin->manner == TWIN_MIRRORS && !twin_counts_pods(twin);
}

/* Its owner is gone. */
static void collect_orphan(struct twin_run *run, uint32_t place)
{
    struct twin *twin = run->twin;
    const struct place_of_pod *pod = &run->state->pods[place];
    struct twin_state next = *run->state;
    end_pod(twin, &next, place);
    for (uint32_t p = 0; p < TWIN_PODS_MOST && go_at_once(twin); p++)
        if (p != place && pod->stage == POD_WAITS && is_alike(pod, &run->state->pods[p]))
            end_pod(twin, &next, p);
    twin_emit(run, &next, TWIN_ACT_COLLECT, about_pod(place), workload_of(twin, pod), 0, FAST);
}

/* It names a node that is not there: some day that is noticed. */
static void collect_lost(struct twin_run *run, uint32_t place)
{
    const struct place_of_pod *pod = &run->state->pods[place];
    struct twin_state next = *run->state;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (p == place || (go_at_once(run->twin) && is_alike(pod, &run->state->pods[p])))
            lose_pod(run->twin, &next, p);
    twin_emit(run, &next, TWIN_ACT_POD_GARBAGE, about_pod(place), workload_of(run->twin, pod), 0,
              LAZY);
}

/* Pods whose node is gone vanish, those whose owner is gone are deleted. */
void twin_collect_garbage(struct twin_run *run)
{
    struct twin *twin = run->twin;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (!pod_is_there(pod))
            continue;
        const uint32_t workload = workload_of(twin, pod);
        if (pod->stage == POD_WAITS && pod_names_node(twin, pod))
            collect_lost(run, p);
        const uint32_t node = kind_of(twin, pod) == OBJECT_DAEMON_SET ? pod->member : pod->node;
        if (node != NOBODY && !node_is_listed(run->state, node)) {
            struct twin_state next = *run->state;
            lose_pod(twin, &next, p);
            twin_emit(run, &next, TWIN_ACT_COLLECT, about_pod(p), workload, 0, FAST);
        } else if (run->state->present[workload] == NOBODY && pod_is_active(pod)) {
            collect_orphan(run, p);
        }
    }
}

void twin_events(struct twin_run *run, bool settled)
{
    for (uint32_t e = 0; e < run->twin->event_count; e++) {
        const struct check_event *event = run->twin->events[e].event;
        if (event->repeats || run->state->used[e] >= (uint32_t)event->at_most ||
            (event->after_settled && !settled && !run->state->settled_once) ||
            !twin_event_is_allowed(run->twin, run->state, e))
            continue;
        switch (event->kind) {
        case EVENT_NODE_FAILURE:
        case EVENT_ZONE_OUTAGE:
        case EVENT_PARTITION: failure(run, e); break;
        case EVENT_MAINTENANCE: maintenance(run, e); break;
        case EVENT_NODE_PRESSURE: pressure(run, e); break;
        case EVENT_CPU_CHANGE: cpu_change(run, e); break;
        case EVENT_LOAD: load(run, e); break;
        case EVENT_SCALE: scale(run, e); break;
        case EVENT_APPLY: apply(run, e, TWIN_ACT_EVENT_APPLY); break;
        case EVENT_DELETE: delete_object(run, e); break;
        case EVENT_PROVISIONING_FAILURE: twin_fail_to_provide(run, e); break;
        default: break;
        }
    }
}

/* ---- what lasts ---- */

/* What becomes of a node that is in the condition, if nobody helps it. */
static enum twin_condition comes_to(enum twin_condition condition)
{
    switch (condition) {
    case LOST:
    case UNNOTICED:
    case UNTAINTED: return DOWN;
    case LOST_AWAY: return REPAIRED;
    case PARTITIONED_UNNOTICED:
    case PARTITIONED_UNTAINTED: return PARTITIONED;
    default: return condition;
    }
}

static bool node_is_taken(const struct twin *twin, const struct twin_state *state,
                          const struct check_event *event, uint32_t node)
{
    static const uint8_t bits[] = {[PRESSURE_MEMORY] = 1, [PRESSURE_DISK] = 2, [PRESSURE_PID] = 4};
    const enum twin_condition condition = comes_to((enum twin_condition)state->conditions[node]);
    switch (event->kind) {
    case EVENT_MAINTENANCE: return condition == CORDONED || condition == AWAY;
    case EVENT_NODE_PRESSURE: return state->pressures[node] & bits[event->condition];
    case EVENT_DELETE: return condition == (event->recovers ? GONE_AWHILE : GONE);
    default: return condition == comes_to(taken_by(twin, event));
    }
}

static bool is_undone(const struct twin *twin, const struct twin_state *state, uint32_t number)
{
    const struct twin_event *of = &twin->events[number];
    const struct check_event *event = of->event;
    switch (event->kind) {
    case EVENT_APPLY:
        return state->present[of->workload] != of->revision ||
               state->spec[of->workload] != of->spec;
    case EVENT_DELETE:
        if (strcmp(event->object.kind, "Node") != 0)
            return false;
        break;
    case EVENT_NODE_FAILURE:
    case EVENT_ZONE_OUTAGE:
    case EVENT_PARTITION:
    case EVENT_MAINTENANCE:
    case EVENT_NODE_PRESSURE: break;
    default: return false;
    }
    for (uint32_t n = 0; n < twin->node_count; n++)
        if (concerns(twin, event, n) && node_is_taken(twin, state, event, n))
            return false;
    return true;
}

bool twin_event_lasts(const struct twin *twin, const struct twin_state *state, uint32_t number)
{
    const enum event_kind kind = twin->events[number].event->kind;
    if (kind == EVENT_CPU_PATTERN || kind == EVENT_LOAD_PATTERN || kind == EVENT_KERNEL_PANIC ||
        kind == EVENT_GROUP_SIZE)
        return true; /* a rule */
    return state->used[number] > 0 && !is_undone(twin, state, number);
}
