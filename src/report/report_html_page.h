/* SPDX-License-Identifier: Apache-2.0 */
/* A report's page while it is written. */
#ifndef FATHOM_REPORT_REPORT_HTML_PAGE_H
#define FATHOM_REPORT_REPORT_HTML_PAGE_H

#include "report/report.h"

struct page {
    struct arena *arena;
    struct text *text;
    const struct report *report;
    const struct answers *answers; /* NULL: there are Checks */
    uint32_t check;                /* of the page, from 1; and */
    uint32_t number;               /* of the counterexample on it: for anchors */
};

void page_put(const struct page *page, const char *html);

/* Text between two tags. */
void page_put_text(const struct page *page, const char *before, const char *text,
                   const char *after);

/* What comes before a page's content, and after it. */
void page_put_head(const struct page *page, const char *title);
void page_put_foot(const struct page *page);

#endif
