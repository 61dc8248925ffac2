/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom slo`: an autoscaled service against its objective, for every traffic. */
#include "base/suggest.h"
#include "cli/decide_batch.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/kubernetes_features.h"
#include "cli/limit_options.h"
#include "report/report.h"
#include "slo/batch.h"
#include "slo/examine.h"
#include "slo/resolve.h"

#include <string.h>

/* What the command line asks for. */
struct asking {
    struct slo_order order;
    struct features features;
};

/* ---- --batch ---- */

struct batch_lines {
    struct slo_limits limits;
    bool undecided;
};

static bool answer_line(void *context, struct arena *arena, const struct value *scenario,
                        struct json_out *json, struct problems *problems)
{
    struct batch_lines *lines = context;
    enum verdict verdict = VERDICT_UNDECIDED;
    const bool good = slo_answer_line(arena, scenario, &lines->limits, &verdict, json, problems);
    lines->undecided |= good && verdict == VERDICT_UNDECIDED;
    return good;
}

static int run_batch(struct session *session, const struct slo_limits *limits)
{
    const struct options *options = &session->options;
    struct batch_lines lines = {.limits = *limits};
    if (session->line.operands.count || options->filename.count)
        session_say(session, "slo: --batch reads standard input: expected no ServiceObjective");
    else if (options->output.count)
        session_say(session, "slo: --batch answers in JSON lines: expected no -o");
    else if (options->question.count || options->find)
        session_say(session, "slo: --batch asks for the objective: expected no --question, --find");
    else if (batch_run(session, "slo", answer_line, &lines, stdin, stdout))
        return session_exit_code(lines.undecided ? VERDICT_UNDECIDED : VERDICT_HOLDS);
    return EXIT_INPUT;
}

/* ---- the command line ---- */

static void read_question(struct session *session, const char *name, struct slo_order *order,
                          struct problems *problems)
{
    struct suggestion suggestion = {.word = name};
    const char *known = "all";
    if (strcmp(name, "all") == 0) {
        memset(order->questions, true, sizeof(order->questions));
        return;
    }
    for (int i = 0; i < SLO_QUESTION_COUNT; i++) {
        const char *other = slo_question_name((enum slo_question)i);
        if (strcmp(name, other) == 0) {
            order->questions[i] = true;
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
    struct slo_order *order = &asking->order;
    *asking = (struct asking){0};
    slo_limits_init(&order->limits);
    const struct run_limits limits = limits_read(options, problems);
    limits_keep_memory(session, &limits);
    order->limits.time_most_ms = limits.time_most_ms;
    order->limits.states_most = limits.states_most;
    asking->features = kubernetes_features_read(options, FEATURES_MINOR_LAST, problems);
    if (options->question.count == 0 && !options->find)
        memset(order->questions, true, sizeof(order->questions));
    for (uint32_t i = 0; i < options->question.count; i++)
        read_question(session, options->question.items[i], order, problems);
    order->finds = options->find != NULL;
    if (options->find && !slo_find_parse(options->find, &order->find))
        problem_error(problems, (struct place){0}, "--find",
                      "expected min-pods, max-rate, threshold or startup, found \"%s\"",
                      options->find);
}

/* ---- the command ---- */

/* What is asked about, of each unit. */
struct subject {
    struct slo_service service;
    struct slo_notes notes;
};

/* False, with problems of the units, if one of them cannot be asked. */
static bool resolve_all(struct session *session, struct input *input,
                        const struct features *features, struct subject *subjects)
{
    bool good = true;
    for (uint32_t i = 0; i < input->units.count; i++) {
        struct input_unit *unit = &input->units.items[i];
        const struct slo_resolving resolving = {
            .arena = &session->arena,
            .object = unit->object,
            .objects = &unit->objects,
            .features = features,
            .notes = &subjects[i].notes,
            .problems = &unit->problems,
        };
        if (unit->problems.errors == 0)
            good = slo_resolve(&resolving, &subjects[i].service) && good;
    }
    return good;
}

static int ask_all(struct session *session, struct asking *asking)
{
    struct input input;
    struct slo_reports reports = {0};
    const char *sentence;
    bool good = session_read(session, &input_objectives, &input);
    good = kubernetes_features_settle(&session->arena, &session->options, &input, &asking->features,
                                      &sentence) &&
           good;
    struct subject *subjects = ARENA_ARRAY(&session->arena, struct subject, input.units.count + 1U);
    good = resolve_all(session, &input, &asking->features, subjects) && good;
    if (!session_accepts(session, &input_objectives, &input) || !good)
        return EXIT_INPUT;
    for (uint32_t i = 0; i < input.units.count; i++) {
        const struct input_unit *unit = &input.units.items[i];
        struct slo_report report = {
            .name = unit->name,
            .file = unit->file,
            .service = &subjects[i].service,
            .notes = {subjects[i].notes.items, subjects[i].notes.count},
            .warnings = problems_warnings(&session->arena, &unit->problems),
        };
        slo_examine(&session->arena, &session->memory, &asking->order, &report);
        VEC_PUSH(&session->arena, &reports, report);
    }
    return session_report(session, RESULT_OBJECTIVE, &reports, slo_reports_verdict(&reports));
}

int cmd_slo(struct session *session)
{
    struct asking asking;
    struct problems problems;
    problems_init(&problems, &session->arena);
    read_asking(session, &asking, &problems);
    if (problems.errors)
        return session_refuse(session, &problems);
    asking.order.limits.interrupted = interrupt_listen();
    return session->options.batch ? run_batch(session, &asking.order.limits)
                                  : ask_all(session, &asking);
}
