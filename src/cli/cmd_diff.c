/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom diff`: what a change of manifests, or of the version of Kubernetes, changes. */
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/kubernetes_features.h"
#include "cli/verify_settings.h"
#include "cli/version.h"
#include "report/compare_report.h"
#include "verify/plan.h"

#include <string.h>

/* One side: what is read, and by which rules. */
struct side {
    struct input input;
    struct verify_settings settings;
    struct verify_plan *plans;
};

static bool read_side(struct session *session, const struct verify_settings *settings,
                      const char *path, const char *version, struct side *side)
{
    const char *given = session->options.kubernetes_version;
    const struct input_paths paths = {
        .manifests = &(struct input_path){.name = path},
        .manifest_count = 1,
        .recursive = session->options.recursive,
        .name_space = session->options.name_space,
    };
    struct problems problems;
    problems_init(&problems, &session->arena);
    *side = (struct side){.settings = *settings};
    session->options.kubernetes_version = version;
    bool good = input_read(&session->arena, &input_checks, &paths, &side->input);
    side->settings.run.population.features =
        kubernetes_features_read(&session->options, FEATURES_MINOR_LAST, &problems);
    side->settings.rules = kubernetes_rules_settle(&session->arena, &session->options, &side->input,
                                                   &side->settings.run.population.features);
    session->options.kubernetes_version = given;
    side->plans = ARENA_ARRAY(&session->arena, struct verify_plan, side->input.units.count + 1);
    if (problems.errors > 0)
        session_refuse(session, &problems);
    good = good && side->settings.rules && problems.errors == 0 &&
           verify_plans_make(&session->arena, &side->input, &settings->scope, side->plans);
    return session_accepts(session, &input_checks, &side->input) && good;
}

static const char *side_name(struct session *session, const struct side *side, uint32_t number,
                             const char *version)
{
    const struct input_unit *unit = &side->input.units.items[number];
    return version ? arena_printf(&session->arena, "%s (%s)", unit->name, version) : unit->name;
}

static void compare_pair(struct session *session, const struct side *old, uint32_t left,
                         const struct side *new, uint32_t right, struct comparisons *comparisons)
{
    const struct verify_settings old_settings = verify_settings_of(&old->settings, left);
    const struct verify_settings new_settings = verify_settings_of(&new->settings, right);
    struct comparison *comparison = ARENA_NEW(&session->arena, struct comparison);
    const bool versions = session->options.to_version != NULL;
    comparison->old = (struct compare_side){.plan = &old->plans[left], .run = old_settings.run};
    comparison->new = (struct compare_side){.plan = &new->plans[right], .run = new_settings.run};
    comparison->old.run.time_most_ms = budget_left_ms(&old_settings.budget);
    compare_run(&session->arena, &session->memory, comparison);
    const struct compared compared = {
        .old_name =
            side_name(session, old, left, versions ? session->options.kubernetes_version : NULL),
        .new_name = side_name(session, new, right, session->options.to_version),
        .comparison = comparison,
    };
    VEC_PUSH(&session->arena, comparisons, compared);
}

/* The unit of the same name; the only one of each side, whatever it is called. */
static uint32_t counterpart(const struct side *old, uint32_t number, const struct side *new)
{
    if (old->input.units.count == 1 && new->input.units.count == 1)
        return 0;
    for (uint32_t i = 0; i < new->input.units.count; i++)
        if (strcmp(new->input.units.items[i].name, old->input.units.items[number].name) == 0)
            return i;
    return UINT32_MAX;
}

static void compare_sides(struct session *session, const struct side *old, const struct side *new,
                          struct comparisons *comparisons)
{
    for (uint32_t i = 0; i < old->input.units.count; i++) {
        const uint32_t other = counterpart(old, i, new);
        const struct compared alone = {.old_name = old->input.units.items[i].name};
        if (other != UINT32_MAX)
            compare_pair(session, old, i, new, other, comparisons);
        else
            VEC_PUSH(&session->arena, comparisons, alone);
    }
    for (uint32_t i = 0; i < new->input.units.count; i++) {
        const struct compared alone = {.new_name = new->input.units.items[i].name};
        if (counterpart(new, i, old) == UINT32_MAX)
            VEC_PUSH(&session->arena, comparisons, alone);
    }
}

/* Two paths, or one and --to. */
static bool check_operands(struct session *session)
{
    const struct options *options = &session->options;
    const uint32_t wanted = options->to_version ? 1 : 2;
    if (session->line.operands.count != wanted)
        session_say(session, "diff: expected %s, found %u",
                    wanted == 1 ? "one file or folder beside --to"
                                : "OLD and NEW (or one and --to)",
                    session->line.operands.count);
    else if (options->to_version && !options->kubernetes_version)
        session_say(session, "--to: expected --kubernetes-version, too: from which version?");
    else
        return true;
    session_point_at_help(session);
    return false;
}

int cmd_diff(struct session *session)
{
    const struct options *options = &session->options;
    struct verify_settings settings;
    struct problems problems;
    struct side old;
    struct side new;
    problems_init(&problems, &session->arena);
    if (!check_operands(session))
        return EXIT_INPUT;
    if (!verify_settings_read(session, &settings, &problems))
        return session_refuse(session, &problems);
    const char *const *paths = session->line.operands.items;
    settings.run.interrupted = interrupt_listen();
    const bool one = options->to_version != NULL;
    if (!read_side(session, &settings, paths[0], options->kubernetes_version, &old) ||
        !read_side(session, &settings, paths[one ? 0 : 1],
                   one ? options->to_version : options->kubernetes_version, &new))
        return EXIT_INPUT;
    struct comparisons comparisons = {.version = FATHOM_VERSION};
    compare_sides(session, &old, &new, &comparisons);
    const int code =
        session_report(session, RESULT_COMPARISON, &comparisons, comparisons_verdict(&comparisons));
    for (uint32_t i = 0; i < comparisons.count; i++)
        if (comparisons.items[i].comparison)
            compare_release((struct comparison *)comparisons.items[i].comparison);
    return code;
}
