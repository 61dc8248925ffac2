/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/plans.h"

#include "base/clock.h"
#include "base/limit.h"
#include "base/vec.h"

#include <string.h>

/* How long --grow goes on without --timeout. */
enum { GROW_MS = 60000 };

struct controller_plan {
    struct arena *arena;
    struct plan_settings *settings;
    const struct controller_check *check;
    struct controller_reports *reports;
    struct problems *problems;
};

/* --- One run --- */

static struct string_list list_of_limits(struct arena *arena,
                                         const struct judged_controller *judged)
{
    if (judged->reason == EXPLORE_DECIDED || judged->verdict != VERDICT_UNDECIDED)
        return (struct string_list){0};
    const char **item = ARENA_NEW(arena, const char *);
    *item = explore_reason_text(judged->reason);
    return (struct string_list){item, 1};
}

/* The time is that of all runs together; the states are those of each. */
static bool run_one(struct controller_plan *plan, const struct environment_options *options,
                    const char *variant)
{
    const int64_t started = clock_now_ns();
    struct judged_controller *judged = ARENA_NEW(plan->arena, struct judged_controller);
    struct environment_options *kept = arena_copy(plan->arena, options, sizeof(*options));
    const bool good = judge_controller(plan->arena->memory, plan->arena, &plan->check->controller,
                                       kept, &plan->settings->how, judged, plan->problems);
    const int64_t passed = clock_now_ns() - started;
    limit_spend_ns(&plan->settings->how.time_most_ms, passed);
    if (!good)
        return false;
    const struct controller_report report = {
        .check = plan->check->name,
        .file = plan->check->file,
        .options = kept,
        .judged = judged,
        .variant = variant,
        .limits = list_of_limits(plan->arena, judged),
        .seconds = (double)passed / 1e9,
        .peak_bytes = clock_peak_bytes(),
    };
    VEC_PUSH(plan->arena, plan->reports, report);
    return true;
}

/* --- --matrix --- */

static const struct script_operation *first_create(const struct controller_check *check)
{
    for (uint32_t i = 0; i < check->options.script_count; i++)
        if (check->options.script[i].verb == SCRIPT_CREATE)
            return &check->options.script[i];
    return NULL;
}

static struct script_operation operation_with(struct arena *arena,
                                              const struct script_operation *first,
                                              enum script_verb verb,
                                              const struct desired_state *state)
{
    struct script_operation operation = *first;
    operation.verb = verb;
    operation.object = datum_with(arena, first->object, "spec", state->spec);
    return operation;
}

static bool run_sequence(struct controller_plan *plan, const struct environment_options *base,
                         const struct desired_state *const *states, uint32_t count)
{
    struct arena *arena = plan->arena;
    const struct script_operation *first = first_create(plan->check);
    struct script_operation *script = ARENA_ARRAY(arena, struct script_operation, count);
    const char *name = "";
    for (uint32_t i = 0; i < count; i++) {
        script[i] = operation_with(arena, first, i == 0 ? SCRIPT_CREATE : SCRIPT_UPDATE, states[i]);
        name = i == 0 ? states[i]->name : arena_printf(arena, "%s -> %s", name, states[i]->name);
    }
    struct environment_options options = *base;
    options.script = script;
    options.script_count = count;
    return run_one(plan, &options, name);
}

static void run_matrix(struct controller_plan *plan, const struct environment_options *base)
{
    const struct controller_check *check = plan->check;
    if (check->state_count == 0 || !first_create(check)) {
        problem_error(plan->problems, (struct place){.file = check->file}, "spec.matrix",
                      "expected desired states to pair (spec.matrix.states), and a script that "
                      "creates a custom resource, found none");
        return;
    }
    for (uint32_t i = 0; i < check->state_count; i++) {
        for (uint32_t k = 0; k < check->state_count; k++) {
            const struct desired_state *pair[] = {&check->states[i], &check->states[k]};
            if (i != k && !run_sequence(plan, base, pair, 2))
                return;
        }
        for (uint32_t k = 0; k < check->bad_count; k++) {
            const struct desired_state *back[] = {&check->states[i], &check->bad_states[k],
                                                  &check->states[i]};
            if (!run_sequence(plan, base, back, 3))
                return;
        }
    }
}

/* --- --grow --- */

/* Increases one of the bounds, in turn; false: there is nothing to add. */
static bool grow_once(const struct controller_check *check, uint32_t turn,
                      struct environment_options *options)
{
    enum { BUDGET_MOST = 20 };
    switch (turn % 3) {
    case 0:
        if (options->script_count == check->options.script_count)
            return false;
        options->script_count++;
        return true;
    case 1: options->crashes++; return options->crashes <= BUDGET_MOST;
    default: options->failures++; return options->failures <= BUDGET_MOST;
    }
}

/* Each round grows one of the bounds (operations of the script, crashes, failures),
 * until time or memory is used up or something is violated. */
static void run_grow(struct controller_plan *plan, const struct environment_options *base)
{
    struct controller_reports *reports = plan->reports;
    uint64_t *time_most_ms = &plan->settings->how.time_most_ms;
    struct environment_options options = *base;
    const char *settled = "nothing";
    if (*time_most_ms == UINT64_MAX)
        *time_most_ms = GROW_MS;
    options.script_count = 1;
    options.crashes = 0;
    options.failures = 0;
    options.stale_reads = 0;
    for (uint32_t turn = 0;; turn++) {
        const char *bounds = controller_bounds(plan->arena, &options);
        if (!run_one(plan, &options, bounds))
            return;
        const struct judged_controller *judged = reports->items[reports->count - 1].judged;
        if (judged->verdict != VERDICT_HOLDS)
            break;
        settled = bounds;
        uint32_t skipped = 0;
        while (!grow_once(plan->check, turn, &options) && skipped++ < 3)
            turn++;
    }
    /* A round that was not finished does not count; the last one that was decided does. */
    const bool violated = reports->items[reports->count - 1].judged->verdict == VERDICT_VIOLATED;
    if (!violated && reports->count > 1)
        reports->count--;
    reports->settled =
        arena_printf(plan->arena, "%s: %s",
                     violated ? "All held until the last; the largest bounds that hold"
                              : "The largest bounds that were settled, all holding",
                     settled);
}

/* --- All of it --- */

void plan_run(struct arena *arena, struct plan_settings *settings,
              const struct controller_check *check, struct controller_reports *reports,
              struct problems *problems)
{
    struct controller_plan plan = {arena, settings, check, reports, problems};
    struct environment_options options = check->options;
    if (settings->crashes.given)
        options.crashes = settings->crashes.value;
    if (settings->failures.given)
        options.failures = settings->failures.value;
    if (settings->stale_reads.given)
        options.stale_reads = settings->stale_reads.value;
    options.status_flap |= settings->status_flap;
    options.timeout_applied |= settings->timeout_applied;
    options.client_async |= settings->client_async;
    options.fuse_schedule |= settings->fuse_schedule;
    if (settings->merge) {
        options.renaming = RENAME_BY_PLACE;
        options.keep_all = false;
    }
    if (settings->matrix)
        run_matrix(&plan, &options);
    else if (settings->grow)
        run_grow(&plan, &options);
    else
        run_one(&plan, &options, NULL);
}

const char *controller_bounds(struct arena *arena, const struct environment_options *options)
{
    const char *bounds = arena_printf(
        arena, "%s, %s, %s", count_words(arena, options->script_count, "operation"),
        options->crashes == 1 ? "1 crash" : arena_printf(arena, "%u crashes", options->crashes),
        count_words(arena, options->failures, "failed request"));
    if (options->stale_reads > 0)
        bounds = arena_printf(arena, "%s, %s", bounds,
                              count_words(arena, options->stale_reads, "stale read"));
    return bounds;
}

enum verdict controller_reports_verdict(const struct controller_reports *reports)
{
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t i = 0; i < reports->count; i++)
        verdict = verdict_worse(verdict, reports->items[i].judged->verdict);
    return verdict;
}
