/* SPDX-License-Identifier: Apache-2.0 */
/* The sufficient scale, and what it was learnt from. */
#include "report/formats.h"
#include "report/report.h"
#include "verify/learn_scale.h"

static const char *why_missing(struct arena *arena, const struct scale_failure *failure)
{
    if (failure->ended_by != EXPLORE_DECIDED)
        return explore_reason_text(failure->ended_by);
    return arena_printf(arena, "no violation with up to %d nodes", LEARN_NODES_MOST);
}

void scale_write_text(const struct writer_context *how, const struct learnt_scale *learnt,
                      struct text *text)
{
    struct arena *arena = how->arena;
    for (uint32_t i = 0; i < learnt->failures.count; i++) {
        const struct scale_failure *failure = &learnt->failures.items[i];
        const char *name = failure->plan->unit->name;
        if (!failure->intent) {
            text_printf(text, "%s: not learnt from: %s\n", name, why_missing(arena, failure));
            continue;
        }
        text_printf(
            text, "%s: %s is violated from %s and %s on: %d per node%s%s\n", name,
            report_intent_label(arena, failure->intent),
            count_words(arena, (uint64_t)failure->nodes, "node"),
            count_words(arena, (uint64_t)failure->pods, "pod"), scale_pods_per_node(failure),
            failure->nodes == learnt->nodes ? " (the most nodes)" : "",
            scale_pods_per_node(failure) == learnt->pods_per_node ? " (the most per node)" : "");
    }
    if (learnt->nodes == 0) {
        text_append_string(text, "\nNothing was learnt\n");
        return;
    }
    text_printf(text,
                "\nSufficient scale, twice the most of each: %d nodes, %d pods per node\n"
                "In a Check: scale: {sufficient: {nodes: %d, podsPerNode: %d}}\n",
                2 * learnt->nodes, 2 * learnt->pods_per_node, 2 * learnt->nodes,
                2 * learnt->pods_per_node);
}

void scale_write_json(const struct writer_context *how, const struct learnt_scale *learnt,
                      struct text *text)
{
    struct arena *arena = how->arena;
    struct json_out json;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "SufficientScale");
    json_integer(&json, "nodes", INT64_C(2) * learnt->nodes);
    json_integer(&json, "podsPerNode", INT64_C(2) * learnt->pods_per_node);
    json_array_begin(&json, "failures");
    for (uint32_t i = 0; i < learnt->failures.count; i++) {
        const struct scale_failure *failure = &learnt->failures.items[i];
        json_object_begin(&json, NULL);
        json_string(&json, "check", failure->plan->unit->name);
        json_string(&json, "file", failure->plan->unit->file);
        if (failure->intent) {
            json_string(&json, "intent", report_intent_label(arena, failure->intent));
            json_integer(&json, "nodes", failure->nodes);
            json_integer(&json, "pods", failure->pods);
            json_integer(&json, "podsPerNode", scale_pods_per_node(failure));
        } else {
            json_null(&json, "intent");
            json_string(&json, "reason", why_missing(arena, failure));
        }
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    text_append_char(text, '\n');
}
