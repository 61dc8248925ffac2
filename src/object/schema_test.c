/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder and the encoder, by a schema with every type of field: what is
 * read, what absent fields become, what is complained about, what is written. */
#include "object/schemas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum colour { RED, GREEN };

struct part {
    const char *name;
};

struct sample {
    const char *text;
    const char *kept;
    const char *never;
    bool flag;
    enum tristate tristate;
    int32_t small;
    struct optional_int optional;
    struct quantity *quantity;
    struct resource_list resources;
    struct labels labels;
    struct string_list strings;
    enum colour colour;
    int64_t instant;
    int64_t duration;
    struct int_or_percent share;
    struct part inner;
    int32_t deep;
    struct part *pointer;
    struct part *parts;
    uint32_t part_count;
};

static const struct enum_name colours[] = {{"Red", RED}, {"Green", GREEN}, {0}};
static const struct field part_fields[] = {FIELD_STRING("name", part, name, FIELD_REQUIRED)};
static const struct schema part_schema = SCHEMA(part, part_fields);
static const struct schema optional_part_schema = {.size = sizeof(struct part)};
static const struct field deep_fields[] = {FIELD_INT32("deep", sample, deep, 0, -5, 5, 0)};
static const struct schema deep_schema = SCHEMA(sample, deep_fields);
static const struct field sample_fields[] = {
    FIELD_ENUM("colour", sample, colour, 0, colours, GREEN),
    FIELD_DURATION("duration", sample, duration, 0),
    FIELD_BOOLEAN("flag", sample, flag, false),
    FIELD_STRUCT("inner", sample, inner, 0, optional_part_schema),
    FIELD_INSTANT("instant", sample, instant),
    FIELD_STRING("kept", sample, kept, FIELD_KEEP_EMPTY),
    FIELD_LABELS("labels", sample, labels),
    FIELD_NESTED("nest", 0, deep_schema),
    FIELD_STRING("never", sample, never, FIELD_NEVER_NULL),
    FIELD_OPTIONAL_INT("optional", sample, optional, 0, 10),
    FIELD_LIST("parts", sample, parts, part_count, 0, part_schema),
    FIELD_POINTER("pointer", sample, pointer, 0, optional_part_schema),
    FIELD_QUANTITY_POINTER("quantity", sample, quantity),
    FIELD_RESOURCES("resources", sample, resources),
    FIELD_INT_OR_PERCENT("share", sample, share),
    FIELD_INT32("small", sample, small, 0, 0, INT32_MAX, 7),
    FIELD_STRINGS("strings", sample, strings, 0),
    FIELD_STRING("text", sample, text, 0),
    FIELD_TRISTATE("tristate", sample, tristate),
    FIELD_NOT_MODELLED("weather", "is not modelled"),
};
static const struct schema sample_schema = SCHEMA_STRICT(sample, sample_fields);

struct fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct text text;
};

static int setup(void **state)
{
    static struct fixture fixture;
    memory_init(&fixture.memory, SIZE_MAX);
    arena_init(&fixture.arena, &fixture.memory);
    problems_init(&fixture.problems, &fixture.arena);
    text_init(&fixture.text, &fixture.memory);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    text_release(&fixture->text);
    arena_release(&fixture->arena);
    return 0;
}

#define TEXT(content)                                                         \
    {                                                                         \
        .text = (content), .count = sizeof(content) - 1, .kind = VALUE_STRING \
    }
#define NUMBER(content)                                                        \
    {                                                                          \
        .text = (content), .count = sizeof(content) - 1, .kind = VALUE_INTEGER \
    }
#define MAPPING(list)                                                                       \
    {                                                                                       \
        .members = (list), .count = sizeof(list) / sizeof((list)[0]), .kind = VALUE_MAPPING \
    }
#define SEQUENCE(list)                                                                     \
    {                                                                                      \
        .items = (list), .count = sizeof(list) / sizeof((list)[0]), .kind = VALUE_SEQUENCE \
    }

static struct sample *decode(struct fixture *fixture, const struct value *value)
{
    struct reading reading;
    reading_init(&reading, &fixture->arena, value, &fixture->problems);
    struct sample *sample = schema_new(&fixture->arena, &sample_schema);
    schema_decode(&reading, &path_root, &sample_schema, value, sample);
    return sample;
}

static const char *encode(struct fixture *fixture, const struct sample *sample)
{
    struct json_out json;
    text_reset(&fixture->text);
    json_out_init(&json, &fixture->text, 0);
    schema_encode(&fixture->arena, &json, NULL, &sample_schema, sample);
    return text_content(&fixture->text);
}

static void absent_fields_get_their_meaning_and_are_left_out(void **state)
{
    struct fixture *fixture = *state;
    const struct value empty = {.kind = VALUE_MAPPING};
    const struct sample *sample = decode(fixture, &empty);
    assert_int_equal(fixture->problems.count, 0);
    assert_null(sample->text);
    assert_null(sample->kept);
    assert_string_equal(sample->never, "");
    assert_int_equal(sample->small, 7);
    assert_int_equal(sample->colour, GREEN);
    assert_true(sample->instant == TIME_NONE);
    assert_false(sample->optional.set);
    assert_null(sample->pointer);
    assert_string_equal(encode(fixture, sample), "{\"colour\":\"Green\",\"small\":7}");
}

static void every_type_is_read_and_written(void **state)
{
    struct fixture *fixture = *state;
    static const struct member deep[] = {{.key = "deep", .value = NUMBER("-5")}};
    static const struct member labels[] = {{.key = "b", .value = TEXT("2")},
                                           {.key = "a", .value = TEXT("")}};
    static const struct member resources[] = {{.key = "memory", .value = TEXT("1024Mi")},
                                              {.key = "cpu", .value = NUMBER("2")}};
    static const struct member part[] = {{.key = "name", .value = TEXT("x")}};
    static const struct value parts[] = {MAPPING(part)};
    static const struct value strings[] = {TEXT("s")};
    static const struct member members[] = {
        {.key = "text", .value = TEXT("")}, /* the same as absent */
        {.key = "kept", .value = TEXT("")},
        {.key = "never", .value = TEXT("n")},
        {.key = "flag", .value = {.text = "true", .kind = VALUE_BOOLEAN, .truth = true}},
        {.key = "tristate", .value = {.text = "no", .kind = VALUE_BOOLEAN}},
        {.key = "small", .value = NUMBER("0")},
        {.key = "optional", .value = NUMBER("0")},
        {.key = "quantity", .value = TEXT("1500m")},
        {.key = "resources", .value = MAPPING(resources)},
        {.key = "labels", .value = MAPPING(labels)},
        {.key = "strings", .value = SEQUENCE(strings)},
        {.key = "colour", .value = TEXT("Red")},
        {.key = "instant", .value = TEXT("2024-03-01T12:00:00Z")},
        {.key = "duration", .value = TEXT("90s")},
        {.key = "share", .value = TEXT("25%")},
        {.key = "nest", .value = MAPPING(deep)},
        {.key = "pointer", .value = {.kind = VALUE_MAPPING}},
        {.key = "parts", .value = SEQUENCE(parts)},
        {.key = "inner", .value = {.kind = VALUE_NULL}},
    };
    static const struct value root = MAPPING(members);
    const struct sample *sample = decode(fixture, &root);
    assert_int_equal(fixture->problems.count, 0);
    assert_string_equal(encode(fixture, sample),
                        "{\"colour\":\"Red\",\"duration\":\"1m30s\",\"flag\":true,"
                        "\"instant\":\"2024-03-01T12:00:00Z\",\"kept\":\"\","
                        "\"labels\":{\"a\":\"\",\"b\":\"2\"},\"nest\":{\"deep\":-5},"
                        "\"never\":\"n\",\"optional\":0,\"parts\":[{\"name\":\"x\"}],"
                        "\"pointer\":{},\"quantity\":\"1500m\","
                        "\"resources\":{\"cpu\":\"2\",\"memory\":\"1Gi\"},\"share\":\"25%\","
                        "\"small\":0,\"strings\":[\"s\"],\"tristate\":false}");
}

static void each_wrong_value_is_complained_about(void **state)
{
    struct fixture *fixture = *state;
    static const struct member nameless[] = {{.key = "nme", .value = TEXT("x")}};
    static const struct value parts[] = {MAPPING(nameless), TEXT("y")};
    static const struct member odd[] = {{.key = "a/b", .value = NUMBER("1")}};
    static const struct member members[] = {
        {.key = "text", .value = NUMBER("1")},      {.key = "flag", .value = TEXT("true")},
        {.key = "small", .value = TEXT("three")},   {.key = "small2", .value = NUMBER("1")},
        {.key = "optional", .value = NUMBER("11")}, {.key = "quantity", .value = TEXT("1x")},
        {.key = "labels", .value = MAPPING(odd)},   {.key = "strings", .value = TEXT("s")},
        {.key = "colour", .value = TEXT("Blue")},   {.key = "instant", .value = TEXT("noon")},
        {.key = "duration", .value = NUMBER("5")},  {.key = "share", .value = TEXT("25")},
        {.key = "nest", .value = TEXT("")},         {.key = "parts", .value = SEQUENCE(parts)},
        {.key = "weather", .value = NUMBER("1")},
    };
    static const struct value root = MAPPING(members);
    static const char *const expected[] = {
        "text: expected a string, found 1",
        "flag: expected true or false, found \"true\"",
        "small: expected a number, found \"three\"",
        "small2: unknown field, did you mean \"small\"?",
        "optional: expected a number from 0 to 10, found 11",
        "quantity: expected a quantity such as 500m or 1Gi, found \"1x\"",
        "labels[a/b]: expected a string, found 1",
        "strings: expected a list, found \"s\"",
        "colour: expected Red or Green, found \"Blue\"",
        "instant: expected a time such as 2024-03-01T12:00:00Z, found \"noon\"",
        "duration: expected a duration such as 5m30s, found 5",
        "share: expected a number of at least 0 or a percentage such as 25%, found \"25\"",
        "nest: expected a mapping, found \"\"",
        "parts[0].name: required, but missing",
        "parts[1]: expected a mapping, found \"y\"",
        "warning: weather: is not modelled",
    };
    decode(fixture, &root);
    assert_int_equal(fixture->problems.count, sizeof(expected) / sizeof(expected[0]));
    for (uint32_t i = 0; i < fixture->problems.count; i++)
        assert_string_equal(problem_format(&fixture->arena, &fixture->problems.items[i]),
                            expected[i]);
}

static void required_texts_are_never_null_without_validation(void **state)
{
    struct fixture *fixture = *state;
    struct value part = {.kind = VALUE_MAPPING};
    struct value items[] = {part, part};
    struct value parts = SEQUENCE(items);
    struct member members[] = {{.key = "parts", .value = parts}};
    struct value value = MAPPING(members);
    struct reading reading;
    reading_init(&reading, &fixture->arena, &value, &fixture->problems);
    reading.unvalidated = true;
    struct sample *sample = schema_new(&fixture->arena, &sample_schema);
    schema_decode(&reading, &path_root, &sample_schema, &value, sample);
    assert_int_equal(fixture->problems.errors, 0);
    assert_int_equal(sample->part_count, 2);
    assert_string_equal(sample->parts[1].name, "");
    /* What is not required, and what was not given, are told apart. */
    assert_null(sample->text);
    assert_null(strstr(encode(fixture, sample), "name"));
}

static void validation_is_quiet_about_what_could_not_be_read(void **state)
{
    struct fixture *fixture = *state;
    const struct value empty = {.kind = VALUE_MAPPING};
    struct reading reading;
    reading_init(&reading, &fixture->arena, &empty, &fixture->problems);
    const struct path spec = path_field(&path_root, "spec");
    const struct path replicas = path_field(&spec, "replicas");
    const struct path deeper = path_field(&replicas, "x");
    const struct path other = path_field(&spec, "replicasMost");
    reading_missing(&reading, &replicas);
    reading_error(&reading, &spec, "around it");
    reading_error(&reading, &replicas, "itself");
    reading_error(&reading, &deeper, "inside it");
    assert_int_equal(fixture->problems.count, 1);
    reading_error(&reading, &other, "beside it");
    assert_int_equal(fixture->problems.count, 2);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(absent_fields_get_their_meaning_and_are_left_out),
        TEST(every_type_is_read_and_written),
        TEST(each_wrong_value_is_complained_about),
        TEST(required_texts_are_never_null_without_validation),
        TEST(validation_is_quiet_about_what_could_not_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
