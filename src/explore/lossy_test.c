/* SPDX-License-Identifier: Apache-2.0 */
/* The modes that do not store states: they find what the exact search finds, by
 * the same path, and never claim more than they know. */
#include "explore/explore.h"
#include "explore/fingerprints.h"
#include "explore/random_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct property properties[] = {
    {.name = "invariant", .kind = PROPERTY_INVARIANT, .p = {.all = RANDOM_P}},
    {.name = "step", .kind = PROPERTY_STEP_INVARIANT, .marks = RANDOM_MARK},
    {.name = "reachable", .kind = PROPERTY_REACHABLE, .p = {.none = RANDOM_P}},
    {.name = "deadlock", .kind = PROPERTY_DEADLOCK_FREE},
    {.name = "nowhere", .kind = PROPERTY_REACHABLE, .p = {.all = 2}},
    {.name = "stays", .kind = PROPERTY_EVENTUALLY_ALWAYS, .p = {.all = RANDOM_P}},
};
enum { PROPERTIES = sizeof(properties) / sizeof(*properties), DEADLOCK = 3, NOWHERE, STAYS };

static void finds_the_same_by_the_same_path(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const struct random_graph graph = {
            .size = 20000, .degree = 3, .rare = 3000, .seed = seed << 32, .words_most = 13};
        const struct model model = random_model(&graph, properties, PROPERTIES);
        struct explore_options options;
        explore_options_init(&options);
        options.all = true;
        options.bitstate_bytes = 1 << 20;
        options.lasso_effort_most = 0;
        struct exploration *exact = explore_run(&model, &options, &memory);
        options.mode = seed % 2 == 0 ? EXPLORE_HASH_COMPACT : EXPLORE_BITSTATE;
        struct exploration *lossy = explore_run(&model, &options, &memory);
        if (options.mode == EXPLORE_HASH_COMPACT) {
            assert_int_equal(exact->statistics.states, lossy->statistics.states);
            assert_int_equal(exact->statistics.transitions, lossy->statistics.transitions);
        }
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(exact->properties[i].verdict, lossy->properties[i].verdict);
            assert_true(same_paths(&exact->properties[i].path, &lossy->properties[i].path));
        }
        assert_int_equal(lossy->properties[DEADLOCK].verdict, VERDICT_HOLDS_PROBABLY);
        assert_int_equal(lossy->properties[NOWHERE].verdict, VERDICT_UNDECIDED);
        assert_int_equal(lossy->properties[NOWHERE].reason, EXPLORE_OMISSION);
        assert_int_equal(lossy->properties[STAYS].reason, EXPLORE_UNSUPPORTED);
        assert_true(lossy->omission_probability > 0 && lossy->omission_probability < 1);
        explore_free(lossy);
        explore_free(exact);
    }
    assert_int_equal(memory.used_bytes, 0);
}

/* In a small field about as many states are left out as is foretold. */
static void a_small_field_foretells_its_omissions(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct fingerprints set;
    assert_true(fingerprints_init_bits(&set, &memory, 8192, 2));
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 10000; i++)
        seen += fingerprints_add(&set, &i, 1) == FINGERPRINT_SEEN;
    assert_in_range(seen, set.omissions_expected * 0.8, set.omissions_expected * 1.2);
    assert_true(fingerprints_omission(&set) > 0.99);
    fingerprints_release(&set);
    assert_int_equal(memory.used_bytes, 0);
}

static void a_compact_table_keeps_what_it_has_while_growing(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct fingerprints set;
    assert_true(fingerprints_init_compact(&set, &memory));
    for (uint32_t i = 0; i < 300000; i++)
        assert_int_equal(fingerprints_add(&set, &i, 1), FINGERPRINT_NEW);
    for (uint32_t i = 0; i < 300000; i++)
        assert_int_equal(fingerprints_add(&set, &i, 1), FINGERPRINT_SEEN);
    assert_true(fingerprints_omission(&set) < 1e-8);
    fingerprints_release(&set);
    assert_int_equal(memory.used_bytes, 0);
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    const struct random_graph graph = {
        .size = 400, .degree = 3, .rare = 60, .seed = 5, .words_most = 9};
    const struct model model = random_model(&graph, properties, PROPERTIES);
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    options.mode = EXPLORE_HASH_COMPACT;
    for (uint64_t call = 1;; call++) {
        struct memory memory;
        memory_init(&memory, SIZE_MAX);
        memory.fail_at_call = call;
        struct exploration *result = explore_run(&model, &options, &memory);
        const bool failed = memory.calls >= call;
        explore_free(result);
        assert_int_equal(memory.used_bytes, 0);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_same_by_the_same_path),
        cmocka_unit_test(a_small_field_foretells_its_omissions),
        cmocka_unit_test(a_compact_table_keeps_what_it_has_while_growing),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
