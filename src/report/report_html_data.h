/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run as data for the script of a page: the cluster at the start, and what each step changes.
 *
 *     {"workloads": ["Deployment/default/web"], "loopFrom": null, "rests": false,
 *      "start": {"nodes": [NODE], "workloads": [WORKLOAD]},
 *      "steps": [{"time": "15s", "nodes": [NODE], "gone": ["n1"],
 *                 "workloads": [WORKLOAD]}]}
 *
 * NODE is {"name", "zone", "condition", "cpu", "memory", "pods"}, WORKLOAD {"name", "replicas",
 * "waiting"}. Lists are told by what is new in them, [kept at the start, kept at the end, [new]],
 * so that a run of a thousand steps over a thousand nodes is a page that can be opened.
 */
#ifndef FATHOM_REPORT_REPORT_HTML_DATA_H
#define FATHOM_REPORT_REPORT_HTML_DATA_H

#include "base/json_out.h"
#include "report/report.h"

void run_data_write(struct arena *arena, struct json_out *json, const char *key,
                    const struct scope *scope, const struct verify_result *result);

#endif
