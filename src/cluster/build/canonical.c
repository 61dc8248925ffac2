/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One of the many ways in which an empty cluster comes to rest: workload after
 * workload, each pod to the first of its best nodes, and then whatever is first.
 * Where the placements of a large cluster are too many to be explored, runs can
 * begin with this one (`start: canonical`).
 *
 * Where something goes on for ever beside it, the same steps are taken, but for those that lead
 * back to where the run has been: whatever else has something to do gets its turn.
 */
#include "cluster/build/canonical.h"
#include "base/hash.h"
#include "base/word_lists.h"
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/expand.h"
#include "cluster/population.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

/* The run so far. */
struct canonical_run {
    struct first_step first;
    struct worker *worker;
    struct word_lists seen; /* the states on it; none: it does not go round in loops */
    bool remembers;
    uint32_t skip; /* steps to states on it that are not taken either; UINT32_MAX: all of them */
};

/* Takes the first step to a state that was not seen before, or the one with which runs begin. */
static bool take_new(struct step_sink *sink, const struct step *step)
{
    struct canonical_run *run = (struct canonical_run *)sink;
    if (step->action == ACT_BEGIN)
        run->first.next_length = 0;
    const bool taken = run->first.next_length > 0;
    first_step_take(sink, step);
    if (taken || run->first.next_length == 0 || !run->remembers || step->action == ACT_BEGIN)
        return true;
    const uint32_t known = run->seen.count;
    if (words_intern(&run->worker->arena, &run->seen, step->words, step->length) < known &&
        run->skip-- > 0)
        run->first.next_length = 0;
    return true;
}

/* Asks the actors that take most steps before all the others are asked. */
static void take_usual(struct worker *worker, struct first_step *first, bool first_only)
{
    static const struct actor *const usual[] = {
        &actor_kubelet,
        &actor_scheduler,
        &actor_deployment,
        &actor_replica_set,
    };
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t successor[WORDS_MOST];
    const struct state *state = state_unpack(worker, first->words, first->length);
    struct expansion expansion = {
        .population = worker->population,
        .worker = worker,
        .state = state,
        .sink = &first->sink,
        .words = successor,
        .head = {state, first->words},
        .first_only = first_only,
    };
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual) && first->next_length == 0; i++)
        usual[i]->step(&expansion);
    arena_rewind(&worker->scratch, mark);
}

/* The clock is not read at every step. */
static bool is_over(const struct population_options *options, uint64_t step)
{
    enum { STEPS_BETWEEN = 64 };
    return step % STEPS_BETWEEN == 0 && population_is_over(options);
}

/* Takes a step out of the state that the run has come to. */
static void take_step(struct canonical_run *run, const struct population *population,
                      uint64_t taken)
{
    struct first_step *first = &run->first;
    struct worker *worker = run->worker;
    const struct model *model = &population->model;
    run->skip = UINT32_MAX;
    take_usual(worker, first, !run->remembers);
    if (first->next_length > 0)
        return;
    run->skip = UINT32_MAX;
    population_expand(model, worker, first->words, first->length, &first->sink);
    if (first->next_length > 0 || run->skip == UINT32_MAX)
        return;
    /* All lead back; whichever it is must not be the same for ever. */
    run->skip = (uint32_t)(hash_word(taken) % (UINT32_MAX - run->skip));
    population_expand(model, worker, first->words, first->length, &first->sink);
}

/* The state with which runs begin; NULL: the run did not come to one, or its time was `over`. */
static struct state *find_start(const struct population *population, bool remembers, bool *over)
{
    struct worker *worker = population->maker;
    enum { STEPS_PER_POD = 8, STEPS_MORE = 10000 };
    const uint64_t most =
        (uint64_t)STEPS_PER_POD * (uint64_t)population->setup->total_pods + STEPS_MORE;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t *words = ARENA_ARRAY(&worker->scratch, uint32_t, WORDS_MOST);
    uint32_t *next = ARENA_ARRAY(&worker->scratch, uint32_t, WORDS_MOST);
    struct canonical_run run = {
        .worker = worker,
        .remembers = remembers,
    };
    struct state *begun = NULL;
    uint32_t length = state_pack(worker, state_copy(worker, population->initial), words);
    if (run.remembers)
        words_intern(&worker->arena, &run.seen, words, length);
    worker->scheduler = scheduler_create(&worker->arena, worker->catalog, &population->profiles);
    for (uint64_t i = 0; i < most && length > 0 && !begun; i++) {
        *over = is_over(&population->options, i);
        if (*over)
            break;
        run.first = (struct first_step){
            .sink = {.emit = take_new}, .words = words, .length = length, .next = next};
        take_step(&run, population, i);
        length = run.first.next_length;
        memcpy(words, next, length * sizeof(*words));
        if (run.first.action == ACT_BEGIN)
            begun = state_keep(worker, words, length);
    }
    scheduler_release(worker->scheduler);
    worker->scheduler = NULL;
    arena_rewind(&worker->scratch, mark);
    return begun;
}

/* Which pods a node has, in which group and condition it is. */
static uint64_t node_hash(const struct population *population, uint32_t number)
{
    struct worker *worker = population->maker;
    const struct node_config *config = config_at(worker, number);
    const uint32_t group =
        population->node_kinds.items[config_template(worker, number)->node].group;
    uint64_t hash = hash_word((uint64_t)group << 32 | config_condition(worker, number));
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct class_info *info = class_info(worker, config->pods[p].pod);
        const uint64_t class = hash_word((uint64_t)info->revision << 32 | info->level);
        hash += hash_word(class + info->stage) * config->pods[p].count;
    }
    return hash_word(hash);
}

uint64_t population_placement(const struct population *population)
{
    const struct state *start = population->initial;
    uint64_t hash = 0;
    for (uint32_t n = 0; n < start->node_count; n++)
        hash += node_hash(population, start->nodes[n].config) * start->nodes[n].count;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        hash += hash_word((uint64_t)r << 32 | start->pending[r]);
    return hash;
}

struct state *canonical_start(const struct population *population)
{
    bool over = false;
    struct state *begun = find_start(population, false, &over);
    /* Only where this leads round in a loop does the run remember where it has been: otherwise runs
     * begin in the same way whether loops are looked for or not. */
    if (!begun && !over && population->options.reductions == REDUCTIONS_NEVER_LOOPS_REST)
        begun = find_start(population, true, &over);
    if (over)
        return NULL;
    return begun ? begun : population->initial;
}
