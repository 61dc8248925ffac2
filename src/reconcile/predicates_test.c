/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on objects: which objects a pattern means, what matches, what is broken. */
#include "reconcile/predicates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    const struct datum *objects[4];
    struct object_list store;
};

static const struct datum *json(struct fixture *fixture, const char *text)
{
    return datum_read(&fixture->arena, DATUM_TAGGED, (struct place){.file = "test"}, text,
                      strlen(text), &fixture->problems);
}

static int setup(void **state)
{
    static struct fixture fixture;
    memory_init(&fixture.memory, SIZE_MAX);
    arena_init(&fixture.arena, &fixture.memory);
    problems_init(&fixture.problems, &fixture.arena);
    fixture.objects[0] = json(&fixture, "{\"kind\":\"Cluster\",\"metadata\":{\"name\":\"a\","
                                        "\"namespace\":\"shop\"},\"spec\":{\"size\":3}}");
    fixture.objects[1] = json(&fixture, "{\"kind\":\"StatefulSet\",\"metadata\":{\"name\":\"a-db\","
                                        "\"namespace\":\"shop\"},\"spec\":{\"replicas\":3,"
                                        "\"ports\":[{\"port\":80}],\"of-a\":3}}");
    fixture.store = (struct object_list){.items = fixture.objects, .count = 2};
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    arena_release(&fixture->arena);
    return 0;
}

static const struct object_pattern set = {
    .kind = "StatefulSet", .name_space = "{namespace}", .name = "{name}-db"};
static const struct object_pattern self = {.self = true};

static bool matches(struct fixture *fixture, const struct match_rule *rule)
{
    return match_rules_hold(&(struct match_rules){.items = rule, .count = 1}, &fixture->store,
                            fixture->objects[0]);
}

static void objects_match_by_their_fields(void **state)
{
    struct fixture *fixture = *state;
    const struct field_rule from_resource = {.path = "spec.replicas", .resource_path = "spec.size"};
    const struct field_rule two = {.path = "spec.replicas",
                                   .value = datum_integer(&fixture->arena, 2)};
    const char *replicas = "spec.replicas";
    const char *other = "spec.other";
    const struct object_pattern missing = {
        .kind = "StatefulSet", .name_space = "default", .name = "{name}-db"};
    assert_true(matches(fixture, &(struct match_rule){.object = set}));
    assert_false(matches(fixture, &(struct match_rule){.object = missing}));
    assert_false(matches(fixture, &(struct match_rule){.object = set, .absent = true}));
    assert_true(matches(fixture, &(struct match_rule){.object = missing, .absent = true}));
    assert_true(matches(
        fixture, &(struct match_rule){.object = set, .fields = &from_resource, .field_count = 1}));
    assert_false(
        matches(fixture, &(struct match_rule){.object = set, .fields = &two, .field_count = 1}));
    assert_true(matches(
        fixture, &(struct match_rule){.object = set, .absent_fields = &other, .absent_count = 1}));
    assert_false(matches(
        fixture,
        &(struct match_rule){.object = set, .absent_fields = &replicas, .absent_count = 1}));
    assert_true(matches(fixture, &(struct match_rule){.object = self}));
    const struct field_rule named = {.path = "spec.of-{name}", .resource_path = "spec.size"};
    assert_true(
        matches(fixture, &(struct match_rule){.object = set, .fields = &named, .field_count = 1}));
}

static bool broken(struct fixture *fixture, const struct object_condition *never, uint32_t count)
{
    const struct object_key resource = {"Cluster", "shop", "a"};
    const struct safety_rule rule = {.name = "rule", .never = never, .count = count};
    return safety_rules_broken(&(struct safety_rules){.items = &rule, .count = 1}, &fixture->store,
                               &resource, 1) == 1;
}

static void conditions_compare(void **state)
{
    struct fixture *fixture = *state;
    const struct datum *three = datum_integer(&fixture->arena, 3);
    const struct datum *four = datum_integer(&fixture->arena, 4);
    const char *path = "spec.replicas";
    const struct {
        struct object_condition condition;
        bool holds;
    } cases[] = {
        {{set, NULL, COMPARE_EXISTS, NULL, NULL}, true},
        {{set, NULL, COMPARE_ABSENT, NULL, NULL}, false},
        {{set, path, COMPARE_EXISTS, NULL, NULL}, true},
        {{set, "spec.other", COMPARE_EXISTS, NULL, NULL}, false},
        {{set, "spec.other", COMPARE_ABSENT, NULL, NULL}, true},
        {{set, path, COMPARE_EQUALS, three, NULL}, true},
        {{set, path, COMPARE_DIFFERS, three, NULL}, false},
        {{set, path, COMPARE_LESS, four, NULL}, true},
        {{set, path, COMPARE_LESS, three, NULL}, false},
        {{set, path, COMPARE_GREATER, three, NULL}, false},
        {{set, "spec.other", COMPARE_LESS, three, NULL}, true}, /* absent is 0 */
        {{set, path, COMPARE_EQUALS, NULL, "spec.size"}, true},
        {{self, "spec.size", COMPARE_LESS, four, NULL}, true},
        {{set, "spec.ports[0].port", COMPARE_GREATER, four, NULL}, true},
        {{set, "spec.ports.0.port", COMPARE_GREATER, four, NULL}, true},
        {{set, "spec.ports.1.port", COMPARE_EXISTS, NULL, NULL}, false},
        {{set, "spec.of-{name}", COMPARE_EQUALS, three, NULL}, true},
        {{set, "spec.of-{namespace}", COMPARE_EXISTS, NULL, NULL}, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(broken(fixture, &cases[i].condition, 1), cases[i].holds);
    /* All have to hold at once; of an object that is not there, all fields are absent. */
    const struct object_condition both[] = {cases[5].condition, cases[8].condition};
    assert_false(broken(fixture, both, 2));
    fixture->store.count = 1;
    assert_true(broken(fixture, &cases[1].condition, 1));
    assert_false(broken(fixture, &cases[2].condition, 1));
    assert_true(broken(fixture, &cases[4].condition, 1));
    assert_false(broken(fixture, &cases[5].condition, 1));
    assert_true(broken(fixture, &cases[6].condition, 1));
    assert_true(broken(fixture, &cases[8].condition, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(objects_match_by_their_fields, setup, teardown),
        cmocka_unit_test_setup_teardown(conditions_compare, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
