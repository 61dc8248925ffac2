/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run as data for the script of a page: the cluster at the start, and what each step changes.
 *
 *     {"workloads": ["Deployment/default/web"], "loopFrom": null, "rests": false,
 *      "start": {"nodes": [NODE], "workloads": [WORKLOAD]},
 *      "steps": [{"time": "15s", "nodes": [NODE], "gone": ["n1"],
 *                 "workloads": [WORKLOAD], "about": "Pod/default/web-1-3", "scheduling": TABLE}]}
 *
 * A step that changes nothing of the picture says what it is about.
 * NODE is {"name", "zone", "condition", "cpu", "memory", "pods"}, WORKLOAD {"name", "replicas",
 * "waiting", "load", "used", "metrics": [{"name", "unit", "value", "target"}]}. TABLE is what the
 * scheduler says of nodes at one of its steps, {"plugins": [those that score], "rows": [{"nodes",
 * "count", "plugin", "reason", "scores": [by plugin], "total", "best", "taken"}], "leftOut":
 * nodes}; null: there is one, but the page is long enough. Lists are told by what is new in them,
 * [kept at the start, kept at the end, [new]], so that a run of a thousand steps over a thousand
 * nodes is a page that can be opened.
 */
#ifndef FATHOM_REPORT_REPORT_HTML_DATA_H
#define FATHOM_REPORT_REPORT_HTML_DATA_H

#include "base/json_out.h"
#include "report/report.h"

void run_data_write(struct arena *arena, struct json_out *json, const char *key,
                    const struct scope *scope, const struct verify_result *result);

#endif
