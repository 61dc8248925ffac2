/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the real autoscaler's first loops came out in orders that were drawn at random: every outcome
 * is one that is drawn here, too. Nodes of one group that differ in nothing stand for each other.
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

enum { RUNS_MOST = 3000, OUTCOMES_MOST = 64 };

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
    uint32_t scenarios, outcomes, missing;
};

static void check_record(void *context, struct arena *arena, const struct value *record)
{
    struct count *count = context;
    const struct value *loop = &value_find(record, "loops")->items[0];
    const struct value *sets = value_find(value_find(loop, "natural"), "sets");
    char *wanted[OUTCOMES_MOST];
    uint32_t left = 0;
    struct problems problems;
    const struct features recorded = features_of_version(26);
    problems_init(&problems, arena);
    if (!sets || sets->count < 2)
        return;
    VALUE_EACH_ITEM(sets, set)
    {
        if (left < OUTCOMES_MOST)
            wanted[left++] = recorded_text(arena, value_find(set, "outcome"));
    }
    count->scenarios++;
    count->outcomes += left;
    for (uint64_t run = 1; left > 0 && run <= RUNS_MOST; run++) {
        const struct arena_mark mark = arena_mark(arena);
        const char *found = without_nodes(
            arena, natural_outcome(arena, record, &recorded, 0, run << 32, &problems));
        for (uint32_t i = left; i > 0; i--)
            if (strcmp(wanted[i - 1], found) == 0)
                wanted[i - 1] = wanted[--left];
        arena_rewind(arena, mark);
    }
    count->missing += left;
    for (uint32_t i = 0; i < left; i++)
        printf("%s is never %s\n", value_find_string(record, "id"), wanted[i]);
}

static void recorded_outcomes_are_drawn(void **state)
{
    struct count count = {0};
    (void)state;
    conformance_each("clusterautoscaler-v1.26-open.jsonl.gz", check_record, &count);
    printf("%u scenarios, %u outcomes, %u not drawn\n", count.scenarios, count.outcomes,
           count.missing);
    assert_int_equal(count.scenarios, 301);
    assert_int_equal(count.missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_outcomes_are_drawn),
    };
    return cmocka_run_group_tests_name("natural loops", tests, NULL, NULL);
}
