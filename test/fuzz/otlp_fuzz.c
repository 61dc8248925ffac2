/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any body as OTLP in JSON: it is refused with a reason, or it gives records, of which those that
 * are refused have a reason, and the others read back from their own form.
 */
#include "harness.h"

#include "tracing/graph/record.h"

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    struct record_batch batch;
    struct record_batch again;
    struct text text;
    struct json_out json;
    const char *error = NULL;
    if (!record_batch_read(arena, RECORD_FORM_OTLP, bytes, count, &batch, &error)) {
        FUZZ_REQUIRE(error && *error);
        return;
    }
    for (uint32_t i = 0; i < batch.refused.count; i++)
        FUZZ_REQUIRE(*batch.refused.items[i].error);
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    json_array_begin(&json, NULL);
    for (uint32_t i = 0; i < batch.spans.count; i++)
        record_write_span(&json, NULL, &batch.spans.items[i]);
    json_array_end(&json);
    FUZZ_REQUIRE(record_batch_read(arena, RECORD_FORM_SPANS, text_content(&text), text.length,
                                   &again, &error));
    FUZZ_REQUIRE(again.refused.count == 0 && again.spans.count == batch.spans.count);
    text_release(&text);
}
