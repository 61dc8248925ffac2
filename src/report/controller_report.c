/* SPDX-License-Identifier: Apache-2.0 */
/* What `fathom controller` found: of junit, a suite for each check or variant, a case for
 * each intent. */
#include "reconcile/plans.h"
#include "report/formats.h"
#include "report/report.h"
#include "tracing/import/counterexample.h"

#include <inttypes.h>

/* --- Parts --- */

static const char *label_of(struct arena *arena, const struct judged_intent *intent)
{
    return intent->is_esr ? arena_printf(arena, "esr (%s)", intent->resource) : intent->name;
}

static const char *kind_of(const struct judged_intent *intent)
{
    if (!intent->is_esr)
        return "safety";
    return intent->stability ? "stability" : "progress";
}

static const char *meaning_of(const struct judged_intent *intent)
{
    if (!intent->is_esr)
        return "a step breaks it";
    return intent->stability ? "its desired state no longer changes, and it is left again and again"
                             : "its desired state no longer changes, and it is never reached";
}

static const char *operation_words(struct arena *arena, const struct environment_options *options,
                                   uint32_t at)
{
    static const char *const verbs[] = {"create", "update", "delete"};
    const struct script_operation *operation = &options->script[at];
    return arena_printf(arena, "operation %u (%s %s/%s/%s)", at + 1, verbs[operation->verb],
                        operation->key.kind, operation->key.name_space, operation->key.name);
}

static void append_part(struct arena *arena, const char **list, const char *part)
{
    *list = **list ? arena_printf(arena, "%s, %s", *list, part) : part;
}

/* "operation 1 (create ...), 1 crash" */
static const char *slice_words(struct arena *arena, const struct environment_options *options,
                               const struct cause_slice *slice)
{
    const char *list = "";
    for (uint32_t i = 0; i < options->script_count; i++)
        if (slice->operations[i])
            append_part(arena, &list, operation_words(arena, options, i));
    if (slice->crashes > 0)
        append_part(arena, &list,
                    slice->crashes == 1 ? "1 crash"
                                        : arena_printf(arena, "%u crashes", slice->crashes));
    if (slice->failures > 0)
        append_part(arena, &list, count_words(arena, slice->failures, "failed request"));
    if (slice->stale_reads > 0)
        append_part(arena, &list, count_words(arena, slice->stale_reads, "stale read"));
    return list;
}

/* --- For people --- */

static void write_steps(const struct controller_run *run, struct text *text)
{
    int width = 1;
    for (uint32_t n = run->count; n >= 10; n /= 10)
        width++;
    for (uint32_t i = 0; i < run->count; i++) {
        const struct controller_step *step = &run->steps[i];
        if (run->loops && !run->loop_rests && i == run->loop_from)
            text_printf(text, "    %*s  from here it repeats for ever:\n", width, "");
        text_printf(text, "    %*u. %s%s\n", width, i + 1,
                    step->is_user    ? "event: "
                    : step->is_fault ? "fault: "
                                     : "",
                    step->detail);
    }
    if (run->loops && run->loop_rests)
        text_printf(text, "    %*s  and there it stays: nothing has to happen any more\n", width,
                    "");
    else if (run->loops)
        text_printf(text, "    %*s  and again from step %u\n", width, "", run->loop_from + 1);
}

/* The shortest run need not be one of those that need the least. */
static bool shows_more(const struct judged_intent *intent)
{
    uint32_t faults = 0;
    bool more = false;
    for (uint32_t i = 0; i < intent->run->count; i++) {
        const struct controller_step *step = &intent->run->steps[i];
        faults += step->is_fault;
        more |= step->is_user && !intent->slice.operations[step->operation];
    }
    return more ||
           (faults > 0 &&
            intent->slice.crashes + intent->slice.failures + intent->slice.stale_reads == 0);
}

static void write_slice(struct arena *arena, const struct controller_report *report,
                        const struct judged_intent *intent, struct text *text)
{
    if (!intent->sliced)
        return;
    text_printf(text, "    It needs: %s.\n", slice_words(arena, report->options, &intent->slice));
    text_printf(text, "    %s\n",
                intent->slice.unchecked
                    ? "Whether it needs all of that could not be tried: a limit was reached."
                    : "Without any one of these there is no such violation (each was tried).");
    if (shows_more(intent))
        text_append_string(
            text,
            "    The run above is a shortest one; it has faults or operations beside these.\n");
}

static void write_intent(struct arena *arena, const struct controller_report *report,
                         const struct judged_intent *intent, struct text *text)
{
    text_printf(text, "  %s: %s", label_of(arena, intent), verdict_name(intent->verdict));
    if (intent->verdict == VERDICT_UNDECIDED)
        text_printf(text, " (%s)", explore_reason_text(intent->reason));
    text_append_char(text, '\n');
    if (intent->verdict != VERDICT_VIOLATED)
        return;
    text_printf(text, "    %s: %s\n", kind_of(intent), meaning_of(intent));
    if (!intent->run)
        return;
    write_steps(intent->run, text);
    write_slice(arena, report, intent, text);
}

static void write_report(struct arena *arena, const struct controller_report *report, bool verbose,
                         struct text *text)
{
    const struct judged_controller *judged = report->judged;
    const struct environment_options *options = report->options;
    text_printf(text, "Controller %s: %s\n", report->check, verdict_name(judged->verdict));
    for (uint32_t i = 0; i < judged->count; i++)
        write_intent(arena, report, &judged->intents[i], text);
    text_printf(text, "Within these bounds, and no further: %s%s%s%s%s%s%s.\n",
                controller_bounds(arena, options),
                options->fuse_schedule ? "; rounds start with a fresh copy (fuseSchedule)" : "",
                options->no_status ? "; no status is reported (statusController: false)" : "",
                options->status_flap ? "; status flaps" : "",
                options->timeout_applied ? "; requests that time out may be applied" : "",
                options->client_async ? "; users' requests take their time" : "",
                options->external_failures ? "; calls of the application fail, too" : "");
    text_printf(text, "%" PRIu64 " states, %" PRIu64 " transitions, depth %u%s\n",
                judged->statistics.states, judged->statistics.transitions,
                (unsigned)judged->statistics.depth, judged->complete ? "" : " (not all of them)");
    if (verbose)
        text_printf(text, "%" PRIu64 " different questions were asked about %" PRIu64 " shapes\n",
                    judged->asked.questions, judged->asked.shapes);
    for (uint32_t i = 0; i < report->limits.count; i++)
        text_printf(text, "Limit reached: %s\n", report->limits.items[i]);
}

/* One line for each of many variants, and the first violation in full. */
static void write_variants(struct arena *arena, const struct controller_reports *reports,
                           struct text *text)
{
    const struct controller_report *shown = NULL;
    for (uint32_t i = 0; i < reports->count; i++) {
        const struct controller_report *report = &reports->items[i];
        const struct judged_controller *judged = report->judged;
        text_printf(text, "%-9s  %s: %" PRIu64 " states", verdict_name(judged->verdict),
                    report->variant, judged->statistics.states);
        for (uint32_t k = 0; k < judged->count; k++)
            if (judged->intents[k].verdict == VERDICT_VIOLATED)
                text_printf(text, "; %s, %s", label_of(arena, &judged->intents[k]),
                            kind_of(&judged->intents[k]));
        text_append_char(text, '\n');
        if (!shown && judged->verdict == VERDICT_VIOLATED)
            shown = report;
    }
    if (reports->settled)
        text_printf(text, "%s\n", reports->settled);
    if (shown) {
        text_printf(text, "\nThe first violation (%s):\n", shown->variant);
        write_report(arena, shown, false, text);
    }
}

void controller_write_text(const struct rendering *how, const struct controller_reports *reports,
                           struct text *text)
{
    struct arena *arena = how->arena;
    if (reports->count > 0 && reports->items[0].variant) {
        write_variants(arena, reports, text);
        return;
    }
    for (uint32_t i = 0; i < reports->count; i++) {
        if (i > 0)
            text_append_char(text, '\n');
        write_report(arena, &reports->items[i], how->verbose, text);
    }
}

/* --- For CI systems --- */

static void junit_attribute(struct text *text, const char *name, const char *value)
{
    text_printf(text, " %s=\"", name);
    report_append_escaped(text, value);
    text_append_char(text, '"');
}

static void junit_case(struct arena *arena, const struct controller_report *report,
                       const struct judged_intent *intent, struct text *text)
{
    text_append_string(text, "    <testcase");
    junit_attribute(text, "classname", report->check);
    junit_attribute(text, "name", label_of(arena, intent));
    text_append_string(text, ">\n");
    if (intent->verdict == VERDICT_VIOLATED) {
        struct text steps;
        text_init(&steps, text->memory);
        if (intent->run)
            write_steps(intent->run, &steps);
        text_append_string(text, "      <failure");
        junit_attribute(text, "type", kind_of(intent));
        junit_attribute(text, "message", meaning_of(intent));
        text_append_char(text, '>');
        report_append_escaped(text, text_content(&steps));
        text_append_string(text, "</failure>\n");
        text_release(&steps);
    } else if (intent->verdict != VERDICT_HOLDS) {
        text_append_string(text, "      <skipped");
        junit_attribute(text, "message",
                        arena_printf(arena, "undecided: %s", explore_reason_text(intent->reason)));
        text_append_string(text, "/>\n");
    }
    text_append_string(text, "    </testcase>\n");
}

static void junit_suite(struct arena *arena, const struct controller_report *report,
                        struct text *text)
{
    const struct judged_controller *judged = report->judged;
    uint32_t violated = 0;
    uint32_t undecided = 0;
    for (uint32_t i = 0; i < judged->count; i++) {
        violated += judged->intents[i].verdict == VERDICT_VIOLATED;
        undecided += judged->intents[i].verdict == VERDICT_UNDECIDED;
    }
    text_append_string(text, "  <testsuite");
    junit_attribute(text, "name", report->variant ? report->variant : report->check);
    text_printf(text, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"%.3f\">\n",
                judged->count, violated, undecided, report->seconds);
    for (uint32_t i = 0; i < judged->count; i++)
        junit_case(arena, report, &judged->intents[i], text);
    text_append_string(text, "  </testsuite>\n");
}

void controller_write_junit(const struct rendering *how, const struct controller_reports *reports,
                            struct text *text)
{
    struct arena *arena = how->arena;
    text_append_string(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "
                             "name=\"fathom\">\n");
    for (uint32_t i = 0; i < reports->count; i++)
        junit_suite(arena, &reports->items[i], text);
    text_append_string(text, "</testsuites>\n");
}

/* --- For programs --- */

static void step_json(struct json_out *json, uint32_t number, const struct controller_step *step)
{
    json_object_begin(json, NULL);
    json_unsigned(json, "step", number);
    json_string(json, "time", "0s");
    json_string(json, "actor", step->actor);
    json_string(json, "action", step->action);
    json_string(json, "object", step->object ? step->object : "");
    json_string(json, "detail", step->detail);
    if (step->is_user || step->is_fault)
        json_boolean(json, "outside", true);
    json_unsigned(json, "choice", 0);
    json_array_begin(json, "causes");
    for (uint32_t i = 0; i < step->cause_count; i++)
        json_unsigned(json, NULL, step->causes[i]);
    json_array_end(json);
    json_object_end(json);
}

static void slice_json(struct json_out *json, const struct environment_options *options,
                       const struct cause_slice *slice)
{
    json_object_begin(json, "needs");
    json_array_begin(json, "operations");
    for (uint32_t i = 0; i < options->script_count; i++)
        if (slice->operations[i])
            json_unsigned(json, NULL, i + 1);
    json_array_end(json);
    json_unsigned(json, "crashes", slice->crashes);
    json_unsigned(json, "failures", slice->failures);
    json_unsigned(json, "staleReads", slice->stale_reads);
    json_boolean(json, "checked", !slice->unchecked);
    json_object_end(json);
}

static void run_json(struct json_out *json, const struct controller_run *run)
{
    json_array_begin(json, "trace");
    for (uint32_t i = 0; i < run->count; i++)
        step_json(json, i + 1, &run->steps[i]);
    json_array_end(json);
    if (run->loops && !run->loop_rests) {
        json_object_begin(json, "loop");
        json_unsigned(json, "from", run->loop_from + 1);
        json_object_end(json);
    } else {
        json_null(json, "loop");
    }
    if (run->loops && run->loop_rests)
        json_boolean(json, "rests", true);
    json_array_begin(json, "causes");
    if (run->count > 0)
        json_unsigned(json, NULL, run->count);
    json_array_end(json);
    json_array_begin(json, "judged");
    json_array_end(json);
}

static void changes_json(struct arena *arena, struct json_out *json,
                         const struct controller_report *report, const struct judged_intent *intent)
{
    const struct controller_run *run = intent->run;
    struct counterexample_step *steps =
        ARENA_ARRAY(arena, struct counterexample_step, run->count + (size_t)1);
    for (uint32_t i = 0; i < run->count; i++)
        steps[i] = (struct counterexample_step){
            .actor = run->steps[i].actor,
            .detail = run->steps[i].detail,
            .object = run->steps[i].object,
            .causes = run->steps[i].causes,
            .cause_count = run->steps[i].cause_count,
            .outside = run->steps[i].is_user || run->steps[i].is_fault,
        };
    report_changes_json(arena, json,
                        &(struct counterexample){
                            .check = report->check,
                            .intent = label_of(arena, intent),
                            .steps = steps,
                            .step_count = run->count,
                        });
}

static void source_json(struct json_out *json, const struct controller_report *report,
                        const struct judged_intent *intent)
{
    uint32_t last = 0;
    for (uint32_t i = 0; intent->run && i < intent->run->count; i++)
        if (intent->run->steps[i].is_user)
            last = intent->run->steps[i].operation + 1;
    if (last == 0 || report->options->script[last - 1].place.line == 0) {
        json_null(json, "source");
        return;
    }
    const struct place place = report->options->script[last - 1].place;
    json_object_begin(json, "source");
    json_string(json, "file", place.file);
    json_unsigned(json, "line", place.line);
    json_unsigned(json, "column", place.column);
    json_string(json, "path", "spec.script");
    json_object_end(json);
}

static void intent_json(struct arena *arena, struct json_out *json,
                        const struct controller_report *report, const struct judged_intent *intent)
{
    json_object_begin(json, NULL);
    json_string(json, "name", intent->name);
    json_string(json, "label", label_of(arena, intent));
    if (intent->resource)
        json_string(json, "resource", intent->resource);
    json_string(json, "verdict", verdict_name(intent->verdict));
    if (intent->verdict == VERDICT_UNDECIDED)
        json_string(json, "reason", explore_reason_text(intent->reason));
    json_object_begin(json, "scale");
    json_object_end(json);
    if (intent->verdict == VERDICT_VIOLATED) {
        json_string(json, "kind", kind_of(intent));
        json_string(json, "meaning", meaning_of(intent));
    }
    if (intent->run) {
        json_unsigned(json, "stem", intent->stem);
        if (intent->is_esr) {
            json_unsigned(json, "componentStates", intent->component_states);
            json_unsigned(json, "components", intent->components);
        }
        run_json(json, intent->run);
        if (intent->sliced)
            slice_json(json, report->options, &intent->slice);
        changes_json(arena, json, report, intent);
        source_json(json, report, intent);
    } else {
        json_array_begin(json, "trace");
        json_array_end(json);
        json_null(json, "loop");
    }
    json_object_end(json);
}

static void bounds_json(struct json_out *json, const struct environment_options *options)
{
    json_object_begin(json, "budgets");
    json_unsigned(json, "script", options->script_count);
    json_unsigned(json, "crashes", options->crashes);
    json_unsigned(json, "failures", options->failures);
    json_unsigned(json, "staleReads", options->stale_reads);
    json_object_end(json);
    json_object_begin(json, "reductions");
    json_boolean(json, "fuseSchedule", options->fuse_schedule);
    json_boolean(json, "statusController", !options->no_status);
    json_boolean(json, "merge", !options->keep_all);
    json_object_end(json);
    json_object_begin(json, "options");
    json_boolean(json, "statusFlap", options->status_flap);
    json_boolean(json, "timeoutApplied", options->timeout_applied);
    json_boolean(json, "clientAsync", options->client_async);
    json_boolean(json, "externalFailures", options->external_failures);
    json_boolean(json, "ownFailures", options->own_failures);
    json_object_end(json);
}

static void report_json(struct arena *arena, struct json_out *json,
                        const struct controller_report *report)
{
    const struct judged_controller *judged = report->judged;
    json_object_begin(json, NULL);
    json_string(json, "apiVersion", "fathom/v1");
    json_string(json, "kind", "Report");
    json_string(json, "check", report->check);
    json_string(json, "checkKind", "ControllerCheck");
    json_string(json, "file", report->file);
    if (report->variant)
        json_string(json, "variant", report->variant);
    json_string(json, "verdict", verdict_name(judged->verdict));
    json_array_begin(json, "intents");
    for (uint32_t i = 0; i < judged->count; i++)
        intent_json(arena, json, report, &judged->intents[i]);
    json_array_end(json);
    bounds_json(json, report->options);
    json_object_begin(json, "explored");
    json_unsigned(json, "setups", 1);
    json_unsigned(json, "states", judged->statistics.states);
    json_unsigned(json, "transitions", judged->statistics.transitions);
    json_unsigned(json, "depth", judged->statistics.depth);
    json_unsigned(json, "questions", judged->asked.questions);
    json_unsigned(json, "shapes", judged->asked.shapes);
    json_object_end(json);
    report_write_strings(json, "limits", &report->limits);
    json_array_begin(json, "warnings");
    json_array_end(json);
    json_number(json, "elapsedSeconds", report->seconds);
    json_unsigned(json, "peakMemoryBytes", report->peak_bytes);
    json_object_end(json);
}

void controller_write_json(const struct rendering *how, const struct controller_reports *reports,
                           struct text *text)
{
    struct arena *arena = how->arena;
    struct json_out json;
    json_out_init(&json, text, 2);
    if (reports->count == 1) {
        report_json(arena, &json, &reports->items[0]);
    } else {
        json_object_begin(&json, NULL);
        json_string(&json, "apiVersion", "fathom/v1");
        json_string(&json, "kind", "ReportList");
        if (reports->settled)
            json_string(&json, "settled", reports->settled);
        json_array_begin(&json, "items");
        for (uint32_t i = 0; i < reports->count; i++)
            report_json(arena, &json, &reports->items[i]);
        json_array_end(&json);
        json_object_end(&json);
    }
    text_append_char(text, '\n');
}
