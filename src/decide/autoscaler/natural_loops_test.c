/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the real autoscaler's loops came out in orders that were drawn at random, where nobody else
 * changes the cluster: every outcome of each loop is one that is drawn here, too. An outcome has
 * groups in place of nodes: one with a dozen named nodes is one of thousands.
 */
#include "decide/autoscaler/natural_outcomes.h"
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS_MOST = 3000, OUTCOMES_MOST = 512 };

/* "g1-n03" becomes "g1". */
static char *without_nodes(struct arena *arena, const char *outcome)
{
    char *folded = arena_strdup(arena, outcome);
    char *end = folded;
    for (const char *next = outcome; *next; next++) {
        if (*next == '-')
            next += strcspn(next, "\"");
        *end++ = *next;
    }
    *end = '\0';
    return folded;
}

static char *recorded_text(struct arena *arena, const struct value *outcome)
{
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    value_write_json(&json, NULL, outcome);
    char *folded = without_nodes(arena, text_content(&text));
    text_release(&text);
    return folded;
}

struct count {
    uint32_t scenarios, alone, loops, outcomes, missing;
};

/* The recorded outcomes of a loop that were not drawn yet. */
struct wanted {
    char *items[OUTCOMES_MOST];
    uint32_t count;
};

static void want(struct arena *arena, const struct value *loop, struct wanted *wanted,
                 struct count *count)
{
    const struct value *sets = value_find(value_find(loop, "natural"), "sets");
    wanted->count = 0;
    if (!sets || sets->count < 2)
        return;
    VALUE_EACH_ITEM(sets, set)
    {
        assert_true(wanted->count < OUTCOMES_MOST);
        wanted->items[wanted->count++] = recorded_text(arena, value_find(set, "outcome"));
    }
    count->loops++;
    count->outcomes += wanted->count;
}

static void found(struct arena *arena, const char *outcome, struct wanted *wanted)
{
    const char *folded = without_nodes(arena, outcome);
    for (uint32_t i = wanted->count; i > 0; i--)
        if (strcmp(wanted->items[i - 1], folded) == 0)
            wanted->items[i - 1] = wanted->items[--wanted->count];
}

static void check_record(void *context, struct arena *arena, const struct value *record)
{
    struct count *count = context;
    const struct value *loops = value_find(record, "loops");
    struct wanted *wanted = ARENA_ARRAY(arena, struct wanted, loops->count);
    const char **outcomes = ARENA_ARRAY(arena, const char *, loops->count);
    const struct features features = features_of_version(26);
    struct natural_scenario scenario;
    struct problems problems;
    uint32_t left = 0;
    problems_init(&problems, arena);
    if (!value_find(&loops->items[0], "natural"))
        return;
    natural_scenario_init(&scenario, arena, record, &features);
    count->scenarios++;
    count->alone += scenario.alone;
    for (uint32_t i = 0; i < loops->count; i++) {
        want(arena, &loops->items[i], &wanted[i], count);
        left += wanted[i].count;
    }
    for (uint64_t run = 1; left > 0 && run <= RUNS_MOST; run++) {
        const struct arena_mark mark = arena_mark(arena);
        assert_true(natural_outcomes_draw(arena, &scenario, run << 32, outcomes, &problems));
        left = 0;
        for (uint32_t i = 0; i < loops->count; i++) {
            found(arena, outcomes[i], &wanted[i]);
            left += wanted[i].count;
        }
        arena_rewind(arena, mark);
    }
    count->missing += left;
    for (uint32_t i = 0; i < loops->count; i++)
        for (uint32_t k = 0; k < wanted[i].count; k++)
            printf("%s, loop %u: never %s\n", value_find_string(record, "id"), i,
                   wanted[i].items[k]);
}

static void recorded_outcomes_are_drawn(void **state)
{
    struct count count = {0};
    (void)state;
    conformance_each("clusterautoscaler-v1.26-open.jsonl.gz", check_record, &count);
    printf("%u scenarios, %u of the autoscaler alone; %u loops, %u outcomes, %u not drawn\n",
           count.scenarios, count.alone, count.loops, count.outcomes, count.missing);
    assert_int_equal(count.scenarios, 1466);
    assert_int_equal(count.alone, 1466);
    assert_int_equal(count.loops, 783);
    assert_int_equal(count.missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_outcomes_are_drawn),
    };
    return cmocka_run_group_tests_name("natural loops", tests, NULL, NULL);
}
