/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom fix`: the smallest change of the manifests with which the intents of a Check hold. */
#include "cli/fix_settings.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/kubernetes_features.h"
#include "cli/limit_options.h"
#include "cli/read_again.h"
#include "cli/read_report.h"
#include "cli/verify_questions.h"
#include "cli/version.h"
#include "manifest/manifest.h"
#include "report/repair_report.h"

#include <string.h>
#include <sys/stat.h>

static void fix_one(struct session *session, const struct verify_settings *settings,
                    struct repair_options *options, const struct verify_plan *plan,
                    struct repairs *repairs)
{
    struct repair *repair = ARENA_NEW(&session->arena, struct repair);
    fix_plan(session, settings, options, plan, repair);
    const struct repaired repaired = {
        .check = plan->unit->name,
        .file = plan->unit->file,
        .repair = repair,
        .limits = limits_reached(session, repair->ended_by),
    };
    VEC_PUSH(&session->arena, repairs, repaired);
}

/* Manifests without a Check would have to be asked questions first. */
static bool has_checks(struct session *session, struct input *input)
{
    if (input->units.count > 0 && !verify_asks_questions(session, input))
        return true;
    problem_error(&input->problems, (struct place){0}, NULL,
                  "expected a Check (apiVersion: fathom/v1), found none: fix needs to know what "
                  "must hold");
    return false;
}

/* Is there a document of our own of this kind in the files that are named? */
static bool has_document(struct session *session, const char *kind)
{
    const struct option_list *operands = &session->line.operands;
    struct documents documents = {0};
    struct problems problems;
    problems_init(&problems, &session->arena);
    const struct manifest_paths paths = {.items = operands->items, .count = operands->count};
    if (operands->count == 0 || !manifest_load(&session->arena, &paths, &documents, &problems))
        return false;
    bool found = false;
    for (uint32_t i = 0; i < documents.count; i++) {
        const char *own = value_find_string(&documents.items[i].root, "kind");
        const char *version = value_find_string(&documents.items[i].root, "apiVersion");
        found |= own && version && strcmp(own, kind) == 0 && strcmp(version, "fathom/v1") == 0;
    }
    return found;
}

/* What is no plain file, a pipe for example, can be read only once: it is taken for manifests. */
static bool are_files(const struct session *session)
{
    const struct option_list *operands = &session->line.operands;
    for (uint32_t i = 0; i < operands->count; i++) {
        struct stat status;
        if (stat(operands->items[i], &status) != 0 || !S_ISREG(status.st_mode))
            return false;
    }
    return operands->count > 0;
}

/* A report of `fathom verify -o json`. */
static bool is_report(struct session *session)
{
    return session->line.operands.count == 1 && are_files(session) &&
           has_document(session, "Report");
}

/* Of a service the smallest settings that meet the objective are what `fathom slo --find` finds. */
static bool is_objective(struct session *session)
{
    return are_files(session) && has_document(session, "ServiceObjective");
}

static int fix_objective(struct session *session)
{
    if (!session->options.find)
        session->options.find = "min-pods";
    return cmd_slo(session);
}

static int finish(struct session *session, const struct repairs *repairs)
{
    const int code = session_report(session, RESULT_REPAIR, repairs, repairs_verdict(repairs));
    for (uint32_t i = 0; i < repairs->count; i++)
        repair_release((struct repair *)repairs->items[i].repair);
    return code;
}

/* The Checks of a report, as they are now. */
static int fix_report(struct session *session, struct repair_options *options)
{
    struct told_reports reports;
    struct repairs repairs = {.version = FATHOM_VERSION};
    if (!session_read_report(session, session->line.operands.items[0], &reports))
        return EXIT_INPUT;
    for (uint32_t i = 0; i < reports.items.count; i++) {
        struct read_again *again = ARENA_NEW(&session->arena, struct read_again);
        if (reports.items.items[i].of_controller) {
            session_say(session, "expected a report of `fathom verify`, found one of `fathom "
                                 "controller`");
            return EXIT_INPUT;
        }
        if (!report_read_again(session, &reports.items.items[i], again))
            return EXIT_INPUT;
        again->settings.run.interrupted = interrupt_listen();
        fix_one(session, &again->settings, options, &again->plan, &repairs);
    }
    return finish(session, &repairs);
}

int cmd_fix(struct session *session)
{
    struct verify_settings settings;
    struct repair_options options;
    struct problems problems;
    struct input input;
    problems_init(&problems, &session->arena);
    if (is_objective(session))
        return fix_objective(session);
    if (!verify_settings_read(session, &settings, &problems) ||
        !fix_settings_read(session, &options, &problems))
        return session_refuse(session, &problems);
    if (is_report(session))
        return fix_report(session, &options);
    bool good = session_read(session, &input_checks, &input);
    settings.rules = kubernetes_rules_settle(&session->arena, &session->options, &input,
                                             &settings.run.population.features);
    good = settings.rules && good && has_checks(session, &input);
    const uint32_t count = input.units.count;
    struct verify_plan *plans = ARENA_ARRAY(&session->arena, struct verify_plan, count + 1);
    good = good && verify_plans_make(&session->arena, &input, &settings.scope, plans);
    if (!session_accepts(session, &input_checks, &input) || !good)
        return EXIT_INPUT;
    settings.run.interrupted = interrupt_listen();
    struct repairs repairs = {.version = FATHOM_VERSION};
    for (uint32_t i = 0; i < count; i++) {
        const struct verify_settings own = verify_settings_of(&settings, i);
        fix_one(session, &own, &options, &plans[i], &repairs);
    }
    return finish(session, &repairs);
}
