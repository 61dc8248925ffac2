/* SPDX-License-Identifier: Apache-2.0 */
/* What the world may do, and what the intents see of it all. */
#include "model/scheduler/node_match.h"
#include "twin/twin_internal.h"

#include <string.h>

static bool concerns(const struct twin *twin, const struct check_event *event, uint32_t node)
{
    return !event->group ||
           strcmp(twin->scope->groups[twin->nodes[node].group].name, event->group) == 0;
}

static void node_event(struct twin_run *run, uint32_t number, enum twin_condition condition,
                       enum twin_action action)
{
    const struct check_event *event = run->twin->events[number].event;
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        if (run->state->conditions[n] != UP || !concerns(run->twin, event, n))
            continue;
        struct twin_state next = *run->state;
        next.used[number]++;
        next.conditions[n] = (uint8_t)condition;
        twin_emit(run, &next, action, 0, UINT32_MAX, 0, FAST);
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

static void cpu_change(struct twin_run *run, uint32_t number)
{
    const struct twin_event *event = &run->twin->events[number];
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (pod->stage != POD_IS_READY ||
            run->twin->revisions[pod->revision].workload != event->workload)
            continue;
        for (uint32_t l = 0; l < event->event->level_count; l++) {
            struct twin_state next = *run->state;
            if (event->first_level + l == pod->level)
                continue;
            next.used[number]++;
            next.pods[p].level = (uint8_t)(event->first_level + l);
            twin_emit(run, &next, TWIN_ACT_EVENT_CPU, 0, event->workload, 0, FAST);
        }
    }
}

static void set_replicas(const struct twin *twin, struct twin_state *state, uint32_t workload,
                         int32_t replicas)
{
    state->replicas[workload] = replicas;
    if (!twin->workloads[workload].deployment)
        state->set_replicas[state->present[workload]] = replicas;
}

static void user_event(struct twin_run *run, uint32_t number)
{
    const struct twin_event *event = &run->twin->events[number];
    struct twin_state next = *run->state;
    if (event->event->kind == EVENT_APPLY) {
        next.used[number]++;
        next.present[event->workload] = event->revision;
        set_replicas(run->twin, &next, event->workload, event->replicas);
        twin_emit(run, &next, TWIN_ACT_EVENT_APPLY, 0, event->workload, 0, FAST);
        return;
    }
    for (uint32_t i = 0; i < event->event->to_count; i++) {
        if (event->event->to[i] == run->state->replicas[event->workload])
            continue;
        next = *run->state;
        next.used[number]++;
        set_replicas(run->twin, &next, event->workload, event->event->to[i]);
        twin_emit(run, &next, TWIN_ACT_EVENT_SCALE, 0, event->workload, 0, FAST);
    }
}

void twin_events(struct twin_run *run, bool settled)
{
    for (uint32_t e = 0; e < run->twin->event_count; e++) {
        const struct check_event *event = run->twin->events[e].event;
        if (run->state->used[e] >= (uint32_t)event->at_most ||
            (event->after_settled && !settled && !run->state->settled_once))
            continue;
        switch (event->kind) {
        case EVENT_NODE_FAILURE:
            node_event(run, e, event->recovers ? REPAIRED : DOWN, TWIN_ACT_EVENT_NODE_FAILS);
            break;
        case EVENT_MAINTENANCE: maintenance(run, e); break;
        case EVENT_CPU_CHANGE: cpu_change(run, e); break;
        default: user_event(run, e); break;
        }
    }
}

/* ---- intents ---- */

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

static int64_t bound_of(const struct twin *twin, const struct twin_state *state,
                        const struct check_intent *intent, uint32_t workload)
{
    switch (intent->bound) {
    case REPLICAS_DESIRED: return state->replicas[workload] + intent->value;
    case REPLICAS_MIN: return twin->workloads[workload].least;
    default: return intent->value;
    }
}

/* The domain of a node: its own number stands for its host name. */
static const char *domain_of(const struct twin *twin, const struct twin_state *state,
                             const char *key, uint32_t node)
{
    const struct node_template *template =
        twin->catalog->templates.items[twin->nodes[node].templates[state->conditions[node]]];
    return labels_find(&template->node->meta.labels, key);
}

static bool skewed(const struct twin *twin, const struct twin_state *state,
                   const struct check_intent *intent, uint32_t workload)
{
    int64_t least = INT64_MAX;
    int64_t most = INT64_MIN;
    const struct pod *pod = twin->revisions[state->present[workload]].pod;
    for (uint32_t n = 0; n < twin->node_count; n++) {
        const char *domain = domain_of(twin, state, intent->topology_key, n);
        int64_t ready = 0;
        bool eligible = false;
        for (uint32_t m = 0; domain && m < twin->node_count; m++) {
            const char *other = domain_of(twin, state, intent->topology_key, m);
            const struct node_template *template =
                twin->catalog->templates.items[twin->nodes[m].templates[state->conditions[m]]];
            if (!other || strcmp(other, domain) != 0 || state->conditions[m] != UP ||
                !node_match_pod(pod, template))
                continue;
            eligible = true;
            for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
                ready += state->pods[p].stage == POD_IS_READY && state->pods[p].node == m &&
                         twin->revisions[state->pods[p].revision].workload == workload;
        }
        if (eligible) {
            least = ready < least ? ready : least;
            most = ready > most ? ready : most;
        }
    }
    return least <= most && most - least > intent->max_skew;
}

static bool unbalanced(const struct twin *twin, const struct twin_state *state,
                       const struct check_intent *intent)
{
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (within(twin, intent, w) && skewed(twin, state, intent, w))
            return true;
    return false;
}

bool twin_rest_disliked(struct twin *twin, const struct twin_state *state)
{
    for (uint32_t i = 0; i < twin->intent_count; i++)
        if (twin->intents[i].kind == INTENT_BALANCED && unbalanced(twin, state, &twin->intents[i]))
            return true;
    return false;
}

static bool atom(const struct twin *twin, const struct twin_state *state, uint32_t number)
{
    const struct check_intent *intent = &twin->intents[number];
    bool holds = intent->kind == INTENT_CONVERGES || intent->kind == INTENT_ROLLOUT_COMPLETES;
    for (uint32_t w = 0; w < twin->workload_count; w++) {
        if (!within(twin, intent, w))
            continue;
        const uint32_t armed = state->armed >> (number * WORKLOADS_MOST + w) & 1;
        const int64_t bound = bound_of(twin, state, intent, w);
        switch (intent->kind) {
        case INTENT_CONVERGES:
        case INTENT_ROLLOUT_COMPLETES:
            holds =
                holds && sum(twin, state, w, false) == state->replicas[w] &&
                twin_count(twin, state, state->present[w], true) == (uint32_t)state->replicas[w];
            break;
        case INTENT_REPLICAS_AT_LEAST:
            holds = holds || (armed && sum(twin, state, w, true) < bound);
            break;
        case INTENT_REPLICAS_AT_MOST: holds = holds || sum(twin, state, w, false) > bound; break;
        case INTENT_PODS_SCHEDULABLE:
            for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
                holds = holds || (state->pods[p].stage == POD_WAITS &&
                                  twin->revisions[state->pods[p].revision].workload == w);
            break;
        default: break;
        }
    }
    if (intent->kind == INTENT_DRAIN_COMPLETES)
        for (uint32_t n = 0; n < twin->node_count; n++)
            holds = holds || state->conditions[n] == CORDONED;
    if (intent->kind == INTENT_BALANCED)
        holds = unbalanced(twin, state, intent);
    return holds;
}

uint64_t twin_atoms(struct twin *twin, const struct twin_state *state)
{
    uint64_t atoms = 0;
    for (uint32_t i = 0; i < twin->intent_count; i++)
        if (atom(twin, state, i))
            atoms |= UINT64_C(1) << i;
    return atoms;
}

static bool is_event(enum twin_action action)
{
    return action == TWIN_ACT_EVENT_NODE_FAILS || action == TWIN_ACT_EVENT_MAINTENANCE ||
           action == TWIN_ACT_EVENT_CPU || action == TWIN_ACT_EVENT_APPLY ||
           action == TWIN_ACT_EVENT_SCALE;
}

static bool loses(const struct twin *twin, const struct check_intent *intent, uint32_t victims)
{
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if ((victims >> w & 1) && within(twin, intent, w))
            return true;
    return false;
}

uint64_t twin_marks(struct twin *twin, const struct twin_state *state, struct twin_state *next,
                    enum twin_action action, uint32_t workload, uint32_t victims)
{
    uint64_t marks = is_event(action) ? UINT64_C(1) << twin->intent_count : 0;
    const bool evicts = action == TWIN_ACT_TAINT_EVICT || action == TWIN_ACT_DRAIN_EVICT ||
                        action == TWIN_ACT_DESCHEDULE;
    for (uint32_t i = 0; i < twin->intent_count; i++) {
        const struct check_intent *intent = &twin->intents[i];
        bool marked = false;
        switch (intent->kind) {
        case INTENT_PODS_SCHEDULABLE:
            marked = action == TWIN_ACT_UNSCHEDULABLE && within(twin, intent, workload);
            break;
        case INTENT_REPLICAS_AT_LEAST:
            for (uint32_t w = 0; w < twin->workload_count; w++)
                if (within(twin, intent, w) &&
                    sum(twin, next, w, true) >= bound_of(twin, next, intent, w))
                    next->armed |= 1U << (i * WORKLOADS_MOST + w);
            break;
        case INTENT_NO_REPLICA_OSCILLATION:
            for (uint32_t w = 0; w < twin->workload_count; w++)
                marked =
                    marked || (within(twin, intent, w) && state->replicas[w] != next->replicas[w]);
            break;
        case INTENT_NO_EVICTION_LOOP:
        case INTENT_NEVER_EVICTED: marked = evicts && loses(twin, intent, victims); break;
        case INTENT_NO_OSCILLATION:
            marked = action != TWIN_ACT_UNSCHEDULABLE && action != TWIN_ACT_SETTLED;
            break;
        case INTENT_BALANCED:
            marked = action == TWIN_ACT_SETTLED && unbalanced(twin, state, intent);
            break;
        default: break;
        }
        if (marked)
            marks |= UINT64_C(1) << i;
    }
    return marks;
}
