/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of manifests in question, on a report's page. */
#ifndef FATHOM_REPORT_REPORT_HTML_SOURCE_H
#define FATHOM_REPORT_REPORT_HTML_SOURCE_H

#include "report/report_html_page.h"

void page_put_sources(const struct page *page, const struct report_sources *sources);

#endif
