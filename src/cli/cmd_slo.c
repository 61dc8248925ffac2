/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom slo`: an autoscaled service against its objective, for every traffic. */
#include "base/clock.h"
#include "base/suggest.h"
#include "cli/decide_batch.h"
#include "cli/input.h"
#include "cli/limit_options.h"
#include "cli/slo_input.h"
#include "decide/features.h"
#include "report/slo_report.h"
#include "slo/batch.h"
#include "slo/resolve.h"

#include <signal.h>
#include <string.h>

/* What the command line asks for. */
struct asking {
    struct slo_limits limits;
    bool questions[SLO_QUESTION_COUNT];
    bool finds;
    enum slo_find find;
    struct features features;
};

/* The one thing that a signal may touch. */
static atomic_bool interrupted;

static void on_interrupt(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

/* ---- --batch ---- */

struct lines {
    struct slo_limits limits;
    bool undecided;
};

static bool answer_line(void *context, struct arena *arena, const struct value *scenario,
                        struct json_out *json, struct problems *problems)
{
    struct lines *lines = context;
    enum verdict verdict = VERDICT_UNDECIDED;
    const bool good = slo_answer_line(arena, scenario, &lines->limits, &verdict, json, problems);
    lines->undecided |= good && verdict == VERDICT_UNDECIDED;
    return good;
}

static int run_batch(struct session *session, const struct slo_limits *limits)
{
    const struct options *options = &session->options;
    struct lines lines = {.limits = *limits};
    if (session->line.operands.count || options->filename.count)
        session_say(session, "slo: --batch reads standard input: expected no ServiceObjective");
    else if (options->output.count)
        session_say(session, "slo: --batch answers in JSON lines: expected no -o");
    else if (options->question.count || options->find)
        session_say(session, "slo: --batch asks for the objective: expected no --question, --find");
    else if (batch_run(session, "slo", answer_line, &lines, stdin, stdout))
        return lines.undecided ? EXIT_UNDECIDED : EXIT_HOLDS;
    return EXIT_INPUT;
}

/* ---- the command line ---- */

static void read_question(struct session *session, const char *name, struct asking *asking,
                          struct problems *problems)
{
    struct suggestion suggestion = {.word = name};
    const char *known = "all";
    if (strcmp(name, "all") == 0) {
        memset(asking->questions, true, sizeof(asking->questions));
        return;
    }
    for (int i = 0; i < SLO_QUESTION_COUNT; i++) {
        const char *other = slo_question_name((enum slo_question)i);
        if (strcmp(name, other) == 0) {
            asking->questions[i] = true;
            return;
        }
        suggestion_offer(&suggestion, other);
        known = arena_printf(&session->arena, "%s, %s", known, other);
    }
    problem_error(problems, (struct place){0}, "--question",
                  "expected one of %s, found \"%s\"%s%s%s", known, name,
                  suggestion.nearest ? "; did you mean \"" : "",
                  suggestion.nearest ? suggestion.nearest : "", suggestion.nearest ? "\"?" : "");
}

static void read_asking(struct session *session, struct asking *asking, struct problems *problems)
{
    const struct options *options = &session->options;
    size_t bytes = 0;
    *asking = (struct asking){0};
    slo_limits_init(&asking->limits);
    limit_read_memory(options->memory, &bytes, problems);
    limit_read_timeout(options->timeout, &asking->limits.time_most_ms, problems);
    if (options->max_states)
        asking->limits.states_most = options->max_states;
    asking->limits.interrupted = &interrupted;
    if (bytes > 0) {
        session->memory.limit_bytes = bytes;
        session->memory.may_overdraw = true;
    }
    int minor = FEATURES_MINOR_FIRST;
    if (!features_parse_version(options->kubernetes_version, &minor))
        problem_error(problems, (struct place){0}, "--kubernetes-version",
                      "expected a version from 1.%d to 1.%d, found \"%s\"", FEATURES_MINOR_FIRST,
                      FEATURES_MINOR_LAST, options->kubernetes_version);
    asking->features = features_of_version(minor);
    if (options->question.count == 0 && !options->find)
        memset(asking->questions, true, sizeof(asking->questions));
    for (uint32_t i = 0; i < options->question.count; i++)
        read_question(session, options->question.items[i], asking, problems);
    asking->finds = options->find != NULL;
    if (options->find && !slo_find_parse(options->find, &asking->find))
        problem_error(problems, (struct place){0}, "--find",
                      "expected min-pods, max-rate, threshold or startup, found \"%s\"",
                      options->find);
}

/* ---- asking ---- */

/* Limits are of the whole run: the next question gets what is left. */
static void spend(struct slo_limits *limits, int64_t started, uint64_t states)
{
    const uint64_t passed = (uint64_t)(clock_now_ns() - started) / 1000000;
    if (limits->time_most_ms != UINT64_MAX)
        limits->time_most_ms -= passed < limits->time_most_ms ? passed : limits->time_most_ms;
    if (limits->states_most != UINT64_MAX)
        limits->states_most -= states < limits->states_most ? states : limits->states_most;
}

static struct slo_report ask(struct session *session, struct asking *asking,
                             const struct slo_unit *unit, const struct slo_service *service,
                             const struct slo_notes *notes)
{
    const int64_t started = clock_now_ns();
    struct slo_report report = {
        .name = unit->object->meta->name,
        .file = unit->object->place.file,
        .service = service,
        .answers = ARENA_ARRAY(&session->arena, struct slo_answer, SLO_QUESTION_COUNT),
        .notes = {notes->items, notes->count},
    };
    VEC(const char *) warnings = {0};
    for (uint32_t i = 0; i < unit->problems.count; i++)
        if (unit->problems.items[i].kind == PROBLEM_WARNING)
            VEC_PUSH(&session->arena, &warnings,
                     problem_format(&session->arena, &unit->problems.items[i]));
    report.warnings = (struct string_list){warnings.items, warnings.count};
    for (int i = 0; i < SLO_QUESTION_COUNT; i++) {
        const int64_t begun = clock_now_ns();
        if (!asking->questions[i])
            continue;
        struct slo_answer *answer = &report.answers[report.answer_count++];
        slo_ask(&session->arena, service, (enum slo_question)i, &asking->limits, &session->memory,
                answer);
        spend(&asking->limits, begun, answer->states);
    }
    if (asking->finds) {
        struct slo_frontier *frontier = ARENA_NEW(&session->arena, struct slo_frontier);
        slo_find(&session->arena, service, asking->find, &asking->limits, &session->memory,
                 frontier);
        report.frontier = frontier;
    }
    report.seconds = (double)(clock_now_ns() - started) / 1e9;
    report.peak_bytes = clock_peak_bytes();
    return report;
}

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    const struct slo_reports *reports = answer;
    if (strcmp(format, "json") == 0) {
        slo_write_json(&session->arena, reports, text);
    } else if (strcmp(format, "svg") == 0) {
        slo_write_svg(&session->arena, reports, text);
    } else {
        for (uint32_t i = 0; i < reports->count; i++) {
            if (i > 0)
                text_append_char(text, '\n');
            slo_write_text(&session->arena, &reports->items[i], text);
        }
    }
}

static int exit_code_of(const struct slo_reports *reports)
{
    int code = EXIT_HOLDS;
    for (uint32_t i = 0; i < reports->count; i++) {
        const enum verdict verdict = slo_report_verdict(&reports->items[i]);
        const struct slo_frontier *frontier = reports->items[i].frontier;
        if (verdict == VERDICT_VIOLATED)
            return EXIT_VIOLATED;
        if (verdict != VERDICT_HOLDS || (frontier && frontier->undecided))
            code = EXIT_UNDECIDED;
    }
    return code;
}

static int ask_all(struct session *session, struct asking *asking)
{
    struct slo_input input;
    struct slo_reports reports = {0};
    bool good = slo_input_read(session, &input);
    struct slo_service *services =
        ARENA_ARRAY(&session->arena, struct slo_service, input.units.count + 1U);
    struct slo_notes *notes =
        ARENA_ARRAY(&session->arena, struct slo_notes, input.units.count + 1U);
    for (uint32_t i = 0; i < input.units.count; i++) {
        struct slo_unit *unit = &input.units.items[i];
        const struct slo_resolving resolving = {&session->arena,   unit->object, &unit->objects,
                                                &asking->features, &notes[i],    &unit->problems};
        if (unit->problems.errors == 0)
            good = slo_resolve(&resolving, &services[i]) && good;
    }
    session_complain(session, &input.problems);
    for (uint32_t i = 0; i < input.units.count; i++) {
        struct problems *problems = &input.units.items[i].problems;
        if (session->options.strict)
            input_make_warnings_errors(problems);
        session_complain(session, problems);
        good = good && problems->errors == 0;
    }
    if (!good)
        return EXIT_INPUT;
    for (uint32_t i = 0; i < input.units.count; i++)
        VEC_PUSH(&session->arena, &reports,
                 ask(session, asking, &input.units.items[i], &services[i], &notes[i]));
    return session_answer(session, render, &reports) ? exit_code_of(&reports) : EXIT_INPUT;
}

int cmd_slo(struct session *session)
{
    struct asking asking;
    struct problems problems;
    problems_init(&problems, &session->arena);
    read_asking(session, &asking, &problems);
    session_complain(session, &problems);
    if (problems.errors) {
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return session->options.batch ? run_batch(session, &asking.limits) : ask_all(session, &asking);
}
