/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/decision_text.h"

#include <stdlib.h>
#include <string.h>

static const char *node_name(const struct pod_decision *result, uint32_t entry)
{
    const struct view *view = result->view;
    return view->catalog->configs.items[view->nodes[entry].config]->template->node->meta.name;
}

static void write_status(struct json_out *json, const struct pod_decision *result, uint32_t entry)
{
    const struct verdict *verdict = &result->decision->nodes[entry].verdict;
    const char *name = node_name(result, entry);
    if (verdict->code == VERDICT_FEASIBLE) {
        json_string(json, name, "ok");
        return;
    }
    json_object_begin(json, name);
    if (verdict->code == VERDICT_NOT_EXAMINED) {
        json_string(json, "plugin", "PreFilterResult");
        json_string(json, "reason", "");
        json_string(json, "code", "");
    } else {
        json_string(json, "plugin", verdict->plugin->name);
        json_string(json, "reason", verdict->reason);
        json_string(json, "code",
                    verdict->code == VERDICT_UNRESOLVABLE ? "UnschedulableAndUnresolvable"
                                                          : "Unschedulable");
    }
    json_object_end(json);
}

static void write_scores(struct json_out *json, const struct pod_decision *result)
{
    const struct profile *profile = result->decision->plan->profile;
    bool skipped[PLUGINS_MOST];
    decision_skipped_scores(result->decision, result->view, skipped);
    json_object_begin(json, "scores");
    for (uint32_t i = 0; i < result->decision->node_count; i++) {
        const struct node_decision *node = &result->decision->nodes[i];
        if (node->verdict.code != VERDICT_FEASIBLE)
            continue;
        json_object_begin(json, node_name(result, i));
        for (uint32_t s = 0; s < profile->score_count; s++)
            if (!skipped[s])
                json_integer(json, profile->scores[s].plugin->name, node->scores[s]);
        json_integer(json, "total", node->total);
        json_object_end(json);
    }
    json_object_end(json);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Sorted; a name once. Returns the first. */
static const char *write_names(struct json_out *json, const char *key, const char **names,
                               uint32_t count)
{
    if (count > 1)
        qsort(names, count, sizeof(*names), compare_names);
    json_array_begin(json, key);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || strcmp(names[i - 1], names[i]) != 0)
            json_string(json, NULL, names[i]);
    json_array_end(json);
    return count > 0 ? names[0] : NULL;
}

static void write_best(struct arena *arena, struct json_out *json,
                       const struct pod_decision *result)
{
    const char **names = ARENA_ARRAY(arena, const char *, result->decision->best_count + 1);
    for (uint32_t i = 0; i < result->decision->best_count; i++)
        names[i] = node_name(result, result->decision->best[i]);
    write_names(json, "best", names, result->decision->best_count);
}

static void write_victims(struct arena *arena, struct json_out *json,
                          const struct pod_decision *result, const struct candidate *candidate)
{
    json_array_begin(json, "victims");
    for (uint32_t i = 0; i < candidate->victim_count; i++) {
        const struct object_meta *meta =
            &result->view->catalog->pods.items[candidate->victims[i]]->pod->meta;
        json_string(json, NULL, arena_printf(arena, "%s/%s", meta->namespace, meta->name));
    }
    json_array_end(json);
}

/* Of pods with equal age and priority, the order of the scheduler's cache decides
 * which is the victim, so each alternative is written. */
static void write_alternatives(struct arena *arena, struct json_out *json,
                               const struct pod_decision *result, uint32_t first)
{
    const struct preemption *preemption = result->preemption;
    uint32_t end = first + 1;
    while (end < preemption->candidate_count &&
           preemption->candidates[end].entry == preemption->candidates[first].entry)
        end++;
    if (end == first + 1)
        return;
    json_array_begin(json, "alternatives");
    for (uint32_t i = first + 1; i < end; i++) {
        json_object_begin(json, NULL);
        write_victims(arena, json, result, &preemption->candidates[i]);
        json_unsigned(json, "pdbViolations", preemption->candidates[i].budget_violations);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_candidates(struct arena *arena, struct json_out *json,
                             const struct pod_decision *result)
{
    json_object_begin(json, "candidates");
    for (uint32_t i = 0; i < result->preemption->candidate_count; i++) {
        const struct candidate *candidate = &result->preemption->candidates[i];
        if (i > 0 && candidate[-1].entry == candidate->entry)
            continue; /* among the alternatives of the one before */
        json_object_begin(json, node_name(result, candidate->entry));
        write_victims(arena, json, result, candidate);
        json_unsigned(json, "pdbViolations", candidate->budget_violations);
        write_alternatives(arena, json, result, i);
        json_object_end(json);
    }
    json_object_end(json);
}

static void write_preemption(struct arena *arena, struct json_out *json,
                             const struct pod_decision *result)
{
    const struct preemption *preemption = result->preemption;
    if (!preemption || preemption->chosen_count == 0) {
        json_null(json, "preemption");
        return;
    }
    json_object_begin(json, "preemption");
    const char **names = ARENA_ARRAY(arena, const char *, preemption->chosen_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < preemption->candidate_count; i++)
        if (preemption->candidates[i].chosen)
            names[count++] = node_name(result, preemption->candidates[i].entry);
    const char *first = write_names(json, "ties", names, count);
    json_string(json, "node", first);
    for (uint32_t i = 0; i < preemption->candidate_count; i++) {
        const struct candidate *candidate = &preemption->candidates[i];
        if (candidate->chosen && strcmp(node_name(result, candidate->entry), first) == 0) {
            write_victims(arena, json, result, candidate);
            break;
        }
    }
    write_candidates(arena, json, result);
    json_object_end(json);
}

static void write_held_back(struct json_out *json, const char *why)
{
    static const char *const empty[] = {"status", "scores"};
    for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++) {
        json_object_begin(json, empty[i]);
        json_object_end(json);
    }
    json_array_begin(json, "best");
    json_array_end(json);
    json_null(json, "preemption");
    json_object_begin(json, "preEnqueue");
    json_string(json, "plugin", "SchedulingGates");
    json_string(json, "reason", why);
    json_string(json, "code", "UnschedulableAndUnresolvable");
    json_object_end(json);
}

void decision_write_json(struct arena *arena, struct json_out *json, const char *key,
                         const struct pod_decision *result)
{
    const struct decision *decision = result->decision;
    json_object_begin(json, key);
    if (result->held_back) {
        write_held_back(json, result->held_back);
        json_object_end(json);
        return;
    }
    json_object_begin(json, "status");
    for (uint32_t i = 0; !decision->error && i < decision->node_count; i++)
        write_status(json, result, i);
    json_object_end(json);
    if (decision->error) {
        json_object_begin(json, "scores");
        json_object_end(json);
    } else {
        write_scores(json, result);
    }
    write_best(arena, json, result);
    write_preemption(arena, json, result);
    if (result->preemption && result->preemption->message)
        json_string(json, "preemptionMessage",
                    arena_printf(arena, "%spreemption: %s",
                                 result->view->catalog->features.dynamic_resources
                                     ? "no new claims to deallocate, "
                                     : "",
                                 result->preemption->message));
    if (decision->error)
        json_string(json, "error", decision->error);
    json_object_end(json);
}
