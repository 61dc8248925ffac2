/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded loop of the autoscaler 1.26.8 is decided alike, with all that it remembers. */
#include "decide/conformance.h"
#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { PRINTED_MOST = 5 };

struct run {
    bool reversed; /* objects and groups are given from the last to the first */
    struct manifest_reader *reader;
    struct text answer;
    uint32_t scenarios, loops, wrong;
};

/* The answer to a record as a tree; NULL if the record is refused. */
static const struct value *answer(struct run *run, struct arena *arena, const struct value *record)
{
    const struct place start = {"answer", 1, 1};
    const struct features features = features_of_version(26);
    struct problems problems;
    struct json_out json;
    problems_init(&problems, arena);
    text_reset(&run->answer);
    json_out_init(&json, &run->answer, 0);
    json_object_begin(&json, NULL);
    if (!decider_clusterautoscaler.decide_scenario(arena, record, &features, &json, &problems)) {
        for (uint32_t i = 0; i < problems.count; i++)
            printf("  %s\n", problem_format(arena, &problems.items[i]));
        return NULL;
    }
    json_object_end(&json);
    const struct document *document = manifest_reader_parse_json(
        run->reader, arena, start, text_content(&run->answer), run->answer.length, &problems);
    return document ? value_find(&document->root, "loops") : NULL;
}

static void complain(struct run *run, const struct value *record, const struct value *loop)
{
    const char *at = loop ? value_find(loop, "at")->text : "no loop";
    if (run->wrong++ < PRINTED_MOST)
        printf("%s at %s differs\n  found %s\n", value_find_string(record, "id"), at,
               text_content(&run->answer));
}

static struct value reverse(struct arena *arena, const struct value *list)
{
    struct value reversed = *list;
    struct value *items = ARENA_ARRAY(arena, struct value, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++)
        items[i] = list->items[list->count - 1 - i];
    reversed.items = items;
    return reversed;
}

static const struct value *reverse_record(struct arena *arena, const struct value *record)
{
    struct value *reversed = arena_copy(arena, record, sizeof(*record));
    struct member *members = arena_copy(arena, record->members, record->count * sizeof(*members));
    for (uint32_t i = 0; i < record->count; i++)
        if (strcmp(members[i].key, "objects") == 0 || strcmp(members[i].key, "groups") == 0)
            members[i].value = reverse(arena, &members[i].value);
    reversed->members = members;
    return reversed;
}

static void check_record(void *context, struct arena *arena, const struct value *record)
{
    struct run *run = context;
    const struct value *loops = value_find(record, "loops");
    const struct value *found =
        answer(run, arena, run->reversed ? reverse_record(arena, record) : record);
    run->scenarios++;
    run->loops += loops->count;
    if (!found || found->count != loops->count) {
        complain(run, record, NULL);
        return;
    }
    for (uint32_t i = 0; i < loops->count; i++)
        if (!conformance_equal(value_find(&loops->items[i], "result"),
                               value_find(&found->items[i], "result"))) {
            complain(run, record, &loops->items[i]);
            return;
        }
}

static void check_all(bool reversed)
{
    struct memory memory;
    struct run run = {.reversed = reversed};
    memory_init(&memory, SIZE_MAX);
    run.reader = manifest_reader_create(&memory);
    text_init(&run.answer, &memory);
    conformance_each("clusterautoscaler-v1.26-open.jsonl.gz", check_record, &run);
    printf("%u scenarios, %u loops, %u wrong\n", run.scenarios, run.loops, run.wrong);
    text_release(&run.answer);
    manifest_reader_free(run.reader);
    assert_int_equal(run.scenarios, 1651);
    assert_int_equal(run.loops, 5144);
    assert_int_equal(run.wrong, 0);
}

static void recorded_loops(void **state)
{
    (void)state;
    check_all(false);
}

static void the_order_of_objects_and_groups_decides_nothing(void **state)
{
    (void)state;
    check_all(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_loops),
        cmocka_unit_test(the_order_of_objects_and_groups_decides_nothing),
    };
    return cmocka_run_group_tests_name("autoscaler conformance", tests, NULL, NULL);
}
