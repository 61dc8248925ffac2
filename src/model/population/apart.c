/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads that do not meddle with each other are looked at one at a time.
 *
 * When a node has failed for good and no further event can come, the pods of many
 * workloads are evicted, made anew and placed, in every order. The states of that
 * are the product of what each workload does by itself. Where no workload can
 * notice what the others do, every run of all of them is, seen by each, a run of
 * it alone, and every run of one alone is one in which the others take their time:
 * so the sum of their states is enough. From the state after the failure on a
 * state has a focus, and only the workload in focus acts.
 *
 * That workloads do not notice each other is checked, not assumed. Beforehand: no
 * selector, affinity, volume, port or autoscaler of one is about pods of another,
 * so all that is left between them is room on nodes. Then, for the state in hand,
 * each workload is followed alone, and whenever a pod of it is placed:
 *
 *   - nodes that others have placed pods on, in whichever way they do so alone,
 *     are not among the best for it, nor do they change which the best are or how
 *     many nodes are feasible (the scheduler is asked, with such nodes in the view);
 *   - there are more of the best nodes than the others can ever take.
 *
 * By induction over a run of all: each node has new pods of one workload at most,
 * and to every other the best nodes are those of its own run, less some of many.
 */
#include "model/population/clock.h"
#include "model/scheduler/default_selector.h"

#include <string.h>

enum { SOLO_STATES_MOST = 20000 };

/* ---- beforehand ---- */

static bool selects(const struct label_selector *selector, const struct pod *own,
                    const struct pod *other)
{
    return selector && strcmp(own->meta.namespace, other->meta.namespace) == 0 &&
           label_selector_matches(selector, &other->meta.labels);
}

/* Does the scheduler look at `other` when it places a pod like `own`? */
static bool looks_at(const struct population *population, const struct pod *own,
                     const struct pod *other)
{
    const struct pod_spec *spec = &own->spec;
    if (spec->topology_spread_constraint_count == 0)
        return selects(default_selector(population->catalog, own), own, other);
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++)
        if (selects(spec->topology_spread_constraints[i].label_selector, own, other))
            return true;
    return false;
}

/* Nothing about the pod but its requests and what its spread constraints say. */
static bool is_simple(const struct pod_spec *spec)
{
    for (uint32_t c = 0; c < spec->container_count; c++)
        for (uint32_t p = 0; p < spec->containers[c].port_count; p++)
            if (spec->containers[c].ports[p].host_port != 0)
                return false;
    return spec->volume_count == 0 && !spec->host_network &&
           !(spec->affinity && (spec->affinity->pod_affinity || spec->affinity->pod_anti_affinity));
}

static bool pods_ignore_each_other(const struct population *population)
{
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (!is_simple(&revision->pod->spec))
            return false;
        for (uint32_t q = 0; q < population->revisions.count; q++)
            if (population->revisions.items[q].workload != revision->workload &&
                looks_at(population, revision->pod, population->revisions.items[q].pod))
                return false;
    }
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        for (uint32_t r = 0; r < population->revisions.count; r++)
            if (population->autoscalers.items[a].selects[r] &&
                population->revisions.items[r].workload !=
                    population->autoscalers.items[a].workload)
                return false;
    return true;
}

/* Each is violated because of what happens to one workload, and says nothing of
 * states in which one waits for another. */
static bool intents_are_single(const struct population *population)
{
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct check_intent *intent = population->intents.items[i].source;
        switch (intent->kind) {
        case INTENT_REPLICAS_AT_LEAST:
        case INTENT_REPLICAS_AT_MOST:
        case INTENT_NO_REPLICA_SWING:
        case INTENT_NO_REPLICA_OSCILLATION:
        case INTENT_NO_EVICTION_LOOP:
        case INTENT_NO_OSCILLATION:
        case INTENT_CONVERGES:
        case INTENT_ROLLOUT_COMPLETES:
        case INTENT_NEVER_PREEMPTED:
        case INTENT_NEVER_EVICTED:
        case INTENT_ONLY_ON:
        case INTENT_NEVER_ON:
        case INTENT_BALANCED: break;
        case INTENT_PODS_SCHEDULABLE:
            if (intent->mode == INTENT_MODE_EVENTUALLY)
                return false;
            break;
        default: return false;
        }
    }
    return true;
}

bool workloads_may_part(const struct population *population)
{
    return population->managed_count > 1 &&
           population->workloads.count == population->managed_count &&
           population->scheduler_count == 1 && intents_are_single(population) &&
           pods_ignore_each_other(population);
}

/* ---- a state ---- */

/* Nothing of it is under way yet, and nothing but evictions can come of it. */
static bool has_just_failed(const struct population *population,
                            const struct population_state *state)
{
    bool failed = false;
    for (uint32_t e = 0; e < population->events.count; e++)
        if (state->event_used[e] < (uint32_t)population->events.items[e].event->at_most)
            return false;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (state->pending[r] > 0 ||
            state->sets[r].replicas != (int32_t)state_active(population, state, r))
            return false;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_facts *facts = config_facts(population, state->nodes[n].config);
        if (facts->condition == NODE_UP)
            continue;
        if (facts->condition != NODE_DOWN)
            return false;
        for (uint32_t p = 0; p < facts->pod_count; p++) {
            failed |= facts->pods[p].active > 0;
            if (facts->pods[p].terminating > 0)
                return false;
        }
    }
    return failed;
}

/* A node that was `from` in the beginning and has become `to`. */
struct touch {
    uint32_t workload;
    uint32_t from;
    uint32_t to;
};

/* So many nodes of a config a workload takes in one run at most. */
struct taking {
    uint32_t config;
    uint32_t most;
};

/* A workload followed alone. */
struct solo {
    struct word_lists states;
    VEC(struct taking) takings;
};

struct parting {
    struct step_sink sink;
    struct population *population;
    struct arena arena;
    const struct population_state *start;
    struct solo *solos; /* by workload */
    VEC(struct touch) touches;
    uint32_t workload; /* that is followed now */
    const struct population_state *from;
    bool good;
};

static void ignore(struct step_sink *sink, uint32_t class)
{
    (void)sink;
    (void)class;
}

static uint32_t count_in(const struct population_state *state, uint32_t config)
{
    for (uint32_t n = 0; n < state->node_count; n++)
        if (state->nodes[n].config == config)
            return state->nodes[n].count;
    return 0;
}

/* A config of nodes that are up of which `one` has more than `other`. */
static uint32_t more_of(const struct population *population, const struct population_state *one,
                        const struct population_state *other)
{
    for (uint32_t n = 0; n < one->node_count; n++)
        if (config_condition(population, one->nodes[n].config) == NODE_UP &&
            one->nodes[n].count > count_in(other, one->nodes[n].config))
            return one->nodes[n].config;
    return VIEW_NONE;
}

static void note_touch(struct parting *parting, uint32_t from, uint32_t to)
{
    struct touch touch = {parting->workload, from, to};
    for (uint32_t i = 0; i < parting->touches.count; i++) {
        const struct touch *known = &parting->touches.items[i];
        if (known->workload == touch.workload && known->to == from)
            touch.from = known->from;
    }
    for (uint32_t i = 0; i < parting->touches.count; i++)
        if (memcmp(&parting->touches.items[i], &touch, sizeof(touch)) == 0)
            return;
    VEC_PUSH(&parting->arena, &parting->touches, touch);
}

static void note_takings(struct parting *parting, const struct population_state *state)
{
    struct solo *solo = &parting->solos[parting->workload];
    for (uint32_t n = 0; n < parting->start->node_count; n++) {
        const struct view_node *entry = &parting->start->nodes[n];
        const uint32_t left = count_in(state, entry->config);
        uint32_t t = 0;
        if (left >= entry->count)
            continue;
        while (t < solo->takings.count && solo->takings.items[t].config != entry->config)
            t++;
        if (t == solo->takings.count)
            VEC_PUSH(&parting->arena, &solo->takings, ((struct taking){entry->config, 0}));
        if (entry->count - left > solo->takings.items[t].most)
            solo->takings.items[t].most = entry->count - left;
    }
}

/* One step of the workload: it may place pods and evict them from where the node
 * has failed. Whoever gives room back meddles with others. */
static bool follow(struct step_sink *sink, const struct step *step)
{
    struct parting *parting = (struct parting *)sink;
    struct population *population = parting->population;
    struct solo *solo = &parting->solos[parting->workload];
    switch (step->action) {
    case ACT_DEPLOYMENT_SYNC:
    case ACT_SET_CREATE:
    case ACT_BIND:
    case ACT_START:
    case ACT_TAINT_EVICT:
    case ACT_AUTOSCALE:
    case ACT_UNSCHEDULABLE:
    case ACT_SETTLED: break;
    default: parting->good = false; return false;
    }
    const uint32_t known = solo->states.count;
    words_intern(&parting->arena, &solo->states, step->words, step->length);
    if (solo->states.count == SOLO_STATES_MOST)
        parting->good = false;
    const struct arena_mark mark = arena_mark(&population->scratch);
    const struct population_state *to = state_unpack(population, step->words, step->length);
    const uint32_t left = more_of(population, parting->from, to);
    if (left != VIEW_NONE)
        note_touch(parting, left, more_of(population, to, parting->from));
    if (solo->states.count > known)
        note_takings(parting, to);
    arena_rewind(&population->scratch, mark);
    return parting->good;
}

static void follow_alone(struct parting *parting, uint32_t workload)
{
    struct population *population = parting->population;
    struct solo *solo = &parting->solos[workload];
    uint32_t words[WORDS_MOST];
    struct arena_mark mark = arena_mark(&population->scratch);
    struct population_state *start = state_copy(population, parting->start);
    start->focus = workload + 1;
    const uint32_t length = state_pack(population, start, words);
    arena_rewind(&population->scratch, mark);
    parting->workload = workload;
    parting->good &= length > 0;
    if (parting->good)
        words_intern(&parting->arena, &solo->states, words, length);
    for (uint32_t i = 0; i < solo->states.count && parting->good; i++) {
        const struct word_list state = solo->states.items[i];
        mark = arena_mark(&population->scratch);
        parting->from = state_unpack(population, state.words, state.count);
        population_expand(&population->model, NULL, state.words, state.count, &parting->sink);
        arena_rewind(&population->scratch, mark);
    }
}

/* ---- whether others would be noticed ---- */

struct placing {
    struct parting *parting;
    const struct population_state *state;
    uint32_t class;
    uint32_t *best; /* configs */
    uint32_t best_count;
    uint64_t best_nodes;
    uint64_t feasible_nodes;
};

static bool is_best(const struct placing *placing, uint32_t config)
{
    for (uint32_t i = 0; i < placing->best_count; i++)
        if (placing->best[i] == config)
            return true;
    return false;
}

/* As things are, were it alone. False: no scheduler is responsible. */
static bool place_alone(struct placing *placing)
{
    struct population *population = placing->parting->population;
    const struct population_state *state = placing->state;
    const struct view view = {
        .catalog = population->catalog, .nodes = state->nodes, .node_count = state->node_count};
    const struct decision *decision =
        scheduler_decide(population->scheduler, &view, placing->class, VIEW_NONE);
    if (!decision)
        return false;
    placing->best = ARENA_ARRAY(&population->scratch, uint32_t, decision->best_count + 1);
    for (uint32_t i = 0; i < decision->best_count; i++) {
        placing->best[placing->best_count++] = state->nodes[decision->best[i]].config;
        placing->best_nodes += state->nodes[decision->best[i]].count;
    }
    placing->feasible_nodes = decision->feasible_nodes;
    return true;
}

/* With these nodes, those from `own` on being touched by others. */
static bool is_placed_alike(const struct placing *placing, const struct view_node *nodes,
                            uint32_t own, uint32_t count)
{
    struct population *population = placing->parting->population;
    const struct view view = {.catalog = population->catalog, .nodes = nodes, .node_count = count};
    const struct decision *decision =
        scheduler_decide(population->scheduler, &view, placing->class, VIEW_NONE);
    if (decision->feasible_nodes != placing->feasible_nodes ||
        (decision->best_count == 0) != (placing->best_count == 0))
        return false;
    for (uint32_t i = 0; i < decision->best_count; i++)
        if (decision->best[i] >= own || !is_best(placing, nodes[decision->best[i]].config))
            return false;
    return true;
}

/* A node of the entry can be touched, and another one is left if there was any. */
static bool may_take(const struct population_state *state, const struct view_node *nodes,
                     uint32_t entry)
{
    return nodes[entry].count > 1 || (nodes[entry].count == 1 && state->nodes[entry].count == 1);
}

/* All touches of others, as many in one view as there are nodes for them. */
static bool others_go_unnoticed(const struct placing *placing)
{
    const struct parting *parting = placing->parting;
    const struct population_state *state = placing->state;
    const uint32_t own = state->node_count;
    struct view_node *nodes = ARENA_ARRAY(&parting->population->scratch, struct view_node,
                                          own + parting->touches.count + 1);
    bool *done = ARENA_ARRAY(&parting->population->scratch, bool, parting->touches.count + 1);
    for (;;) {
        uint32_t count = own;
        memcpy(nodes, state->nodes, own * sizeof(*nodes));
        for (uint32_t i = 0; i < parting->touches.count; i++) {
            const struct touch *touch = &parting->touches.items[i];
            uint32_t entry = 0;
            if (done[i] || touch->workload == parting->workload)
                continue;
            if (is_best(placing, touch->to))
                return false;
            while (entry < own && nodes[entry].config != touch->from)
                entry++;
            if (entry < own && !may_take(state, nodes, entry))
                continue;
            done[i] = true;
            if (entry == own)
                continue; /* the workload has touched all of them itself */
            nodes[entry].count--;
            nodes[count++] = (struct view_node){touch->to, 1};
        }
        if (count == own)
            return true;
        uint32_t kept = 0;
        uint32_t own_kept = 0;
        for (uint32_t n = 0; n < count; n++) {
            if (nodes[n].count > 0)
                nodes[kept++] = nodes[n];
            own_kept = n + 1 == own ? kept : own_kept;
        }
        if (!is_placed_alike(placing, nodes, own_kept, kept))
            return false;
    }
}

/* Nodes among the best that others can take. */
static uint64_t taken_most(const struct placing *placing)
{
    const struct parting *parting = placing->parting;
    uint64_t total = 0;
    for (uint32_t w = 0; w < parting->population->managed_count; w++)
        for (uint32_t t = 0; w != parting->workload && t < parting->solos[w].takings.count; t++)
            if (is_best(placing, parting->solos[w].takings.items[t].config))
                total += parting->solos[w].takings.items[t].most;
    return total;
}

static bool notices_nobody(struct parting *parting, uint32_t workload)
{
    struct population *population = parting->population;
    const struct solo *solo = &parting->solos[workload];
    const uint32_t revision = population->workloads.items[workload].first_revision;
    bool good = true;
    parting->workload = workload;
    for (uint32_t i = 0; i < solo->states.count && good; i++) {
        const struct arena_mark mark = arena_mark(&population->scratch);
        struct placing placing = {
            .parting = parting,
            .state =
                state_unpack(population, solo->states.items[i].words, solo->states.items[i].count),
            .class = population->revisions.items[revision].pending_class,
        };
        if (placing.state->pending[revision] > 0 && place_alone(&placing))
            good = (placing.best_count == 0 || placing.best_nodes > taken_most(&placing)) &&
                   others_go_unnoticed(&placing);
        arena_rewind(&population->scratch, mark);
    }
    return good;
}

bool workloads_part(struct population *population, const struct population_state *state)
{
    if (!population->parts || !state->begun || state->focus > 0 ||
        !has_just_failed(population, state))
        return false;
    struct parting parting = {
        .sink = {follow, ignore}, .population = population, .start = state, .good = true};
    arena_init(&parting.arena, population->memory);
    parting.solos = ARENA_ARRAY(&parting.arena, struct solo, population->managed_count);
    uint32_t acting = 0;
    for (uint32_t w = 0; w < population->managed_count && parting.good; w++) {
        follow_alone(&parting, w);
        const bool acts = parting.solos[w].states.count > 1;
        acting += acts;
        /* Who does nothing is never in focus: nobody would see that it is not well. */
        if (!acts && !intents_content_with(population, state, w))
            parting.good = false;
    }
    parting.good &= acting > 1;
    for (uint32_t w = 0; w < population->managed_count && parting.good; w++)
        parting.good = notices_nobody(&parting, w);
    arena_release(&parting.arena);
    population->parted |= parting.good;
    return parting.good;
}
