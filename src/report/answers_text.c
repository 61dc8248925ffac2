/* SPDX-License-Identifier: Apache-2.0 */
/* The answers on a screen: the summary, the findings, what is open. */
#include "report/answers.h"

/* So much is on the screen of who does not ask for more (-v). */
enum {
    FINDINGS_SHOWN = 5,
    UNDECIDED_SHOWN = 5,
    HINTS_SHOWN = 6,
    WORKLOADS_SHOWN = 4,
    ALIKE_SHOWN = 3
};

static const char *names(struct arena *arena, const struct cause *finding)
{
    const char *list = "";
    for (uint32_t i = 0; i < finding->workloads.count && i < WORKLOADS_SHOWN; i++)
        list = arena_printf(arena, "%s%s%s", list, i > 0 ? ", " : "", finding->workloads.items[i]);
    return finding->workloads.count > WORKLOADS_SHOWN
               ? arena_printf(arena, "%s and %u more", list,
                              finding->workloads.count - WORKLOADS_SHOWN)
               : list;
}

static void write_sources(struct arena *arena, const struct cause *finding, struct text *text)
{
    for (uint32_t i = 0; i < finding->sources.count; i++) {
        const struct report_source *source = &finding->sources.items[i];
        const char *line = report_quote(arena, source->place);
        text_printf(text, "   %s %s:%u:%u: %s%s%s\n", i == 0 ? "Look at" : "and at",
                    source->place.file, source->place.line, source->place.column, source->path,
                    source->note ? ": " : "", source->note ? source->note : "");
        if (line)
            text_printf(text, "   %5u | %s\n", source->place.line, line);
    }
}

/* Where else the same is to be seen. */
static void write_alike(struct arena *arena, const struct cause *finding, bool verbose,
                        struct text *text)
{
    const char *list = "";
    for (uint32_t i = 0; i < finding->alike.count && (verbose || i < ALIKE_SHOWN); i++) {
        const struct alike_cause *alike = &finding->alike.items[i];
        list = arena_printf(arena, "%s%s%s", list, i > 0 ? ", " : "", alike->workload);
        if (alike->source)
            list = arena_printf(arena, "%s (%s:%u)", list, alike->source->place.file,
                                alike->source->place.line);
    }
    if (finding->alike.count > 0)
        text_printf(text, "   The same: %s", list);
    if (!verbose && finding->alike.count > ALIKE_SHOWN)
        text_printf(text, " and %u more (-v)", finding->alike.count - ALIKE_SHOWN);
    if (finding->alike.count > 0)
        text_append_char(text, '\n');
}

static void write_finding(struct arena *arena, const struct reports *reports, uint32_t number,
                          bool verbose, struct text *text)
{
    const struct cause *finding = &reports->answers->findings.items[number];
    const struct report *report = &reports->items[finding->report];
    const struct verify_result *result = &report->found->results[finding->intent];
    text_printf(text, "%s%u. %s: %s: %s\n", verbose || number <= FINDINGS_SHOWN ? "\n" : "",
                number + 1, report->question, names(arena, finding), finding->title);
    if (!verbose && number >= FINDINGS_SHOWN)
        return;
    for (uint32_t i = 0; i < finding->reasons.count; i++)
        text_printf(text, "   %s\n", finding->reasons.items[i]);
    for (uint32_t i = 0; i < finding->also.count; i++)
        text_printf(text, "   Also: %s\n", finding->also.items[i]);
    write_sources(arena, finding, text);
    write_alike(arena, finding, verbose, text);
    if (finding->remedy)
        text_printf(text, "   Remedy: %s\n", finding->remedy);
    if (!verbose)
        return;
    text_printf(text, "\n   %s, with %s:\n", report_intent_label(arena, result->intent),
                report_scale(arena, report->scope, result->setup));
    report_write_steps(arena, result, "   ", text);
    text_append_string(text, "   The cluster at the end:\n");
    report_write_picture(arena, &result->picture, "     ", text);
}

static void write_list(struct text *text, const char *heading, const struct string_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        text_printf(text, "%s: %s\n", heading, list->items[i]);
}

/* What each question relies on, once. */
static void write_premises(const struct reports *reports, struct text *text)
{
    for (uint32_t i = 0; i < reports->count; i++) {
        const struct report *report = &reports->items[i];
        text_printf(text, "\n%s: %lu states in %.3f s\n", report->question,
                    (unsigned long)report->found->states, report->found->seconds);
        write_list(text, "  Assumed", &report->assumptions);
        write_list(text, "  Premise", &report->premises);
        write_list(text, "  Limit", &report->limits);
    }
}

void answers_write_text(struct arena *arena, const struct reports *reports, bool verbose,
                        struct text *text)
{
    const struct answers *answers = reports->answers;
    text_printf(text, "%s\n", answers_summary(arena, answers));
    if (reports->count > 0 && reports->items[0].kubernetes)
        text_printf(text, "%s\n", reports->items[0].kubernetes);
    for (uint32_t i = 0; i < answers->findings.count; i++)
        write_finding(arena, reports, i, verbose, text);
    if (answers->undecided.count > 0)
        text_append_char(text, '\n');
    for (uint32_t i = 0; i < answers->undecided.count && (verbose || i < UNDECIDED_SHOWN); i++)
        text_printf(text, "Undecided: %s\n", answers->undecided.items[i]);
    if (!verbose && answers->undecided.count > UNDECIDED_SHOWN)
        text_printf(text, "Undecided: and %u more (-v)\n",
                    answers->undecided.count - UNDECIDED_SHOWN);
    text_append_char(text, '\n');
    for (uint32_t i = 0; i < answers->hints.count && (verbose || i < HINTS_SHOWN); i++) {
        const struct hint *hint = &answers->hints.items[i];
        text_printf(text, "Hint: %s%s%s\n", hint_format(arena, hint),
                    hint->remedy ? "\n  Remedy: " : "", hint->remedy ? hint->remedy : "");
    }
    if (!verbose && answers->hints.count > HINTS_SHOWN)
        text_printf(text, "Hint: and %u more (-v)\n", answers->hints.count - HINTS_SHOWN);
    if (answers->nodes)
        text_printf(text, "Needs: %s\n", answers->nodes);
    const struct string_list sizes = answers_sizes(arena, reports, answers);
    write_list(text, "Holds", &sizes);
    write_list(text, "Not asked", &answers->left_out);
    write_list(text, "Assumed", &answers->assumptions);
    if (verbose)
        write_premises(reports, text);
    else
        text_printf(text, "-v shows %swhat the answers rely on\n",
                    answers->findings.count > FINDINGS_SHOWN
                        ? "the reasons and the steps of each finding, and "
                    : answers->findings.count > 0 ? "the steps of each finding, and "
                                                  : "");
}
