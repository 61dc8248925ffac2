/* SPDX-License-Identifier: Apache-2.0 */
/* The decision as a table: one line a node, with the filter that said no, or
 * each plugin's score. */
#include "decide/scheduler/decision_text.h"

#include <string.h>

static const struct node_config *config_of(const struct pod_decision *result, uint32_t entry)
{
    return result->view->catalog->configs.items[result->view->nodes[entry].config];
}

static const char *name_of(const struct pod_decision *result, uint32_t entry)
{
    return config_of(result, entry)->template->node->meta.name;
}

static int name_width(const struct pod_decision *result)
{
    size_t width = strlen("NODE");
    for (uint32_t i = 0; i < result->decision->node_count; i++) {
        size_t length = strlen(name_of(result, i));
        width = length > width ? length : width;
    }
    return (int)width;
}

static void write_header(struct text *text, const struct pod_decision *result, int width,
                         const bool *skipped)
{
    const struct profile *profile = result->decision->plan->profile;
    text_printf(text, "  %-*s", width, "NODE");
    if (result->decision->best_count > 0) {
        text_append_string(text, "  TOTAL");
        for (uint32_t s = 0; s < profile->score_count; s++)
            if (!skipped[s])
                text_printf(text, "  %s", profile->scores[s].plugin->name);
    } else {
        text_append_string(text, "  WHY NOT");
    }
    text_append_char(text, '\n');
}

static void write_node(struct text *text, const struct pod_decision *result, uint32_t entry,
                       int width, const bool *skipped)
{
    const struct node_decision *node = &result->decision->nodes[entry];
    const struct profile *profile = result->decision->plan->profile;
    text_printf(text, "  %-*s", width, name_of(result, entry));
    switch (node->verdict.code) {
    case VERDICT_FEASIBLE:
        text_printf(text, "  %5lld", (long long)node->total);
        for (uint32_t s = 0; s < profile->score_count; s++)
            if (!skipped[s])
                text_printf(text, "  %*lld", (int)strlen(profile->scores[s].plugin->name),
                            (long long)node->scores[s]);
        break;
    case VERDICT_NOT_EXAMINED: text_append_string(text, "  not examined"); break;
    case VERDICT_UNSCHEDULABLE:
    case VERDICT_UNRESOLVABLE:
        text_printf(text, "  %s: %s", node->verdict.plugin->name, node->verdict.reason);
        break;
    }
    text_append_char(text, '\n');
}

static void write_winners(struct text *text, const struct pod_decision *result)
{
    const struct decision *decision = result->decision;
    text_append_string(text, decision->best_count > 1 ? "  It goes to one of " : "  It goes to ");
    for (uint32_t i = 0; i < decision->best_count; i++)
        text_printf(text, "%s%s", i > 0 ? ", " : "", name_of(result, decision->best[i]));
    text_append_string(text, ".\n");
}

static void write_candidate(struct text *text, const struct pod_decision *result,
                            const struct candidate *candidate)
{
    text_printf(text, "  %s %s: evicts ", candidate->chosen ? "->" : "  ",
                name_of(result, candidate->entry));
    for (uint32_t i = 0; i < candidate->victim_count; i++) {
        const struct object_meta *meta =
            &result->view->catalog->pods.items[candidate->victims[i]]->pod->meta;
        text_printf(text, "%s%s/%s", i > 0 ? ", " : "", meta->namespace, meta->name);
    }
    if (candidate->budget_violations > 0)
        text_printf(text, " (against %u disruption budget%s)", candidate->budget_violations,
                    candidate->budget_violations > 1 ? "s" : "");
    text_append_char(text, '\n');
}

static void write_preemption(struct text *text, const struct pod_decision *result)
{
    const struct preemption *preemption = result->preemption;
    if (preemption->chosen_count == 0) {
        text_printf(text, "  No node is feasible, and preemption does not help%s%s\n",
                    preemption->message ? ": " : ".",
                    preemption->message ? preemption->message : "");
        return;
    }
    text_append_string(text,
                       "  No node is feasible; preemption makes room (-> where it may be):\n");
    for (uint32_t i = 0; i < preemption->candidate_count; i++)
        write_candidate(text, result, &preemption->candidates[i]);
    if (preemption->orders_left_out)
        text_append_string(text, "  Many pods are equal in age and priority: other victims are "
                                 "possible as well.\n");
}

void decision_write_text(struct arena *arena, struct text *text, const struct pod_decision *result)
{
    (void)arena;
    const struct decision *decision = result->decision;
    text_printf(text, "Pod %s/%s\n", result->pod->meta.namespace, result->pod->meta.name);
    if (result->held_back) {
        text_printf(text, "  It does not come into the queue: %s\n", result->held_back);
        return;
    }
    if (decision->error) {
        text_printf(text, "  Scheduling ends with an error: %s\n", decision->error);
        return;
    }
    int width = name_width(result);
    bool skipped[PLUGINS_MOST];
    decision_skipped_scores(decision, result->view, skipped);
    write_header(text, result, width, skipped);
    for (uint32_t i = 0; i < decision->node_count; i++)
        write_node(text, result, i, width, skipped);
    if (decision->best_count > 0)
        write_winners(text, result);
    else
        write_preemption(text, result);
}
