/* SPDX-License-Identifier: Apache-2.0 */
/* The records, in the form in which the trace server takes and gives them. */
#include "change/export.h"
#include "change/records.h"

void change_export_json(const struct change_graph *graph, const struct export_options *options,
                        struct text *text)
{
    struct arena scratch;
    struct json_out json;
    (void)options;
    arena_init(&scratch, text->memory);
    const struct arena_mark empty = arena_mark(&scratch);
    json_out_init(&json, text, 0);
    json_object_begin(&json, NULL);
    json_array_begin(&json, "mergelogs");
    for (uint32_t i = 0; i < graph->merges.count; i++) {
        const struct change_merge *merge = &graph->merges.items[i];
        const struct fathom_trace_mergelog mergelog = {
            .cpid = merge->cpid,
            .sources = merge->sources,
            .source_count = merge->source_count,
            .time_ns = merge->time_ns,
        };
        record_write_mergelog(&json, NULL, &mergelog);
    }
    json_array_end(&json);
    json_array_begin(&json, "spans");
    for (uint32_t i = 0; i < graph->spans.count; i++) {
        struct span_record record;
        change_to_record(&scratch, graph, i, &record);
        record_write_span(&json, NULL, &record);
        arena_rewind(&scratch, empty);
    }
    json_array_end(&json);
    json_object_end(&json);
    text_append_char(text, '\n');
    arena_release(&scratch);
}
