/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_REPORT_TOLD_CHANGES_H
#define FATHOM_REPORT_TOLD_CHANGES_H

#include "report/told_report.h"
#include "tracing/import/change_graph.h"

/* The counterexamples of a report, one after the other, as changes and what they led to. */
void told_changes(struct arena *arena, const struct told_reports *reports,
                  struct change_graph *graph);

#endif
