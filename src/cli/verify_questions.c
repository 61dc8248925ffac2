/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify_questions.h"

#include "base/clock.h"
#include "base/limit.h"
#include "cli/asker.h"
#include "cli/exceptions.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/verify_one.h"
#include "report/answers.h"

#include <string.h>

bool verify_asks_questions(const struct session *session, const struct input *input)
{
    const struct options *options = &session->options;
    if (input->units.count != 1 || input->units.items[0].root)
        return false;
    if (options->event)
        return strcmp(options->event, "none") != 0;
    return options->intent.count == 0 && options->always.count == 0 && options->never.count == 0 &&
           options->eventually.count == 0 && options->always_possible.count == 0 &&
           options->reachable.count == 0;
}

/* ---- asking ---- */

/* What holds for the workload by itself is no longer open. */
static void take_over(struct verify_report *whole, const struct verify_report *alone)
{
    for (uint32_t r = 0; r < whole->result_count; r++)
        for (uint32_t a = 0; a < alone->result_count; a++) {
            struct verify_result *open = &whole->results[r];
            const struct verify_result *known = &alone->results[a];
            if (open->verdict == VERDICT_UNDECIDED && known->verdict == VERDICT_HOLDS &&
                open->intent->kind == known->intent->kind &&
                object_names_equal(&open->intent->workload, &known->intent->workload))
                open->verdict = VERDICT_HOLDS;
        }
}

/* Rollouts and changes of load of several workloads need not come at once: what is open then is
 * asked again of each workload by itself. */
static void ask_again(struct asker *asker, enum question_topic kind, const struct objects *objects,
                      uint32_t first)
{
    const uint32_t count = asker->asked.count;
    for (uint32_t i = first; i < count; i++) {
        const struct object_name *last = NULL;
        for (uint32_t r = 0; r < asker->asked.items[i].found.result_count; r++) {
            const struct verify_report *found = &asker->asked.items[i].found;
            const struct object_name *name = &found->results[r].intent->workload;
            const uint32_t before = asker->asked.count;
            if (found->results[r].verdict != VERDICT_UNDECIDED || asker->limited ||
                found->ended_by == EXPLORE_INTERRUPTED || (last && object_names_equal(last, name)))
                continue;
            last = name;
            asker_ask(asker, kind, objects, &(struct question_options){.only = name});
            for (uint32_t a = before; a < asker->asked.count; a++)
                take_over(&asker->asked.items[i].found, &asker->asked.items[a].found);
            if (asker->asked.count > before &&
                verify_verdict(&asker->asked.items[before].found) != VERDICT_VIOLATED) {
                verify_release(&asker->asked.items[before].found);
                asker->asked.count = before;
            }
        }
    }
}

/* ---- the report ---- */

/* All warnings about the manifests: those of reading the files, too. */
static struct string_list warnings_of(struct session *session, const struct input *input)
{
    struct problems all;
    input_problems(&session->arena, &input_checks, input, false, &all);
    return problems_warnings(&session->arena, &all);
}

static int tell(struct asker *asker, const struct input *input)
{
    struct session *session = asker->session;
    struct arena *arena = &session->arena;
    VEC(struct verify_plan) plans = {0};
    VEC(struct verify_report) found = {0};
    VEC(const char *) questions = {0};
    for (uint32_t i = 0; i < asker->asked.count; i++) {
        const struct asked_question *asked = &asker->asked.items[i];
        if (!asked->question.made)
            continue;
        VEC_PUSH(arena, &plans, asked->question.plan);
        VEC_PUSH(arena, &found, asked->found);
        VEC_PUSH(arena, &questions, question_name(asked->question.kind));
    }
    struct reports reports = verify_reports(session, asker->settings, plans.items, plans.count,
                                            found.items, NULL, clock_peak_bytes());
    for (uint32_t i = 0; i < reports.count && i < questions.count; i++) {
        reports.items[i].question = questions.items[i];
        reports.items[i].given = &asker->unit->objects;
    }
    for (uint32_t i = 0; i < asker->claims.count; i++)
        asker->nodes =
            arena_printf(arena, "%s%sPersistentVolumeClaim %s", asker->nodes ? asker->nodes : "",
                         asker->nodes ? "; " : "", asker->claims.items[i]);
    struct answers answers = {
        .nodes = asker->nodes,
        .assumptions = {asker->assumptions.items, asker->assumptions.count},
        .left_out = {asker->left_out.items, asker->left_out.count},
        .warnings = warnings_of(session, input),
        .hints = hints_find(arena, &asker->unit->objects),
    };
    for (uint32_t i = 0; i < reports.count && answers.limits.count == 0; i++)
        answers.limits = reports.items[i].limits;
    answers_collect(arena, &reports, &answers);
    reports.answers = &answers;
    const int code = exceptions_report(session, input, &reports);
    for (uint32_t i = 0; i < found.count; i++)
        verify_release(&found.items[i]);
    return code;
}

/* ---- all of it ---- */

static bool has_problem(const struct problems *problems, const struct problem *wanted)
{
    for (uint32_t i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->items[i];
        if (problem->kind == wanted->kind && problem->place.line == wanted->place.line &&
            strcmp(problem->place.file ? problem->place.file : "",
                   wanted->place.file ? wanted->place.file : "") == 0 &&
            strcmp(problem->path ? problem->path : "", wanted->path ? wanted->path : "") == 0 &&
            strcmp(problem->message, wanted->message) == 0)
            return true;
    }
    return false;
}

/* Complains about the manifests, and about what keeps the first question from being asked. False:
 * nothing can be. */
static bool accepts_start(struct asker *asker, const struct input *input)
{
    struct problems *problems = &asker->unit->problems;
    struct problems found;
    problems_init(&found, problems->arena);
    /* A question of many workloads is several Checks, which complain of the same. */
    for (uint32_t i = 0; i < asker->asked.count; i++) {
        const struct problems *some = &asker->asked.items[i].question.unit->problems;
        for (uint32_t p = 0; p < some->count; p++)
            if (!has_problem(&found, &some->items[p]))
                VEC_PUSH(found.arena, &found, some->items[p]);
    }
    problems_fold(&found);
    for (uint32_t i = 0; i < found.count; i++) {
        VEC_PUSH(problems->arena, problems, found.items[i]);
        problems->errors += found.items[i].kind == PROBLEM_ERROR;
    }
    if (asker->unit->left_out && !asker->session->options.quiet)
        session_say(asker->session, "left out, because no answer depends on them: %s",
                    asker->unit->left_out);
    return session_accepts(asker->session, &input_checks, input);
}

/* The reason without "nothing is verified": something is. */
static const char *reason_of(struct arena *arena, const struct question_check *question)
{
    static const char end[] = "; nothing is verified";
    const char *message = question->unit->problems.items[0].message;
    const size_t length = strlen(message);
    return length > sizeof(end) && strcmp(message + length - (sizeof(end) - 1), end) == 0
               ? arena_strndup(arena, message, length - (sizeof(end) - 1))
               : message;
}

static void ask_all(struct asker *asker, unsigned asked)
{
    for (unsigned k = QUESTION_START + 1; k < QUESTION_COUNT; k++) {
        const uint32_t first = asker->asked.count;
        if (!(asked >> k & 1))
            continue;
        struct objects *objects = ARENA_NEW(&asker->session->arena, struct objects);
        asker_copy_objects(asker, asker->failing.items, asker->failing.count, objects);
        asker_add_nodes(asker, k != QUESTION_ROLLOUT && k != QUESTION_LOAD, objects);
        asker_ask(asker, (enum question_topic)k, objects, &(struct question_options){0});
        for (uint32_t i = first; i < asker->asked.count; i++) {
            const struct question_check *question = &asker->asked.items[i].question;
            if (!question->made && question->unit->problems.count > 0)
                VEC_PUSH(&asker->session->arena, &asker->left_out,
                         arena_printf(&asker->session->arena, "%s: %s",
                                      question_name((enum question_topic)k),
                                      reason_of(&asker->session->arena, question)));
        }
        if (k == QUESTION_ROLLOUT || k == QUESTION_LOAD)
            ask_again(asker, (enum question_topic)k, objects, first);
    }
}

/* False, after complaints, if the command line or the manifests are wrong. */
static bool ask_everything(struct asker *asker, const struct input *input)
{
    struct session *session = asker->session;
    const struct options *options = &session->options;
    struct problems problems;
    struct objects objects;
    unsigned asked = 0;
    problems_init(&problems, &session->arena);
    asker->at_any_time = strcmp(options->start, "empty") == 0;
    if (!asker->at_any_time && strcmp(options->start, "healthy") != 0)
        problem_error(&problems, (struct place){0}, "--start",
                      "expected healthy or empty, found \"%s\"", options->start);
    if (options->checkpoint || options->resume)
        problem_error(&problems, (struct place){0},
                      options->checkpoint ? "--checkpoint" : "--resume",
                      "expected a Check, or --event none, found several questions");
    if (options->shard || session->dispatch)
        problem_error(&problems, (struct place){0}, options->shard ? "--shard" : "dispatch",
                      "expected a Check, or --event none, found several questions");
    if (options->event)
        questions_read(options->event, &asked, &problems);
    if (problems.errors > 0) {
        session_refuse(session, &problems);
        return false;
    }
    if (!objects_have_live_pods(&asker->unit->objects))
        asker_take_cron_jobs(asker);
    asker_leave_out_pods(asker);
    if (!objects_have_workload(&asker->unit->objects))
        return accepts_start(asker, input);
    if (!objects_have_live_pods(&asker->unit->objects))
        asker_assume_claims(asker);
    if (!objects_have_kind(&asker->unit->objects, OBJECT_NODE) &&
        !objects_have_live_pods(&asker->unit->objects) && !asker_find_needs(asker))
        return false;
    asker_copy_objects(asker, NULL, 0, &objects);
    asker_add_nodes(asker, true, &objects);
    asker_ask(asker, QUESTION_START, &objects, &(struct question_options){0});
    if (!accepts_start(asker, input))
        return false;
    asker_find_failing(asker);
    if (!options->event)
        asked = questions_usual(&session->arena, &objects, &asker->scope);
    if (asked != 1U << QUESTION_START)
        asker_tell_failing(asker);
    ask_all(asker, asked);
    asker_ask_largest(asker, asked);
    asker_assume_load(asker);
    return true;
}

static struct asker asker_of(struct session *session, const struct verify_settings *settings,
                             struct input *input)
{
    struct asker asker = {
        .session = session,
        .settings = settings,
        .unit = &input->units.items[0],
        .scope = settings->scope,
        .options = settings->run,
        .limited =
            settings->run.states_most != UINT64_MAX || settings->run.time_most_ms != UINT64_MAX,
    };
    asker.scope.nodes = (struct count_range){0};
    asker.scope.webhooks_admit_rest = true;
    asker.options.coupled_alone = true;
    asker.options.interrupted = interrupt_listen();
    asker.budget = settings->budget;
    asker.budget.interrupted = asker.options.interrupted;
    return asker;
}

bool verify_questions_plan(struct session *session, const struct verify_settings *settings,
                           struct input *input, uint32_t unit, struct verify_plan *plan)
{
    struct asker asker = asker_of(session, settings, input);
    uint32_t made = 0;
    if (!ask_everything(&asker, input))
        return false;
    for (uint32_t i = 0; i < asker.asked.count; i++) {
        struct asked_question *asked = &asker.asked.items[i];
        if (!asked->question.made)
            continue;
        if (made++ == unit)
            *plan = asked->question.plan;
        /* Only which question it was is of interest. */
        verify_release(&asked->found);
    }
    if (unit < made)
        return true;
    session_say(session, "there is no question number %u: of these manifests only %u are asked",
                unit + 1, made);
    return false;
}

int verify_questions(struct session *session, const struct verify_settings *settings,
                     struct input *input)
{
    struct asker asker = asker_of(session, settings, input);
    if (session->options.fix && !session->options.quiet)
        session_say(session, "--fix is for Checks, and left out: findings name their remedies; "
                             "fathom init writes a Check");
    return ask_everything(&asker, input) ? tell(&asker, input) : EXIT_INPUT;
}
