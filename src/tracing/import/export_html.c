/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard with the records in it: one file that needs no network, and whose
 * Content-Security-Policy allows none. Nobody sends the file with headers, so it has the policy in
 * itself. */
#include "base/json_out.h"
#include "tracing/import/export.h"
#include "tracing/page/page.h"

void change_export_html(const struct change_graph *graph, const struct export_options *options,
                        struct text *text)
{
    struct text json;
    text_init(&json, text->memory);
    change_export_json(graph, options, &json);
    text_append(text, (const char *)page_start, page_start_length);
    text_printf(text,
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "img-src data:; style-src %s; script-src %s; base-uri 'none'; form-action "
                "'none'\">\n",
                page_style_hash, page_script_hash);
    text_append(text, (const char *)page_head, page_head_length);
    json_append_to_html(text, text_content(&json), json.length);
    text_append(text, (const char *)page_tail, page_tail_length);
    text_release(&json);
}
