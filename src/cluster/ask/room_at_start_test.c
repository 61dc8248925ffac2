/* SPDX-License-Identifier: Apache-2.0 */
/* The room that pods of a dump hold, added up by hand. */
#include "cluster/ask/room_at_start.h"
#include "cluster/ask/room_held.h"
#include "cluster/observed_fixture.h"

/* web has two pods on n1, one on n2 and one on n3, db one on n2; nobody looks after another one on
 * n3. */
/* Laid out by hand: it does not come to an end with these. */
/* clang-format off */
#define DUMP                                                                                 \
    OBSERVED("")                                                                             \
    NODE("n1", "a")                                                                          \
    NODE("n2", "b")                                                                          \
    NODE("n3", "b")                                                                          \
    SET("web", "4", "cpu: 300m")                                                             \
    SET("db", "1", "cpu: 700m, memory: 1Mi")                                                 \
    POD("web-1", "web", "n1", "cpu: 300m")                                                   \
    POD("web-2", "web", "n1", "cpu: 300m")                                                   \
    POD("web-3", "web", "n2", "cpu: 300m") POD("db-1", "db", "n2", "cpu: 700m, memory: 1Mi") \
        POD("web-4", "web", "n3", "cpu: 300m") BARE("bare", "n3", "cpu: 900m")
/* clang-format on */

static void the_fullest_node_of_each_group_counts(void **state)
{
    static const struct {
        bool stays[2];
        int64_t cpu[2]; /* by group */
        int64_t pods[2];
        int64_t memory; /* in group b */
    } cases[] = {
        {{false, false}, {0, 0}, {0, 0}, 0},
        {{true, false}, {600, 300}, {2, 1}, 0},
        {{false, true}, {0, 700}, {0, 1}, INT64_C(1024) * 1024},
        {{true, true}, {600, 1000}, {2, 2}, INT64_C(1024) * 1024},
    };
    const uint32_t of[] = {0, 1};
    const struct population_options options = {.features = features_of_version(26)};
    struct fixture fixture;
    struct room_at_start at_start;
    (void)state;
    assert_true(fixture_load(&fixture, DUMP));
    assert_int_equal(fixture.scope.group_count, 2);
    struct population *population = fixture_population(&fixture, &options);
    room_at_start_find(&fixture.arena, population, of, 2, &at_start);
    assert_int_equal(at_start.node_count, 3);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct room *most = room_of_staying(&fixture.arena, &at_start, cases[i].stays, 2);
        for (uint32_t g = 0; g < 2; g++) {
            assert_int_equal(most[g].amounts[ROOM_CPU], cases[i].cpu[g]);
            assert_int_equal(most[g].amounts[ROOM_PODS], cases[i].pods[g]);
        }
        assert_int_equal(most[1].amounts[ROOM_MEMORY], cases[i].memory);
        /* Scores count 200 MiB for pods of web. */
        assert_int_equal(most[0].amounts[ROOM_SCORED_CPU], cases[i].cpu[0]);
        assert_int_equal(most[0].amounts[ROOM_SCORED_MEMORY], cases[i].pods[0] * 200 * 1024 * 1024);
    }
    population_free(population);
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fullest_node_of_each_group_counts),
    };
    return cmocka_run_group_tests_name("room_at_start", tests, NULL, NULL);
}
