/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify_one.h"

#include "base/limit.h"
#include "cli/limit_options.h"
#include "cli/progress_line.h"
#include "cli/verify_again.h"
#include "cli/version.h"

#include <string.h>

void verify_one(struct session *session, const struct verify_settings *settings,
                const struct verify_plan *plan, struct verify_options *options,
                struct verify_report *found)
{
    struct progress_line line = {
        .to_terminal = progress_to_terminal(),
        .always = strcmp(session->options.progress, "always") == 0,
        .plan = plan,
    };
    struct verify_options with_progress = *options;
    const uint64_t left_ms = budget_left_ms(&settings->budget);
    if (left_ms < with_progress.time_most_ms)
        with_progress.time_most_ms = left_ms;
    if (settings->tells_progress) {
        with_progress.progress = progress_line_show;
        with_progress.part_progress = progress_line_part;
        with_progress.progress_context = &line;
    }
    with_progress.over_before = plan->in_vain;
    verify_run(&session->arena, &session->memory, &plan->scope, plan->intents.items,
               plan->intents.count, &with_progress, found);
    progress_line_end(&line);
    limit_spend(&options->time_most_ms, (uint64_t)(found->seconds * 1000));
    limit_spend(&options->states_most, found->states);
}

struct reports verify_reports(struct session *session, const struct verify_settings *settings,
                              const struct verify_plan *plans, uint32_t count,
                              const struct verify_report *found, const struct trials *trials,
                              uint64_t peak_bytes)
{
    struct arena *arena = &session->arena;
    const bool names_input = session_needs(session, RESULT_VERIFICATION, NEEDS_INPUT);
    struct reports reports = {
        .heatmap = session->options.heatmap,
        .version = FATHOM_VERSION,
        .homepage = FATHOM_HOMEPAGE,
        .drawn = session->options.setup,
        .population = &settings->run.population,
    };
    for (uint32_t i = 0; i < count; i++) {
        const struct verify_plan *plan = &plans[i];
        const struct verify_settings own = verify_settings_of(settings, i);
        struct report report = {
            .check = plan->unit->name,
            .file = plan->unit->file,
            .scope = &plan->scope,
            .features = own.run.population.features,
            .kubernetes = own.kubernetes,
            .found = &found[i],
            .trials = trials ? trials[i].intents : NULL,
            .assumptions = {plan->assumptions.items, plan->assumptions.count},
            .idle = verify_idle(arena, plan, &found[i]),
            .warnings = problems_warnings(arena, &plan->unit->problems),
            .limits = limits_reached(session, found[i].ended_by),
            .peak_bytes = peak_bytes,
        };
        if (!plan->in_vain)
            report.premises = verify_premises(arena, plan, &own.run.population, &found[i]);
        if (names_input)
            report.input = verify_again_describe(session, plan, i);
        VEC_PUSH(arena, &reports, report);
    }
    return reports;
}
