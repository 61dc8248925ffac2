/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard with the records in it: one file that needs no network. */
#include "tracing/import/export.h"
#include "tracing/page/page.h"

/* JSON inside of HTML: no "<" may be left that could end or open an element.
 * They can only stand in texts, where an escape means the same. */
static void append_embedded(struct text *text, const struct text *json)
{
    for (size_t i = 0; i < json->length; i++)
        if (json->content[i] == '<')
            text_append_string(text, "\\u003c");
        else
            text_append_char(text, json->content[i]);
}

void change_export_html(const struct change_graph *graph, const struct export_options *options,
                        struct text *text)
{
    struct text json;
    text_init(&json, text->memory);
    change_export_json(graph, options, &json);
    text_append(text, (const char *)page_head, page_head_length);
    append_embedded(text, &json);
    text_append(text, (const char *)page_tail, page_tail_length);
    text_release(&json);
}
