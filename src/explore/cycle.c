/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search for fair cycles: strongly connected components of the terrain
 * (cycle.h), each judged as it is completed.
 *
 * Components by Pearce's version of Tarjan's algorithm ("A space-efficient
 * algorithm for finding strongly connected components", 2016): one number per
 * state serves as visiting order, low link and component. It is iterative; a
 * frame of the depth-first search is eight bytes. Weak fairness needs no product
 * with an automaton: a component is fair to class c iff c is taken inside it or
 * some state of it does not enable c; if c is behind a gate, some state in which the gate
 * is open.
 */
#include "explore/cycle.h"

#include "base/clock.h"
#include "explore/lasso.h"
#include "explore/orbits.h"
#include "explore/property.h"
#include "explore/replay.h"
#include "explore/spilling.h"

#include <assert.h>
#include <string.h>

/* For each state, but for what goes to files: two numbers while suspects are found, or its
 * component; and what is on the stacks before memory is scarce. */
enum { JUDGING_BYTES = 16 };

/* After so many looks at the clock, steps in files are left to the system. */
enum { RELAX_LOOKS = 64 };

/* A state being visited and how many of its records are done. */
struct frame {
    uint32_t id;
    uint32_t next : 31;
    uint32_t root : 1;
};

/* Fairness over one component; arrays by class. */
struct fairness {
    uint32_t *enabled_in; /* states that enable it */
    uint32_t *stamp;      /* the last state counted, as a running number */
    bool *taken;
    uint32_t classes;
    uint32_t stamps;
    uint32_t open_in[MODEL_GATES_MOST];    /* states in which the gate is open */
    uint32_t first_open[MODEL_GATES_MOST]; /* one of them */
};

struct descent {
    struct cycle_search *cycle;
    struct region frames, stack;
    struct region later; /* uint32_t: states of the terrain that finite steps lead to */
    uint32_t frame_count, stack_count, later_count;
    uint32_t index;          /* next visiting number, from 1 */
    uint32_t next_component; /* counts down, always above every visiting number */
    struct fairness fairness;
    uint32_t looks; /* at the clock */
    bool failed;    /* out of memory, or the run is ending */
};

static bool is_looked_at(const struct cycle_search *cycle, uint32_t id)
{
    return cycle_allows_state(cycle, id) && suspects_have(cycle->suspects, id) &&
           (!cycle->shut || (cycle->shut[id / 8] >> id % 8 & 1) != 0);
}

static bool inside(const struct cycle_search *cycle, const struct edge_walk *edge,
                   uint32_t component)
{
    return cycle_allows_step(cycle, edge) && edge->target < cycle->id_count &&
           cycle->component[edge->target] == component;
}

/* What a component offers to the property's demands. */
struct offer {
    bool cycles;
    bool not_p;
    bool closed; /* no step leads out of it */
    uint64_t marks, atoms;
};

static struct offer survey_component(const struct cycle_search *cycle, const uint32_t *members,
                                     uint32_t count, uint32_t component)
{
    const struct edges *edges = &cycle->search->edges;
    struct offer offer = {.cycles = count > 1, .closed = true};
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t atoms = cycle_atoms(cycle, members[i]);
        offer.atoms |= atoms;
        offer.not_p = offer.not_p || !literals_hold(&cycle->property->p, atoms);
        for (struct edge_walk edge = edges_of(edges, members[i]); edge_next(&edge);) {
            if (!inside(cycle, &edge, component)) {
                offer.closed = offer.closed && edge.target == EDGE_NO_TARGET;
                continue;
            }
            offer.cycles = true;
            offer.marks |= edges_label_at(edges, edge.label)->marks;
        }
    }
    offer.cycles = offer.cycles || edges_rest(edges, members[0]);
    return offer;
}

static bool meets_demands(const struct property *property, const struct offer *offer)
{
    if (!offer->cycles)
        return false;
    switch (property->kind) {
    case PROPERTY_EVENTUALLY_ALWAYS: return offer->not_p;
    case PROPERTY_ALWAYS_POSSIBLE: return offer->closed;
    case PROPERTY_NO_CYCLE:
        return (property->marks & ~offer->marks) == 0 && (property->visits & ~offer->atoms) == 0;
    default: return true;
    }
}

/* Counts the state for each gate that is open in it; gives these as bits. */
static uint32_t count_gates(const struct cycle_search *cycle, struct fairness *fairness,
                            uint32_t id)
{
    uint32_t open = 0;
    for (uint32_t gate = 0; gate < cycle->search->model->gate_count; gate++) {
        if (!cycle_gate_is_open(cycle, id, gate))
            continue;
        open |= 1U << gate;
        if (fairness->open_in[gate]++ == 0)
            fairness->first_open[gate] = id;
    }
    return open;
}

static void count_state(const struct cycle_search *cycle, struct fairness *fairness, uint32_t id,
                        uint32_t component)
{
    const struct edges *edges = &cycle->search->edges;
    const uint32_t open = count_gates(cycle, fairness, id);
    fairness->stamps++;
    for (struct edge_walk edge = edges_of(edges, id); edge_next(&edge);) {
        const uint32_t class = edges_label_at(edges, edge.label)->fairness;
        if (class >= fairness->classes)
            continue;
        if (fairness->stamp[class] != fairness->stamps) {
            const uint32_t gate = model_gate(cycle->search->model, class);
            fairness->stamp[class] = fairness->stamps;
            fairness->enabled_in[class] += gate == GATE_NONE || (open >> gate & 1) != 0;
        }
        if (inside(cycle, &edge, component))
            fairness->taken[class] = true;
    }
}

static void uncount_state(const struct cycle_search *cycle, struct fairness *fairness, uint32_t id)
{
    const struct edges *edges = &cycle->search->edges;
    for (struct edge_walk edge = edges_of(edges, id); edge_next(&edge);) {
        const uint32_t class = edges_label_at(edges, edge.label)->fairness;
        if (class >= fairness->classes)
            continue;
        fairness->enabled_in[class] = 0;
        fairness->taken[class] = false;
    }
}

/* There are many classes, and most graphs have no component that makes it so far. False: there is
 * not enough memory. */
static bool fairness_init(struct fairness *fairness, struct memory *memory, uint32_t classes)
{
    const size_t count = (size_t)classes + 1;
    if (fairness->enabled_in && fairness->stamp && fairness->taken)
        return true;
    *fairness = (struct fairness){.classes = classes};
    fairness->enabled_in = memory_try_allocate_zeroed(memory, count * sizeof(uint32_t));
    fairness->stamp = memory_try_allocate_zeroed(memory, count * sizeof(uint32_t));
    fairness->taken = memory_try_allocate_zeroed(memory, count * sizeof(bool));
    return fairness->enabled_in && fairness->stamp && fairness->taken;
}

static bool asks_for_fairness(const struct property *property)
{
    return !property->without_fairness && property->kind != PROPERTY_ALWAYS_POSSIBLE;
}

static bool is_shared(const struct cycle_search *cycle, uint32_t class)
{
    const struct model *model = cycle->search->model;
    return model->class_is_shared && model->class_is_shared(model, class);
}

/* Is a class behind the gate (GATE_NONE: behind none) enabled in all `count` states in which it
 * could be, of which this is one, and never taken? `maybe` becomes false if one of them is
 * not shared. */
static bool forgets(const struct cycle_search *cycle, const struct fairness *fairness, uint32_t id,
                    uint32_t gate, uint32_t count, bool *maybe)
{
    const struct edges *edges = &cycle->search->edges;
    bool forgotten = false;
    for (struct edge_walk edge = edges_of(edges, id); edge_next(&edge);) {
        const uint32_t class = edges_label_at(edges, edge.label)->fairness;
        if (class < fairness->classes && fairness->enabled_in[class] == count &&
            !fairness->taken[class] && model_gate(cycle->search->model, class) == gate) {
            forgotten = true;
            *maybe = *maybe && is_shared(cycle, class);
        }
    }
    return forgotten;
}

/* Only classes that the first member enables can be enabled in all. */
static bool is_fair(struct descent *descent, const uint32_t *members, uint32_t count,
                    uint32_t component)
{
    struct cycle_search *cycle = descent->cycle;
    struct fairness *fairness = &descent->fairness;
    const uint32_t classes = cycle->search->model->fairness_class_count;
    if (!asks_for_fairness(cycle->property) || classes == 0)
        return true;
    if (descent->failed || !fairness_init(fairness, cycle->search->memory, classes)) {
        descent->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        count_state(cycle, fairness, members[i], component);
    bool maybe = count > 1; /* a step back to the same state changes nothing */
    bool fair = !forgets(cycle, fairness, members[0], GATE_NONE, count, &maybe);
    for (uint32_t gate = 0; gate < cycle->search->model->gate_count; gate++) {
        if (fairness->open_in[gate] > 0 && forgets(cycle, fairness, fairness->first_open[gate],
                                                   gate, fairness->open_in[gate], &maybe)) {
            fair = false;
            cycle->locked_out = true;
        }
        fairness->open_in[gate] = 0;
    }
    for (uint32_t i = 0; i < count; i++)
        uncount_state(cycle, fairness, members[i]);
    cycle->doubted |= !fair && maybe;
    return fair;
}

static void judge_component(struct descent *descent, const uint32_t *members, uint32_t count,
                            uint32_t component)
{
    struct cycle_search *cycle = descent->cycle;
    const struct offer offer = survey_component(cycle, members, count, component);
    if (offer.cycles)
        cycle->search->result->statistics.components++;
    if (!meets_demands(cycle->property, &offer) || !is_fair(descent, members, count, component))
        return;
    cycle->found = true;
    cycle->components++;
    for (uint32_t i = 0; i < count; i++)
        cycle->accepting[members[i] / 8] |= (uint8_t)(1U << members[i] % 8);
}

static bool push_frame(struct descent *descent, uint32_t id)
{
    if (!region_reserve_next(&descent->frames, descent->frame_count, sizeof(struct frame)))
        return false;
    ((struct frame *)descent->frames.base)[descent->frame_count++] = (struct frame){id, 0, 1};
    descent->cycle->component[id] = descent->index++;
    return true;
}

static bool push_stack(struct descent *descent, uint32_t id)
{
    if (!region_reserve_next(&descent->stack, descent->stack_count, sizeof(uint32_t)))
        return false;
    ((uint32_t *)descent->stack.base)[descent->stack_count++] = id;
    return true;
}

/* All records of the topmost state are done. */
static bool leave_state(struct descent *descent)
{
    struct cycle_search *cycle = descent->cycle;
    const struct frame frame = ((const struct frame *)descent->frames.base)[--descent->frame_count];
    if (!push_stack(descent, frame.id))
        return false;
    if (!frame.root)
        return true;
    const uint32_t *stack = descent->stack.base;
    const uint32_t low = cycle->component[frame.id];
    uint32_t first = descent->stack_count - 1;
    while (first > 0 && cycle->component[stack[first - 1]] >= low)
        first--;
    const uint32_t component = descent->next_component--;
    for (uint32_t i = first; i < descent->stack_count; i++)
        cycle->component[stack[i]] = component;
    descent->index -= descent->stack_count - first;
    judge_component(descent, stack + first, descent->stack_count - first, component);
    descent->stack_count = first;
    return true;
}

/* Does the whole run stay in the terrain, and not only its end? */
static bool stays_in_terrain(const struct property *property)
{
    return property->kind == PROPERTY_EVENTUALLY || property->kind == PROPERTY_LEADS_TO;
}

/* A step that is no part of a loop may still be on the way to one. */
static bool put_off(struct descent *descent, const struct edge_walk *edge)
{
    const struct cycle_search *cycle = descent->cycle;
    if (!stays_in_terrain(cycle->property) || edge->target == EDGE_NO_TARGET ||
        !is_looked_at(cycle, edge->target) || cycle->component[edge->target] != 0)
        return true;
    if (!region_reserve_next(&descent->later, descent->later_count, sizeof(uint32_t)))
        return false;
    ((uint32_t *)descent->later.base)[descent->later_count++] = edge->target;
    return true;
}

/* The next record of the topmost state: enter its target or learn from it. */
static bool advance(struct descent *descent)
{
    struct cycle_search *cycle = descent->cycle;
    struct frame *frame = (struct frame *)descent->frames.base + descent->frame_count - 1;
    uint32_t *component = cycle->component;
    struct edge_walk edge = edges_of(&cycle->search->edges, frame->id);
    edge.ended = frame->next > 0 && (edge.labels[frame->next - 1] & EDGE_LAST) != 0;
    edge.targets += frame->next;
    edge.labels += frame->next;
    while (edge_next(&edge)) {
        frame->next++;
        if (!cycle_allows_step(cycle, &edge)) {
            if (!put_off(descent, &edge))
                return false;
            continue;
        }
        if (!is_looked_at(cycle, edge.target))
            continue;
        if (component[edge.target] == 0) {
            frame->next--; /* looked at again on the way back */
            return push_frame(descent, edge.target);
        }
        if (component[edge.target] < component[frame->id]) {
            component[frame->id] = component[edge.target];
            frame->root = 0;
        }
    }
    return leave_state(descent);
}

static void descend_from(struct descent *descent, uint32_t id)
{
    struct cycle_search *cycle = descent->cycle;
    if (descent->failed || !is_looked_at(cycle, id) || cycle->component[id] != 0)
        return;
    bool going = push_frame(descent, id);
    while (going && descent->frame_count > 0) {
        going = advance(descent);
        if (!limit_tick(&cycle->watch))
            continue;
        if (limits_expired(&cycle->search->limits, &cycle->watch))
            going = false;
        if (++descent->looks % RELAX_LOOKS == 0)
            search_relax(cycle->search);
    }
    descent->failed |= !going;
}

/* May this state be the first one of a violating run after which the run stays in the terrain? */
static bool begins_at(const struct cycle_search *cycle, const struct level_range *range,
                      uint32_t id)
{
    if (cycle->left || cycle->shut)
        return true; /* every stored state is reachable */
    switch (cycle->property->kind) {
    case PROPERTY_EVENTUALLY: return range->depth == 0;
    case PROPERTY_LEADS_TO: return literals_hold(&cycle->property->p, cycle_atoms(cycle, id));
    default: return true;
    }
}

static void descend(struct descent *descent)
{
    const struct search *search = descent->cycle->search;
    const struct suspects *suspects = descent->cycle->suspects;
    for (uint32_t i = 0; i < search->range_count && !descent->failed; i++) {
        const struct level_range *range = search_range(search, i);
        if (range->begin >= search->expanded_ids)
            break;
        for (uint32_t id = suspects_next(suspects, range->begin, range->end);
             id < range->end && !descent->failed;
             id = suspects_next(suspects, id + 1, range->end)) {
            if (begins_at(descent->cycle, range, id))
                descend_from(descent, id);
        }
    }
    while (descent->later_count > 0 && !descent->failed)
        descend_from(descent, ((const uint32_t *)descent->later.base)[--descent->later_count]);
}

static void fairness_release(struct fairness *fairness, struct memory *memory)
{
    const size_t count = (size_t)fairness->classes + 1;
    memory_release(memory, fairness->enabled_in, count * sizeof(uint32_t));
    memory_release(memory, fairness->stamp, count * sizeof(uint32_t));
    memory_release(memory, fairness->taken, count * sizeof(bool));
}

/* False: no memory, or a limit. */
static bool find_components(struct cycle_search *cycle)
{
    struct memory *memory = cycle->search->memory;
    struct descent descent = {.cycle = cycle, .index = 1, .next_component = UINT32_MAX};
    region_init_spilling(&descent.frames, memory);
    region_init_spilling(&descent.stack, memory);
    region_init_spilling(&descent.later, memory);
    descend(&descent);
    fairness_release(&descent.fairness, memory);
    region_release(&descent.frames);
    region_release(&descent.stack);
    region_release(&descent.later);
    return !descent.failed;
}

static void describe_component(const struct cycle_search *cycle, uint32_t member,
                               struct property_result *result)
{
    result->components = cycle->components;
    result->component_states = 0;
    result->component_atoms = UINT64_MAX;
    for (uint32_t id = 0; id < cycle->id_count; id++) {
        if (cycle->component[id] != cycle->component[member])
            continue;
        result->component_states++;
        result->component_atoms &= cycle_atoms(cycle, id);
    }
}

static bool explain(struct cycle_search *cycle, struct property_result *result)
{
    struct search *search = cycle->search;
    const int64_t started = clock_now_ns();
    struct phases *phases = search->options->phases;
    const uint64_t began = phases ? phases_thread_ns() : 0;
    struct trail trail;
    trail_init(&trail, search->memory);
    const bool done =
        lasso_find(cycle, &trail) && replay_trail(search, cycle->property, &trail, &result->path);
    if (phases) {
        const uint64_t took = phases_thread_ns() - began;
        atomic_fetch_add(&phases->finding_paths, took);
        atomic_fetch_sub(&phases->judging_cycles, took); /* which has it, too */
    }
    if (done)
        describe_component(cycle, trail.ids[trail.loop_from], result);
    trail_release(&trail);
    search->result->statistics.path_seconds += (double)(clock_now_ns() - started) / 1e9;
    return done;
}

static size_t bitmap_bytes(const struct cycle_search *cycle)
{
    return cycle->id_count / 8 + 1;
}

/* Is there no suspect in the terrain? */
static bool terrain_is_free(const struct cycle_search *cycle)
{
    const struct suspects *suspects = cycle->suspects;
    for (uint32_t id = suspects_next(suspects, 0, suspects->id_count); id < suspects->id_count;
         id = suspects_next(suspects, id + 1, suspects->id_count)) {
        if (suspects->all || cycle_allows_state(cycle, id))
            return false;
    }
    return true;
}

/* Where the whole run has to stay in the terrain, also states that lie on no cycle
 * may be on its way, so all states are looked at. */
static const struct suspects *suspects_of(const struct cycle_search *cycle,
                                          const struct suspects *everyone)
{
    return stays_in_terrain(cycle->property) ? everyone : cycle->suspects;
}

static bool has_path(const struct cycle_search *cycle)
{
    return !cycle->search->model->orbit || cycle->search->options->orbit_paths;
}

/* Of what find_components has found. */
static bool judge_components(struct cycle_search *cycle, struct property_result *result)
{
    if (cycle->found && cycle->search->model->orbit && asks_for_fairness(cycle->property) &&
        !orbits_refine(cycle, find_components))
        return false;
    return !cycle->found || !has_path(cycle) || explain(cycle, result);
}

static void forget_components(struct cycle_search *cycle)
{
    memset(cycle->component, 0, sizeof(uint32_t) * cycle->id_count);
    memset(cycle->accepting, 0, bitmap_bytes(cycle));
}

/* Judges the runs that do not find some gate open any more. `shut` has the states that are reached
 * in the terrain. The last gate is open in the fewest states. */
static bool judge_behind_gates(struct cycle_search *cycle, uint8_t *shut,
                               struct property_result *result)
{
    bool done = true;
    cycle->shut = shut;
    for (uint32_t gate = cycle->search->model->gate_count; done && !cycle->found && gate-- > 0;) {
        for (uint32_t id = 0; id < cycle->id_count; id++)
            if ((shut[id / 8] >> id % 8 & 1) != 0 && cycle_gate_is_open(cycle, id, gate))
                shut[id / 8] &= (uint8_t) ~(1U << id % 8);
        forget_components(cycle);
        done = find_components(cycle) && judge_components(cycle, result);
    }
    cycle->shut = NULL;
    return done;
}

static bool judge_terrain(struct cycle_search *cycle, struct property_result *result)
{
    struct region reached;
    region_init(&reached, cycle->search->memory);
    bool done = find_components(cycle);
    const bool locked_out = done && cycle->locked_out;
    if (locked_out) {
        done = region_grow(&reached, bitmap_bytes(cycle));
        for (uint32_t id = 0; done && id < cycle->id_count; id++)
            if (cycle->component[id] != 0)
                ((uint8_t *)reached.base)[id / 8] |= (uint8_t)(1U << id % 8);
    }
    done = done && judge_components(cycle, result);
    if (done && locked_out && !cycle->found)
        done = judge_behind_gates(cycle, reached.base, result);
    region_release(&reached);
    return done;
}

/* True if the property was judged; then cycle->found says how. */
static bool judge_property(struct cycle_search *cycle, struct property_result *result)
{
    const struct suspects everyone = {.id_count = cycle->suspects->id_count, .all = true};
    if (terrain_is_free(cycle))
        return true;
    const struct suspects *given = cycle->suspects;
    cycle->suspects = suspects_of(cycle, &everyone);
    struct memory *memory = cycle->search->memory;
    const size_t numbers_bytes = sizeof(uint32_t) * (cycle->id_count + 1);
    struct region numbers, bitmap;
    region_init(&numbers, memory);
    region_init(&bitmap, memory);
    bool done = region_grow(&numbers, numbers_bytes) && region_grow(&bitmap, bitmap_bytes(cycle));
    cycle->component = numbers.base;
    cycle->accepting = bitmap.base;
    done = done && judge_terrain(cycle, result);
    region_release(&numbers);
    region_release(&bitmap);
    cycle->suspects = given;
    return done;
}

static uint64_t avoids_of(const struct model *model, const struct property *property)
{
    if (property->kind == PROPERTY_ALWAYS_POSSIBLE)
        return 0;
    return model->finite_marks | (property->kind == PROPERTY_NO_CYCLE ? property->avoids : 0);
}

/* `suspects` is NULL if there was no time to find them. */
static void decide(struct search *search, uint32_t index, const struct suspects *suspects,
                   bool complete)
{
    struct property_result *result = &search->result->properties[index];
    const struct property *property = &search->model->properties[index];
    struct cycle_search cycle = {.search = search,
                                 .property = property,
                                 .avoids = avoids_of(search->model, property),
                                 .suspects = suspects,
                                 .id_count = search->expanded_ids};
    if (search->model->orbit && !complete)
        return; /* states of the same orbit may not be stored yet */
    search->result->statistics.liveness_checks++;
    if (!suspects || !judge_property(&cycle, result)) {
        /* If memory or time is missing before the search is complete, nothing is lost:
         * there will be another look. At the end it makes the property undecided. */
        if (complete)
            limits_end(&search->limits, EXPLORE_MEMORY);
        search->properties[index].decided = complete;
        result->reason = limits_reason(&search->limits);
        return;
    }
    search->properties[index].decided = cycle.found;
    if (cycle.found) {
        result->verdict = VERDICT_VIOLATED;
        result->reason = EXPLORE_DECIDED;
        result->has_path = has_path(&cycle);
    }
    result->doubted = cycle.doubted && !cycle.found;
}

static bool is_asked(const struct search *search, uint32_t index)
{
    return !search->properties[index].decided &&
           property_is_liveness(&search->model->properties[index]);
}

static bool any_is_asked(const struct search *search)
{
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        if (is_asked(search, i))
            return true;
    }
    return false;
}

void cycle_judge(struct search *search, bool complete)
{
    const int64_t started = clock_now_ns();
    const double path_before = search->result->statistics.path_seconds;
    assert(search->keeps_edges);
    if (!any_is_asked(search))
        return;
    search_spill_for(search, JUDGING_BYTES * (size_t)search->expanded_ids);
    struct suspects suspects;
    struct phases *phases = search->options->phases;
    const uint64_t began = phases ? phases_thread_ns() : 0;
    const bool in_time = suspects_find(search, &suspects);
    const uint64_t sorted = phases ? phases_thread_ns() : 0;
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        if (is_asked(search, i))
            decide(search, i, in_time ? &suspects : NULL, complete);
    }
    suspects_release(&suspects);
    if (phases) {
        atomic_fetch_add(&phases->sorting_out, sorted - began);
        atomic_fetch_add(&phases->judging_cycles, phases_thread_ns() - sorted);
    }
    search->result->statistics.liveness_seconds +=
        (double)(clock_now_ns() - started) / 1e9 -
        (search->result->statistics.path_seconds - path_before);
}
