/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One, two and four threads give the same result in every detail: counts,
 * verdicts, and each path state by state. The models have levels wide enough to
 * be shared out, tables that grow meanwhile, violations that several threads
 * meet at once, and loops of which only one is reported.
 */
#include "explore/zoo/zoo_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const wide_models[] = {
    "philosophers n=11",
    "philosophers n=10 polite=1",
    "token_ring n=10",
    "peterson n=4",
    "broken_mutex n=8",
    "alternating_bit capacity=6 values=5",
    "leader_election n=8",
    "bounded_buffer producers=3 consumers=3 capacity=4 values=2",
    "queens n=9",
    "stabilising_ring n=6 values=4",
    "stabilising_ring n=7 values=3",
    "scramble n=50000 words=10",
};

static void compare_paths(const char *line, const struct property_result *a,
                          const struct property_result *b)
{
    if (a->path.step_count != b->path.step_count || a->path.loop_from != b->path.loop_from ||
        a->path.loops != b->path.loops || a->path.loop_rests != b->path.loop_rests ||
        a->path.initial_index != b->path.initial_index)
        fail_msg("%s: %s: paths of different shape", line, a->property->name);
    for (uint32_t i = 0; i < a->path.step_count; i++)
        if (a->path.steps[i].index != b->path.steps[i].index)
            fail_msg("%s: %s: paths differ in step %u", line, a->property->name, i);
    const size_t words = a->path.offsets[a->path.step_count + 1];
    assert_int_equal(words, b->path.offsets[b->path.step_count + 1]);
    assert_memory_equal(a->path.words, b->path.words, words * sizeof(*a->path.words));
}

static void compare_results(const char *line, const struct exploration *a,
                            const struct exploration *b)
{
    if (a->statistics.states != b->statistics.states ||
        a->statistics.transitions != b->statistics.transitions ||
        a->statistics.depth != b->statistics.depth || a->verdict != b->verdict ||
        a->complete != b->complete || a->reason != b->reason)
        fail_msg("%s: different counts or verdict", line);
    for (uint32_t i = 0; i < a->action_count; i++)
        assert_int_equal(a->action_fired[i], b->action_fired[i]);
    for (uint32_t i = 0; i < a->property_count; i++) {
        assert_int_equal(a->properties[i].verdict, b->properties[i].verdict);
        assert_int_equal(a->properties[i].vacuous, b->properties[i].vacuous);
        assert_int_equal(a->properties[i].has_path, b->properties[i].has_path);
        if (a->properties[i].has_path)
            compare_paths(line, &a->properties[i], &b->properties[i]);
    }
}

static void compare_threads(const char *line, bool all, bool unfair)
{
    struct bench bench;
    bench_init(&bench);
    const struct model *plain = bench_model(&bench, line);
    assert_non_null(plain);
    struct model *model = arena_copy(&bench.arena, plain, sizeof(*plain));
    struct property *properties =
        arena_copy(&bench.arena, plain->properties, plain->property_count * sizeof(*properties));
    for (uint32_t i = 0; i < plain->property_count; i++)
        properties[i].without_fairness = unfair;
    model->properties = properties;
    struct exploration *one = NULL;
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        struct explore_options options;
        explore_options_init(&options);
        options.threads = threads;
        options.all = all;
        struct exploration *result = explore_run(model, &options, &bench.memory);
        if (one)
            compare_results(line, one, result);
        if (one)
            explore_free(result);
        else
            one = result;
    }
    explore_free(one);
    assert_int_equal(bench_release(&bench), 0);
}

static void threads_agree_when_all_is_decided(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wide_models) / sizeof(*wide_models); i++) {
        compare_threads(wide_models[i], true, false);
        compare_threads(wide_models[i], true, true);
    }
}

static void threads_agree_when_the_first_violation_ends_the_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wide_models) / sizeof(*wide_models); i++)
        compare_threads(wide_models[i], false, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_agree_when_all_is_decided),
        cmocka_unit_test(threads_agree_when_the_first_violation_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
