/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded decision of LimitRanger of v1.26 about a pod is decided alike. Records that the
 * API server would not store (a limit for one type twice, requests above limits in the pod as it
 * was sent) are refused when they are read, and not compared. */
#include "decide/conformance.h"
#include "decide/scenario.h"
#include "object/limit_ranger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct count {
    uint32_t compared;
    uint32_t refused;
    uint32_t unreadable;
};

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void assert_messages(const struct value *recorded, limit_messages *found, const char *id)
{
    if (found->count > 0)
        qsort(found->items, found->count, sizeof(*found->items), compare_texts);
    if ((recorded ? recorded->count : 0) != found->count)
        fail_msg("%s: %u messages, recorded %u", id, found->count, recorded ? recorded->count : 0);
    for (uint32_t i = 0; i < found->count; i++)
        assert_string_equal(recorded->items[i].text, found->items[i]);
}

static void assert_list(const struct value *recorded, const struct resource_list *found)
{
    assert_int_equal(recorded ? recorded->count : 0, found->count);
    for (uint32_t i = 0; i < found->count; i++) {
        struct quantity expected;
        const struct value *text = value_find(recorded, found->items[i].name);
        assert_non_null(text);
        assert_true(quantity_parse(text->text, &expected, NULL));
        assert_int_equal(quantity_compare(expected, found->items[i].quantity), 0);
    }
}

static void assert_containers(const struct value *recorded, const struct pod_spec *spec)
{
    for (uint32_t i = 0; i < recorded->count; i++) {
        const struct container *container = i < spec->container_count
                                                ? &spec->containers[i]
                                                : &spec->init_containers[i - spec->container_count];
        const struct value *resources = value_find(&recorded->items[i], "resources");
        assert_list(value_find(resources, "limits"), &container->resources.limits);
        assert_list(value_find(resources, "requests"), &container->resources.requests);
    }
}

static void compare(void *context, struct arena *arena, const struct value *record)
{
    struct count *count = context;
    struct problems problems;
    struct objects objects = {0};
    if (strcmp(value_find(record, "family")->text, "limitrange") != 0)
        return;
    problems_init(&problems, arena);
    if (!scenario_read_objects(arena, value_find(record, "objects"), &objects, &problems)) {
        count->unreadable++;
        return;
    }
    const struct limit_range *range =
        scenario_only(&objects, OBJECT_LIMIT_RANGE, &problems)->as.limit_range;
    struct pod_spec *spec = &scenario_only(&objects, OBJECT_POD, &problems)->as.pod->spec;
    const struct value *result = value_find(record, "result");
    const char *id = value_find(record, "id")->text;
    limit_messages refused = {0};
    limit_messages invalid = {0};
    limit_range_complete(arena, range, spec);
    limit_range_judge(arena, range, spec, &refused);
    pod_requests_judge(arena, spec, &invalid);
    assert_containers(value_find(result, "containers"), spec);
    assert_messages(value_find(result, "refused"), &refused, id);
    assert_messages(value_find(result, "invalid"), &invalid, id);
    count->compared++;
    count->refused += refused.count > 0;
}

static void test_recorded_pods(void **state)
{
    (void)state;
    struct count count = {0};
    conformance_each("quota-cronjob-v1.26-open.jsonl.gz", compare, &count);
    print_message("%u compared, %u of them refused, %u unreadable\n", count.compared, count.refused,
                  count.unreadable);
    assert_int_equal(count.compared + count.unreadable, 240);
    assert_int_equal(count.compared, 99);
    assert_true(count.refused > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_pods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
