/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/controller_plans.h"

#include "base/clock.h"
#include "base/vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- One run --- */

struct shown {
    bool to_terminal;
    bool open;
};

static void show_progress(void *context, const struct explore_progress *progress)
{
    struct shown *shown = context;
    fprintf(stderr,
            "%s%" PRIu64 " states, depth %u, %" PRIu64 " to go in it, %.0f states/s, %.0f MiB%s",
            shown->to_terminal ? "\r\033[K" : "", progress->states, (unsigned)progress->depth,
            progress->frontier, progress->states_per_second,
            (double)progress->memory_bytes / 1048576, shown->to_terminal ? "" : "\n");
    fflush(stderr);
    shown->open = shown->to_terminal;
}

static struct string_list list_of_limits(struct session *session,
                                         const struct judged_controller *judged)
{
    if (judged->reason == EXPLORE_DECIDED || judged->verdict != VERDICT_UNDECIDED)
        return (struct string_list){0};
    const char **item = ARENA_NEW(&session->arena, const char *);
    *item = explore_reason_text(judged->reason);
    return (struct string_list){item, 1};
}

/* The time is that of all runs together. */
static bool run_one(struct session *session, struct plan_settings *settings,
                    const struct controller_check *check, const struct environment_options *options,
                    const char *variant, struct controller_reports *reports,
                    struct problems *problems)
{
    const int64_t started = clock_now_ns();
    struct judged_controller *judged = ARENA_NEW(&session->arena, struct judged_controller);
    struct environment_options *kept = arena_copy(&session->arena, options, sizeof(*options));
    struct shown shown = {.to_terminal = settings->to_terminal};
    if (settings->tells_progress) {
        settings->how.progress = show_progress;
        settings->how.progress_context = &shown;
    }
    const bool good = judge_controller(&session->memory, &session->arena, &check->controller, kept,
                                       &settings->how, judged, problems);
    if (shown.open)
        fputs("\r\033[K", stderr);
    const int64_t passed = clock_now_ns() - started;
    if (settings->how.time_most_ms != UINT64_MAX) {
        const uint64_t ms = (uint64_t)passed / 1000000;
        settings->how.time_most_ms -=
            ms < settings->how.time_most_ms ? ms : settings->how.time_most_ms;
    }
    if (!good)
        return false;
    const struct controller_report report = {
        .check = check->name,
        .file = check->file,
        .options = kept,
        .judged = judged,
        .variant = variant,
        .limits = list_of_limits(session, judged),
        .seconds = (double)passed / 1e9,
        .peak_bytes = clock_peak_bytes(),
    };
    VEC_PUSH(&session->arena, reports, report);
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

static struct script_operation operation_with(struct session *session,
                                              const struct script_operation *first,
                                              enum script_verb verb,
                                              const struct desired_state *state)
{
    struct script_operation operation = *first;
    operation.verb = verb;
    operation.object = datum_with(&session->arena, first->object, "spec", state->spec);
    return operation;
}

static bool run_sequence(struct session *session, struct plan_settings *settings,
                         const struct controller_check *check,
                         const struct environment_options *base,
                         const struct desired_state *const *states, uint32_t count,
                         struct controller_reports *reports, struct problems *problems)
{
    const struct script_operation *first = first_create(check);
    struct script_operation *script = ARENA_ARRAY(&session->arena, struct script_operation, count);
    const char *name = "";
    for (uint32_t i = 0; i < count; i++) {
        script[i] =
            operation_with(session, first, i == 0 ? SCRIPT_CREATE : SCRIPT_UPDATE, states[i]);
        name = i == 0 ? states[i]->name
                      : arena_printf(&session->arena, "%s -> %s", name, states[i]->name);
    }
    struct environment_options options = *base;
    options.script = script;
    options.script_count = count;
    return run_one(session, settings, check, &options, name, reports, problems);
}

static void run_matrix(struct session *session, struct plan_settings *settings,
                       const struct controller_check *check, const struct environment_options *base,
                       struct controller_reports *reports, struct problems *problems)
{
    if (check->state_count == 0 || !first_create(check)) {
        problem_error(problems, (struct place){.file = check->file}, "spec.matrix",
                      "expected desired states to pair (spec.matrix.states), and a script that "
                      "creates a custom resource, found none");
        return;
    }
    for (uint32_t i = 0; i < check->state_count; i++) {
        for (uint32_t k = 0; k < check->state_count; k++) {
            const struct desired_state *pair[] = {&check->states[i], &check->states[k]};
            if (i != k && !run_sequence(session, settings, check, base, pair, 2, reports, problems))
                return;
        }
        for (uint32_t k = 0; k < check->bad_count; k++) {
            const struct desired_state *back[] = {&check->states[i], &check->bad_states[k],
                                                  &check->states[i]};
            if (!run_sequence(session, settings, check, base, back, 3, reports, problems))
                return;
        }
    }
}

/* --- --grow --- */

/* One of the bounds more, in turn; false: there is nothing to add. */
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

/* Each round all of the script as far as it has grown, one crash, one failure more;
 * until time or memory is over, or something is violated. */
static void run_grow(struct session *session, struct plan_settings *settings,
                     const struct controller_check *check, const struct environment_options *base,
                     struct controller_reports *reports, struct problems *problems)
{
    struct environment_options options = *base;
    const char *settled = "nothing";
    if (settings->how.time_most_ms == UINT64_MAX)
        settings->how.time_most_ms = 60000;
    options.script_count = 1;
    options.crashes = 0;
    options.failures = 0;
    options.stale_reads = 0;
    for (uint32_t turn = 0;; turn++) {
        const char *bounds = controller_bounds(&session->arena, &options);
        if (!run_one(session, settings, check, &options, bounds, reports, problems))
            return;
        const struct judged_controller *judged = reports->items[reports->count - 1].judged;
        if (judged->verdict != VERDICT_HOLDS)
            break;
        settled = bounds;
        uint32_t skipped = 0;
        while (!grow_once(check, turn, &options) && skipped++ < 3)
            turn++;
    }
    /* What was not finished says nothing: the last that was decided counts. */
    const bool violated = reports->items[reports->count - 1].judged->verdict == VERDICT_VIOLATED;
    if (!violated && reports->count > 1)
        reports->count--;
    reports->settled =
        arena_printf(&session->arena, "%s: %s",
                     violated ? "All held until the last; the largest bounds that hold"
                              : "The largest bounds that were settled, all holding",
                     settled);
}

/* --- All of it --- */

void plan_run(struct session *session, struct plan_settings *settings,
              struct controller_check *check, struct controller_reports *reports,
              struct problems *problems)
{
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
        run_matrix(session, settings, check, &options, reports, problems);
    else if (settings->grow)
        run_grow(session, settings, check, &options, reports, problems);
    else
        run_one(session, settings, check, &options, NULL, reports, problems);
}
