/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as an expression over pods: it is refused with a reason, or evaluated within its limits,
 * and the same value comes out each time, also if pods that are alike are counted one by one. */
#include "harness.h"

#include "expression/expression.h"

#include <string.h>

/* Pods by kind. The context says whether alike ones are one element with a count. */
static const struct kind {
    const char *app;
    const char *phase;
    bool ready;
    bool placed;
    int64_t priority;
    uint64_t count;
} kinds[] = {
    {"web", "Running", true, true, 0, 3},
    {"web", "Pending", false, false, 0, 1},
    {"db", "Running", true, true, 1000, 2},
    {NULL, "Running", false, true, -1, 1},
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]), PODS = 8 };

#define READER(name)                                                          \
    static struct expression_value name(void *context, struct arena *scratch, \
                                        struct expression_object object)

READER(read_labels)
{
    struct labels *labels = ARENA_NEW(scratch, struct labels);
    (void)context;
    if (kinds[object.first].app)
        labels_set(scratch, labels, "app", kinds[object.first].app);
    return expression_of_labels(scratch, labels);
}

READER(read_phase)
{
    (void)context, (void)scratch;
    return expression_of_string(kinds[object.first].phase);
}

READER(read_ready)
{
    (void)context, (void)scratch;
    return expression_of_bool(kinds[object.first].ready);
}

READER(read_priority)
{
    (void)context, (void)scratch;
    return expression_of_int(kinds[object.first].priority);
}

READER(read_cpu)
{
    struct quantity quantity;
    (void)context;
    FUZZ_REQUIRE(quantity_parse(kinds[object.first].placed ? "500m" : "2", &quantity, NULL));
    return expression_of_quantity(scratch, quantity);
}

READER(read_node)
{
    (void)context, (void)scratch;
    return kinds[object.first].placed ? expression_of_string("node-a") : expression_absent();
}

static const struct expression_field fields[] = {
    {"labels", &expression_map_of_string, read_labels, "its labels", false},
    {"phase", &expression_string, read_phase, "its phase", false},
    {"ready", &expression_bool, read_ready, "whether it is ready", false},
    {"priority", &expression_int, read_priority, "its priority", false},
    {"cpu", &expression_quantity, read_cpu, "what it requests", false},
    {"node", &expression_string, read_node, "its node", true},
};
static const struct expression_class pod_class = {
    .name = "pod", .fields = fields, .field_count = sizeof(fields) / sizeof(fields[0])};
static const struct expression_type pod_type = {.kind = EXPRESSION_OBJECT, .class = &pod_class};
static const struct expression_type pods_type = {.kind = EXPRESSION_BAG, .element = &pod_type};

static struct expression_value read_pods(void *context, struct arena *scratch)
{
    const bool counted = *(const bool *)context;
    struct expression_value *items = ARENA_ARRAY(scratch, struct expression_value, PODS);
    uint64_t *counts = ARENA_ARRAY(scratch, uint64_t, PODS);
    uint32_t count = 0;
    for (uint32_t k = 0; k < KINDS; k++)
        for (uint64_t i = 0; i < (counted ? 1 : kinds[k].count); i++) {
            counts[count] = counted ? kinds[k].count : 1;
            items[count++] = expression_of_object(&pod_class, k, 0);
        }
    return expression_of_bag(scratch, items, counts, count);
}

static struct expression_value read_numbers(void *context, struct arena *scratch)
{
    static const uint64_t counts[] = {1, 3, UINT64_MAX};
    struct expression_value *items = ARENA_ARRAY(scratch, struct expression_value, 3);
    (void)context;
    for (uint32_t i = 0; i < 3; i++)
        items[i] = expression_of_int((int64_t)i - 1);
    return expression_of_bag(scratch, items, counts, 3);
}

static const struct expression_type numbers_type = {.kind = EXPRESSION_BAG,
                                                    .element = &expression_int};
static const struct expression_variable variables[] = {
    {"pods", &pods_type, read_pods, "some pods"},
    {"numbers", &numbers_type, read_numbers, "more numbers than can be counted"},
};
static const struct expression_environment environment = {variables, 2};

/* Only of values without elements: those of bags are told in another order. */
static bool is_plain(struct expression_value value)
{
    return value.tag == VALUE_IS_BOOL || value.tag == VALUE_IS_INT || value.tag == VALUE_IS_STRING;
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    const char *text = arena_strndup(arena, bytes, strnlen(bytes, count));
    struct expression_part parts[4];
    struct problems problems;
    bool counted = true;
    bool one_by_one = false;
    problems_init(&problems, arena);
    const struct expression *expression =
        expression_compile(arena, text, &environment, NULL, (struct place){0}, NULL, &problems);
    FUZZ_REQUIRE((expression == NULL) == (problems.errors > 0));
    if (!expression)
        return;
    const struct expression_value value = expression_evaluate(expression, &counted, arena);
    const struct expression_value again = expression_evaluate(expression, &counted, arena);
    const struct expression_value apart = expression_evaluate(expression, &one_by_one, arena);
    const char *first = expression_value_text(arena, value);
    FUZZ_REQUIRE(value.tag == VALUE_IS_ERROR ||
                 expression_type_has(expression_result_type(expression), value));
    FUZZ_REQUIRE(strcmp(first, expression_value_text(arena, again)) == 0);
    if (!expression_is_too_costly(value) && !expression_is_too_costly(apart))
        FUZZ_REQUIRE(value.tag == apart.tag &&
                     (!is_plain(value) || strcmp(first, expression_value_text(arena, apart)) == 0));
    FUZZ_REQUIRE(expression_parts(expression, &counted, arena, parts, 4) <= 4);
}
