/* SPDX-License-Identifier: Apache-2.0 */
/* What `fathom controller` found, for people. */
#include "report/controller_parts.h"
#include "report/formats.h"
#include "report/report.h"

#include <inttypes.h>

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
    text_printf(text, "    It needs: %s.\n",
                controller_slice_words(arena, report->options, &intent->slice));
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
    text_printf(text, "  %s: %s", controller_intent_label(arena, intent),
                verdict_name(intent->verdict));
    if (intent->verdict == VERDICT_UNDECIDED)
        text_printf(text, " (%s)", explore_reason_text(intent->reason));
    text_append_char(text, '\n');
    if (intent->verdict != VERDICT_VIOLATED)
        return;
    text_printf(text, "    %s: %s\n", controller_intent_kind(intent),
                controller_intent_meaning(intent));
    if (!intent->run)
        return;
    controller_write_steps(intent->run, text);
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
                text_printf(text, "; %s, %s", controller_intent_label(arena, &judged->intents[k]),
                            controller_intent_kind(&judged->intents[k]));
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

void controller_write_text(const struct writer_context *how,
                           const struct controller_reports *reports, struct text *text)
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
