/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answers.h"

#include "base/map.h"
#include "object/as_written.h"

#include <string.h>

struct result_place {
    uint32_t report;
    uint32_t result;
};

/* A workload that something was asked about, with all that was. */
struct asked_workload {
    const char *name;
    VEC(struct result_place) results;
};

struct collecting {
    struct arena *arena;
    const struct reports *reports;
    struct answers *answers;
    struct map numbers; /* name -> place among the workloads + 1 */
    VEC(struct asked_workload) workloads;
};

/* As the user knows it. */
static const char *workload_name(struct arena *arena, const struct report *report,
                                 const struct verify_result *result)
{
    const uint32_t number = scope_find_workload(report->scope, &result->intent->workload);
    if (!result->intent->workload.name)
        return "all workloads";
    return number == UINT32_MAX ? object_name_format(arena, &result->intent->workload)
                                : written_object(arena, report->scope->workloads[number].object);
}

/* ---- findings ---- */

static bool is_among(const char *const *items, uint32_t count, const char *text)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(items[i], text) == 0)
            return true;
    return false;
}

static bool same_place(const struct report_sources *left, const struct report_sources *right)
{
    if (left->count == 0 || right->count == 0)
        return false;
    const struct place *a = &left->items[0].place;
    const struct place *b = &right->items[0].place;
    return a->line == b->line && a->file && b->file && strcmp(a->file, b->file) == 0;
}

static const char *question_of(const struct collecting *collecting, const struct cause *finding)
{
    return collecting->reports->items[finding->report].question;
}

/* Is it the same cause: the same line, or the same question about the same workload? */
static bool same_cause(const struct collecting *collecting, const struct cause *known,
                       const struct cause *found)
{
    const char *workload = found->workloads.items[0];
    const bool same_workload = is_among(known->workloads.items, known->workloads.count, workload);
    const bool same_question =
        strcmp(question_of(collecting, known), question_of(collecting, found)) == 0;
    return (same_workload && same_question) ||
           (same_place(&known->sources, &found->sources) && (same_workload || same_question));
}

static void merge(struct collecting *collecting, struct cause *known, const struct cause *found)
{
    struct arena *arena = collecting->arena;
    const char *workload = found->workloads.items[0];
    const char *question = question_of(collecting, found);
    if (!is_among(known->workloads.items, known->workloads.count, workload))
        VEC_PUSH(arena, &known->workloads, workload);
    if (found->severity < known->severity)
        known->severity = found->severity;
    if (strcmp(question_of(collecting, known), question) != 0 &&
        !is_among(known->also.items, known->also.count, question))
        VEC_PUSH(arena, &known->also, question);
}

static void add_finding(struct collecting *collecting, uint32_t number, uint32_t intent)
{
    struct arena *arena = collecting->arena;
    const struct report *report = &collecting->reports->items[number];
    const struct verify_result *result = &report->found->results[intent];
    struct cause found = {.report = number, .intent = intent};
    VEC_PUSH(arena, &found.workloads, workload_name(arena, report, result));
    report_find_sources(arena, report, result, &found.sources);
    cause_explain(arena, report, result, &found);
    for (uint32_t i = 0; i < collecting->answers->findings.count; i++) {
        struct cause *known = &collecting->answers->findings.items[i];
        if (same_cause(collecting, known, &found)) {
            merge(collecting, known, &found);
            return;
        }
    }
    VEC_PUSH(arena, &collecting->answers->findings, found);
}

/* The worst first; those that are equally bad stay in the order of the questions. */
static void sort_findings(struct answers *answers)
{
    for (uint32_t i = 1; i < answers->findings.count; i++) {
        const struct cause moved = answers->findings.items[i];
        uint32_t at = i;
        for (; at > 0 && answers->findings.items[at - 1].severity > moved.severity; at--)
            answers->findings.items[at] = answers->findings.items[at - 1];
        answers->findings.items[at] = moved;
    }
}

const char *gravity_name(enum gravity severity)
{
    static const char *const names[] = {
        [GRAVITY_CRITICAL] = "critical",
        [GRAVITY_HIGH] = "high",
        [GRAVITY_MEDIUM] = "medium",
    };
    return names[severity];
}

/* ---- verdicts by workload and question ---- */

/* Without the name of the workload, which is said already. */
static const char *why_undecided(struct arena *arena, const struct report *report, uint32_t intent)
{
    const struct object_name *name = &report->found->results[intent].intent->workload;
    const char *workload = name->name ? object_name_format(arena, name) : "all workloads";
    const struct string_list lines = report_undecided_lines(arena, report, intent);
    const char *open = arena_printf(arena, "open for %s: ", workload);
    /* A workload by itself has no others. */
    const char *why = lines.count > 0 && report->scope->workload_count > 1 ? lines.items[0] : "";
    if (strncmp(why, open, strlen(open)) == 0)
        why += strlen(open);
    return *why ? why : explore_reason_text(report->found->results[intent].reason);
}

/* Of all intents of the question about this workload; of nothing does not count. */
static bool cell_verdict(const struct collecting *collecting, const char *question,
                         uint32_t workload, enum verdict *verdict, const char **why)
{
    const struct asked_workload *of = &collecting->workloads.items[workload];
    bool any = false;
    *verdict = VERDICT_HOLDS;
    *why = "";
    for (uint32_t i = 0; i < of->results.count; i++) {
        const struct result_place *at = &of->results.items[i];
        const struct report *report = &collecting->reports->items[at->report];
        const struct verify_result *result = &report->found->results[at->result];
        if (result->of_nothing || strcmp(report->question, question) != 0)
            continue;
        any = true;
        *verdict = verdict_worse(*verdict, result->verdict);
        if (result->verdict == VERDICT_UNDECIDED)
            *why = why_undecided(collecting->arena, report, at->result);
    }
    return any;
}

static void count_cells(struct collecting *collecting)
{
    struct answers *answers = collecting->answers;
    for (uint32_t w = 0; w < collecting->workloads.count; w++)
        for (uint32_t q = 0; q < answers->questions.count; q++) {
            enum verdict verdict;
            const char *why;
            const char *question = answers->questions.items[q];
            const char *workload = collecting->workloads.items[w].name;
            if (!cell_verdict(collecting, question, w, &verdict, &why))
                continue;
            answers->hold += verdict == VERDICT_HOLDS;
            if (verdict == VERDICT_UNDECIDED)
                VEC_PUSH(collecting->arena, &answers->undecided,
                         arena_printf(collecting->arena, "%s: %s: %s", question, workload, why));
        }
    answers->workloads = collecting->workloads.count;
}

/* Is the finding, or one that it stands for, about this line? */
static bool is_at(const struct cause *finding, const struct report_sources *place)
{
    bool found = same_place(&finding->sources, place);
    for (uint32_t a = 0; a < finding->alike.count; a++) {
        struct report_sources other = {.count = 0};
        if (finding->alike.items[a].source)
            other.items[other.count++] = *finding->alike.items[a].source;
        found |= same_place(&other, place);
    }
    return found;
}

/* Leaves out the hints that a finding says more about. */
static void drop_told_hints(struct answers *answers)
{
    struct hints *hints = &answers->hints;
    uint32_t kept = 0;
    for (uint32_t h = 0; h < hints->count; h++) {
        const struct report_sources place = {.items = {{.place = hints->items[h].place}},
                                             .count = 1};
        bool told = false;
        for (uint32_t i = 0; i < answers->findings.count; i++)
            told |= is_at(&answers->findings.items[i], &place);
        if (!told)
            hints->items[kept++] = hints->items[h];
    }
    hints->count = kept;
}

static void note_result(struct collecting *collecting, uint32_t report, uint32_t result)
{
    struct arena *arena = collecting->arena;
    const struct report *of = &collecting->reports->items[report];
    const char *name = workload_name(arena, of, &of->found->results[result]);
    struct map_entry *entry = map_put(&collecting->numbers, name);
    if (!entry->value) {
        const struct asked_workload added = {.name = name};
        VEC_PUSH(arena, &collecting->workloads, added);
        entry->value = (void *)(uintptr_t)collecting->workloads.count;
    }
    const struct result_place place = {report, result};
    struct asked_workload *workload = &collecting->workloads.items[(uintptr_t)entry->value - 1];
    VEC_PUSH(arena, &workload->results, place);
}

void answers_collect(struct arena *arena, const struct reports *reports, struct answers *answers)
{
    struct collecting collecting = {.arena = arena, .reports = reports, .answers = answers};
    map_init(&collecting.numbers, arena);
    for (uint32_t i = 0; i < reports->count; i++) {
        const struct report *report = &reports->items[i];
        if (!is_among(answers->questions.items, answers->questions.count, report->question))
            VEC_PUSH(arena, &answers->questions, report->question);
        for (uint32_t r = 0; r < report->found->result_count; r++) {
            note_result(&collecting, i, r);
            if (report->found->results[r].verdict == VERDICT_VIOLATED)
                add_finding(&collecting, i, r);
        }
    }
    answers_group(arena, reports, answers);
    sort_findings(answers);
    count_cells(&collecting);
    drop_told_hints(answers);
}

const char *answers_told(struct arena *arena, const struct report *report,
                         const struct verify_result *result, struct place *place)
{
    struct cause found = {0};
    if (!report->question)
        return NULL;
    report_find_sources(arena, report, result, &found.sources);
    cause_explain(arena, report, result, &found);
    const char *text = arena_printf(arena, "%s: %s: %s", report->question,
                                    workload_name(arena, report, result), found.title);
    for (uint32_t i = 0; i < found.reasons.count; i++)
        text = arena_printf(arena, "%s. %s", text,
                            found.reasons.items[i] + strspn(found.reasons.items[i], " "));
    if (found.remedy)
        text = arena_printf(arena, "%s. Remedy: %s", text, found.remedy);
    if (place && found.sources.count > 0)
        *place = found.sources.items[0].place;
    return text;
}

bool answers_tell(const struct answers *answers, uint32_t report, uint32_t intent)
{
    for (uint32_t i = 0; i < answers->findings.count; i++) {
        const struct cause *finding = &answers->findings.items[i];
        bool told = finding->report == report && finding->intent == intent;
        for (uint32_t a = 0; a < finding->alike.count; a++)
            told |= finding->alike.items[a].report == report &&
                    finding->alike.items[a].intent == intent;
        if (told)
            return true;
    }
    return false;
}

const char *answers_summary(struct arena *arena, const struct answers *answers)
{
    if (answers->workloads == 0)
        return "no workload with pods among the manifests: there is nothing to ask";
    const char *list = "";
    for (uint32_t i = 0; i < answers->questions.count; i++)
        list = arena_printf(arena, "%s%s%s", list, i > 0 ? ", " : "", answers->questions.items[i]);
    const char *text = arena_printf(
        arena, "%s, %s each (%s): %u hold", count_words(arena, answers->workloads, "workload"),
        count_words(arena, answers->questions.count, "question"), list, answers->hold);
    text = arena_printf(arena, "%s, %s", text,
                        answers->findings.count
                            ? count_words(arena, answers->findings.count, "finding")
                            : "no finding");
    return answers->undecided.count
               ? arena_printf(arena, "%s, %u undecided", text, answers->undecided.count)
               : text;
}
