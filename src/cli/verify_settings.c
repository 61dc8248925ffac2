/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify_settings.h"

#include "cli/kubernetes_features.h"
#include "cli/limit_options.h"
#include "cli/progress_line.h"
#include "cli/shard_option.h"
#include "object/quantity.h"
#include "object/time.h"
#include "verify/strength.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct place command_line = {0};

static void expect(struct problems *problems, const char *option, const char *wanted,
                   const char *found)
{
    problem_error(problems, command_line, option, "expected %s, found \"%s\"", wanted, found);
}

/* Which of the two words; the first if there is none. */
static bool read_choice(const char *option, const char *text, const char *first, const char *second,
                        struct problems *problems)
{
    if (text && strcmp(text, second) == 0)
        return true;
    if (text && strcmp(text, first) != 0)
        problem_error(problems, command_line, option, "expected %s or %s, found \"%s\"", first,
                      second, text);
    return false;
}

static enum population_interleaving read_interleaving(const char *text, struct problems *problems)
{
    for (int i = INTERLEAVING_SETTLED; text && i <= INTERLEAVING_RACING; i++)
        if (strcmp(text, interleaving_name((enum population_interleaving)i)) == 0)
            return (enum population_interleaving)i;
    if (text)
        problem_error(problems, command_line, "--interleaving",
                      "expected controllers, full, racing or settled, found \"%s\"", text);
    return INTERLEAVING_CONTROLLERS;
}

static void read_lag(const char *text, struct population_options *population,
                     struct problems *problems)
{
    const bool all = text && strcmp(text, "all") == 0;
    population->budgets_lag = all || (text && strcmp(text, "budgets") == 0);
    population->sets_lag = all || (text && strcmp(text, "replicasets") == 0);
    if (text && !population->budgets_lag && !population->sets_lag && strcmp(text, "none") != 0)
        problem_error(problems, command_line, "--lag",
                      "expected none, budgets, replicasets or all, found \"%s\"", text);
}

static void read_scale(const char *text, struct scope_options *scope, struct problems *problems)
{
    if (!text)
        return;
    scope->scale = read_choice("--scale", text, "exact", "incremental", problems)
                       ? SCALE_INCREMENTAL
                       : SCALE_EXACT;
}

/* "reported", "pulled" or "500Mi" */
static void read_images(const char *text, struct population_options *population,
                        struct problems *problems)
{
    struct quantity size;
    int64_t bytes;
    if (!text || strcmp(text, "reported") == 0)
        return;
    population->images_pulled = true;
    if (strcmp(text, "pulled") == 0)
        return;
    if (quantity_parse(text, &size, NULL) && (bytes = quantity_value(size)) > 0)
        population->image_bytes = bytes;
    else
        problem_error(problems, command_line, "--images",
                      "expected reported, pulled or a size, found \"%s\"", text);
}

static void read_time(const char *text, struct scope_options *scope, struct problems *problems)
{
    if (!text)
        return;
    scope->time = read_choice("--time", text, "asynchronous", "clocked", problems)
                      ? TIME_CLOCKED
                      : TIME_ASYNCHRONOUS;
}

/* "3", "0..6" or "1..": from one on */
static void read_nodes(const char *text, struct count_range *range, struct problems *problems)
{
    enum { NODES_MOST = 100000 };
    if (!text)
        return;
    char *end = NULL;
    errno = 0;
    const long low = strtol(text, &end, 10);
    bool good = end != text;
    long high = low;
    bool open = false;
    if (good && strncmp(end, "..", 2) == 0) {
        const char *second = end + 2;
        high = strtol(second, &end, 10);
        open = end == second;
        high = open ? low : high;
    }
    if (!good || *end || errno || low < 0 || high < low || high > NODES_MOST)
        expect(problems, "--nodes", "MIN..MAX, such as 0..6, or MIN.., such as 1..", text);
    else
        *range = (struct count_range){true, (int32_t)low, (int32_t)high, open};
}

static void read_trial(const char *text, struct verify_settings *settings,
                       struct problems *problems)
{
    enum { USUAL_MS = 3000, NANOSECONDS_PER_MS = 1000000 };
    int64_t duration = 0;
    settings->trial_ms = USUAL_MS;
    settings->trial_is_given = text != NULL;
    if (!text)
        return;
    if (!duration_parse(text, &duration, NULL) || duration < 0)
        expect(problems, "--trial", "a time such as 30s or 5m, or 0", text);
    settings->trial_ms = ((uint64_t)duration + NANOSECONDS_PER_MS - 1) / NANOSECONDS_PER_MS;
}

/* "30s" or "100000" */
static void read_search(const struct options *options, struct verify_search_options *search,
                        struct problems *problems)
{
    enum { NANOSECONDS_PER_MS = 1000000 };
    const char *text = options->search;
    int64_t duration = 0;
    char *end = NULL;
    if (!text)
        return;
    errno = 0;
    const unsigned long long steps = strtoull(text, &end, 10);
    const bool counted = *text >= '0' && *text <= '9' && !*end && !errno;
    if (counted ? steps == 0 : !duration_parse(text, &duration, NULL) || duration <= 0)
        expect(problems, "--search", "a time such as 30s or 5m, or a number of steps", text);
    search->steps_most = counted ? steps : UINT64_MAX;
    search->time_most_ms =
        counted ? UINT64_MAX : (uint64_t)(duration + NANOSECONDS_PER_MS - 1) / NANOSECONDS_PER_MS;
    search->seed = options->seed;
}

/* Intents in the user's own words; what is wrong with them is found when they are compiled. */
static void add_expressions(struct session *session, const struct option_list *texts,
                            enum intent_kind kind, struct verify_settings *settings)
{
    for (uint32_t i = 0; i < texts->count; i++) {
        const struct check_intent intent = {.kind = kind, .expression = texts->items[i]};
        VEC_PUSH(&session->arena, &settings->intents, intent);
    }
}

bool verify_settings_read(struct session *session, struct verify_settings *settings,
                          struct problems *problems)
{
    const struct options *options = &session->options;
    const uint32_t errors = problems->errors;
    *settings = (struct verify_settings){0};
    settings->run.population.features =
        kubernetes_features_read(options, FEATURES_MINOR_LAST, problems);
    settings->run.population.interleaving = read_interleaving(options->interleaving, problems);
    read_lag(options->lag, &settings->run.population, problems);
    read_images(options->images, &settings->run.population, problems);
    read_scale(options->scale, &settings->scope, problems);
    read_time(options->time, &settings->scope, problems);
    read_nodes(options->nodes, &settings->scope.nodes, problems);
    settings->scope.nodes_most = (int64_t)options->max_nodes;
    settings->scope.pods_most = (int64_t)options->max_pods;
    const struct run_limits limits = limits_read(options, problems);
    settings->run.memory_most = limits.memory_bytes;
    settings->run.time_most_ms = limits.time_most_ms;
    limits_keep_memory(session, &limits);
    settings->budget = budget_of(limits.time_most_ms);
    settings->budget.memory = &session->memory;
    settings->scope.budget = &settings->budget;
    settings->run.states_most = limits.states_most;
    settings->run.jobs = limits.threads;
    read_trial(options->trial, settings, problems);
    read_search(options, &settings->run.search, problems);
    settings->tells_progress = progress_is_wanted(session, problems);
    settings->run.shard = shard_option_read(options->shard, problems);
    settings->run.whole = options->no_modular;
    settings->run.population.every_order = options->no_partial_order;
    settings->run.components_first = options->modular_first;
    settings->run.exhaustive = options->all || options->heatmap ||
                               session_needs(session, RESULT_VERIFICATION, NEEDS_ALL_SETUPS);
    settings->run.pictures = session_needs(session, RESULT_VERIFICATION, NEEDS_PICTURES);
    for (uint32_t i = 0; i < options->intent.count; i++) {
        struct check_intent intent = {0};
        if (intent_parse_option(&session->arena, options->intent.items[i], &intent, problems))
            VEC_PUSH(&session->arena, &settings->intents, intent);
    }
    add_expressions(session, &options->always, INTENT_ALWAYS, settings);
    add_expressions(session, &options->never, INTENT_NEVER, settings);
    add_expressions(session, &options->eventually, INTENT_EVENTUALLY, settings);
    add_expressions(session, &options->always_possible, INTENT_ALWAYS_POSSIBLE, settings);
    add_expressions(session, &options->reachable, INTENT_REACHABLE, settings);
    settings->scope.intents = settings->intents.items;
    settings->scope.intent_count = settings->intents.count;
    return problems->errors == errors;
}

struct verify_settings verify_settings_of(const struct verify_settings *settings, uint32_t check)
{
    struct verify_settings own = *settings;
    if (settings->rules) {
        own.run.population.features = settings->rules[check].features;
        own.kubernetes = settings->rules[check].sentence;
        own.rules = NULL;
    }
    return own;
}
