/* SPDX-License-Identifier: Apache-2.0 */
/* What was asked and found, and what that relies on: the top of a report's page. */
#ifndef FATHOM_REPORT_REPORT_HTML_SUMMARY_H
#define FATHOM_REPORT_REPORT_HTML_SUMMARY_H

#include "report/report_html_page.h"

/* The verdict of each intent, for which sizes. */
void page_put_verdicts(const struct page *page);

/* How much was explored, limits, assumptions and premises. */
void page_put_basis(const struct page *page);

/* With what the page can be made again. */
void page_put_origin(const struct page *page, const char *version);

/* What a question's part of the page is called. */
const char *page_question_title(struct arena *arena, const struct report *report);

/* Is more to be said of the intent than page_put_verdicts does? Then it has a part of its own. */
bool page_has_more(const struct page *page, uint32_t intent);

/* For links to an intent. */
const char *page_intent_anchor(const struct page *page, uint32_t intent);

#endif
