/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents as properties over atoms and marks. Intent i owns atom i, mark i and
 * as many monitor words as it needs; one more mark says that the world took a
 * hand in it.
 */
#include "cluster/state/intents.h"
#include "cluster/ask/daemon_sets.h"
#include "cluster/ask/progress.h"
#include "cluster/ask/traffic.h"
#include "cluster/emit.h"
#include "cluster/population.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/node_match.h"

#include <string.h>

static bool within(const struct intent *intent, uint32_t workload)
{
    return intent->workload == UINT32_MAX || intent->workload == workload;
}

/* There are no more intents than this has bits to spare. */
static void give_victim_bits(struct population *population)
{
    for (uint32_t w = 0; w < population->workloads.count; w++)
        population->workloads.items[w].victim_bit = POPULATION_INTENTS_MOST;
    for (uint32_t i = 0; i < population->intents.count; i++)
        if (population->intents.items[i].workload != UINT32_MAX)
            population->workloads.items[population->intents.items[i].workload].victim_bit = i;
}

uint64_t victims_of(const struct population *population, uint32_t revision)
{
    const uint32_t workload = population->revisions.items[revision].workload;
    return UINT64_C(1) << population->workloads.items[workload].victim_bit;
}

/* The lowest and the highest replicas, in one word if they fit. */
static uint32_t swing_words(const struct population *population)
{
    return population->wide ? 2 : 1;
}

uint32_t intent_monitors(const struct population *population, const struct intent *intent)
{
    const uint32_t workloads = population->scope->workload_count;
    switch (intent->source->kind) {
    case INTENT_NO_REPLICA_SWING:
        return swing_words(population) * (intent->workload == UINT32_MAX ? workloads : 1);
    case INTENT_REPLICAS_AT_LEAST:
        return intent->workload == UINT32_MAX ? (workloads + 31) / 32 : 1;
    default: return 0;
    }
}

/* The monitor of replicasAtLeast has a bit for each workload that once had enough. */
static uint32_t armed_number(const struct intent *intent, uint32_t workload)
{
    return intent->workload == UINT32_MAX ? workload : 0;
}

static uint32_t armed_bit(const struct intent *intent, uint32_t workload)
{
    return UINT32_C(1) << armed_number(intent, workload) % 32;
}

static uint32_t *armed_word(const struct population_state *state, const struct intent *intent,
                            uint32_t workload)
{
    return &state->monitors[intent->monitor + armed_number(intent, workload) / 32];
}

/* Its own runs are looked at by themselves (apart.c). */
static bool is_out_of_focus(const struct population_state *state, uint32_t workload)
{
    return state->focus > 0 && workload + 1 != state->focus;
}

static uint64_t outside_mark(const struct population *population)
{
    return UINT64_C(1) << population->intents.count;
}

static uint32_t ready_pods(const struct population *population,
                           const struct population_state *state, uint32_t workload)
{
    return state_workload_ready(population, state, workload);
}

static uint32_t active_pods(const struct population *population,
                            const struct population_state *state, uint32_t workload)
{
    return state_workload_active(population, state, workload);
}

static int64_t bound_of(const struct population *population, const struct population_state *state,
                        const struct check_intent *intent, uint32_t workload)
{
    switch (intent->bound) {
    case REPLICAS_DESIRED:
        return intent->value + (population->workloads.items[workload].kind == OBJECT_DAEMON_SET
                                    ? (int64_t)daemon_set_wanted(population, state, workload)
                                    : state->replicas[workload]);
    case REPLICAS_MIN: return population->workloads.items[workload].autoscaler_min;
    default: return intent->value;
    }
}

bool intents_compile(struct population *population)
{
    give_victim_bits(population);
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct check_intent *intent = population->intents.items[i].source;
        const uint64_t bit = UINT64_C(1) << i;
        struct property property = {.name = intent_kind_name(intent->kind)};
        switch (intent->kind) {
        case INTENT_PODS_SCHEDULABLE:
            if (intent->mode == INTENT_MODE_EVENTUALLY) {
                property.kind = PROPERTY_ALWAYS_EVENTUALLY;
                property.p.none = bit; /* the atom: a pod of it waits */
            } else {
                property.kind = PROPERTY_STEP_INVARIANT;
                property.marks = bit;
            }
            break;
        case INTENT_REPLICAS_AT_LEAST:
        case INTENT_REPLICAS_AT_MOST:
            property.kind = PROPERTY_INVARIANT;
            property.p.none = bit;
            break;
        case INTENT_NO_REPLICA_OSCILLATION:
        case INTENT_NO_EVICTION_LOOP:
        case INTENT_NO_OSCILLATION:
            property.kind = PROPERTY_NO_CYCLE;
            property.marks = bit;
            property.avoids = outside_mark(population);
            break;
        case INTENT_DRAIN_COMPLETES:
            property.kind = PROPERTY_ALWAYS_EVENTUALLY;
            property.p.none = bit; /* the atom: a node is being drained */
            break;
        case INTENT_BALANCED:
            if (intent->when == INTENT_WHEN_ALWAYS) {
                property.kind = PROPERTY_INVARIANT;
                property.p.none = bit;
            } else {
                property.kind = PROPERTY_STEP_INVARIANT;
                property.marks = bit;
            }
            break;
        case INTENT_NODES_HEALTHY:
            property.kind = intent->loop ? PROPERTY_NO_CYCLE : PROPERTY_STEP_INVARIANT;
            property.marks = bit;
            property.avoids = intent->loop ? outside_mark(population) : 0;
            break;
        case INTENT_CONVERGES:
        case INTENT_ROLLOUT_COMPLETES:
            property.kind = PROPERTY_EVENTUALLY_ALWAYS;
            property.p.all = bit;
            break;
        default:
            property.kind = PROPERTY_STEP_INVARIANT;
            property.marks = bit;
            break;
        }
        VEC_PUSH(&population->arena, &population->properties, property);
    }
    return true;
}

/* Is every workload in scope as its spec wants? */
static bool converged(const struct population *population, const struct population_state *state,
                      const struct intent *intent)
{
    for (uint32_t w = 0; w < population->managed_count; w++) {
        /* A Job has nothing to roll out. */
        const bool job = population->workloads.items[w].kind == OBJECT_JOB;
        if (!within(intent, w) || is_out_of_focus(state, w) ||
            state->present[w] == WORKLOAD_ABSENT ||
            (job && intent->source->kind == INTENT_ROLLOUT_COMPLETES))
            continue;
        if (!workload_converged(population, state, w, intent->source->kind))
            return false;
    }
    return true;
}

/* May a pod of the revision be on nodes of this template at all? */
static bool eligible(const struct population *population, const struct node_template *template,
                     uint32_t revision)
{
    const enum node_condition condition = population->templates.items[template->id].condition;
    return condition == NODE_UP &&
           node_match_pod(population->revisions.items[revision].pod, template);
}

/* Ready pods of a workload per domain of the key: the least and the most. */
static bool skewed(const struct population *population, const struct population_state *state,
                   const struct check_intent *intent, uint32_t workload)
{
    struct arena *scratch = (struct arena *)(uintptr_t)&population->scratch;
    const char **domains = ARENA_ARRAY(scratch, const char *, state->node_count + 1);
    int64_t *counts = ARENA_ARRAY(scratch, int64_t, state->node_count + 1);
    uint32_t domain_count = 0;
    int64_t least = INT64_MAX;
    int64_t most = INT64_MIN;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        const char *value = labels_find(&config->template->node->meta.labels, intent->topology_key);
        if (state->present[workload] == WORKLOAD_ABSENT || !value ||
            !eligible(population, config->template, state->present[workload]))
            continue;
        int64_t ready = 0;
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info *info = &population->classes.items[config->pods[p].pod];
            if (info->stage == STAGE_READY &&
                population->revisions.items[info->revision].workload == workload)
                ready += config->pods[p].count;
        }
        /* Nodes without names are domains of their own for the host name. */
        const bool own =
            config->template->anonymous && strcmp(intent->topology_key, LABEL_HOSTNAME) == 0;
        uint32_t d = own ? domain_count : 0;
        while (d < domain_count && (!domains[d] || strcmp(domains[d], value) != 0))
            d++;
        if (d == domain_count)
            domains[domain_count++] = own ? NULL : value;
        counts[d] += own ? ready : ready * state->nodes[n].count;
    }
    for (uint32_t d = 0; d < domain_count; d++) {
        least = counts[d] < least ? counts[d] : least;
        most = counts[d] > most ? counts[d] : most;
    }
    return domain_count > 0 && most - least > intent->max_skew;
}

static bool unbalanced(const struct population *population, const struct population_state *state,
                       const struct intent *intent)
{
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (within(intent, w) && !is_out_of_focus(state, w) &&
            skewed(population, state, intent->source, w))
            return true;
    return false;
}

bool intents_content_with(const struct population *population, const struct population_state *state,
                          uint32_t workload)
{
    if (state->present[workload] == WORKLOAD_ABSENT)
        return true;
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct intent *intent = &population->intents.items[i];
        const enum intent_kind kind = intent->source->kind;
        if (!within(intent, workload))
            continue;
        if ((kind == INTENT_CONVERGES || kind == INTENT_ROLLOUT_COMPLETES) &&
            !workload_converged(population, state, workload, kind))
            return false;
        if (kind == INTENT_BALANCED && skewed(population, state, intent->source, workload))
            return false;
    }
    return true;
}

/* Has the workload too few or too many pods for the intent? */
static bool is_out_of_bounds(const struct population *population,
                             const struct population_state *state, const struct intent *intent,
                             uint32_t workload)
{
    if (intent->source->kind == INTENT_REPLICAS_AT_MOST)
        return (int64_t)active_pods(population, state, workload) >
               bound_of(population, state, intent->source, workload);
    return (*armed_word(state, intent, workload) & armed_bit(intent, workload)) &&
           (int64_t)ready_pods(population, state, workload) <
               bound_of(population, state, intent->source, workload);
}

/* Is it this workload that the intent is not content with, as things are? */
static bool displeases(const struct population *population, const struct population_state *state,
                       const struct intent *intent, uint32_t workload)
{
    switch (intent->source->kind) {
    case INTENT_REPLICAS_AT_LEAST:
    case INTENT_REPLICAS_AT_MOST: return is_out_of_bounds(population, state, intent, workload);
    case INTENT_CONVERGES:
    case INTENT_ROLLOUT_COMPLETES:
        return !is_out_of_focus(state, workload) &&
               !workload_converged(population, state, workload, intent->source->kind);
    case INTENT_BALANCED:
        return !is_out_of_focus(state, workload) &&
               skewed(population, state, intent->source, workload);
    default: return false;
    }
}

uint32_t intent_whose(const struct population *population, const struct population_state *state,
                      uint32_t number)
{
    const struct intent *intent = &population->intents.items[number];
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (within(intent, w) && state->present[w] != WORKLOAD_ABSENT &&
            displeases(population, state, intent, w))
            return w;
    return UINT32_MAX;
}

static bool atom(const struct population *population, const struct population_state *state,
                 uint32_t number)
{
    const struct intent *intent = &population->intents.items[number];
    switch (intent->source->kind) {
    case INTENT_PODS_SCHEDULABLE:
        for (uint32_t r = 0; r < population->revisions.count; r++)
            if (within(intent, population->revisions.items[r].workload) &&
                !population->revisions.items[r].node_name && /* no scheduler is asked */
                (state->pending[r] > 0 || state_waits_for_nodes(population, state, r)))
                return true;
        return false;
    case INTENT_REPLICAS_AT_LEAST:
    case INTENT_REPLICAS_AT_MOST:
        for (uint32_t w = 0; w < population->managed_count; w++)
            if (within(intent, w) && is_out_of_bounds(population, state, intent, w))
                return true;
        return false;
    case INTENT_DRAIN_COMPLETES:
        for (uint32_t n = 0; n < state->node_count; n++)
            if (config_condition(population, state->nodes[n].config) == NODE_CORDONED)
                return true;
        return false;
    case INTENT_BALANCED: return unbalanced(population, state, intent);
    case INTENT_CONVERGES:
    case INTENT_ROLLOUT_COMPLETES: return converged(population, state, intent);
    default: return false;
    }
}

/* What must never happen is judged from the beginning on. What must happen in the
 * end, or not go on for ever, is the same wherever one begins. */
static bool is_judged(const struct population *population, const struct population_state *state,
                      uint32_t number)
{
    const enum property_kind kind = population->properties.items[number].kind;
    return state->begun || (kind != PROPERTY_INVARIANT && kind != PROPERTY_STEP_INVARIANT);
}

uint64_t intents_atoms(struct population *population, const struct population_state *state)
{
    uint64_t atoms = 0;
    for (uint32_t i = 0; i < population->intents.count; i++)
        if (is_judged(population, state, i) && atom(population, state, i))
            atoms |= UINT64_C(1) << i;
    return atoms;
}

static bool is_eviction(enum population_action action)
{
    return action == ACT_TAINT_EVICT || action == ACT_DRAIN_EVICT || action == ACT_DESCHEDULE ||
           action == ACT_PREEMPT || action == ACT_KUBELET_PREEMPT ||
           action == ACT_PRESSURE_REJECT || action == ACT_PRESSURE_EVICT;
}

/*
 * The monitor of noReplicaSwing: the lowest number of desired replicas since
 * the world last took a hand, and the highest that came after it, half a word
 * or a word each; both plus one, 0 being 'not seen yet'.
 */
static bool swings(const struct population *population, const struct intent *intent,
                   uint32_t workload, uint32_t monitor, const struct population_state *state,
                   struct population_state *next, bool event)
{
    const uint32_t *known = &state->monitors[monitor];
    const int32_t replicas = next->replicas[workload];
    uint32_t low = population->wide ? known[0] : known[0] & 0xffff;
    uint32_t high = population->wide ? known[1] : known[0] >> 16;
    const uint32_t now = (uint32_t)replicas + 1;
    bool violated = false;
    if (event || low == 0) {
        low = now;
        high = 0;
    } else {
        if (now >= low + (uint32_t)intent->source->swing && now > high)
            high = now;
        violated = high != 0 && now + (uint32_t)intent->source->swing <= high;
        if (now < low)
            low = now;
    }
    next->monitors[monitor] = population->wide ? low : low | high << 16;
    if (population->wide)
        next->monitors[monitor + 1] = high;
    return violated;
}

/* One workload's swing is none of another's: a monitor each. */
static bool any_swings(const struct population *population, const struct intent *intent,
                       const struct population_state *state, struct population_state *next,
                       bool event)
{
    bool violated = false;
    if (intent->workload != UINT32_MAX)
        return swings(population, intent, intent->workload, intent->monitor, state, next, event);
    for (uint32_t w = 0; w < population->managed_count; w++)
        violated |= swings(population, intent, w, intent->monitor + w * swing_words(population),
                           state, next, event);
    return violated;
}

/* `next` comes of `state`, or is the same. */
static void arm(const struct population *population, const struct population_state *state,
                struct population_state *next, const struct intent *intent)
{
    /* That the pods of a Job become fewer is what they are there for. */
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (within(intent, w) && next->present[w] != WORKLOAD_ABSENT &&
            population->workloads.items[w].kind != OBJECT_JOB &&
            !(*armed_word(next, intent, w) & armed_bit(intent, w)) &&
            (int64_t)state_workload_ready_after(population, state, next, w) >=
                bound_of(population, next, intent->source, w))
            *armed_word(next, intent, w) |= armed_bit(intent, w);
}

/* Does a workload of the intent lose pods? */
static bool hits(const struct population *population, const struct intent *intent,
                 const struct happening *happening)
{
    if (intent->workload == UINT32_MAX)
        return happening->victims != 0;
    return happening->victims >> population->workloads.items[intent->workload].victim_bit & 1;
}

/* Autoscalers and whoever else writes the replicas; the world's hand is not
 * part of a cycle anyway. */
static bool rescaled(const struct population *population, const struct intent *intent,
                     const struct population_state *state, const struct population_state *next)
{
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (within(intent, w) && state->replicas[w] != next->replicas[w])
            return true;
    return false;
}

static bool marked(struct population *population, const struct population_state *state,
                   struct population_state *next, uint32_t number,
                   const struct happening *happening)
{
    const struct intent *intent = &population->intents.items[number];
    const enum population_action action = happening->action;
    const bool ours = happening->workload != UINT32_MAX && within(intent, happening->workload);
    switch (intent->source->kind) {
    case INTENT_PODS_SCHEDULABLE: return ours && action == ACT_UNSCHEDULABLE;
    case INTENT_REPLICAS_AT_LEAST: arm(population, state, next, intent); return false;
    case INTENT_NO_REPLICA_SWING:
        return any_swings(population, intent, state, next,
                          action_is_event(action) || action == ACT_WAVE);
    case INTENT_NO_REPLICA_OSCILLATION: return rescaled(population, intent, state, next);
    case INTENT_NO_EVICTION_LOOP:
    case INTENT_NEVER_EVICTED: return is_eviction(action) && hits(population, intent, happening);
    case INTENT_NO_OSCILLATION:
        return action != ACT_UNSCHEDULABLE && action != ACT_SETTLED && action != ACT_BEGIN &&
               !(population->clock &&
                 (action_is_quiet(action) || action == ACT_USAGE || action == ACT_WAVE));
    case INTENT_NEVER_PREEMPTED:
        return (action == ACT_PREEMPT || action == ACT_KUBELET_PREEMPT) &&
               hits(population, intent, happening);
    case INTENT_ONLY_ON:
    case INTENT_NEVER_ON:
        return ours && pod_is_misplaced(population, state, next, intent, happening);
    case INTENT_NODES_HEALTHY: return action == ACT_PANIC;
    case INTENT_ENDPOINTS_LIVE: return endpoint_dies(population, state, next, intent, happening);
    case INTENT_TRAFFIC_BALANCED:
        return action == ACT_SETTLED && happening->amount > 0 &&
               traffic_is_uneven(population, state, intent);
    case INTENT_BALANCED: return action == ACT_SETTLED && unbalanced(population, state, intent);
    default: return false;
    }
}

void intents_begin(struct population *population, struct population_state *state)
{
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct intent *intent = &population->intents.items[i];
        if (intent->source->kind == INTENT_REPLICAS_AT_LEAST)
            arm(population, state, state, intent);
        else if (intent->source->kind == INTENT_NO_REPLICA_SWING)
            any_swings(population, intent, state, state, true);
    }
}

uint64_t intents_observe(struct population *population, const struct population_state *state,
                         struct population_state *next, const struct happening *happening)
{
    uint64_t marks = action_is_event(happening->action) ? outside_mark(population) : 0;
    for (uint32_t i = 0; i < population->intents.count; i++)
        if (is_judged(population, state, i) && marked(population, state, next, i, happening))
            marks |= UINT64_C(1) << i;
    return marks;
}

void expansion_emit_settled(struct expansion *expansion, bool for_good)
{
    const struct population *population = expansion->population;
    const struct happening rest = {.action = ACT_SETTLED,
                                   .workload = UINT32_MAX,
                                   .revision = UINT32_MAX,
                                   .node = UINT32_MAX,
                                   .amount = for_good};
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct intent *intent = &population->intents.items[i];
        if ((intent->source->kind == INTENT_BALANCED &&
             unbalanced(population, expansion->state, intent)) ||
            (intent->source->kind == INTENT_TRAFFIC_BALANCED && for_good &&
             traffic_is_uneven(population, expansion->state, intent))) {
            expansion_emit_idle(expansion, &rest);
            return;
        }
    }
}
