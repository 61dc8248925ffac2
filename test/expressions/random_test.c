/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random expressions: the value is of the type that was found without evaluating, it is the same if
 * types are known only late, and the same if alike elements are told one by one.
 *
 *     random_test FIRST-SEED COUNT
 */
#include "base/hash.h"
#include "expression/expression.h"
#include "expressions/random_expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- boxes ---- */

enum { KINDS = 3, BOXES = 6 };

#define READER(name)                                                          \
    static struct expression_value name(void *context, struct arena *scratch, \
                                        struct expression_object object)

READER(read_number)
{
    (void)context, (void)scratch;
    return expression_of_int((int64_t)object.first + 1);
}

READER(read_name)
{
    static const char *const names[] = {"a", "web", ""};
    (void)context, (void)scratch;
    return expression_of_string(names[object.first]);
}

READER(read_open)
{
    (void)context, (void)scratch;
    return expression_of_bool(object.first != 1);
}

READER(read_weight)
{
    (void)context;
    return expression_of_quantity(scratch, quantity_of(object.first));
}

static const struct expression_field fields[] = {
    {"number", &expression_int, read_number, "", false},
    {"name", &expression_string, read_name, "", false},
    {"open", &expression_bool, read_open, "", false},
    {"weight", &expression_quantity, read_weight, "", false},
};
static const struct expression_class box_class = {
    .name = "box", .fields = fields, .field_count = sizeof(fields) / sizeof(fields[0])};
static const struct expression_type box_type = {.kind = EXPRESSION_OBJECT, .class = &box_class},
                                    bag_type = {.kind = EXPRESSION_BAG, .element = &box_type};

/* One of the first kind, two of the second, three of the third. */
static struct expression_value read_boxes(void *context, struct arena *scratch)
{
    const bool counted = *(const bool *)context;
    struct expression_value *items = ARENA_ARRAY(scratch, struct expression_value, BOXES);
    uint64_t *counts = ARENA_ARRAY(scratch, uint64_t, BOXES);
    uint32_t count = 0;
    for (uint32_t k = 0; k < KINDS; k++)
        for (uint32_t i = 0; i < (counted ? 1 : k + 1); i++) {
            counts[count] = counted ? k + 1 : 1;
            items[count++] = expression_of_object(&box_class, k, 0);
        }
    return expression_of_bag(scratch, items, counts, count);
}

static const struct expression_variable variables[] = {{"boxes", &bag_type, read_boxes, ""}};
static const struct expression_environment environment = {variables, 1};

/* ---- one text ---- */

struct tally {
    uint32_t values;
    uint32_t errors;
    uint32_t refused;
    uint32_t late;
    uint32_t failed;
};

static const char *text_of(struct arena *arena, uint64_t seed, bool late)
{
    const struct random_boxes boxes = {&box_type, &bag_type};
    struct text text;
    text_init(&text, arena->memory);
    random_expression(&text, seed, &boxes, late);
    return text_keep(&text, arena);
}

static const struct expression *compiled(struct arena *arena, const char *text)
{
    struct problems problems;
    problems_init(&problems, arena);
    return expression_compile(arena, text, &environment, NULL, (struct place){0}, NULL, &problems);
}

static bool is_plain(struct expression_value value)
{
    return value.tag != VALUE_IS_ERROR && value.tag != VALUE_IS_LIST && value.tag != VALUE_IS_MAP;
}

static void fail(struct tally *tally, struct arena *arena, const char *text, const char *why,
                 struct expression_value one, struct expression_value other)
{
    printf("%s: %s: %s and %s\n", why, text, expression_value_text(arena, one),
           expression_value_text(arena, other));
    tally->failed++;
}

/* Errors are equal whatever they say; so are bags and what is made of them, if of one kind. */
static bool is_same(struct arena *arena, struct expression_value one, struct expression_value other)
{
    return one.tag == other.tag &&
           (!is_plain(one) ||
            strcmp(expression_value_text(arena, one), expression_value_text(arena, other)) == 0);
}

static void ask_late(struct tally *tally, struct arena *arena, uint64_t seed,
                     struct expression_value value)
{
    bool counted = true;
    const char *text = text_of(arena, seed, true);
    const struct expression *expression = compiled(arena, text);
    /* Nobody knows of what type the sum of an empty list is then. */
    if (!expression || strstr(text, ".sum()"))
        return;
    const struct expression_value late = expression_evaluate(expression, &counted, arena);
    tally->late++;
    if (!is_same(arena, value, late) && !expression_is_too_costly(late))
        fail(tally, arena, text, "known late", value, late);
}

static void ask(struct tally *tally, struct arena *arena, uint64_t seed)
{
    bool counted = true;
    bool one_by_one = false;
    const char *text = text_of(arena, seed, false);
    const struct expression *expression = compiled(arena, text);
    if (!expression) {
        tally->refused++;
        return;
    }
    const struct expression_value value = expression_evaluate(expression, &counted, arena);
    const struct expression_value apart = expression_evaluate(expression, &one_by_one, arena);
    const bool is_error = value.tag == VALUE_IS_ERROR;
    *(is_error ? &tally->errors : &tally->values) += 1;
    if (expression_is_too_costly(value) || expression_is_too_costly(apart))
        return;
    if (!is_error && !expression_type_has(expression_result_type(expression), value))
        fail(tally, arena, text, expression_type_text(arena, expression_result_type(expression)),
             value, apart);
    if (!is_same(arena, value, apart))
        fail(tally, arena, text, "one by one", value, apart);
    ask_late(tally, arena, seed, value);
}

int main(int argc, char **argv)
{
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 4000;
    struct memory memory;
    struct tally tally = {0};
    memory_init(&memory, SIZE_MAX);
    for (uint64_t i = 0; i < count; i++) {
        struct arena arena;
        arena_init(&arena, &memory);
        ask(&tally, &arena, hash_word(first + i));
        arena_release(&arena);
    }
    printf("%u values, %u errors, %u refused, %u known late, %u failed\n", tally.values,
           tally.errors, tally.refused, tally.late, tally.failed);
    /* Whatever refuses most of what is well typed, or fails, would hide the rest. */
    return tally.failed > 0 || tally.values < count / 2 || tally.late < count / 2;
}
