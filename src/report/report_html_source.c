/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_html_source.h"

#include "report/excerpt.h"

static void put_lines(const struct page *page, const struct excerpt *excerpt)
{
    page_put(page, "<pre class=\"manifest\"><code>");
    for (uint32_t i = 0; i < excerpt->count; i++) {
        text_printf(page->text, "<span class=\"line-number\">%5u </span>", excerpt->first + i);
        page_put_text(page, excerpt->marked[i] ? "<mark>" : "", excerpt->lines[i],
                      excerpt->marked[i] ? "</mark>\n" : "\n");
    }
    page_put(page, "</code></pre>\n");
}

static void put_source(const struct page *page, const struct report_source *source, bool first)
{
    const struct excerpt excerpt = report_excerpt(page->arena, source->place);
    const char *line = excerpt.count > 0 ? NULL : report_quote(page->arena, source->place);
    page_put_text(page, first ? "<p>Look at <code>" : "<p>and at <code>",
                  arena_printf(page->arena, "%s:%u:%u", source->place.file, source->place.line,
                               source->place.column),
                  "</code>: ");
    page_put_text(page, "", source->path, "");
    if (source->note)
        page_put_text(page, ": ", source->note, "");
    page_put(page, "</p>\n");
    if (excerpt.count > 0)
        put_lines(page, &excerpt);
    else if (line)
        page_put_text(page, "<pre class=\"manifest\"><code><mark>", line, "</mark></code></pre>\n");
}

void page_put_sources(const struct page *page, const struct report_sources *sources)
{
    for (uint32_t i = 0; i < sources->count; i++)
        put_source(page, &sources->items[i], i == 0);
}
