/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the data of a run (report_html_data.h): what workloads bear, and what the scheduler says
 * of nodes. */
#ifndef FATHOM_REPORT_REPORT_HTML_TABLES_H
#define FATHOM_REPORT_REPORT_HTML_TABLES_H

#include "base/json_out.h"
#include "cluster/story/story.h"

bool run_data_same_load(const struct story_workload *a, const struct story_workload *b);
void run_data_write_load(struct json_out *json, const struct story_workload *workload);

void run_data_write_scheduling(struct json_out *json, const struct story_scheduling *scheduling);

#endif
