/* SPDX-License-Identifier: Apache-2.0 */
/* What several formats say in the same words. */
#include "report/report.h"

#include "base/plain_text.h"
#include "object/time.h"
#include "report/report_sizes.h"
#include "tracing/import/counterexample.h"
#include "tracing/import/records.h"

#include <inttypes.h>
#include <string.h>

const char *report_intent_violated(enum intent_kind kind)
{
    static const char *const violated[] = {
#define INTENT(constant, class, name, takes, needs, meaning) meaning,
#include "object/intents.def"
#undef INTENT
    };
    return violated[kind];
}

const char *report_intent_name(const struct check_intent *intent)
{
    return intent->title ? intent->title : intent_kind_name(intent->kind);
}

static const char *add(struct arena *arena, const char *list, const char *item)
{
    return *list ? arena_printf(arena, "%s, %s", list, item) : item;
}

static const char *bound_text(struct arena *arena, const struct check_intent *intent)
{
    if (intent->bound == REPLICAS_MIN)
        return "value min";
    if (intent->bound == REPLICAS_DESIRED)
        return intent->value ? arena_printf(arena, "value desired%d", intent->value)
                             : "value desired";
    return arena_printf(arena, "value %d", intent->value);
}

const char *report_intent_label(struct arena *arena, const struct check_intent *intent)
{
    const char *name = intent_kind_name(intent->kind);
    const unsigned takes = intent_kind_takes(intent->kind);
    const char *list = "";
    if (intent->expression)
        return intent->title ? intent->title
                             : arena_printf(arena, "%s %s", name, intent->expression);
    if (intent->workload.name)
        list = object_name_format(arena, &intent->workload);
    if (takes & INTENT_PARAMETER_MODE && intent->mode == INTENT_MODE_EVENTUALLY)
        list = add(arena, list, "mode eventually");
    if (takes & INTENT_PARAMETER_VALUE)
        list = add(arena, list, bound_text(arena, intent));
    if (takes & INTENT_PARAMETER_SWING)
        list = add(arena, list, arena_printf(arena, "swing %d", intent->swing));
    if (takes & INTENT_PARAMETER_TOPOLOGY_KEY)
        list = add(arena, list, intent->topology_key);
    if (takes & INTENT_PARAMETER_MAX_SKEW)
        list = add(arena, list, arena_printf(arena, "maxSkew %d", intent->max_skew));
    /* Nothing but those intents that take it has any. */
    for (uint32_t i = 0; i < intent->node_selector.count; i++)
        list = add(arena, list,
                   arena_printf(arena, "%s=%s", intent->node_selector.items[i].key,
                                intent->node_selector.items[i].value));
    return *list ? arena_printf(arena, "%s (%s)", name, list) : name;
}

/* "n1", "n1, n2", "n1 and 14 like it" */
const char *report_searched(struct arena *arena, const struct verify_search *search)
{
    const char *found = "nothing was found, which does not mean that the intents hold";
    if (search->found > 0)
        found = arena_printf(arena, "%s %s found", count_words(arena, search->found, "violation"),
                             search->found == 1 ? "was" : "were");
    return arena_printf(arena, "%s with %s; %s", count_words(arena, search->runs, "run"),
                        count_words(arena, search->steps, "step"), found);
}

static const char *named_nodes(struct arena *arena, const struct setup_group *group)
{
    enum { NAMED_MOST = 3 };
    const char *list = "";
    if (group->most > NAMED_MOST)
        return arena_printf(arena, "%s and %d like it", group->names[0], group->most - 1);
    for (int32_t i = 0; i < group->most; i++)
        list = add(arena, list, group->names[i]);
    return list;
}

/* Lists of what a setup has end where people stop reading. */
enum { LISTED_MOST = 8 };

static const char *add_rest(struct arena *arena, const char *list, uint32_t count)
{
    return count > LISTED_MOST ? arena_printf(arena, "%s and %u more", list, count - LISTED_MOST)
                               : list;
}

const char *report_scale(struct arena *arena, const struct scope *scope, const struct setup *setup)
{
    const char *groups = "";
    const char *workloads = "";
    for (uint32_t g = 0; g < scope->group_count && g < LISTED_MOST; g++)
        if (!scope->groups[g].names)
            groups = add(arena, groups,
                         arena_printf(arena, "%s: %d", scope->groups[g].name, setup->nodes[g]));
        else
            groups = add(arena, groups, named_nodes(arena, &scope->groups[g]));
    for (uint32_t w = 0; w < scope->workload_count && w < LISTED_MOST; w++) {
        if (!setup_workload_is_sized(&scope->workloads[w]))
            continue;
        const char *item =
            arena_printf(arena, "%s: %d", scope->workloads[w].name, setup->replicas[w]);
        if (scope->workloads[w].autoscaler)
            item = arena_printf(arena, "%s, autoscaled from %d to %d", item,
                                setup->autoscaler_min[w], setup->autoscaler_max[w]);
        workloads = add(arena, workloads, item);
    }
    const char *nodes = count_words(arena, (uint64_t)setup->total_nodes, "node");
    groups = add_rest(arena, groups, scope->group_count);
    workloads = add_rest(arena, workloads, scope->workload_count);
    if (!*workloads)
        return arena_printf(arena, "%s (%s)%s", nodes, groups,
                            scope->workload_count == 0 ? ", no workload" : "");
    return arena_printf(arena, "%s (%s), %s (%s)", nodes, groups,
                        count_words(arena, (uint64_t)setup->total_pods, "pod"), workloads);
}

const char *report_cost(struct arena *arena, const struct node_cost *cost)
{
    const int64_t day_ns = INT64_C(86400) * NANOSECONDS_PER_SECOND;
    const char *rounds = "";
    if (cost->round_ns > 0)
        rounds = arena_printf(arena, ", which takes at least %s: no more than %" PRId64 " a day",
                              duration_format(arena, cost->round_ns),
                              day_ns / cost->round_ns * cost->added);
    return arena_printf(arena,
                        "up to %g node-hours of group %s a day, or %.2f a day; %s in each round%s",
                        cost->hours, cost->group, cost->price,
                        cost->added == 1 ? "a node is started"
                                         : arena_printf(arena, "%u nodes are started", cost->added),
                        rounds);
}

/* ---- steps ---- */

/* The first step of the loop that is told; `step_count` if only time goes round. */
static uint32_t loop_told_from(const struct verify_result *result)
{
    uint32_t i = result->loop_from;
    while (i < result->step_count && result->steps[i].told.quiet)
        i++;
    return i;
}

const char *report_reservation(const struct verify_result *result)
{
    if (result->searched)
        return "Found by a search: a shorter run may exist";
    return result->unconfirmed
               ? "Not confirmed node by node: nodes that are alike have their turns "
                 "as one here, and to tell them apart takes too many states"
               : NULL;
}

/* Steps by which only time passes are left out: the next one says how much. */
void report_write_steps(struct arena *arena, const struct verify_result *result, const char *indent,
                        struct text *text)
{
    const uint32_t loop_from = loop_told_from(result);
    const bool rests = result->rests || loop_from == result->step_count;
    int64_t told_until = 0;
    int width = 1;
    for (uint32_t n = result->step_count; n >= 10; n /= 10)
        width++;
    for (uint32_t i = 0; i < result->step_count; i++) {
        const struct story_step *step = &result->steps[i].told;
        if (result->loops && !rests && i == loop_from)
            text_printf(text, "%s%*s  from here it repeats for ever:\n", indent, width, "");
        if (step->quiet)
            continue;
        text_printf(text, "%s%*u. ", indent, width, i + 1);
        if (i > 0 && result->steps[i - 1].told.quiet && result->steps[i].time_ns > told_until)
            text_printf(
                text, "after %s: ", duration_format(arena, result->steps[i].time_ns - told_until));
        text_printf(text, "%s%s\n", step->outside ? "event: " : "", step->detail);
        told_until = result->steps[i].time_ns;
        for (uint32_t w = 0; step->notable && w < step->why.count; w++)
            text_printf(text, "%s%*s      %s\n", indent, width, "", step->why.items[w]);
    }
    if (result->loops && rests)
        text_printf(text, "%s%*s  and there it stays: no controller does anything any more\n",
                    indent, width, "");
    else if (result->loops)
        text_printf(text, "%s%*s  and again from step %u\n", indent, width, "", loop_from + 1);
    if (report_reservation(result))
        text_printf(text, "%s%*s  %s\n", indent, width, "", report_reservation(result));
}

/* ---- the cluster ---- */

void report_write_picture(struct arena *arena, const struct story_picture *picture,
                          const char *indent, struct text *text)
{
    int width = 0;
    for (uint32_t n = 0; n < picture->node_count; n++)
        if ((int)strlen(picture->nodes[n].name) > width)
            width = (int)strlen(picture->nodes[n].name);
    for (uint32_t n = 0; n < picture->node_count; n++) {
        const struct story_node *node = &picture->nodes[n];
        text_printf(text, "%s%-*s |", indent, width, node->name);
        if (*node->condition)
            text_printf(text, " (%s)", node->condition);
        for (uint32_t p = 0; p < node->pods.count; p++)
            text_printf(text, " %s", node->pods.items[p]);
        text_append_char(text, '\n');
    }
    for (uint32_t w = 0; w < picture->workload_count; w++) {
        const struct story_workload *workload = &picture->workloads[w];
        text_printf(text, "%s%s wants %s", indent, workload->name,
                    count_words(arena, (uint64_t)workload->replicas, "pod"));
        for (uint32_t p = 0; p < workload->waiting.count; p++)
            text_printf(text, "%s%s",
                        p ? " " : "; waiting for a node: ", workload->waiting.items[p]);
        if (workload->note)
            text_printf(text, "; %s", workload->note);
        text_append_char(text, '\n');
    }
}

/* ---- markup ---- */

/* XML 1.0 has no way to write control characters, and those that change the direction of writing
 * would turn round what stands beside a name: both are told as on a terminal. */
void report_append_escaped(struct text *text, const char *string)
{
    struct text plain;
    text_init(&plain, text->memory);
    plain_append(&plain, string, strlen(string), PLAIN_LINES);
    for (const char *at = text_content(&plain); *at; at++)
        switch (*at) {
        case '&': text_append_string(text, "&amp;"); break;
        case '<': text_append_string(text, "&lt;"); break;
        case '>': text_append_string(text, "&gt;"); break;
        case '"': text_append_string(text, "&quot;"); break;
        default: text_append_char(text, *at);
        }
    text_release(&plain);
}

void report_append_attribute(struct text *text, const char *name, const char *value)
{
    text_printf(text, " %s=\"", name);
    report_append_escaped(text, value);
    text_append_char(text, '"');
}

void report_write_strings(struct json_out *json, const char *key, const struct string_list *list)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < list->count; i++)
        json_string(json, NULL, list->items[i]);
    json_array_end(json);
}

void report_changes_json(struct arena *arena, struct json_out *json,
                         const struct counterexample *run)
{
    struct change_graph graph = {.arena = arena};
    struct text text;
    struct json_out line; /* for programs only: on one line, out of the reader's way */
    text_init(&text, arena->memory);
    json_out_init(&line, &text, 0);
    change_add_counterexample(&graph, run);
    change_write_records(&line, NULL, &graph);
    json_raw(json, "changes", text_content(&text));
    text_release(&text);
}

enum verdict reports_verdict(const struct reports *reports)
{
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t i = 0; i < reports->count; i++)
        verdict = verdict_worse(verdict, verify_verdict(reports->items[i].found));
    return verdict;
}

struct string_list report_of_nothing(struct arena *arena, const struct report *report)
{
    VEC(const char *) list = {0};
    for (uint32_t i = 0; i < report->found->result_count; i++) {
        const struct verify_result *result = &report->found->results[i];
        if (result->of_nothing)
            VEC_PUSH(arena, &list,
                     arena_printf(arena, "%s: %s", report_intent_label(arena, result->intent),
                                  result->of_nothing));
    }
    for (uint32_t i = 0; i < report->idle.count; i++)
        VEC_PUSH(arena, &list, report->idle.items[i]);
    return (struct string_list){list.items, list.count};
}

struct string_list problems_warnings(struct arena *arena, const struct problems *problems)
{
    VEC(const char *) warnings = {0};
    for (uint32_t i = 0; i < problems->count; i++)
        if (problems->items[i].kind == PROBLEM_WARNING)
            VEC_PUSH(arena, &warnings, problem_format(arena, &problems->items[i]));
    return (struct string_list){warnings.items, warnings.count};
}

/* "2 nodes", "1 to 6 nodes" */
static const char *range_text(struct arena *arena, int32_t least, int32_t most, const char *noun)
{
    if (least == most)
        return count_words(arena, (uint64_t)least, noun);
    return arena_printf(arena, "%d to %d %ss", least, most, noun);
}

const char *report_holding(struct arena *arena, const struct report *report)
{
    const struct setups *setups = &report->found->setups;
    int32_t pods_least = INT32_MAX;
    int32_t pods_most = 0;
    if (report->found->sizes.open)
        return report_sizes_held(arena, report);
    for (uint32_t i = 0; i < setups->count; i++) {
        if (setups->items[i].total_pods < pods_least)
            pods_least = setups->items[i].total_pods;
        if (setups->items[i].total_pods > pods_most)
            pods_most = setups->items[i].total_pods;
    }
    if (setups->count == 1)
        return arena_printf(arena, "with %s",
                            report_scale(arena, report->scope, &setups->items[0]));
    return arena_printf(arena, "in all %u setups of %s and %s", setups->count,
                        range_text(arena, setups->items[0].total_nodes,
                                   setups->items[setups->count - 1].total_nodes, "node"),
                        range_text(arena, pods_least, pods_most, "pod"));
}
