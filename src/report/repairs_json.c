/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom fix` for programs. */
#include "report/formats.h"
#include "report/repair_report.h"
#include "report/report.h"

static void write_intents(struct arena *arena, struct json_out *json, const struct repair *repair)
{
    json_array_begin(json, "intents");
    for (uint32_t i = 0; i < repair->before.result_count; i++) {
        const struct verify_result *result = &repair->before.results[i];
        json_object_begin(json, NULL);
        json_string(json, "intent", report_intent_label(arena, result->intent));
        json_string(json, "before", verdict_name(result->verdict));
        if (repair->end == REPAIR_FOUND)
            json_string(json, "after", verdict_name(VERDICT_HOLDS));
        report_scale_json(json, &repair->plan->scope, result->setup);
        json_object_end(json);
    }
    json_array_end(json);
}

static const char *end_name(enum repair_end end)
{
    switch (end) {
    case REPAIR_FOUND: return "repaired";
    case REPAIR_NEEDLESS: return "holds";
    case REPAIR_NONE: return "none";
    default: return "undecided";
    }
}

static void write_one(struct arena *arena, struct json_out *json, const struct repaired *of)
{
    const struct repair *repair = of->repair;
    json_object_begin(json, NULL);
    json_string(json, "check", of->check);
    json_string(json, "file", of->file);
    json_string(json, "result", end_name(repair->end));
    write_intents(arena, json, repair);
    repair_cost_json(json, "cost", &repair->cost);
    json_array_begin(json, "patches");
    for (uint32_t i = 0; i < repair->patches.count; i++)
        repair_patch_json(arena, json, repair, &repair->patches.items[i]);
    json_array_end(json);
    json_array_begin(json, "refused");
    for (uint32_t i = 0; i < repair->weakening.count; i++)
        repair_patch_json(arena, json, repair, &repair->weakening.items[i]);
    json_array_end(json);
    json_unsigned(json, "edits", repair->edits);
    json_unsigned(json, "tried", repair->tried);
    json_boolean(json, "allTried", repair->all_tried);
    report_write_strings(json, "limits", &of->limits);
    json_number(json, "seconds", repair->seconds);
    json_object_end(json);
}

void repairs_write_json(const struct writer_context *how, const struct repairs *repairs,
                        struct text *text)
{
    struct json_out json;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "Repair");
    json_string(&json, "version", repairs->version);
    json_array_begin(&json, "checks");
    for (uint32_t i = 0; i < repairs->count; i++)
        write_one(how->arena, &json, &repairs->items[i]);
    json_array_end(&json);
    json_object_end(&json);
    text_append_string(text, "\n");
}
