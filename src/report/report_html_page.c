/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_html_page.h"

void page_put(const struct page *page, const char *html)
{
    text_append_string(page->text, html);
}

void page_put_text(const struct page *page, const char *before, const char *text, const char *after)
{
    page_put(page, before);
    report_append_escaped(page->text, text);
    page_put(page, after);
}
