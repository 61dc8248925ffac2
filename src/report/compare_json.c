/* SPDX-License-Identifier: Apache-2.0 */
#include "report/compare_report.h"
#include "report/formats.h"
#include "report/report.h"

static const char *verdict_word(enum compare_verdict verdict)
{
    static const char *const words[] = {"equal", "different", "undecided"};
    return words[verdict];
}

static void write_steps(struct arena *arena, struct json_out *json, const char *key,
                        const struct verify_result *result)
{
    if (!result || result->verdict != VERDICT_VIOLATED)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < result->step_count; i++)
        report_step_json(arena, json, i + 1, &result->steps[i]);
    json_array_end(json);
}

static void write_intents(struct arena *arena, struct json_out *json, const struct comparison *of)
{
    json_array_begin(json, "intents");
    for (uint32_t i = 0; i < of->intents.count; i++) {
        const struct compared_intent *pair = &of->intents.items[i];
        const struct verify_result *any = pair->new ? pair->new : pair->old;
        json_object_begin(json, NULL);
        json_string(json, "intent", report_intent_label(arena, any->intent));
        json_string(json, "old", pair->old ? verdict_name(pair->old->verdict) : NULL);
        json_string(json, "new", pair->new ? verdict_name(pair->new->verdict) : NULL);
        if (!pair->old || !pair->new || pair->old->verdict != pair->new->verdict) {
            write_steps(arena, json, "oldTrace", pair->old);
            write_steps(arena, json, "newTrace", pair->new);
        }
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_count(struct json_out *json, const char *key, uint32_t steps)
{
    if (steps == UINT32_MAX)
        json_null(json, key);
    else
        json_unsigned(json, key, steps);
}

static void write_ready(struct json_out *json, const struct comparison *of)
{
    json_array_begin(json, "ready");
    for (uint32_t i = 0; i < of->ready.count; i++) {
        const struct compared_ready *ready = &of->ready.items[i];
        json_object_begin(json, NULL);
        json_string(json, "workload", ready->workload);
        json_unsigned(json, "oldMost", ready->old_most);
        json_unsigned(json, "newMost", ready->new_most);
        write_count(json, "oldStepsBack", ready->old_steps);
        write_count(json, "newStepsBack", ready->new_steps);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_list(struct json_out *json, const char *key, const char *const *items,
                       uint32_t count)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < count; i++)
        json_string(json, NULL, items[i]);
    json_array_end(json);
}

static void write_one(struct arena *arena, struct json_out *json, const struct compared *item)
{
    const struct comparison *of = item->comparison;
    json_object_begin(json, NULL);
    json_string(json, "old", item->old_name);
    json_string(json, "new", item->new_name);
    json_string(json, "result", of ? verdict_word(of->verdict) : "different");
    if (of) {
        write_intents(arena, json, of);
        json_boolean(json, "sameObjects", of->same_objects);
        json_boolean(json, "otherScope", of->scopes_differ);
        json_boolean(json, "otherSizes", of->sizes_differ);
        json_unsigned(json, "setups", of->setup_count);
        json_unsigned(json, "setupsEqual", of->setups_equal);
        write_ready(json, of);
        write_list(json, "appear", of->appear.items, of->appear.count);
        json_unsigned(json, "appearCount", of->appear_count);
        write_list(json, "vanish", of->vanish.items, of->vanish.count);
        json_unsigned(json, "vanishCount", of->vanish_count);
        write_list(json, "premises", of->left_out.items, of->left_out.count);
        json_string(json, "undecided", of->unknown);
    }
    json_object_end(json);
}

void comparisons_write_json(const struct writer_context *how, const struct comparisons *comparisons,
                            struct text *text)
{
    struct json_out json;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "Comparison");
    json_string(&json, "version", comparisons->version);
    json_array_begin(&json, "checks");
    for (uint32_t i = 0; i < comparisons->count; i++)
        write_one(how->arena, &json, &comparisons->items[i]);
    json_array_end(&json);
    json_object_end(&json);
    text_append_string(text, "\n");
}
