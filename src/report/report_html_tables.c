/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_html_tables.h"

#include "report/report.h"

/* ---- load ---- */

/* Names and targets of metrics are the same throughout a run. */
bool run_data_same_load(const struct story_workload *a, const struct story_workload *b)
{
    bool same = a->load_milli == b->load_milli && a->used_milli == b->used_milli &&
                a->metric_count == b->metric_count;
    for (uint32_t m = 0; same && m < a->metric_count; m++)
        same = a->metrics[m].value == b->metrics[m].value;
    return same;
}

/* What nothing is known of is left out. */
void run_data_write_load(struct json_out *json, const struct story_workload *workload)
{
    if (workload->load_milli >= 0)
        json_integer(json, "load", workload->load_milli);
    if (workload->used_milli >= 0)
        json_integer(json, "used", workload->used_milli);
    if (workload->metric_count == 0)
        return;
    json_array_begin(json, "metrics");
    for (uint32_t m = 0; m < workload->metric_count; m++) {
        const struct story_metric *metric = &workload->metrics[m];
        json_object_begin(json, NULL);
        json_string(json, "name", metric->name);
        json_string(json, "unit", metric->unit);
        if (metric->value >= 0)
            json_integer(json, "value", metric->value);
        json_integer(json, "target", metric->target);
        json_object_end(json);
    }
    json_array_end(json);
}

/* ---- what the scheduler says of nodes ---- */

static void write_row(struct json_out *json, const struct story_scheduling *scheduling,
                      const struct story_scheduling_row *row)
{
    json_object_begin(json, NULL);
    json_string(json, "nodes", row->nodes);
    json_unsigned(json, "count", row->count);
    if (row->plugin)
        json_string(json, "plugin", row->plugin);
    if (row->reason)
        json_string(json, "reason", row->reason);
    if (row->passes) {
        json_array_begin(json, "scores");
        for (uint32_t p = 0; p < scheduling->plugins.count; p++)
            json_integer(json, NULL, row->scores[p]);
        json_array_end(json);
        json_integer(json, "total", row->total);
    }
    if (row->best)
        json_boolean(json, "best", true);
    if (row->taken)
        json_boolean(json, "taken", true);
    json_object_end(json);
}

void run_data_write_scheduling(struct json_out *json, const struct story_scheduling *scheduling)
{
    json_object_begin(json, "scheduling");
    report_write_strings(json, "plugins", &scheduling->plugins);
    json_array_begin(json, "rows");
    for (uint32_t i = 0; i < scheduling->row_count; i++)
        write_row(json, scheduling, &scheduling->rows[i]);
    json_array_end(json);
    if (scheduling->nodes_left_out > 0)
        json_unsigned(json, "leftOut", scheduling->nodes_left_out);
    json_object_end(json);
}
