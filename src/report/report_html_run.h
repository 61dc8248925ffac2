/* SPDX-License-Identifier: Apache-2.0 */
/* The counterexample on a report's page. */
#ifndef FATHOM_REPORT_REPORT_HTML_RUN_H
#define FATHOM_REPORT_REPORT_HTML_RUN_H

#include "report/report_html_page.h"

/* The counterexample: its steps, the cluster at the end, and the data that the script draws the
 * cluster from at every step. */
void page_put_run(const struct page *page, const struct verify_result *result);

#endif
