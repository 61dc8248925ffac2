/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of each workload, and how that was decided, for programs (docs/formats.md). */
#include "report/parts_words.h"
#include "report/report.h"

static void write_names(struct json_out *json, const struct scope *scope,
                        const struct decided_part *part)
{
    json_array_begin(json, "workloads");
    for (uint32_t w = 0; w < part->workload_count; w++)
        json_string(json, NULL, report_workload_name(scope, part->workloads[w]));
    json_array_end(json);
}

/* ---- of an intent ---- */

void report_intent_workloads_json(struct json_out *json, const struct report *report,
                                  uint32_t intent)
{
    const struct parts *parts = report->found->parts;
    json_array_begin(json, "workloads");
    for (uint32_t w = 0; w < report->scope->workload_count; w++) {
        const struct decided_part *part = parts_find(parts, w);
        if (!part || !(part->asked >> intent & 1))
            continue;
        json_object_begin(json, NULL);
        json_string(json, "workload", report->scope->workloads[w].name);
        json_string(json, "verdict", verdict_name(report_part_verdict(part, intent)));
        json_object_end(json);
    }
    json_array_end(json);
}

/* ---- of a component ---- */

static const char *how_decided(const struct decided_part *part, uint32_t intent)
{
    return part->by_itself >> intent & 1  ? "by itself"
           : part->beside >> intent & 1   ? "beside others"
           : part->in_whole >> intent & 1 ? "in the whole"
           : part->violated >> intent & 1 ? "by a run of the whole"
                                          : NULL;
}

static void write_intents(struct json_out *json, const struct report *report,
                          const struct decided_part *part)
{
    json_array_begin(json, "intents");
    for (uint32_t i = 0; i < report->found->result_count; i++) {
        if (!(part->asked >> i & 1))
            continue;
        json_object_begin(json, NULL);
        json_unsigned(json, "intent", i);
        json_string(json, "verdict", verdict_name(report_part_verdict(part, i)));
        if (how_decided(part, i))
            json_string(json, "decided", how_decided(part, i));
        json_object_end(json);
    }
    json_array_end(json);
}

/* What couples the workloads of the part; NULL: of all of them. */
static void write_couplings(struct arena *arena, struct json_out *json, const struct report *report,
                            const struct decided_part *part)
{
    const struct parts *parts = report->found->parts;
    json_array_begin(json, "coupledBy");
    for (uint32_t c = 0; c < parts->coupling_count; c++) {
        const struct coupled *coupled = &parts->couplings[c];
        if (part && parts_find(parts, coupled->one) != part)
            continue;
        json_object_begin(json, NULL);
        json_string(json, "rule", coupling_rule_name(coupled->rule));
        json_string(json, "detail", coupling_words(arena, coupled));
        json_array_begin(json, "workloads");
        json_string(json, NULL, report_workload_name(report->scope, coupled->one));
        json_string(json, NULL, report_workload_name(report->scope, coupled->other));
        json_array_end(json);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_obstacles(struct arena *arena, struct json_out *json, const struct report *report,
                            uint32_t number)
{
    const struct parts *parts = report->found->parts;
    const struct decided_part *part = &parts->items[number];
    json_array_begin(json, "obstacles");
    for (uint32_t o = 0; o < OBSTACLE_COUNT; o++) {
        if (!(part->obstacles >> o & 1))
            continue;
        json_object_begin(json, NULL);
        json_string(json, "name", obstacle_name(o));
        if (part->culprits[o] < parts->count)
            write_names(json, report->scope, &parts->items[part->culprits[o]]);
        json_string(json, "detail", report_obstacle(arena, report, number, o));
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_component(struct arena *arena, struct json_out *json, const struct report *report,
                            uint32_t number)
{
    const struct parts *parts = report->found->parts;
    const struct decided_part *part = &parts->items[number];
    json_object_begin(json, NULL);
    write_names(json, report->scope, part);
    if (part->workload_count > 1)
        write_couplings(arena, json, report, part);
    if (part->like != UINT32_MAX)
        json_string(json, "like",
                    report_workload_name(report->scope, parts->items[part->like].workloads[0]));
    if (part->sibling != UINT32_MAX)
        json_string(json, "sibling",
                    report_workload_name(report->scope, parts->items[part->sibling].workloads[0]));
    json_unsigned(json, "states", part->states);
    write_intents(json, report, part);
    if (part_open(part))
        write_obstacles(arena, json, report, number);
    json_object_end(json);
}

void report_components_json(struct arena *arena, struct json_out *json, const struct report *report)
{
    const struct parts *parts = report->found->parts;
    if (parts && parts->count > 0) {
        json_array_begin(json, "components");
        for (uint32_t p = 0; p < parts->count; p++)
            write_component(arena, json, report, p);
        json_array_end(json);
    } else if (parts && report_together(arena, report)) {
        json_object_begin(json, "together");
        json_string(json, "detail", report_together(arena, report));
        if (parts->coupling_count > 0)
            write_couplings(arena, json, report, NULL);
        json_object_end(json);
    }
}
