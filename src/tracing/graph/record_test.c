/* SPDX-License-Identifier: Apache-2.0 */
/* Records in JSON: every form, what is left out, what is wrong and how it is told. */
#include "tracing/graph/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define A "aaaaaaaa-0000-4000-8000-000000000001"
#define B "bbbbbbbb-0000-4000-8000-000000000002"
#define C "cccccccc-0000-4000-8000-000000000003"

struct reading {
    struct memory memory;
    struct arena arena;
    struct record_batch batch;
    const char *error;
    bool good;
};

static void read_json(struct reading *reading, enum record_form form, const char *json)
{
    memory_init(&reading->memory, SIZE_MAX);
    arena_init(&reading->arena, &reading->memory);
    reading->error = NULL;
    reading->good = record_batch_read(&reading->arena, form, json, strlen(json), &reading->batch,
                                      &reading->error);
    assert_int_equal(reading->good, reading->error == NULL);
}

static void release(struct reading *reading)
{
    arena_release(&reading->arena);
    assert_int_equal(reading->memory.used_bytes, 0);
}

/* What was read, as JSON again. */
static const char *written(struct reading *reading)
{
    struct text text;
    struct json_out json;
    text_init(&text, &reading->memory);
    json_out_init(&json, &text, 0);
    json_array_begin(&json, NULL);
    for (uint32_t i = 0; i < reading->batch.mergelogs.count; i++)
        record_write_mergelog(&json, NULL, &reading->batch.mergelogs.items[i]);
    for (uint32_t i = 0; i < reading->batch.spans.count; i++)
        record_write_span(&json, NULL, &reading->batch.spans.items[i]);
    json_array_end(&json);
    const char *copy = arena_strdup(&reading->arena, text_content(&text));
    text_release(&text);
    return copy;
}

#define MERGELOG                                      \
    "{\"cpid\":\"" C "\",\"sources\":[\"" A "\",\"" B \
    "\"],\"timeUnixNano\":\"1763222400000000001\"}"
#define SPAN                                                                                 \
    "{\"cpid\":\"" A "\",\"spanId\":\"" B "\",\"parentId\":\"\",\"service\":\"deployment\"," \
    "\"name\":\"sync\",\"startTimeUnixNano\":\"5\",\"endTimeUnixNano\":\"9\","               \
    "\"object\":\"Deployment/default/web\",\"resourceVersionRead\":\"7\","                   \
    "\"resourceVersionWritten\":\"8\",\"attributes\":{\"mc.step\":3,\"deep\":{\"x\":[1,null]}}}"
#define BARE                                                     \
    "{\"cpid\":\"" A "\",\"spanId\":\"" C "\",\"parentId\":\"" B \
    "\",\"service\":\"s\",\"name\":\"\",\"startTimeUnixNano\":\"0\",\"endTimeUnixNano\":\"0\"}"

static void every_form_is_read(void **state)
{
    (void)state;
    static const struct {
        enum record_form form;
        const char *json;
        const char *read;
    } cases[] = {
        {RECORD_FORM_MERGELOGS, MERGELOG, "[" MERGELOG "]"},
        {RECORD_FORM_MERGELOGS, " [" MERGELOG "," MERGELOG "] \n", "[" MERGELOG "," MERGELOG "]"},
        {RECORD_FORM_MERGELOGS, "{\"mergelogs\":[" MERGELOG "]}", "[" MERGELOG "]"},
        {RECORD_FORM_MERGELOGS, "[]", "[]"},
        {RECORD_FORM_SPANS, SPAN, "[" SPAN "]"},
        {RECORD_FORM_SPANS, "[" SPAN "," BARE "]", "[" SPAN "," BARE "]"},
        {RECORD_FORM_BOTH, "{\"spans\":[" SPAN "],\"mergelogs\":[" MERGELOG "]}",
         "[" MERGELOG "," SPAN "]"},
        {RECORD_FORM_BOTH, "{\"spans\":[]}", "[]"},
        /* a root; a number for a time; a source twice */
        {RECORD_FORM_MERGELOGS, "{\"cpid\":\"" A "\",\"timeUnixNano\":12}",
         "[{\"cpid\":\"" A "\",\"sources\":[],\"timeUnixNano\":\"12\"}]"},
        {RECORD_FORM_MERGELOGS,
         "{\"cpid\":\"" A "\",\"sources\":[\"" C "\",\"" B "\",\"" C "\"],\"timeUnixNano\":\"0\"}",
         "[{\"cpid\":\"" A "\",\"sources\":[\"" C "\",\"" B "\"],\"timeUnixNano\":\"0\"}]"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading reading;
        read_json(&reading, cases[i].form, cases[i].json);
        if (!reading.good)
            fail_msg("%s: %s", cases[i].json, reading.error);
        assert_int_equal(reading.batch.refused.count, 0);
        assert_string_equal(written(&reading), cases[i].read);
        release(&reading);
    }
}

static void what_is_no_such_json_is_told(void **state)
{
    (void)state;
    static const struct {
        enum record_form form;
        const char *json;
        const char *error;
    } cases[] = {
        {RECORD_FORM_MERGELOGS, "", "not JSON, from byte 0 on"},
        {RECORD_FORM_MERGELOGS, "[1,", "not JSON, from byte 2 on"},
        {RECORD_FORM_MERGELOGS, "[] []", "more than one value, from byte 2 on"},
        {RECORD_FORM_MERGELOGS, "[\"\xff\"]", "byte 2 is not UTF-8"},
        {RECORD_FORM_MERGELOGS, "7",
         "expected a mergelog, a list of mergelogs, or {\"mergelogs\": [...]}"},
        {RECORD_FORM_MERGELOGS, "{\"mergelogs\":7}", "mergelogs: expected a list"},
        {RECORD_FORM_SPANS, "{}", "expected a span, a list of spans, or {\"spans\": [...]}"},
        {RECORD_FORM_BOTH, "[]", "expected {\"mergelogs\": [...], \"spans\": [...]}"},
        {RECORD_FORM_OTLP, "[]", "expected {\"resourceSpans\": [...]}"},
        {RECORD_FORM_OTLP, "{\"resourceSpans\":{}}", "expected {\"resourceSpans\": [...]}"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading reading;
        read_json(&reading, cases[i].form, cases[i].json);
        assert_false(reading.good);
        assert_string_equal(reading.error, cases[i].error);
        release(&reading);
    }
}

static void wrong_records_are_refused_and_the_others_read(void **state)
{
    (void)state;
    static const struct {
        const char *json; /* of a span */
        const char *error;
    } cases[] = {
        {"7", "expected an object"},
        {"{}", "cpid: expected a UUID"},
        {"{\"cpid\":7}", "cpid: expected a UUID"},
        {"{\"cpid\":\"" A "\"}", "spanId: expected a UUID"},
        {"{\"cpid\":\"" A "\",\"spanId\":\"" B "\",\"parentId\":\"x\"}",
         "parentId: expected a UUID"},
        {"{\"cpid\":\"" A "\",\"spanId\":\"" B "\",\"startTimeUnixNano\":\"-1\"}",
         "startTimeUnixNano: expected nanoseconds since 1970"},
        {"{\"cpid\":\"" A "\",\"spanId\":\"" B "\",\"startTimeUnixNano\":\"99999999999999999999\"}",
         "startTimeUnixNano: expected nanoseconds since 1970"},
        {"{\"cpid\":\"" A "\",\"spanId\":\"" B "\",\"startTimeUnixNano\":1e300}",
         "startTimeUnixNano: expected nanoseconds since 1970"},
        {"{\"cpid\":\"" A "\",\"spanId\":\"" B "\",\"startTimeUnixNano\":2,\"endTimeUnixNano\":1}",
         "endTimeUnixNano: expected at least startTimeUnixNano"},
        {"{\"cpid\":\"" A "\",\"spanId\":\"" B "\",\"startTimeUnixNano\":2,\"endTimeUnixNano\":2}",
         "service: expected the name of a controller"},
        {"{\"cpid\":\"" A "\",\"spanId\":\"" B
         "\",\"startTimeUnixNano\":2,\"endTimeUnixNano\":2,\"service\":\"s\",\"name\":[]}",
         "name: expected a text"},
        {"{\"cpid\":\"" A "\",\"spanId\":\"" B
         "\",\"startTimeUnixNano\":2,\"endTimeUnixNano\":2,\"service\":\"s\",\"attributes\":[1]}",
         "attributes: expected an object"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading reading;
        memory_init(&reading.memory, SIZE_MAX);
        arena_init(&reading.arena, &reading.memory);
        const char *json = arena_printf(&reading.arena, "[" BARE ",%s," BARE "]", cases[i].json);
        assert_true(record_batch_read(&reading.arena, RECORD_FORM_SPANS, json, strlen(json),
                                      &reading.batch, &reading.error));
        assert_int_equal(reading.batch.spans.count, 2);
        assert_int_equal(reading.batch.span_index.items[1], 2);
        assert_int_equal(reading.batch.refused.count, 1);
        assert_string_equal(reading.batch.refused.items[0].kind, "span");
        assert_int_equal(reading.batch.refused.items[0].index, 1);
        assert_string_equal(reading.batch.refused.items[0].error, cases[i].error);
        release(&reading);
    }
}

#define OTLP_SPAN(ids, more)                                                                  \
    "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":" \
    "{\"stringValue\":\"web\"}}]},\"scopeSpans\":[{\"scope\":{},\"spans\":[{" ids             \
    ",\"name\":\"GET\",\"startTimeUnixNano\":\"5\",\"endTimeUnixNano\":6" more "}]}]}]}"
#define OTLP_IDS "\"traceId\":\"AAAAAAAA000040008000000000000001\",\"spanId\":\"00f067aa0ba902b7\""
#define OTLP_READ                                                                                  \
    "{\"cpid\":\"" A "\",\"spanId\":\"00f067aa-0ba9-02b7-0000-000000000000\",\"parentId\":\"%s\"," \
    "\"service\":\"web\",\"name\":\"GET\",\"startTimeUnixNano\":\"5\",\"endTimeUnixNano\":\"6\"%"  \
    "s}"

static void opentelemetry_spans_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *parent;
        const char *more;
    } cases[] = {
        {OTLP_SPAN(OTLP_IDS, ""), "", ""},
        {OTLP_SPAN(OTLP_IDS ",\"parentSpanId\":\"\"", ""), "", ""},
        {OTLP_SPAN(OTLP_IDS ",\"parentSpanId\":\"0102030405060708\"", ""),
         "01020304-0506-0708-0000-000000000000", ""},
        {OTLP_SPAN(OTLP_IDS,
                   ",\"kind\":3,\"status\":{\"code\":2},\"attributes\":["
                   "{\"key\":\"k8s.object.kind\",\"value\":{\"stringValue\":\"Pod\"}},"
                   "{\"key\":\"k8s.object.name\",\"value\":{\"stringValue\":\"web-1\"}},"
                   "{\"key\":\"k8s.namespace.name\",\"value\":{\"stringValue\":\"default\"}},"
                   "{\"key\":\"k8s.resource_version\",\"value\":{\"stringValue\":\"12\"}},"
                   "{\"key\":\"retries\",\"value\":{\"intValue\":\"3\"}}]"),
         "",
         ",\"object\":\"Pod/default/web-1\",\"resourceVersionWritten\":\"12\",\"attributes\":"
         "{\"retries\":\"3\",\"otel.kind\":3,\"otel.status_code\":2}"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading reading;
        read_json(&reading, RECORD_FORM_OTLP, cases[i].json);
        assert_true(reading.good);
        assert_int_equal(reading.batch.refused.count, 0);
        const char *expected =
            arena_printf(&reading.arena, "[" OTLP_READ "]", cases[i].parent, cases[i].more);
        assert_string_equal(written(&reading), expected);
        release(&reading);
    }
}

static void opentelemetry_carries_mergelogs_by_attributes(void **state)
{
    (void)state;
    struct reading reading;
    read_json(&reading, RECORD_FORM_OTLP,
              OTLP_SPAN(OTLP_IDS, ",\"links\":[{\"traceId\":\"cccccccc000040008000000000000003\","
                                  "\"attributes\":[{\"key\":\"cpid.link\",\"value\":{"
                                  "\"stringValue\":\"merge\"}}]},{\"traceId\":\"other\"}]"));
    assert_string_equal(written(&reading),
                        "[{\"cpid\":\"" A "\",\"sources\":[\"" C "\"],\"timeUnixNano\":\"5\"}]");
    release(&reading);
    read_json(&reading, RECORD_FORM_OTLP,
              OTLP_SPAN(OTLP_IDS, ",\"attributes\":[{\"key\":\"cpid.root\",\"value\":{"
                                  "\"boolValue\":true}}]"));
    assert_int_equal(reading.batch.mergelogs.count, 1);
    assert_int_equal(reading.batch.mergelogs.items[0].source_count, 0);
    assert_int_equal(reading.batch.spans.count, 1);
    release(&reading);
}

static void wrong_opentelemetry_spans_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *error;
    } cases[] = {
        {OTLP_SPAN("\"traceId\":\"AAAA\"", ""),
         "traceId: expected 32 hexadecimal digits, not all zero"},
        {OTLP_SPAN(
             "\"traceId\":\"AAAAAAAA000040008000000000000001\",\"spanId\":\"0000000000000000\"",
             ""),
         "spanId: expected 16 hexadecimal digits, not all zero"},
        {OTLP_SPAN(OTLP_IDS ",\"parentSpanId\":7", ""),
         "parentSpanId: expected 16 hexadecimal digits, not all zero"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading reading;
        read_json(&reading, RECORD_FORM_OTLP, cases[i].json);
        assert_true(reading.good);
        assert_int_equal(reading.batch.spans.count, 0);
        assert_int_equal(reading.batch.refused.count, 1);
        assert_string_equal(reading.batch.refused.items[0].error, cases[i].error);
        release(&reading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_read),
        cmocka_unit_test(what_is_no_such_json_is_told),
        cmocka_unit_test(wrong_records_are_refused_and_the_others_read),
        cmocka_unit_test(opentelemetry_spans_are_read),
        cmocka_unit_test(opentelemetry_carries_mergelogs_by_attributes),
        cmocka_unit_test(wrong_opentelemetry_spans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
