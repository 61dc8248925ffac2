/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/fix_settings.h"

#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static const struct place command_line = {0};

/* The names of all protections, for a message. */
static const char *protection_list(struct arena *arena)
{
    const char *list = "";
    for (uint32_t i = 0; i < PROTECTION_COUNT; i++)
        list = arena_printf(arena, "%s%s%s", list, *list ? ", " : "",
                            protection_name((enum protection)i));
    return list;
}

static void allow(struct session *session, const char *word, struct repair_options *options,
                  struct problems *problems)
{
    for (uint32_t i = 0; i < PROTECTION_COUNT; i++)
        if (strcmp(word, protection_name((enum protection)i)) == 0) {
            options->allowed |= 1U << i;
            return;
        }
    if (strcmp(word, "all") == 0)
        options->allowed = UINT32_MAX;
    else
        problem_error(problems, command_line, "--allow", "expected all, %s, found \"%s\"",
                      protection_list(&session->arena), word);
}

static void read_allowed(struct session *session, struct repair_options *options,
                         struct problems *problems)
{
    for (uint32_t i = 0; i < session->options.allow.count; i++)
        for (const char *rest = session->options.allow.items[i]; *rest;) {
            const size_t length = strcspn(rest, ",");
            allow(session, arena_strndup(&session->arena, rest, length), options, problems);
            rest += length + (rest[length] == ',');
        }
}

/* "nodes=+2" or "cpu=+50%" */
static bool read_item(const char *item, struct repair_budget *budget)
{
    const size_t name = strcspn(item, "=");
    const char *text = item[name] ? item + name + 1 : "";
    char *end = NULL;
    const double number = strtod(text, &end);
    const bool share = *end == '%' && !end[1];
    const bool whole = !*end && number == (double)(int32_t)number;
    if (end == text || number < 0 || number > 1000000)
        return false;
    if (strncmp(item, "nodes=", name + 1) == 0 && whole)
        budget->nodes = (int32_t)number;
    else if (strncmp(item, "pods=", name + 1) == 0 && whole)
        budget->pods = (int32_t)number;
    else if (strncmp(item, "cpu=", name + 1) == 0 && share)
        budget->cpu = number / 100;
    else if (strncmp(item, "memory=", name + 1) == 0 && share)
        budget->memory = number / 100;
    else
        return false;
    return true;
}

static void read_budget(struct session *session, struct repair_budget *budget,
                        struct problems *problems)
{
    for (uint32_t i = 0; i < session->options.budget.count; i++)
        for (const char *rest = session->options.budget.items[i]; *rest;) {
            const size_t length = strcspn(rest, ",");
            const char *item = arena_strndup(&session->arena, rest, length);
            if (!read_item(item, budget))
                problem_error(problems, command_line, "--budget",
                              "expected nodes=+N, pods=+N, cpu=+N%% or memory=+N%%, found \"%s\"",
                              item);
            rest += length + (rest[length] == ',');
        }
}

bool fix_settings_read(struct session *session, struct repair_options *options,
                       struct problems *problems)
{
    enum { TRIES = 600 };
    const uint32_t errors = problems->errors;
    *options = (struct repair_options){
        .budget = {.nodes = 0, .pods = 1, .cpu = 0.25, .memory = 0.25},
        .patches_most = REPAIR_PATCHES_MOST,
        .tries_most = TRIES,
    };
    read_allowed(session, options, problems);
    read_budget(session, &options->budget, problems);
    return problems->errors == errors;
}

/* The lines that a report would name. */
static uint32_t find_causes(struct arena *arena, const struct repair_options *options,
                            const struct verify_plan *plan, const struct verify_result *result,
                            struct edit_cause *causes)
{
    const struct report report = {.scope = &plan->scope,
                                  .features = options->run.population.features};
    struct report_sources sources = {0};
    uint32_t count = 0;
    report_find_sources(arena, &report, result, &sources);
    for (; count < sources.count && count < REPAIR_CAUSES_MOST; count++)
        causes[count] = (struct edit_cause){sources.items[count].place, sources.items[count].path};
    return count;
}

void fix_plan(struct session *session, const struct verify_settings *settings,
              struct repair_options *options, const struct verify_plan *plan, struct repair *repair)
{
    options->scope = settings->scope;
    options->run = settings->run;
    options->run.exhaustive = false;
    options->run.pictures = false;
    options->run.time_most_ms = budget_left_ms(&settings->budget);
    options->find_causes = find_causes;
    options->name_space = session->options.name_space;
    repair_run(&session->arena, &session->memory, plan, options, repair);
}
