/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/read_again.h"

#include "cli/input.h"
#include "cli/kubernetes_features.h"
#include "cli/verify_questions.h"
#include "manifest/manifest.h"
#include "verify/made_from.h"

#include <inttypes.h>
#include <string.h>

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Does this command line have something else in the place of an argument of the report? */
static bool is_replaced(const struct options *own, const char *argument)
{
    return (own->filename.count > 0 && begins_with(argument, "--filename=")) ||
           (own->kubernetes_version && begins_with(argument, "--kubernetes-version=")) ||
           ((own->kubernetes_version || own->feature_gates) &&
            begins_with(argument, "--feature-gates="));
}

/* The command line of the report, with the manifests and the version of this one, if any. */
static bool read_arguments(struct session *session, const struct value *input,
                           struct problems *problems)
{
    const struct options own = session->options;
    struct arena *arena = &session->arena;
    const struct value *list = value_find(input, "arguments");
    const struct option_rows rows = {option_table, OPTION_COUNT};
    VEC(const char *) arguments = {0};
    VEC_PUSH(arena, &arguments, "verify");
    for (uint32_t i = 0; list && list->kind == VALUE_SEQUENCE && i < list->count; i++) {
        const char *argument = NULL;
        if (!value_read_string(&list->items[i], &argument))
            value_expected(problems, &list->items[i], "input.arguments", "an argument");
        else if (!is_replaced(&own, argument))
            VEC_PUSH(arena, &arguments, argument);
    }
    for (uint32_t i = 0; i < own.filename.count; i++)
        VEC_PUSH(arena, &arguments, arena_printf(arena, "--filename=%s", own.filename.items[i]));
    if (own.kubernetes_version)
        VEC_PUSH(arena, &arguments,
                 arena_printf(arena, "--kubernetes-version=%s", own.kubernetes_version));
    if (own.feature_gates)
        VEC_PUSH(arena, &arguments, arena_printf(arena, "--feature-gates=%s", own.feature_gates));
    VEC_PUSH(arena, &arguments, NULL);
    if (problems->errors > 0)
        return false;
    session->options = (struct options){0};
    return options_read(arena, rows, arguments.items, &session->options, &session->line, problems);
}

static bool read_plan(struct session *session, const struct told_report *report,
                      struct read_again *again)
{
    struct problems problems;
    struct input *input = ARENA_NEW(&session->arena, struct input);
    const uint32_t unit = report->unit;
    problems_init(&problems, &session->arena);
    bool good = read_arguments(session, report->input, &problems) &&
                verify_settings_read(session, &again->settings, &problems);
    if (!good) {
        session_complain(session, &problems);
        return false;
    }
    /* Where nothing else says it, the version is that of the report: defaults change. */
    again->settings.run.population.features =
        kubernetes_features_read_or(&session->options, &report->features, &problems);
    good = session_read(session, &input_checks, input);
    const struct kubernetes_rules *rules = kubernetes_rules_settle(
        &session->arena, &session->options, input, &again->settings.run.population.features);
    good = rules && good;
    if (good && verify_asks_questions(session, input)) {
        again->settings.run.population.features = rules[0].features;
        return verify_questions_plan(session, &again->settings, input, unit, &again->plan);
    }
    if (good && unit >= input->units.count) {
        problem_error(&input->problems, (struct place){0}, NULL,
                      "the report is about Check number %u of its input, but there are only %u",
                      unit + 1, input->units.count);
        good = false;
    }
    if (good)
        again->settings.run.population.features = rules[unit].features;
    good = good && verify_plan_make(&session->arena, &input->units.items[unit],
                                    &again->settings.scope, &again->plan);
    return session_accepts(session, &input_checks, input) && good;
}

/* What was read from standard input is not in the report. */
static bool lacks_standard_input(struct session *session, const struct told_report *report)
{
    const struct value *files = value_find(report->input, "files");
    for (uint32_t i = 0; files && files->kind == VALUE_SEQUENCE && i < files->count; i++) {
        const char *name = value_find_string(&files->items[i], "name");
        if (!name || strcmp(name, MANIFEST_STANDARD_INPUT) != 0 ||
            session->options.filename.count > 0)
            continue;
        session_say(session, "the report was made from standard input, which it does not keep: "
                             "give the manifests with -f");
        return true;
    }
    return false;
}

static void find_changes(struct session *session, const struct told_report *report,
                         struct read_again *again)
{
    const struct value *files = value_find(report->input, "files");
    for (uint32_t i = 0; files && files->kind == VALUE_SEQUENCE && i < files->count; i++) {
        const char *name = value_find_string(&files->items[i], "name");
        const char *recorded = value_find_string(&files->items[i], "hash");
        uint64_t hash = 0;
        if (!name || !recorded)
            continue;
        if (!input_file_hash(&session->memory, name, &hash) ||
            strcmp(recorded, arena_printf(&session->arena, "xxh3:%016" PRIx64, hash)) != 0)
            VEC_PUSH(&session->arena, &again->changed_files, name);
    }
}

bool report_read_again(struct session *session, const struct told_report *report,
                       struct read_again *again)
{
    *again = (struct read_again){0};
    if (lacks_standard_input(session, report))
        return false;
    find_changes(session, report, again);
    /* The command line is the report's for as long as its input is read. */
    const struct options options = session->options;
    const struct command_line line = session->line;
    const bool good = read_plan(session, report, again);
    session->options = options;
    session->line = line;
    return good;
}
