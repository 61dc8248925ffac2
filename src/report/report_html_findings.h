/* SPDX-License-Identifier: Apache-2.0 */
/* The answers to questions without a Check, on a report's page: one finding for each cause. */
#ifndef FATHOM_REPORT_REPORT_HTML_FINDINGS_H
#define FATHOM_REPORT_REPORT_HTML_FINDINGS_H

#include "report/answers.h"
#include "report/report_html_page.h"

/* The summary, and each finding with its counterexample. */
void page_put_findings(struct page *page, const struct reports *reports);

#endif
