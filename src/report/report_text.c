/* SPDX-License-Identifier: Apache-2.0 */
/* The report that people read: what happened, why, where to look. */
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "expression/expression.h"
#include "object/time.h"
#include "report/answers.h"
#include "report/formats.h"
#include "report/repair_report.h"
#include "report/report.h"
#include "report/report_sizes.h"

#include <inttypes.h>
#include <string.h>

struct writing {
    struct arena *arena;
    const struct report *report;
    struct text *text;
};

static void write_heading(const struct writing *writing, const struct verify_result *result)
{
    static const char *const words[] = {"HOLDS", "VIOLATED", "UNDECIDED", "HOLDS PROBABLY"};
    text_append_string(writing->text, words[result->verdict]);
    if (result->of_nothing)
        text_printf(writing->text, " (of nothing: %s)", result->of_nothing);
    text_printf(writing->text, "  %s", report_intent_label(writing->arena, result->intent));
    if (result->verdict == VERDICT_VIOLATED)
        text_printf(writing->text, ": %s", report_intent_violated(result->intent->kind));
    text_append_char(writing->text, '\n');
}

/* A picture of a large cluster shows the nodes and workloads that the steps are about. */
enum { PICTURE_MOST = 24 };

static bool shows_node(const struct verify_result *result, const struct story_node *node)
{
    bool shown = result->picture.node_count <= PICTURE_MOST;
    for (uint32_t i = 0; i < result->step_count && !shown; i++)
        shown = result->steps[i].told.node && strcmp(result->steps[i].told.node, node->name) == 0;
    return shown;
}

static bool shows_workload(const struct writing *writing, const struct verify_result *result,
                           const struct story_workload *workload)
{
    bool shown = result->picture.workload_count <= PICTURE_MOST || workload->waiting.count > 0;
    for (uint32_t i = 0; i < result->step_count && !shown; i++) {
        const uint32_t number = result->steps[i].told.workload;
        shown = number < writing->report->scope->workload_count &&
                strcmp(writing->report->scope->workloads[number].name, workload->name) == 0;
    }
    return shown;
}

static void write_picture(const struct writing *writing, const struct verify_result *result)
{
    const struct story_picture *all = &result->picture;
    struct story_picture shown = {
        .nodes = ARENA_ARRAY(writing->arena, struct story_node, all->node_count + 1),
        .workloads = ARENA_ARRAY(writing->arena, struct story_workload, all->workload_count + 1),
    };
    for (uint32_t n = 0; n < all->node_count; n++)
        if (shows_node(result, &all->nodes[n]))
            shown.nodes[shown.node_count++] = all->nodes[n];
    for (uint32_t w = 0; w < all->workload_count; w++)
        if (shows_workload(writing, result, &all->workloads[w]))
            shown.workloads[shown.workload_count++] = all->workloads[w];
    text_append_string(writing->text, "\n  The cluster at the end:\n");
    report_write_picture(writing->arena, &shown, "    ", writing->text);
    if (shown.node_count < all->node_count || shown.workload_count < all->workload_count)
        text_printf(
            writing->text, "    and %s and %s that no step is about\n",
            count_words(writing->arena, all->node_count - shown.node_count, "node"),
            count_words(writing->arena, all->workload_count - shown.workload_count, "workload"));
}

static void write_sources(const struct writing *writing, const struct verify_result *result)
{
    struct report_sources sources = {.count = 0};
    report_find_sources(writing->arena, writing->report, result, &sources);
    for (uint32_t i = 0; i < sources.count; i++) {
        const struct report_source *source = &sources.items[i];
        const char *line = report_quote(writing->arena, source->place);
        text_printf(writing->text, "%s %s:%u:%u: %s%s%s\n", i == 0 ? "\n  Look at" : "  and at",
                    source->place.file, source->place.line, source->place.column, source->path,
                    source->note ? ": " : "", source->note ? source->note : "");
        if (line)
            text_printf(writing->text, "    %5u | %s\n", source->place.line, line);
    }
}

/* What the user has asked in words of their own. */
static void write_expression(const struct writing *writing, const struct check_intent *intent)
{
    struct text *text = writing->text;
    if (!intent->expression)
        return;
    text_printf(text, "  %s: %s\n", intent_kind_name(intent->kind), intent->expression);
    if (intent->to)
        text_printf(text, "  to: %s\n", intent->to);
    if (intent->condition)
        text_printf(text, "  when: %s\n", intent->condition);
    if (intent->after_ns > 0)
        text_printf(text, "  after: %s\n", duration_format(writing->arena, intent->after_ns));
    if (intent->within_ns > 0)
        text_printf(text, "  within: %s\n", duration_format(writing->arena, intent->within_ns));
}

/* What the parts of the expression are at the end. */
static void write_values(const struct writing *writing, const struct verify_result *result)
{
    if (result->values.count > 0)
        text_append_string(writing->text, "\n  There:\n");
    for (uint32_t i = 0; i < result->values.count; i++)
        text_printf(writing->text, "    %s: %s\n", result->values.items[i].text,
                    result->values.items[i].value);
}

static void write_costs(const struct writing *writing, const struct verify_result *result)
{
    for (uint32_t i = 0; i < result->cost_count; i++)
        text_printf(writing->text, "  Cost: %s\n", report_cost(writing->arena, &result->costs[i]));
}

/* Does the result show a run that the intent asks for, and none that violates it? */
static bool is_example(const struct verify_result *result)
{
    return intent_class_of(result->intent)->asks_for_example && result->verdict == VERDICT_HOLDS;
}

/* `workloads`: what is known of each of them; NULL: nothing. */
static void write_violation(const struct writing *writing, const struct verify_result *result,
                            const char *workloads)
{
    struct text *text = writing->text;
    const struct scope *scope = writing->report->scope;
    /* Behind a limit, smaller setups may be undecided. */
    text_printf(text, "  %s: %s\n",
                result->searched && writing->report->found->search.found > 0 ? "Scale"
                                                                             : "Smallest scale",
                report_scale(writing->arena, writing->report->scope, result->setup));
    const char *sizes = report_sizes_violated(writing->arena, writing->report, result);
    if (sizes)
        text_printf(text, "  The same with: %s\n", sizes);
    if (result->whose < scope->workload_count && scope->workload_count > 1 &&
        !result->intent->workload.name)
        text_printf(text, "  Workload: %s\n", scope->workloads[result->whose].name);
    if (workloads)
        text_printf(text, "  It %s\n", workloads);
    if (writing->report->found->verdicts && !is_example(result))
        text_printf(text, "  Violated in %" PRIu64 " of %" PRIu64 " setups\n", result->violations,
                    writing->report->found->setups_explored);
    write_costs(writing, result);
    if (result->race)
        text_append_string(text, "  Race: this happens only if periodic controllers act while "
                                 "others are still busy, every time\n");
    write_expression(writing, result->intent);
    text_append_char(text, '\n');
    report_write_steps(writing->arena, result, "  ", text);
    if (intent_class_of(result->intent)->violated_by == VIOLATED_BY_NO_WAY)
        text_append_string(text, "  No run from there on makes it true; this is one of them.\n");
    write_values(writing, result);
    if (!is_example(result))
        write_sources(writing, result);
    write_picture(writing, result);
}

/* There is no run to show. */
static void write_unreached(const struct writing *writing, const struct verify_result *result)
{
    text_printf(writing->text, "  %s\n", report_holding(writing->arena, writing->report));
    write_expression(writing, result->intent);
}

/* What is known all the same, and what is in the way of the rest. */
static void write_undecided(const struct writing *writing, uint32_t intent)
{
    const struct verify_report *found = writing->report->found;
    const struct verify_result *result = &found->results[intent];
    const struct string_list known =
        report_undecided_lines(writing->arena, writing->report, intent);
    text_printf(writing->text, "  %s; no violation in the first %" PRIu64 " of %u setups\n",
                explore_reason_text(result->reason), found->setups_explored, found->setups.count);
    for (uint32_t i = 0; i < known.count; i++)
        text_printf(writing->text, "  %s\n", known.items[i]);
}

/* What holds, if more may happen; the counterexample of that only for those who ask for more. */
static void write_trial(const struct writing *writing, uint32_t intent, bool verbose)
{
    const char *line = report_trial_line(writing->arena, writing->report, intent);
    const struct intent_trial *violated = report_violated_trial(writing->report, intent);
    if (line)
        text_printf(writing->text, "  %s\n", line);
    if (!violated || !verbose)
        return;
    const struct report report = report_of_trial(writing->report, violated);
    const struct writing of_trial = {writing->arena, &report, writing->text};
    write_violation(&of_trial, violated->violation, NULL);
}

static void write_list(struct text *text, const char *heading, const struct string_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        text_printf(text, "%s: %s\n", heading, list->items[i]);
}

static void write_report(struct arena *arena, const struct report *report, bool verbose,
                         struct text *text)
{
    const struct writing writing = {arena, report, text};
    const struct verify_report *found = report->found;
    if (report->file)
        text_printf(text, "Check %s (%s)\n", report->check, report->file);
    if (report->kubernetes)
        text_printf(text, "%s\n", report->kubernetes);
    for (uint32_t i = 0; i < found->result_count; i++) {
        const struct verify_result *result = &found->results[i];
        if (i > 0 || report->file || report->kubernetes)
            text_append_char(text, '\n');
        write_heading(&writing, result);
        if (is_example(result))
            write_violation(&writing, result, NULL);
        else if (intent_class_of(result->intent)->asks_for_example &&
                 result->verdict == VERDICT_VIOLATED)
            write_unreached(&writing, result);
        else if (result->verdict == VERDICT_VIOLATED)
            write_violation(&writing, result, report_workloads_line(arena, report, i));
        else if (result->verdict == VERDICT_HOLDS)
            text_printf(text, "  %s\n", report_holding(arena, report));
        else
            write_undecided(&writing, i);
        write_trial(&writing, i, verbose);
    }
    text_printf(text,
                "\nExplored: %" PRIu64 " of %u setups, %" PRIu64 " states, %" PRIu64
                " transitions, at most %u steps deep\n",
                found->setups_explored, found->setups.count, found->states, found->transitions,
                found->depth);
    if (found->components > 0)
        text_printf(text, "Decided: %s\n", report_decided_by(arena, report));
    if (found->search.runs > 0)
        text_printf(text, "Searched: %s\n", report_searched(arena, &found->search));
    if (verbose)
        text_printf(text, "Took: %.3f s, %.1f MiB\n", found->seconds,
                    (double)report->peak_bytes / 1048576.0);
    const struct string_list to_decide = report_to_decide(arena, report);
    write_list(text, "Limit", &report->limits);
    write_list(text, "To decide", &to_decide);
    write_list(text, "Of nothing", &report->idle);
    write_list(text, "Assumed", &report->assumptions);
    write_list(text, "Premise", &report->premises);
    if (report->repair)
        repair_best_text(arena, report->repair, text);
}

void report_write_text(const struct writer_context *how, const struct reports *reports,
                       struct text *text)
{
    if (reports->answers) {
        answers_write_text(how->arena, reports, how->verbose, text);
        accepted_write_text(how->arena, reports, text);
        return;
    }
    for (uint32_t i = 0; i < reports->count; i++) {
        if (i > 0)
            text_append_string(text, "\n\n");
        write_report(how->arena, &reports->items[i], how->verbose, text);
        if (reports->heatmap)
            report_write_heatmap(how->arena, &reports->items[i], text);
    }
    accepted_write_text(how->arena, reports, text);
}
