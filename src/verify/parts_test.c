/* SPDX-License-Identifier: Apache-2.0 */
/* What is recorded of components: what holds, how that was shown, and what is in the way. */
#include "verify/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FIRST = 1, SECOND = 2, BOTH = FIRST | SECOND };

struct recorded {
    struct memory memory;
    struct arena arena;
    struct parts parts;
};

static const struct others unknown = {.unknown = true};
static const struct others known = {.unknown = false};
static const struct others that_leave = {.leave_drained_nodes = true};

/* Three components: workloads 0 and 2, workload 1, workload 3; both intents are asked. */
static int begin(void **state)
{
    struct recorded *recorded = test_calloc(1, sizeof(*recorded));
    uint32_t of[] = {0, 1, 0, 2};
    const struct components components = {.of = of, .count = 3};
    memory_init(&recorded->memory, SIZE_MAX);
    arena_init(&recorded->arena, &recorded->memory);
    parts_begin(&recorded->parts, &recorded->arena, &components, 4);
    for (uint32_t p = 0; p < 3; p++)
        recorded->parts.items[p].asked = BOTH;
    *state = recorded;
    return 0;
}

static int end(void **state)
{
    struct recorded *recorded = *state;
    arena_release(&recorded->arena);
    test_free(recorded);
    return 0;
}

static void note(struct parts *parts, uint32_t part, const struct others *others, uint64_t holds,
                 unsigned hindered)
{
    parts_note(parts, part, others, BOTH, holds, 10, hindered, EXPLORE_DECIDED);
}

static void conclude(struct parts *parts)
{
    for (uint32_t p = 0; p < parts->count; p++)
        parts_conclude(parts, p, part_open(&parts->items[p]));
}

static void workloads_are_in_their_parts(void **state)
{
    const struct parts *parts = &((struct recorded *)*state)->parts;
    assert_ptr_equal(parts_find(parts, 0), &parts->items[0]);
    assert_ptr_equal(parts_find(parts, 2), &parts->items[0]);
    assert_ptr_equal(parts_find(parts, 3), &parts->items[2]);
    assert_null(parts_find(parts, 4));
    assert_int_equal(parts->items[0].workload_count, 2);
}

static void quotas_are_a_reason_if_they_are_not_scarce(void **state)
{
    struct parts *parts = &((struct recorded *)*state)->parts;
    const struct others scarce = {.shared_quotas = 1, .scarce_quotas = 1};
    const struct others shared = {.shared_quotas = 1};
    note(parts, 0, &scarce, FIRST, 0);
    assert_int_equal(parts->reasons, REASON_ROOM);
    note(parts, 0, &shared, SECOND, 0);
    assert_int_equal(parts->reasons, REASON_ROOM | REASON_QUOTAS);
}

static void it_is_known_how_it_was_shown(void **state)
{
    struct parts *parts = &((struct recorded *)*state)->parts;
    note(parts, 0, &unknown, FIRST, HINDERED_BY_LASTING_ROOM);
    assert_int_equal(parts->reasons, REASON_ANYTHING);
    note(parts, 0, &known, BOTH, HINDERED_BY_PASSING_ROOM);
    assert_int_equal(parts->items[0].by_itself, FIRST);
    assert_int_equal(parts->items[0].beside, SECOND);
    assert_int_equal(part_open(&parts->items[0]), 0);
    assert_int_equal(parts->items[0].states, 20);
    assert_int_equal(parts->reasons, REASON_ANYTHING | REASON_PASSING_ROOM);
    note(parts, 1, &that_leave, FIRST, 0);
    assert_true(parts->reasons & REASON_LEAVING);
    assert_false(parts->reasons & REASON_LASTING_ROOM);
    parts_note_whole(parts, BOTH, 0);
    assert_int_equal(parts->items[0].in_whole, 0);
    assert_int_equal(parts->items[1].in_whole, SECOND);
    assert_int_equal(parts->items[2].in_whole, BOTH);
}

static void what_is_undecided_in_the_whole_is_open(void **state)
{
    struct parts *parts = &((struct recorded *)*state)->parts;
    parts_note_whole(parts, BOTH, SECOND);
    assert_int_equal(part_open(&parts->items[0]), SECOND);
}

struct obstacle {
    const char *name;
    unsigned hindered;
    enum explore_reason ended_by;
    unsigned obstacles;
};

static const struct obstacle obstacles[] = {
    {"nothing", 0, EXPLORE_DECIDED, 1U << OBSTACLE_ANY_NODE},
    {"room for ever", HINDERED_BY_LASTING_ROOM | HINDERED_BY_PASSING_ROOM, EXPLORE_DECIDED,
     1U << OBSTACLE_LASTING_ROOM},
    {"room for a while", HINDERED_BY_PASSING_ROOM, EXPLORE_DECIDED, 1U << OBSTACLE_PASSING_ROOM},
    {"others that stay", HINDERED_BY_STAYING, EXPLORE_DECIDED, 1U << OBSTACLE_STAYING},
    {"others without rest", HINDERED_BY_UNREST | HINDERED_BY_LASTING_ROOM, EXPLORE_DECIDED,
     1U << OBSTACLE_UNREST | 1U << OBSTACLE_LASTING_ROOM},
    {"a limit", HINDERED_BY_LASTING_ROOM, EXPLORE_STATES, 1U << OBSTACLE_LIMIT},
};

static void it_is_known_what_is_in_the_way(void **state)
{
    struct parts *parts = &((struct recorded *)*state)->parts;
    parts->stays = 2;
    for (size_t i = 0; i < sizeof(obstacles) / sizeof(*obstacles); i++) {
        parts_note(parts, 1, &known, BOTH, 0, 10, obstacles[i].hindered, obstacles[i].ended_by);
        conclude(parts);
        if (parts->items[1].obstacles != obstacles[i].obstacles)
            fail_msg("%s: %x", obstacles[i].name, parts->items[1].obstacles);
    }
    note(parts, 1, &known, 0, HINDERED_BY_STAYING);
    conclude(parts);
    assert_int_equal(parts->items[1].culprits[OBSTACLE_STAYING], 2);
    note(parts, 1, &known, BOTH, 0);
    conclude(parts);
    assert_int_equal(parts->items[1].obstacles, 0);
}

/* Who has too many states is in its own way, and in that of all others. */
static void nothing_is_known_beside_one_that_is_not_measured(void **state)
{
    struct parts *parts = &((struct recorded *)*state)->parts;
    note(parts, 0, &unknown, 0, HINDERED_BY_LASTING_ROOM);
    parts_note(parts, 1, &unknown, BOTH, 0, 10, 0, EXPLORE_STATES);
    parts->unbounded = 1;
    conclude(parts);
    assert_int_equal(parts->items[0].obstacles, 1U << OBSTACLE_UNMEASURED);
    assert_int_equal(parts->items[0].culprits[OBSTACLE_UNMEASURED], 1);
    assert_int_equal(parts->items[1].obstacles, 1U << OBSTACLE_LIMIT);
}

/* What is open again in the end does not hold, and it is known because of whom. */
static void what_does_not_count_is_open(void **state)
{
    struct parts *parts = &((struct recorded *)*state)->parts;
    for (uint32_t p = 0; p < 3; p++)
        note(parts, p, &unknown, BOTH, 0);
    parts_blame(parts, OBSTACLE_LOOP, 2);
    for (uint32_t p = 0; p < 3; p++)
        parts_conclude(parts, p, SECOND);
    assert_int_equal(part_holds(&parts->items[0]), FIRST);
    assert_int_equal(part_open(&parts->items[0]), SECOND);
    assert_int_equal(parts->items[0].obstacles, 1U << OBSTACLE_LOOP);
    assert_int_equal(parts->items[0].culprits[OBSTACLE_LOOP], 2);
}

/* Where nothing counts because one was not measured, that is said of those that would hold, and not
 * once more of the one that has too many states. */
static void what_does_not_count_for_want_of_a_measure_is_open(void **state)
{
    struct parts *parts = &((struct recorded *)*state)->parts;
    note(parts, 0, &unknown, BOTH, 0);
    parts_note(parts, 1, &unknown, BOTH, 0, 10, 0, EXPLORE_STATES);
    parts->unbounded = 1;
    parts_blame(parts, OBSTACLE_UNMEASURED, 1);
    for (uint32_t p = 0; p < 2; p++)
        parts_conclude(parts, p, BOTH);
    assert_int_equal(part_open(&parts->items[0]), BOTH);
    assert_int_equal(parts->items[0].obstacles, 1U << OBSTACLE_UNMEASURED);
    assert_int_equal(parts->items[0].culprits[OBSTACLE_UNMEASURED], 1);
    assert_int_equal(parts->items[1].obstacles, 1U << OBSTACLE_LIMIT);
}

static void who_is_like_another_learns_from_it(void **state)
{
    struct parts *parts = &((struct recorded *)*state)->parts;
    parts->items[2].like = 1;
    note(parts, 1, &unknown, FIRST, HINDERED_BY_LASTING_ROOM);
    note(parts, 1, &known, 0, HINDERED_BY_PASSING_ROOM);
    parts_conclude(parts, 2, SECOND);
    assert_int_equal(parts->items[2].by_itself, FIRST);
    assert_int_equal(parts->items[2].obstacles, 1U << OBSTACLE_PASSING_ROOM);
    assert_int_equal(parts->items[2].states, 0);
}

static void a_violation_is_of_one_part(void **state)
{
    struct parts *parts = &((struct recorded *)*state)->parts;
    parts_note_violated(parts, 1, 3);
    parts_note_violated(parts, 0, UINT32_MAX);
    assert_int_equal(parts->items[2].violated, SECOND);
    assert_int_equal(parts->items[0].violated, 0);
    assert_int_equal(parts->violated, BOTH);
    parts_note_whole(parts, BOTH, BOTH);
    assert_int_equal(part_open(&parts->items[2]), FIRST);
}

static void a_copy_lives_by_itself(void **state)
{
    struct recorded *recorded = *state;
    struct coupled coupled = {.rule = COUPLED_BY_BUDGET, .namespace = "shop", .name = "front"};
    struct arena other;
    arena_init(&other, &recorded->memory);
    recorded->parts.couplings = &coupled;
    recorded->parts.coupling_count = 1;
    const struct parts *copy = parts_copy(&other, &recorded->parts);
    arena_release(&recorded->arena);
    arena_init(&recorded->arena, &recorded->memory);
    coupled.name = NULL;
    assert_string_equal(copy->couplings[0].name, "front");
    assert_int_equal(copy->items[0].workloads[1], 2);
    arena_release(&other);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(workloads_are_in_their_parts),
        TEST(quotas_are_a_reason_if_they_are_not_scarce),
        TEST(it_is_known_how_it_was_shown),
        TEST(what_is_undecided_in_the_whole_is_open),
        TEST(it_is_known_what_is_in_the_way),
        TEST(nothing_is_known_beside_one_that_is_not_measured),
        TEST(what_does_not_count_is_open),
        TEST(what_does_not_count_for_want_of_a_measure_is_open),
        TEST(who_is_like_another_learns_from_it),
        TEST(a_violation_is_of_one_part),
        TEST(a_copy_lives_by_itself),
    };
    return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
