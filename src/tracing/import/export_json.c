/* SPDX-License-Identifier: Apache-2.0 */
/* The records, in the form in which the trace server takes and gives them. */
#include "tracing/import/export.h"
#include "tracing/import/records.h"

void change_export_json(const struct change_graph *graph, const struct export_options *options,
                        struct text *text)
{
    struct json_out json;
    (void)options;
    json_out_init(&json, text, 0);
    change_write_records(&json, NULL, graph);
    text_append_char(text, '\n');
}
