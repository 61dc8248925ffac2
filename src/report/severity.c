/* SPDX-License-Identifier: Apache-2.0 */
#include "report/severity.h"

#include "report/report.h"

#include <string.h>

static const char *const names[SEVERITY_COUNT] = {
    [SEVERITY_ERROR] = "error",
    [SEVERITY_WARNING] = "warning",
    [SEVERITY_NOTE] = "note",
};

/* What costs performance or order, but no availability, is a warning. */
static const enum intent_kind warnings[] = {
    INTENT_BALANCED,         INTENT_TRAFFIC_BALANCED, INTENT_NO_REPLICA_SWING,
    INTENT_NEVER_ON_DRAINED, INTENT_SCALES_DOWN,      INTENT_NO_NODE_OSCILLATION,
};

struct severities severities_usual(void)
{
    struct severities severities = {{SEVERITY_ERROR}};
    for (size_t i = 0; i < sizeof(warnings) / sizeof(*warnings); i++)
        severities.of[warnings[i]] = SEVERITY_WARNING;
    return severities;
}

const char *severity_name(enum severity severity)
{
    return names[severity];
}

bool severity_find(const char *name, enum severity *severity)
{
    for (int i = 0; i < SEVERITY_COUNT; i++)
        if (strcmp(names[i], name) == 0) {
            *severity = (enum severity)i;
            return true;
        }
    return false;
}

/* ---- accepted ---- */

const struct accepted_violation *accepted_find(const struct accepted *accepted, uint32_t report,
                                               uint32_t intent)
{
    for (uint32_t i = 0; accepted && i < accepted->count; i++)
        if (accepted->items[i].report == report && accepted->items[i].intent == intent)
            return &accepted->items[i];
    return NULL;
}

/* "drain: drainCompletes (StatefulSet/shop/db)", or with the name of the Check. */
static const char *what_is(struct arena *arena, const struct reports *reports,
                           const struct accepted_violation *item)
{
    const struct report *report = &reports->items[item->report];
    return arena_printf(arena, "%s: %s", report->question ? report->question : report->check,
                        report_intent_label(arena, report->found->results[item->intent].intent));
}

void accepted_write_text(struct arena *arena, const struct reports *reports, struct text *text)
{
    const struct accepted *accepted = reports->accepted;
    for (uint32_t i = 0; accepted && i < accepted->count; i++)
        text_printf(text, "Accepted: %s: %s (%s)\n", what_is(arena, reports, &accepted->items[i]),
                    accepted->items[i].reason, accepted->items[i].by);
    for (uint32_t i = 0; accepted && i < accepted->unused.count; i++)
        text_printf(text, "Exception without effect: %s\n", accepted->unused.items[i]);
}

void accepted_write_json(struct arena *arena, struct json_out *json, const struct reports *reports,
                         uint32_t report)
{
    const struct accepted *accepted = reports->accepted;
    if (!accepted)
        return;
    json_array_begin(json, "accepted");
    for (uint32_t i = 0; i < accepted->count; i++) {
        const struct accepted_violation *item = &accepted->items[i];
        if (report != UINT32_MAX && item->report != report)
            continue;
        json_object_begin(json, NULL);
        json_string(json, "violation", what_is(arena, reports, item));
        json_string(json, "reason", item->reason);
        json_string(json, "by", item->by);
        json_object_end(json);
    }
    json_array_end(json);
    report_write_strings(json, "unusedExceptions", &accepted->unused);
}
