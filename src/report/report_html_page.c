/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_html_page.h"

#include "report/page/page.h"

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

void page_put_head(const struct page *page, const char *title)
{
    page_put(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n");
    text_printf(page->text,
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src %s; script-src %s\">\n",
                report_style_hash, report_script_hash);
    page_put_text(page, "<title>", title, "</title>\n<style>");
    text_append(page->text, (const char *)report_style, report_style_length);
    page_put(page, "</style>\n</head>\n<body>\n<main>\n");
}

void page_put_foot(const struct page *page)
{
    page_put(page, "</main>\n<script type=\"module\">");
    text_append(page->text, (const char *)report_script, report_script_length);
    page_put(page, "</script>\n</body>\n</html>\n");
}
