/* SPDX-License-Identifier: Apache-2.0 */
/* What the intents see of it all. */
#include "decide/controller/daemon_set/daemon_set_controller.h"
#include "decide/scheduler/node_match.h"
#include "twin/twin_internal.h"

#include <string.h>

static bool within(const struct twin *twin, const struct check_intent *intent, uint32_t workload)
{
    const struct object *object = twin->workloads[workload].setup->object;
    return !intent->workload.name || (strcmp(intent->workload.name, object->meta->name) == 0 &&
                                      strcmp(intent->workload.kind, object->kind_name) == 0);
}

static int64_t sum(const struct twin *twin, const struct twin_state *state, uint32_t workload,
                   bool ready)
{
    int64_t count = 0;
    for (uint32_t r = 0; r < twin->revision_count; r++)
        if (twin->revisions[r].workload == workload)
            count += twin_count(twin, state, r, ready);
    return count;
}

static const struct node *node_of(const struct twin *twin, const struct twin_state *state,
                                  uint32_t node)
{
    return twin->catalog->templates.items[node_template_of(twin, state, node)]->node;
}

/* ---- what is wanted ---- */

static void daemon_place(const struct twin *twin, const struct twin_state *state, uint32_t workload,
                         uint32_t node, bool *runs, bool *stays)
{
    const struct pod *pod = twin->revisions[state->present[workload]].pod;
    struct daemon_set present = *twin_spec(twin, state, workload)->as.daemon_set;
    present.template = *twin->revisions[state->present[workload]].template;
    daemon_set_should_run(&present, pod->spec.tolerations, pod->spec.toleration_count,
                          node_of(twin, state, node), runs, stays);
}

static int64_t daemons_wanted(const struct twin *twin, const struct twin_state *state,
                              uint32_t workload)
{
    int64_t wanted = 0;
    for (uint32_t n = 0; n < twin->node_count && state->present[workload] != NOBODY; n++) {
        bool runs;
        bool stays;
        daemon_place(twin, state, workload, n, &runs, &stays);
        wanted += runs && node_is_listed(state, n);
    }
    return wanted;
}

/* One pod on each node that should have one, and it is as wanted. */
static bool daemons_converged(const struct twin *twin, const struct twin_state *state,
                              uint32_t workload, bool updated)
{
    for (uint32_t n = 0; n < twin->node_count; n++) {
        bool runs;
        bool stays;
        uint32_t active = 0;
        uint32_t good = 0;
        if (!condition_is_ready((enum twin_condition)state->conditions[n]) ||
            !node_is_listed(state, n))
            continue;
        daemon_place(twin, state, workload, n, &runs, &stays);
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
            const struct place_of_pod *pod = &state->pods[p];
            if (!pod_is_active(pod) || workload_of(twin, pod) != workload || pod->member != n)
                continue;
            active++;
            good += pod->stage == POD_IS_READY &&
                    (!updated || pod->revision == state->present[workload]);
        }
        if (runs ? active != 1 || good != 1 : active > 0 && !stays)
            return false;
    }
    return true;
}

static bool stateful_converged(const struct twin *twin, const struct twin_state *state,
                               uint32_t workload)
{
    const struct stateful_set *set = twin_spec(twin, state, workload)->as.stateful_set;
    int64_t good = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (pod_is_there(pod) && workload_of(twin, pod) == workload && twin_pod_ready(state, p) &&
            pod->member < state->replicas[workload] &&
            (set->update_strategy == UPDATE_ON_DELETE || pod->member < set->partition ||
             pod->revision == state->present[workload]))
            good++;
    }
    return good == state->replicas[workload];
}

bool twin_converged(const struct twin *twin, const struct twin_state *state, uint32_t workload,
                    bool rollout)
{
    const struct object *spec = twin_spec(twin, state, workload);
    const int64_t wanted = state->replicas[workload];
    switch (twin->workloads[workload].kind) {
    case OBJECT_DAEMON_SET:
        return daemons_converged(twin, state, workload,
                                 rollout ||
                                     spec->as.daemon_set->update_strategy != UPDATE_ON_DELETE);
    case OBJECT_JOB:
        if (rollout)
            return true;
        return spec->as.job->suspend ? sum(twin, state, workload, false) == 0
                                     : state->over[workload] == 1 || state->over[workload] == 3;
    case OBJECT_STATEFUL_SET:
        return sum(twin, state, workload, false) == wanted &&
               stateful_converged(twin, state, workload);
    default:
        return sum(twin, state, workload, false) == wanted &&
               twin_count(twin, state, state->present[workload], true) == wanted;
    }
}

static int64_t bound_of(const struct twin *twin, const struct twin_state *state,
                        const struct check_intent *intent, uint32_t workload)
{
    switch (intent->bound) {
    case REPLICAS_DESIRED:
        return intent->value + (twin->workloads[workload].kind == OBJECT_DAEMON_SET
                                    ? daemons_wanted(twin, state, workload)
                                    : state->replicas[workload]);
    case REPLICAS_MIN: return twin->workloads[workload].least;
    default: return intent->value;
    }
}

/* ---- balance ---- */

/* Ready pods in the domain of the node; -1: no node of it is eligible. */
static int64_t in_domain(const struct twin *twin, const struct twin_state *state, const char *key,
                         uint32_t workload, uint32_t node)
{
    const struct pod *pod = twin->revisions[state->present[workload]].pod;
    const char *domain = labels_find(&node_of(twin, state, node)->meta.labels, key);
    int64_t ready = 0;
    bool eligible = false;
    for (uint32_t m = 0; domain && m < twin->node_count; m++) {
        const char *other = labels_find(&node_of(twin, state, m)->meta.labels, key);
        if (!other || strcmp(other, domain) != 0 ||
            (state->conditions[m] != UP && state->conditions[m] != CANDIDATE &&
             state->conditions[m] != SPARE) ||
            !node_match_pod(pod, twin->catalog->templates.items[node_template_of(twin, state, m)]))
            continue;
        eligible = true;
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
            ready += state->pods[p].stage == POD_IS_READY && state->pods[p].node == m &&
                     workload_of(twin, &state->pods[p]) == workload;
    }
    return eligible ? ready : -1;
}

static bool skewed(const struct twin *twin, const struct twin_state *state,
                   const struct check_intent *intent, uint32_t workload)
{
    int64_t least = INT64_MAX;
    int64_t most = INT64_MIN;
    for (uint32_t n = 0; n < twin->node_count && state->present[workload] != NOBODY; n++) {
        const int64_t ready = in_domain(twin, state, intent->topology_key, workload, n);
        if (ready < 0)
            continue;
        least = ready < least ? ready : least;
        most = ready > most ? ready : most;
    }
    return least <= most && most - least > intent->max_skew;
}

/* Is one of the workloads unbalanced that rest? */
static bool unbalanced(const struct twin *twin, const struct twin_state *state,
                       const struct check_intent *intent, uint32_t restless)
{
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (within(twin, intent, w) && !is_bystander(twin, w) && !(restless >> w & 1) &&
            skewed(twin, state, intent, w))
            return true;
    return false;
}

bool twin_rest_disliked(struct twin *twin, const struct twin_state *state, uint32_t restless)
{
    twin->restless = restless;
    for (uint32_t i = 0; i < twin->intent_count; i++) {
        const struct check_intent *intent = &twin->intents[i];
        if ((intent->kind == INTENT_TRAFFIC_BALANCED &&
             twin_traffic_is_uneven(twin, state, intent, restless)) ||
            (intent->kind == INTENT_BALANCED && unbalanced(twin, state, intent, restless)))
            return true;
    }
    return false;
}

/* ---- atoms ---- */

static bool of_workload(const struct twin *twin, const struct twin_state *state, uint32_t number,
                        uint32_t workload)
{
    const struct check_intent *intent = &twin->intents[number];
    if (is_bystander(twin, workload) && intent->kind != INTENT_PODS_SCHEDULABLE)
        return false;
    const int64_t bound = bound_of(twin, state, intent, workload);
    switch (intent->kind) {
    case INTENT_CONVERGES:
    case INTENT_ROLLOUT_COMPLETES:
        return state->present[workload] != NOBODY &&
               !twin_converged(twin, state, workload, intent->kind == INTENT_ROLLOUT_COMPLETES);
    case INTENT_REPLICAS_AT_LEAST:
        return (state->armed[number] >> workload & 1) && sum(twin, state, workload, true) < bound;
    case INTENT_REPLICAS_AT_MOST: return sum(twin, state, workload, false) > bound;
    case INTENT_PODS_SCHEDULABLE:
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
            if (state->pods[p].stage == POD_WAITS &&
                workload_of(twin, &state->pods[p]) == workload &&
                !pod_names_node(twin, &state->pods[p]))
                return true;
        return false;
    default: return false;
    }
}

/* Does the drain of the node wait for a pod that the intent is about? */
static bool holds_up(const struct twin *twin, const struct twin_state *state,
                     const struct check_intent *intent, uint32_t node)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (pod_is_there(pod) && pod->node == node && !pod->late &&
            kind_of(twin, pod) != OBJECT_DAEMON_SET && within(twin, intent, workload_of(twin, pod)))
            return true;
    }
    return false;
}

static bool atom(struct twin *twin, const struct twin_state *state, uint32_t number)
{
    const struct check_intent *intent = &twin->intents[number];
    int32_t nodes = 0;
    bool any = false;
    if (intent->expression)
        return twin_expression_atom(twin, state, number);
    for (uint32_t w = 0; w < twin->workload_count; w++)
        any = any || (within(twin, intent, w) && of_workload(twin, state, number, w));
    for (uint32_t n = 0; n < twin->node_count && intent->kind == INTENT_DRAIN_COMPLETES; n++)
        any = any || (state->conditions[n] == CORDONED &&
                      (!intent->workload.name || holds_up(twin, state, intent, n)));
    for (uint32_t n = 0; n < twin->node_count && intent->kind == INTENT_NODES_AT_MOST; n++)
        nodes += node_is_listed(state, n);
    if (intent->kind == INTENT_NODES_AT_MOST)
        return nodes > intent->value;
    if (intent->kind == INTENT_SCALES_DOWN)
        return twin_node_lingers(twin, state);
    if (intent->kind == INTENT_BALANCED)
        return unbalanced(twin, state, intent, 0);
    return intent->kind == INTENT_CONVERGES || intent->kind == INTENT_ROLLOUT_COMPLETES ? !any
                                                                                        : any;
}

/* What must never be counts from the beginning on. */
static bool counts(const struct twin *twin, const struct twin_state *state, uint32_t number)
{
    const enum property_kind kind = twin->properties[number].kind;
    return state->begun || (kind != PROPERTY_INVARIANT && kind != PROPERTY_STEP_INVARIANT);
}

uint64_t twin_atoms(struct twin *twin, const struct twin_state *state)
{
    uint64_t atoms = 0;
    for (uint32_t i = 0; i < twin->intent_count; i++)
        if (counts(twin, state, i) && atom(twin, state, i))
            atoms |= UINT64_C(1) << i;
    return atoms;
}

/* ---- marks ---- */

static bool is_event(enum twin_action action)
{
    switch (action) {
    case TWIN_ACT_EVENT_NODE_FAILS:
    case TWIN_ACT_EVENT_ZONE_FAILS:
    case TWIN_ACT_EVENT_PARTITION:
    case TWIN_ACT_EVENT_LOAD:
    case TWIN_ACT_EVENT_MAINTENANCE:
    case TWIN_ACT_EVENT_PRESSURE:
    case TWIN_ACT_EVENT_CPU:
    case TWIN_ACT_EVENT_APPLY:
    case TWIN_ACT_EVENT_ROLLBACK:
    case TWIN_ACT_EVENT_DELETE:
    case TWIN_ACT_EVENT_PROVISIONING:
    case TWIN_ACT_EVENT_SCALE: return true;
    default: return false;
    }
}

static bool loses(const struct twin *twin, const struct check_intent *intent, uint32_t victims)
{
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if ((victims >> w & 1) && within(twin, intent, w))
            return true;
    return false;
}

static bool evicts(enum twin_action action)
{
    switch (action) {
    case TWIN_ACT_TAINT_EVICT:
    case TWIN_ACT_DRAIN_EVICT:
    case TWIN_ACT_SCALE_DOWN_EVICT:
    case TWIN_ACT_DESCHEDULE:
    case TWIN_ACT_PREEMPT:
    case TWIN_ACT_DELETE_VICTIM:
    case TWIN_ACT_PRESSURE_EVICT:
    case TWIN_ACT_PRESSURE_REJECT: return true;
    default: return false;
    }
}

/* Nothing but time, or what comes with it. */
static bool is_quiet(enum twin_action action)
{
    return action == TWIN_ACT_TIME || action == TWIN_ACT_SYNC || action == TWIN_ACT_CYCLE ||
           action == TWIN_ACT_AGE || action == TWIN_ACT_USAGE || action == TWIN_ACT_WAVE;
}

static void arm(const struct twin *twin, struct twin_state *next, uint32_t number)
{
    const struct check_intent *intent = &twin->intents[number];
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (within(twin, intent, w) && next->present[w] != NOBODY &&
            twin->workloads[w].kind != OBJECT_JOB && !is_bystander(twin, w) &&
            sum(twin, next, w, true) >= bound_of(twin, next, intent, w))
            next->armed[number] |= (uint8_t)(1U << w);
}

/* The least since the world last took a hand, and the most that came after it. */
static bool swings(const struct check_intent *intent, struct twin_state *next, uint32_t workload,
                   bool event)
{
    const int32_t now = next->replicas[workload] + 1;
    int32_t *low = &next->low[workload];
    int32_t *high = &next->high[workload];
    if (event || *low == 0) {
        *low = now;
        *high = 0;
        return false;
    }
    if (now >= *low + intent->swing && now > *high)
        *high = now;
    const bool violated = *high > 0 && *high - now >= intent->swing;
    if (now < *low)
        *low = now;
    return violated;
}

static bool any_swings(const struct twin *twin, const struct check_intent *intent,
                       struct twin_state *next, bool event)
{
    bool violated = false;
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (within(twin, intent, w) && !is_bystander(twin, w))
            violated |= swings(intent, next, w, event);
    return violated;
}

/* Is the step about a workload that the intent is about, or does it change its spec? */
static bool befalls(const struct twin *twin, const struct twin_state *state,
                    const struct twin_state *next, const struct check_intent *intent,
                    uint32_t workload)
{
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (within(twin, intent, w) && (w == workload || state->replicas[w] != next->replicas[w] ||
                                        state->present[w] != next->present[w]))
            return true;
    return false;
}

/* Is a pod of it bound where the intent does not want it? */
static bool misplaced(const struct twin *twin, const struct twin_state *state,
                      const struct twin_state *next, const struct check_intent *intent)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &next->pods[p];
        const bool came = state->pods[p].stage == PLACE_FREE || state->pods[p].stage == POD_WAITS;
        if (!came || !pod_is_there(pod) || pod->node == NOBODY ||
            !within(twin, intent, workload_of(twin, pod)))
            continue;
        if (intent->kind == INTENT_NEVER_ON_DRAINED) {
            if (state->conditions[pod->node] == CORDONED && kind_of(twin, pod) != OBJECT_DAEMON_SET)
                return true;
            continue;
        }
        bool matched = true;
        for (uint32_t l = 0; l < intent->node_selector.count; l++) {
            const char *value = labels_find(&node_of(twin, state, pod->node)->meta.labels,
                                            intent->node_selector.items[l].key);
            matched = matched && value && strcmp(value, intent->node_selector.items[l].value) == 0;
        }
        if (matched == (intent->kind == INTENT_NEVER_ON))
            return true;
    }
    return false;
}

/* Is a pod that the intent is about on the node that goes down? */
static bool overloads(const struct twin *twin, const struct twin_state *state,
                      const struct twin_state *next, const struct check_intent *intent)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST && intent->workload.name; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (pod_is_active(pod) && pod->node != NOBODY &&
            state->conditions[pod->node] != next->conditions[pod->node] &&
            within(twin, intent, workload_of(twin, pod)))
            return true;
    }
    return !intent->workload.name;
}

static bool marked(struct twin *twin, const struct twin_state *state, struct twin_state *next,
                   uint32_t number, enum twin_action action, uint32_t workload, uint32_t victims)
{
    const struct check_intent *intent = &twin->intents[number];
    if (intent->expression)
        twin_expression_remember(twin, next, number);
    switch (intent->kind) {
    case INTENT_PODS_SCHEDULABLE:
        return action == TWIN_ACT_UNSCHEDULABLE && within(twin, intent, workload);
    case INTENT_REPLICAS_AT_LEAST: arm(twin, next, number); return false;
    case INTENT_NO_REPLICA_SWING:
        return any_swings(twin, intent, next, is_event(action) || action == TWIN_ACT_WAVE);
    case INTENT_NO_REPLICA_OSCILLATION:
        for (uint32_t w = 0; w < twin->workload_count; w++)
            if (within(twin, intent, w) && state->replicas[w] != next->replicas[w])
                return true;
        return false;
    case INTENT_NO_EVICTION_LOOP:
    case INTENT_NEVER_EVICTED: return evicts(action) && loses(twin, intent, victims);
    case INTENT_NEVER_PREEMPTED:
        return (action == TWIN_ACT_PREEMPT || action == TWIN_ACT_DELETE_VICTIM) &&
               loses(twin, intent, victims);
    case INTENT_NO_OSCILLATION:
        return action != TWIN_ACT_UNSCHEDULABLE && !twin_is_refusal(action) &&
               action != TWIN_ACT_SETTLED && action != TWIN_ACT_BEGIN &&
               action != TWIN_ACT_MULTI_ATTACH && !(twin->clocked && is_quiet(action)) &&
               (!intent->workload.name || befalls(twin, state, next, intent, workload) ||
                loses(twin, intent, victims));
    case INTENT_NODES_HEALTHY:
        return action == TWIN_ACT_PANIC && overloads(twin, state, next, intent);
    case INTENT_NO_NODE_OSCILLATION: return action == TWIN_ACT_NODE_JOINS;
    case INTENT_ONLY_ON:
    case INTENT_NEVER_ON:
    case INTENT_NEVER_ON_DRAINED: return misplaced(twin, state, next, intent);
    case INTENT_BALANCED:
        return action == TWIN_ACT_SETTLED && unbalanced(twin, state, intent, twin->restless);
    case INTENT_ENDPOINTS_LIVE:
        return twin_endpoint_dies(twin, state, next, intent, action, workload);
    case INTENT_TRAFFIC_BALANCED:
        return action == TWIN_ACT_SETTLED &&
               twin_traffic_is_uneven(twin, state, intent, twin->restless);
    default: return false;
    }
}

uint64_t twin_marks(struct twin *twin, const struct twin_state *state, struct twin_state *next,
                    enum twin_action action, uint32_t workload, uint32_t victims)
{
    uint64_t marks = is_event(action) ? UINT64_C(1) << twin->intent_count : 0;
    for (uint32_t i = 0; i < twin->intent_count; i++)
        if (counts(twin, state, i) && marked(twin, state, next, i, action, workload, victims))
            marks |= UINT64_C(1) << i;
    return marks;
}

void twin_begin_intents(struct twin *twin, struct twin_state *next)
{
    for (uint32_t i = 0; i < twin->intent_count; i++)
        if (twin->intents[i].expression)
            twin_expression_remember(twin, next, i);
        else if (twin->intents[i].kind == INTENT_REPLICAS_AT_LEAST)
            arm(twin, next, i);
        else if (twin->intents[i].kind == INTENT_NO_REPLICA_SWING)
            any_swings(twin, &twin->intents[i], next, true);
}
