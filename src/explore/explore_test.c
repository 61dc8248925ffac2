/* SPDX-License-Identifier: Apache-2.0 */
/* The exact search: counts, shortest and first counterexamples, the same result
 * for any number of threads, limits, and memory that fails at every point. */
#include "explore/explore.h"
#include "explore/graph_model.h"
#include "explore/phases.h"
#include "explore/random_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { P = RANDOM_P, MARK = RANDOM_MARK };

static const char *const actions[] = {"first", "second", "never"};

static const struct property every_kind[] = {
    {.name = "invariant", .kind = PROPERTY_INVARIANT, .p = {.all = P}},
    {.name = "step", .kind = PROPERTY_STEP_INVARIANT, .marks = MARK},
    {.name = "reachable", .kind = PROPERTY_REACHABLE, .p = {.none = P}},
    {.name = "deadlock", .kind = PROPERTY_DEADLOCK_FREE},
    {.name = "stays", .kind = PROPERTY_EVENTUALLY_ALWAYS, .p = {.all = P}},
    {.name = "returns", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p = {.none = P}},
    {.name = "no cycle", .kind = PROPERTY_NO_CYCLE, .marks = MARK},
};
enum { EVERY_KIND = sizeof(every_kind) / sizeof(*every_kind) };

static void assert_same_results(const struct exploration *a, const struct exploration *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->statistics.states, b->statistics.states);
    assert_int_equal(a->statistics.transitions, b->statistics.transitions);
    assert_int_equal(a->statistics.depth, b->statistics.depth);
    assert_int_equal(a->statistics.components, b->statistics.components);
    for (uint32_t i = 0; i < a->action_count; i++)
        assert_int_equal(a->action_fired[i], b->action_fired[i]);
    for (uint32_t i = 0; i < a->property_count; i++) {
        assert_int_equal(a->properties[i].verdict, b->properties[i].verdict);
        assert_int_equal(a->properties[i].reason, b->properties[i].reason);
        assert_int_equal(a->properties[i].has_path, b->properties[i].has_path);
        if (a->properties[i].has_path)
            assert_true(same_paths(&a->properties[i].path, &b->properties[i].path));
    }
}

static struct explore_options options_for(uint32_t threads, bool all)
{
    struct explore_options options;
    explore_options_init(&options);
    options.threads = threads;
    options.all = all;
    options.lasso_effort_most = 20000;
    return options;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const struct random_graph graph = {.size = 30000 + (uint32_t)seed * 1000,
                                           .degree = 2 + (uint32_t)seed % 3,
                                           .rare = seed % 2 == 0 ? 200 : 9000,
                                           .seed = seed << 32,
                                           .words_most = seed % 3 == 0 ? 1 : 23};
        for (int all = 0; all < 2; all++) {
            const struct model model =
                random_model(&graph, every_kind + (seed == 5 ? 4 : 0), seed == 5 ? 3 : EVERY_KIND);
            struct explore_options options = options_for(1, all != 0);
            struct exploration *one = explore_run(&model, &options, &memory);
            assert_int_not_equal(one->verdict, VERDICT_UNDECIDED);
            for (uint32_t threads = 2; threads <= 4; threads += 2) {
                options.threads = threads;
                struct exploration *many = explore_run(&model, &options, &memory);
                assert_same_results(one, many);
                explore_free(many);
            }
            explore_free(one);
        }
    }
    assert_int_equal(memory.used_bytes, 0);
}

/* What --stats tells is what the results tell, and measuring it changes none of them. */
static void phases_add_up(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    const struct random_graph graph = {
        .size = 50000, .degree = 3, .rare = 9000, .seed = 7, .words_most = 9};
    const struct model model = random_model(&graph, every_kind, EVERY_KIND);
    struct explore_options options = options_for(1, true);
    struct exploration *plain = explore_run(&model, &options, &memory);
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        struct phases phases = {0};
        options = options_for(threads, true);
        options.phases = &phases;
        struct exploration *found = explore_run(&model, &options, &memory);
        assert_same_results(plain, found);
        assert_int_equal(phases.searches, 1);
        assert_int_equal(phases.states, found->statistics.states);
        assert_int_equal(phases.transitions, found->statistics.transitions);
        assert_int_equal(phases.levels, found->statistics.depth + 1);
        assert_in_range(phases.looked_up, phases.states, phases.transitions + 1);
        assert_int_equal(phases.levels_shared > 0, threads > 1);
        assert_int_equal(phases.expanding_shared > 0, threads > 1);
        assert_in_range(phases.helping, 0, phases.expanding_shared);
        assert_int_equal(phases.bytes_of_states, found->statistics.store_bytes);
        /* None is below zero, which would be a large number. */
        assert_in_range(phases.judging_cycles, 0, UINT64_C(1) << 40);
        assert_in_range(phases.waiting_at_ends, 0, UINT64_C(1) << 40);
        assert_true(phases.sorting_out > 0 && phases.finding_paths > 0);
        explore_free(found);
    }
    explore_free(plain);
    assert_int_equal(memory.used_bytes, 0);
}

/* Counters that step on their own. */
static void counters_expand(const struct model *model, void *worker, const uint32_t *words,
                            uint32_t length, struct step_sink *sink)
{
    (void)worker;
    const uint32_t radix = *(const uint32_t *)model->context;
    uint32_t next[16];
    memcpy(next, words, length * sizeof(uint32_t));
    for (uint32_t i = 0; i < length; i++) {
        next[i] = (words[i] + 1) % radix;
        step_sink_emit(sink, &(struct step){.words = next, .length = length, .fairness = i});
        next[i] = words[i];
    }
}

static void counters_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    const uint32_t zero[16] = {0};
    step_sink_emit(sink, &(struct step){.words = zero, .length = model->length_most});
}

/* P unless all counters are 2. */
static uint64_t counters_atoms(const struct model *model, void *worker, const uint32_t *words,
                               uint32_t length)
{
    (void)model;
    (void)worker;
    for (uint32_t i = 0; i < length; i++) {
        if (words[i] != 2)
            return P;
    }
    return 0;
}

static struct model counters_model(const uint32_t *radix, uint32_t length,
                                   const struct property *properties, uint32_t count)
{
    return (struct model){.name = "counters",
                          .context = radix,
                          .length_least = length,
                          .length_most = length,
                          .actions = actions,
                          .action_count = 1,
                          .fairness_class_count = length,
                          .properties = properties,
                          .property_count = count,
                          .initial = counters_initial,
                          .expand = counters_expand,
                          .atoms = counters_atoms};
}

static void counts_are_exact(void **state)
{
    (void)state;
    static const struct {
        uint32_t length, radix, states;
    } cases[] = {{1, 7, 7}, {2, 9, 81}, {3, 10, 1000}, {4, 5, 625}, {5, 6, 7776}, {9, 3, 19683}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct model model = counters_model(&cases[i].radix, cases[i].length, NULL, 0);
        struct memory memory;
        memory_init(&memory, SIZE_MAX);
        const struct explore_options options = options_for(1, false);
        struct exploration *result = explore_run(&model, &options, &memory);
        assert_true(result->complete);
        assert_int_equal(result->verdict, VERDICT_HOLDS);
        assert_int_equal(result->statistics.states, cases[i].states);
        assert_int_equal(result->statistics.states_expanded, cases[i].states);
        assert_int_equal(result->statistics.transitions, cases[i].states * cases[i].length);
        assert_int_equal(result->statistics.depth, cases[i].length * (cases[i].radix - 1));
        explore_free(result);
        assert_int_equal(memory.used_bytes, 0);
    }
}

static void the_first_shortest_path_is_given(void **state)
{
    (void)state;
    const uint32_t radix = 5;
    const struct property property = {.name = "p", .kind = PROPERTY_INVARIANT, .p = {.all = P}};
    const struct model model = counters_model(&radix, 4, &property, 1);
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    const struct explore_options options = options_for(1, false);
    struct exploration *result = explore_run(&model, &options, &memory);
    const struct run_path *path = &result->properties[0].path;
    assert_int_equal(result->verdict, VERDICT_VIOLATED);
    assert_int_equal(path->step_count, 8);
    /* Every order of the eight steps is as short; this one is the first. */
    static const uint32_t first[] = {0, 0, 1, 1, 2, 2, 3, 3};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(path->steps[i].index, first[i]);
    assert_int_equal(result->statistics.depth, 8);
    explore_free(result);
}

static void deadlocks_and_bad_steps(void **state)
{
    (void)state;
    const struct graph_edge edges[] = {{0, 1, FAIRNESS_NONE, 0},
                                       {0, 2, FAIRNESS_NONE, 0},
                                       {2, 3, FAIRNESS_NONE, 0},
                                       {2, 0, FAIRNESS_NONE, MARK}};
    const uint64_t atoms[] = {0, P, 0, 0};
    const struct graph graph = {edges, 4, atoms};
    const struct property properties[] = {
        {.name = "deadlock", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "step", .kind = PROPERTY_STEP_INVARIANT, .marks = MARK},
        {.name = "reachable", .kind = PROPERTY_REACHABLE, .p = {.all = 2}}};
    struct model model = graph_model(&graph, 0, properties, 3);
    model.end_atoms = P;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    const struct explore_options options = options_for(1, true);
    struct exploration *result = explore_run(&model, &options, &memory);
    assert_int_equal(result->properties[0].verdict, VERDICT_VIOLATED);
    assert_int_equal(result->properties[0].path.step_count, 2); /* state 3, not the end 1 */
    assert_int_equal(result->properties[0].path.words[2], 3);
    assert_int_equal(result->properties[1].verdict, VERDICT_VIOLATED);
    assert_int_equal(result->properties[1].path.step_count, 2);
    assert_int_equal(result->properties[1].path.steps[1].index, 1);
    assert_int_equal(result->properties[2].verdict, VERDICT_VIOLATED);
    assert_false(result->properties[2].has_path);
    explore_free(result);
    assert_int_equal(memory.used_bytes, 0);
}

static void limits_end_in_undecided(void **state)
{
    (void)state;
    const uint32_t radix = 10;
    const struct property property = {.name = "p", .kind = PROPERTY_INVARIANT};
    const struct model model = counters_model(&radix, 6, &property, 1);
    atomic_bool raised;
    atomic_init(&raised, true);
    struct {
        const char *name;
        struct explore_options options;
        size_t memory_bytes;
        enum explore_reason reason;
    } cases[] = {
        {"states", options_for(1, false), SIZE_MAX, EXPLORE_STATES},
        {"states, two threads", options_for(2, false), SIZE_MAX, EXPLORE_STATES},
        {"depth", options_for(1, false), SIZE_MAX, EXPLORE_DEPTH},
        {"memory", options_for(1, false), 3 << 20, EXPLORE_MEMORY},
        {"memory, two threads", options_for(2, false), 5 << 20, EXPLORE_MEMORY},
        {"interrupt", options_for(1, false), SIZE_MAX, EXPLORE_INTERRUPTED},
        {"time", options_for(1, false), SIZE_MAX, EXPLORE_TIME},
    };
    cases[0].options.states_most = cases[1].options.states_most = 20000;
    cases[2].options.depth_most = 9;
    cases[5].options.interrupted = &raised;
    cases[6].options.time_most_ms = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct memory memory;
        memory_init(&memory, cases[i].memory_bytes);
        struct exploration *result = explore_run(&model, &cases[i].options, &memory);
        if (result->verdict != VERDICT_UNDECIDED || result->reason != cases[i].reason ||
            result->properties[0].reason != cases[i].reason || result->complete)
            fail_msg("%s: %s because %s", cases[i].name, verdict_name(result->verdict),
                     explore_reason_text(result->reason));
        if (i <= 1)
            assert_int_equal(result->statistics.states, 20001);
        if (i == 2)
            assert_int_equal(result->statistics.depth, 9);
        if (i == 3 || i == 4)
            assert_in_range(memory.peak_bytes, memory.limit_bytes / 2, memory.limit_bytes);
        explore_free(result);
        assert_int_equal(memory.used_bytes, 0);
    }
}

/* Fails the n-th allocation and all after it, for every n until none fails. */
static void fail_everywhere(const struct model *model, const struct explore_options *options)
{
    struct memory plenty, memory;
    memory_init(&plenty, SIZE_MAX);
    struct exploration *whole = explore_run(model, options, &plenty);
    const uint64_t calls = plenty.calls;
    for (uint64_t call = 1; call <= calls; call++) {
        memory_init(&memory, SIZE_MAX);
        memory.fail_at_call = call;
        struct exploration *result = explore_run(model, options, &memory);
        for (uint32_t i = 0; result && i < result->property_count; i++) {
            const struct property_result *property = &result->properties[i];
            if (property->verdict == VERDICT_UNDECIDED)
                assert_int_not_equal(property->reason, EXPLORE_DECIDED);
            else
                assert_int_equal(property->verdict, whole->properties[i].verdict);
        }
        explore_free(result);
        assert_int_equal(memory.used_bytes, 0);
    }
    explore_free(whole);
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    const struct random_graph graph = {
        .size = 400, .degree = 3, .rare = 60, .seed = 77, .words_most = 9};
    const struct model model = random_model(&graph, every_kind, EVERY_KIND);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct explore_options options = options_for(threads, threads == 1);
        options.lasso_effort_most = 1000;
        options.parallel_from = 16;
        fail_everywhere(&model, &options);
    }
}

static void firings_are_counted(void **state)
{
    (void)state;
    const uint32_t radix = 3;
    struct model model = counters_model(&radix, 2, NULL, 0);
    model.action_count = 3;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    const struct explore_options options = options_for(1, false);
    struct exploration *result = explore_run(&model, &options, &memory);
    assert_int_equal(result->action_fired[0], 18);
    assert_int_equal(result->action_fired[2], 0);
    assert_int_equal(result->statistics.states, 9);
    explore_free(result);
    assert_int_equal(memory.used_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_exact),
        cmocka_unit_test(the_first_shortest_path_is_given),
        cmocka_unit_test(deadlocks_and_bad_steps),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(phases_add_up),
        cmocka_unit_test(limits_end_in_undecided),
        cmocka_unit_test(memory_may_fail_anywhere),
        cmocka_unit_test(firings_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
