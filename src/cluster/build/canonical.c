/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One of the many ways in which an empty cluster comes to rest: workload after
 * workload, each pod to the first of its best nodes, and then whatever is first.
 * Where the placements of a large cluster are too many to be explored, runs can
 * begin with this one (`start: canonical`).
 */
#include "cluster/build/canonical.h"
#include "base/clock.h"
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/expand.h"
#include "cluster/population.h"
#include "cluster/state/actions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

#include <string.h>

/* Asks the actors that take most steps before all the others are asked. */
static void take_usual(struct worker *worker, struct first_step *first)
{
    static const struct actor *const usual[] = {
        &actor_kubelet,
        &actor_scheduler,
        &actor_deployment,
        &actor_replica_set,
    };
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t successor[WORDS_MOST];
    struct expansion expansion = {
        .population = worker->population,
        .worker = worker,
        .state = state_unpack(worker, first->words, first->length),
        .sink = &first->sink,
        .words = successor,
        .head = {.words = head_room(worker)},
        .first_only = true,
    };
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual) && first->next_length == 0; i++)
        usual[i]->step(&expansion);
    arena_rewind(&worker->scratch, mark);
}

/* The clock is not read at every step. */
static bool is_over(const struct population_options *options, uint64_t step)
{
    enum { STEPS_BETWEEN = 64 };
    if (step % STEPS_BETWEEN != 0)
        return false;
    return (options->interrupted && atomic_load(options->interrupted)) ||
           (options->deadline_ns > 0 && clock_now_ns() >= options->deadline_ns);
}

struct state *canonical_start(const struct population *population)
{
    struct worker *worker = population->maker;
    enum { STEPS_PER_POD = 8, STEPS_MORE = 10000 };
    const uint64_t most =
        (uint64_t)STEPS_PER_POD * (uint64_t)population->setup->total_pods + STEPS_MORE;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t *words = ARENA_ARRAY(&worker->scratch, uint32_t, WORDS_MOST);
    uint32_t *next = ARENA_ARRAY(&worker->scratch, uint32_t, WORDS_MOST);
    struct state *begun = NULL;
    bool over = false;
    uint32_t length = state_pack(worker, state_copy(worker, population->initial), words);
    worker->scheduler = scheduler_create(&worker->arena, worker->catalog, &population->profiles);
    for (uint64_t i = 0; i < most && length > 0 && !begun; i++) {
        over = is_over(&population->options, i);
        if (over)
            break;
        struct first_step first = {
            .sink = {.emit = first_step_take}, .words = words, .length = length, .next = next};
        take_usual(worker, &first);
        if (first.next_length == 0)
            population_expand(&population->model, worker, words, length, &first.sink);
        length = first.next_length;
        memcpy(words, first.next, length * sizeof(*words));
        if (first.action == ACT_BEGIN)
            begun = state_keep(worker, words, length);
    }
    scheduler_release(worker->scheduler);
    worker->scheduler = NULL;
    arena_rewind(&worker->scratch, mark);
    if (over)
        return NULL;
    return begun ? begun : population->initial;
}
