/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that fast steps cannot leave: the bottom components of the graph of fast steps.
 *
 * Most states of a model lead to a state without fast steps, so that is tried first: a walk
 * takes some fast step after the other, chosen by a hash so that it does not go in the same
 * circle for ever. If it ends, no state on it is in such a loop. If it does not, all states that
 * can be reached from its end are collected, and among them those that can be reached again from
 * every state that they lead to. The result is kept for each state, separately for each set of
 * steps (enum rest_steps).
 */
#include "cluster/rest.h"
#include "base/hash.h"
#include "base/word_lists.h"
#include "cluster/emit.h"
#include "cluster/pace.h"
#include "cluster/state/actions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

enum { WALK_MOST = 512, AGAIN_MOST = 24, REACHED_MOST = 1 << 14, NOWHERE = UINT32_MAX };

/* A fast step that changes the state. */
struct way {
    uint32_t from;     /* number of a state */
    uint32_t to;       /* likewise */
    uint32_t workload; /* that the step is about; UINT32_MAX: no single one */
};

typedef VEC(uint32_t) number_list;
typedef VEC(struct way) way_list;

struct ways {
    struct step_sink sink;
    const struct expansion *expansion; /* NULL: the steps of all actors are looked at */
    enum rest_steps steps;
    struct worker *worker;
    struct arena *arena;
    uint32_t from;
    way_list *list;
};

/* The number of the state, which depends on the steps that are looked at. */
static uint32_t number_of(struct worker *worker, const uint32_t *words, uint32_t length,
                          enum rest_steps steps)
{
    uint32_t key[WORDS_MOST + 1];
    memcpy(key, words, length * sizeof(*words));
    key[length] = steps;
    return words_intern(&worker->arena, &worker->rests.states, key, length + 1);
}

static bool take_way(struct step_sink *sink, const struct step *step)
{
    struct ways *ways = (struct ways *)sink;
    struct worker *worker = ways->worker;
    if (ways->steps == REST_STEPS_OF_SECONDS && ways->expansion->lazy)
        return true;
    if (step->action == ACT_BEGIN)
        return true;
    /* What others can keep from being done while the cluster rests leads nowhere. */
    if (ways->expansion && ways->expansion->crowding >= CROWDING_LENGTHY)
        return true;
    const uint32_t revision = step_subject_of(step).revision;
    const struct way way = {
        .from = ways->from,
        .to = number_of(worker, step->words, step->length, ways->steps),
        .workload = revision == UINT32_MAX ? UINT32_MAX
                                           : worker->population->revisions.items[revision].workload,
    };
    if (way.to != way.from)
        VEC_PUSH(ways->arena, ways->list, way);
    return true;
}

/* Adds the ways out of a state; gives how many there are. */
static uint32_t add_ways(struct worker *worker, struct arena *arena, uint32_t number,
                         way_list *list)
{
    const uint32_t before = list->count;
    const struct word_list key = worker->rests.states.items[number];
    const uint32_t length = key.count - 1;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t successor[WORDS_MOST];
    struct ways ways = {{.emit = take_way}, .steps = (enum rest_steps)key.words[length],
                        .worker = worker,   .arena = arena,
                        .from = number,     .list = list};
    /* All workloads rest, or none does: also where some lead. */
    const bool *leads = worker->leads;
    worker->leads = NULL;
    if (ways.steps == REST_STEPS_OF_ANYBODY) {
        const struct model *model = &worker->population->model;
        const bool looks = worker->looks_for_start;
        worker->looks_for_start = true;
        model->expand(model, worker, key.words, length, &ways.sink);
        worker->looks_for_start = looks;
        worker->leads = leads;
        return list->count - before;
    }
    const struct state *state = state_unpack(worker, key.words, length);
    struct expansion expansion = {
        .population = worker->population,
        .worker = worker,
        .state = state,
        .sink = &ways.sink,
        .words = successor,
        .head = {state, key.words},
    };
    ways.expansion = &expansion;
    expansion_act_fast(&expansion);
    worker->leads = leads;
    arena_rewind(&worker->scratch, mark);
    return list->count - before;
}

/* What is known of a state: states that are met get a place in the table. */
static uint32_t *found(struct worker *worker, uint32_t number)
{
    while (worker->rests.found.count <= number)
        VEC_PUSH(&worker->arena, &worker->rests.found, REST_UNKNOWN);
    return &worker->rests.found.items[number];
}

static bool is_on(const number_list *path, uint32_t number)
{
    for (uint32_t i = 0; i < path->count; i++)
        if (path->items[i] == number)
            return true;
    return false;
}

/* Takes fast steps for a while and notes the states on the way. Gives the state at the end:
 * something is known of it, the walk grew too long, or it met hardly anything but the same states
 * again: then there may be no others. */
static uint32_t walk(struct worker *worker, struct arena *arena, uint32_t number, number_list *path)
{
    uint32_t again = 0;
    for (uint32_t taken = 0; taken < WALK_MOST && again < AGAIN_MOST + 2 * path->count &&
                             *found(worker, number) == REST_UNKNOWN;
         taken++) {
        way_list ways = {0};
        const uint32_t count = add_ways(worker, arena, number, &ways);
        if (count == 0) {
            *found(worker, number) = REST_NOT;
            break;
        }
        if (is_on(path, number))
            again++;
        else
            VEC_PUSH(arena, path, number);
        number = ways.items[hash_word((uint64_t)number << 32 | taken) % count].to;
    }
    return number;
}

/* All states that can be reached from the end of a walk. */
struct reach {
    struct worker *worker;
    struct arena *arena;
    number_list states;
    way_list ways;
};

/* The steps of a state whose result is known are not collected: a state that leads there, and
 * is not known, is not in a loop that cannot be left. False: there are too many states. */
static bool collect(struct reach *reach, uint32_t start)
{
    bool *listed = ARENA_ARRAY(reach->arena, bool, 1);
    uint32_t room = 1;
    VEC_PUSH(reach->arena, &reach->states, start);
    for (uint32_t i = 0; i < reach->states.count; i++) {
        const uint32_t number = reach->states.items[i];
        const uint32_t first = reach->ways.count;
        if (reach->states.count > REACHED_MOST)
            return false;
        if (*found(reach->worker, number) != REST_UNKNOWN)
            continue;
        if (add_ways(reach->worker, reach->arena, number, &reach->ways) == 0)
            *found(reach->worker, number) = REST_NOT;
        if (room < reach->worker->rests.states.count) {
            room = 2 * reach->worker->rests.states.count;
            listed = ARENA_ARRAY(reach->arena, bool, room);
            for (uint32_t s = 0; s < reach->states.count; s++)
                listed[reach->states.items[s]] = true;
        }
        for (uint32_t w = first; w < reach->ways.count; w++) {
            const uint32_t to = reach->ways.items[w].to;
            if (!listed[to])
                VEC_PUSH(reach->arena, &reach->states, to);
            listed[to] = true;
        }
    }
    return true;
}

/* Marks the states that lead to marked ones or, forwards, that marked ones lead to. */
static void spread(const struct reach *reach, bool *marked, bool forwards)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t w = 0; w < reach->ways.count; w++) {
            const struct way *way = &reach->ways.items[w];
            const uint32_t source = forwards ? way->from : way->to;
            const uint32_t target = forwards ? way->to : way->from;
            if (marked[source] && !marked[target]) {
                marked[target] = true;
                more = true;
            }
        }
    }
}

static bool *marks(const struct reach *reach)
{
    return ARENA_ARRAY(reach->arena, bool, reach->worker->rests.states.count);
}

/* Notes for all states that lead to a known one, and are not known yet, that they are no loop. */
static void note_leaving(const struct reach *reach)
{
    struct worker *worker = reach->worker;
    bool *leaving = marks(reach);
    for (uint32_t i = 0; i < reach->states.count; i++)
        leaving[reach->states.items[i]] = *found(worker, reach->states.items[i]) != REST_UNKNOWN;
    spread(reach, leaving, false);
    for (uint32_t i = 0; i < reach->states.count; i++)
        if (leaving[reach->states.items[i]] &&
            *found(worker, reach->states.items[i]) == REST_UNKNOWN)
            *found(worker, reach->states.items[i]) = REST_NOT;
}

/* Notes one loop that cannot be left among the states that can be reached from an unknown one. */
static void note_loop(const struct reach *reach, uint32_t number)
{
    struct worker *worker = reach->worker;
    bool *loop;
    uint32_t next = number;
    do {
        bool *back = marks(reach);
        number = next;
        next = NOWHERE;
        loop = marks(reach);
        loop[number] = true;
        back[number] = true;
        spread(reach, loop, true);
        spread(reach, back, false);
        for (uint32_t i = 0; i < reach->states.count && next == NOWHERE; i++)
            if (loop[reach->states.items[i]] && !back[reach->states.items[i]])
                next = reach->states.items[i];
    } while (next != NOWHERE);
    struct rest_loop *noted = ARENA_NEW(&worker->arena, struct rest_loop);
    noted->moves = ARENA_ARRAY(&worker->arena, bool, worker->population->workloads.count + 1);
    for (uint32_t w = 0; w < reach->ways.count; w++)
        if (loop[reach->ways.items[w].from] && reach->ways.items[w].workload != UINT32_MAX)
            noted->moves[reach->ways.items[w].workload] = true;
    for (uint32_t i = 0; i < reach->states.count; i++)
        if (loop[reach->states.items[i]])
            *found(worker, reach->states.items[i]) = REST_FIRST_LOOP + worker->rests.loops.count;
    VEC_PUSH(&worker->arena, &worker->rests.loops, noted);
}

/* Finds out about the state, which nothing is known of. False: there are too many states. */
static bool look(struct worker *worker, struct arena *arena, uint32_t number)
{
    struct reach reach = {.worker = worker, .arena = arena};
    number_list path = {0};
    const uint32_t end = walk(worker, arena, number, &path);
    if (*found(worker, end) == REST_UNKNOWN) {
        if (!collect(&reach, end))
            return false;
        note_leaving(&reach);
        for (uint32_t i = 0; i < reach.states.count; i++)
            if (*found(worker, reach.states.items[i]) == REST_UNKNOWN) {
                note_loop(&reach, reach.states.items[i]);
                note_leaving(&reach);
            }
    }
    /* A state on the walk that cannot be reached again from its end is in no loop that
     * cannot be left. */
    for (uint32_t i = 0; i < path.count; i++)
        if (*found(worker, path.items[i]) == REST_UNKNOWN)
            *found(worker, path.items[i]) = REST_NOT;
    return true;
}

const struct rest_loop *rest_loop_of(struct worker *worker, const uint32_t *words, uint32_t length,
                                     enum rest_steps steps)
{
    const uint32_t number = number_of(worker, words, length, steps);
    if (*found(worker, number) == REST_UNKNOWN && !worker->findings.restless) {
        struct arena arena;
        arena_init(&arena, worker->arena.memory);
        worker->findings.restless |= !look(worker, &arena, number);
        arena_release(&arena);
    }
    const uint32_t what = *found(worker, number);
    return what < REST_FIRST_LOOP ? NULL : worker->rests.loops.items[what - REST_FIRST_LOOP];
}
