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

/* For links to an intent. */
const char *page_intent_anchor(const struct page *page, uint32_t intent);

#endif
