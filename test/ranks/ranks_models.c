/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random models, explored by all ranks together and by rank 0 alone: verdicts, reasons, counts and
 * counterexamples, step by step, have to be the same.
 *
 *     mpirun -np 3 ranks_models FIRST COUNT     seeds FIRST to FIRST + COUNT - 1
 *     mpirun -np 3 ranks_models memory BYTES    one large model, in so many bytes on each rank
 */
#include "base/hash.h"
#include "ranks/link_mpi.h"
#include "ranks/rank_explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 5, STEPS_MOST = 4, WORDS_MOST = 9, P = 1, Q = 2, END = 4, MARK = 1, FINITE = 2 };

/* How a graph is drawn: its size, and one in how many states or steps is special. */
struct drawn {
    uint64_t seed;
    uint32_t size, initial, steps;
    uint32_t p, q, mark, finite, optional, forward, gates;
};

static uint64_t draw(const struct drawn *drawn, uint64_t what, uint64_t number)
{
    return hash_word(hash_word(drawn->seed * 1000003 + what) + number);
}

static bool one_in(uint64_t hash, uint32_t count)
{
    return count > 0 && hash % count == 0;
}

static uint32_t words_of(const struct drawn *drawn, uint32_t number, uint32_t *words)
{
    const uint32_t length = 1 + (uint32_t)(draw(drawn, 1, number) % WORDS_MOST);
    for (uint32_t i = 0; i < length; i++)
        words[i] = i == 0 ? number : number / (i * 5 + 1) % 13;
    return length;
}

static void emit(const struct drawn *drawn, struct step_sink *sink, uint32_t target,
                 struct step step)
{
    uint32_t words[WORDS_MOST];
    step.length = words_of(drawn, target, words);
    step.words = words;
    step_sink_emit(sink, &step);
}

static void drawn_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    const struct drawn *drawn = model->context;
    (void)worker;
    for (uint32_t i = 0; i < drawn->initial; i++)
        emit(drawn, sink, (uint32_t)(draw(drawn, 2, i / 2) % drawn->size), (struct step){0});
}

static uint32_t fairness_of(const struct drawn *drawn, uint64_t hash)
{
    if (one_in(hash >> 8, drawn->optional))
        return FAIRNESS_OPTIONAL;
    const uint32_t class = (uint32_t)(hash >> 16) % (CLASSES + 1);
    return class == CLASSES ? FAIRNESS_NONE : class;
}

/* Mostly forwards, so that there are levels and ends. */
static uint32_t target_of(const struct drawn *drawn, uint32_t from, uint64_t hash)
{
    if (one_in(hash >> 4, drawn->forward))
        return (uint32_t)((hash >> 32) % drawn->size);
    const uint64_t to = from + (hash >> 32) % (drawn->size / 8 + 2);
    return (uint32_t)(to < drawn->size ? to : drawn->size - 1 - to % 3 % drawn->size);
}

static void drawn_expand(const struct model *model, void *worker, const uint32_t *words,
                         uint32_t length, struct step_sink *sink)
{
    const struct drawn *drawn = model->context;
    const uint32_t number = words[0];
    (void)worker;
    (void)length;
    const uint32_t steps = (uint32_t)(draw(drawn, 3, number) % (drawn->steps + 1));
    for (uint32_t i = 0; i < steps; i++) {
        const uint64_t hash = draw(drawn, 4, (uint64_t)number * STEPS_MOST + i);
        emit(drawn, sink, target_of(drawn, number, hash),
             (struct step){.action = i % 2,
                           .fairness = fairness_of(drawn, hash),
                           .marks = (one_in(hash >> 24, drawn->mark) ? MARK : 0) |
                                    (one_in(hash >> 28, drawn->finite) ? FINITE : 0)});
    }
    const uint64_t hash = draw(drawn, 5, number);
    if (steps > 0 && one_in(hash, 4))
        step_sink_enable(sink, (uint32_t)(hash >> 8) % CLASSES);
    /* Where a gate is open, all gates before it are. */
    for (uint32_t gate = 0; gate < drawn->gates && one_in(hash >> (16 + 8 * gate), 2); gate++)
        step_sink_open(sink, gate);
}

static uint64_t drawn_atoms(const struct model *model, void *worker, const uint32_t *words,
                            uint32_t length)
{
    const struct drawn *drawn = model->context;
    (void)worker;
    (void)length;
    const uint64_t hash = draw(drawn, 6, words[0]);
    return (one_in(hash, drawn->p) ? 0 : P) | (one_in(hash >> 16, drawn->q) ? Q : 0) |
           (one_in(hash >> 32, 2) ? END : 0);
}

static bool drawn_shared(const struct model *model, uint32_t class)
{
    (void)model;
    return class % 2 == 1;
}

static uint32_t drawn_gate(const struct model *model, uint32_t class)
{
    const struct drawn *drawn = model->context;
    return class < drawn->gates ? class : GATE_NONE;
}

static const struct property properties[] = {
    {.name = "invariant", .kind = PROPERTY_INVARIANT, .p = {.all = P}},
    {.name = "step", .kind = PROPERTY_STEP_INVARIANT, .marks = MARK},
    {.name = "deadlock", .kind = PROPERTY_DEADLOCK_FREE},
    {.name = "reachable", .kind = PROPERTY_REACHABLE, .p = {.all = Q, .none = P}},
    {.name = "eventually", .kind = PROPERTY_EVENTUALLY, .p = {.all = Q}},
    {.name = "eventually-always", .kind = PROPERTY_EVENTUALLY_ALWAYS, .p = {.all = P}},
    {.name = "always-eventually", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p = {.all = P}},
    {.name = "leads-to", .kind = PROPERTY_LEADS_TO, .p = {.none = P}, .q = {.all = Q}},
    {.name = "no-cycle", .kind = PROPERTY_NO_CYCLE, .marks = MARK, .avoids = FINITE},
    {.name = "no-visit", .kind = PROPERTY_NO_CYCLE, .p = {.all = P}, .visits = Q},
    {.name = "possible", .kind = PROPERTY_ALWAYS_POSSIBLE, .p = {.all = P}},
    {.name = "unfair", .kind = PROPERTY_EVENTUALLY, .p = {.all = Q}, .without_fairness = true},
};
enum { PROPERTY_COUNT = sizeof(properties) / sizeof(properties[0]) };

static struct drawn draw_model(uint64_t seed)
{
    struct drawn drawn = {.seed = seed};
    drawn.size = 2 + (uint32_t)(draw(&drawn, 10, 0) % (seed % 4 == 0 ? 2000 : 60));
    drawn.initial = 1 + (uint32_t)(draw(&drawn, 11, 0) % 4);
    drawn.steps = 1 + (uint32_t)(draw(&drawn, 12, 0) % STEPS_MOST);
    drawn.p = (uint32_t)(draw(&drawn, 13, 0) % 40);
    drawn.q = (uint32_t)(draw(&drawn, 14, 0) % 6);
    drawn.mark = (uint32_t)(draw(&drawn, 15, 0) % 30);
    drawn.finite = (uint32_t)(draw(&drawn, 16, 0) % 8);
    drawn.optional = (uint32_t)(draw(&drawn, 17, 0) % 6);
    drawn.forward = (uint32_t)(draw(&drawn, 18, 0) % 12);
    drawn.gates = (uint32_t)(draw(&drawn, 19, 0) % (MODEL_GATES_MOST + 1));
    return drawn;
}

static struct model model_of(const struct drawn *drawn)
{
    static const char *const actions[] = {"even", "odd"};
    return (struct model){.name = "drawn",
                          .context = drawn,
                          .length_least = 1,
                          .length_most = WORDS_MOST,
                          .actions = actions,
                          .action_count = 2,
                          .fairness_class_count = CLASSES,
                          .class_is_shared = drawn_shared,
                          .class_gate = drawn->gates > 0 ? drawn_gate : NULL,
                          .gate_count = drawn->gates,
                          .end_atoms = END,
                          .finite_marks = drawn->seed % 3 == 0 ? FINITE : 0,
                          .mark_count = 2,
                          .properties = properties,
                          .property_count = PROPERTY_COUNT,
                          .initial = drawn_initial,
                          .expand = drawn_expand,
                          .atoms = drawn_atoms};
}

static bool differ(uint64_t seed, const char *what, uint64_t alone, uint64_t together)
{
    if (alone == together)
        return false;
    printf("seed %" PRIu64 ": %s: %" PRIu64 " alone, %" PRIu64 " together\n", seed, what, alone,
           together);
    return true;
}

static bool paths_differ(uint64_t seed, const char *name, const struct run_path *alone,
                         const struct run_path *together)
{
    bool wrong = differ(seed, name, alone->step_count, together->step_count) ||
                 differ(seed, name, alone->initial_index, together->initial_index) ||
                 differ(seed, name, alone->loops, together->loops) ||
                 differ(seed, name, alone->loop_rests, together->loop_rests) ||
                 differ(seed, name, alone->loop_from, together->loop_from);
    for (uint32_t i = 0; !wrong && i < alone->step_count; i++)
        wrong = differ(seed, name, alone->steps[i].index, together->steps[i].index);
    return wrong;
}

static bool properties_differ(uint64_t seed, const struct property_result *alone,
                              const struct property_result *together)
{
    const char *name = alone->property->name;
    return differ(seed, name, alone->verdict, together->verdict) ||
           differ(seed, name, alone->reason, together->reason) ||
           differ(seed, name, alone->doubted, together->doubted) ||
           differ(seed, name, alone->vacuous, together->vacuous) ||
           differ(seed, name, alone->components, together->components) ||
           differ(seed, name, alone->component_states, together->component_states) ||
           differ(seed, name, alone->has_path, together->has_path) ||
           (alone->has_path && paths_differ(seed, name, &alone->path, &together->path));
}

static bool results_differ(uint64_t seed, const struct exploration *alone,
                           const struct exploration *together)
{
    const struct statistics *left = &alone->statistics, *right = &together->statistics;
    bool wrong = differ(seed, "states", left->states, right->states) ||
                 differ(seed, "transitions", left->transitions, right->transitions) ||
                 differ(seed, "expanded", left->states_expanded, right->states_expanded) ||
                 differ(seed, "rests", left->rest_states, right->rest_states) ||
                 differ(seed, "initial", left->initial_states, right->initial_states) ||
                 differ(seed, "depth", left->depth, right->depth) ||
                 differ(seed, "even", alone->action_fired[0], together->action_fired[0]) ||
                 differ(seed, "complete", alone->complete, together->complete) ||
                 differ(seed, "verdict", alone->verdict, together->verdict) ||
                 differ(seed, "reason", alone->reason, together->reason);
    for (uint32_t i = 0; i < PROPERTY_COUNT; i++)
        wrong |= properties_differ(seed, &alone->properties[i], &together->properties[i]);
    return wrong;
}

struct tally {
    uint64_t wrong, states, violated[PROPERTY_COUNT], loops;
};

static void compare(uint64_t seed, struct link *link, struct rank_statistics *statistics,
                    struct tally *tally)
{
    const struct drawn drawn = draw_model(seed);
    const struct model model = model_of(&drawn);
    const struct codec codec = codec_plain();
    struct explore_options explore;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    explore_options_init(&explore);
    explore.all = true;
    const struct rank_options options = {&explore, link, &codec, statistics};
    struct exploration *alone = link->rank == 0 ? explore_run(&model, &explore, &memory) : NULL;
    struct exploration *together = rank_explore(&model, &options, &memory);
    if (alone) {
        tally->wrong += results_differ(seed, alone, together);
        tally->states += alone->statistics.states;
        for (uint32_t i = 0; i < PROPERTY_COUNT; i++) {
            tally->violated[i] += alone->properties[i].verdict == VERDICT_VIOLATED;
            tally->loops +=
                alone->properties[i].path.loops && !alone->properties[i].path.loop_rests;
        }
    }
    explore_free(alone);
    explore_free(together);
    if (memory.used_bytes != 0) {
        printf("seed %" PRIu64 ": %zu bytes are left on rank %u\n", seed, (size_t)memory.used_bytes,
               link->rank);
        tally->wrong++;
    }
}

/* Prints the verdict, the number of states and the most bytes that a rank took. */
static void explore_within(struct link *link, size_t bytes)
{
    const struct drawn drawn = {
        .seed = 1, .size = 200000, .initial = 4, .steps = STEPS_MOST, .forward = 2};
    struct model model = model_of(&drawn);
    const struct codec codec = codec_plain();
    struct rank_statistics statistics = {0};
    struct explore_options explore;
    struct memory memory;
    memory_init(&memory, bytes);
    explore_options_init(&explore);
    model.property_count = 1;
    const struct rank_options options = {&explore, link, &codec, &statistics};
    struct exploration *found = rank_explore(&model, &options, &memory);
    uint64_t peak = atomic_load(&memory.peak_bytes);
    link_reduce(link, LINK_MOST, &peak, 1);
    if (link->rank == 0 && found)
        printf("%s (%s), %" PRIu64 " states, %" PRIu64 " bytes\n", verdict_name(found->verdict),
               explore_reason_text(found->reason), found->statistics.states, peak);
    explore_free(found);
}

static int compare_all(struct link *link, uint64_t first, uint64_t count)
{
    struct rank_statistics statistics = {0};
    struct tally tally = {0};
    for (uint64_t seed = first; seed < first + count; seed++)
        compare(seed, link, &statistics, &tally);
    link_reduce(link, LINK_SUM, &tally.wrong, 1);
    if (link->rank == 0) {
        printf("%" PRIu64 " models on %u ranks, %" PRIu64 " states, %" PRIu64 " loops, violated:",
               count, link->count, tally.states, tally.loops);
        for (uint32_t i = 0; i < PROPERTY_COUNT; i++)
            printf(" %" PRIu64, tally.violated[i]);
        printf("; %" PRIu64 " differ\n", tally.wrong);
    }
    return tally.wrong == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct link link;
    int code = 0;
    if (!link_mpi_begin(&link, &argc, &argv))
        return 70;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
    if (argc > 1 && strcmp(argv[1], "memory") == 0)
        explore_within(&link, count);
    else
        code = compare_all(&link, argc > 1 ? strtoull(argv[1], NULL, 10) : 1, count);
    link_mpi_end(&link);
    return code;
}
