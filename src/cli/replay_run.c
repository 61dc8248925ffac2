/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replay_run.h"

#include "cli/input.h"
#include "cli/verify_again.h"
#include "report/report.h"
#include "walk/walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the input ---- */

/* The command line of the report, with the manifests of this one's -f, if any. */
static bool read_arguments(struct session *session, const struct value *input,
                           const struct option_list *filenames, struct problems *problems)
{
    const struct value *list = value_find(input, "arguments");
    const struct option_rows rows = {option_table, OPTION_COUNT};
    VEC(const char *) arguments = {0};
    VEC_PUSH(&session->arena, &arguments, "verify");
    for (uint32_t i = 0; list && list->kind == VALUE_SEQUENCE && i < list->count; i++) {
        const char *argument = NULL;
        if (!value_read_string(&list->items[i], &argument))
            value_expected(problems, &list->items[i], "input.arguments", "an argument");
        else if (filenames->count == 0 || strncmp(argument, "--filename=", 11) != 0)
            VEC_PUSH(&session->arena, &arguments, argument);
    }
    for (uint32_t i = 0; i < filenames->count; i++)
        VEC_PUSH(&session->arena, &arguments,
                 arena_printf(&session->arena, "--filename=%s", filenames->items[i]));
    VEC_PUSH(&session->arena, &arguments, NULL);
    if (problems->errors > 0)
        return false;
    session->options = (struct options){0};
    return options_read(&session->arena, rows, arguments.items, &session->options, &session->line,
                        problems);
}

static bool read_plan(struct session *session, const struct told_report *report,
                      struct verify_settings *settings, struct verify_plan *plan)
{
    struct problems problems;
    struct input *input = ARENA_NEW(&session->arena, struct input);
    const struct option_list filenames = session->options.filename;
    const struct value *number = value_find(report->input, "unit");
    int64_t unit = 0;
    problems_init(&problems, &session->arena);
    bool good = read_arguments(session, report->input, &filenames, &problems) &&
                verify_settings_read(session, settings, &problems);
    if (!good) {
        session_complain(session, &problems);
        return false;
    }
    good = session_read(session, &input_checks, input);
    if (number)
        (void)value_read_integer(number, &unit);
    if (good && (unit < 0 || unit >= input->units.count)) {
        problem_error(&input->problems, (struct place){0}, NULL,
                      "the report is about Check number %" PRId64
                      " of its input, but there are only %u",
                      unit + 1, input->units.count);
        good = false;
    }
    good = good &&
           verify_plan_make(&session->arena, &input->units.items[unit], &settings->scope, plan);
    return session_accepts(session, &input_checks, input) && good;
}

/* What was read from standard input is not in the report. */
static bool lacks_standard_input(struct session *session, const struct told_report *report)
{
    const struct value *files = value_find(report->input, "files");
    for (uint32_t i = 0; files && files->kind == VALUE_SEQUENCE && i < files->count; i++) {
        const char *name = value_find_string(&files->items[i], "name");
        if (!name || name[0] != '<' || session->options.filename.count > 0)
            continue;
        session_say(session, "the report was made from standard input, which it does not keep: "
                             "give the manifests with -f");
        return true;
    }
    return false;
}

static void find_changes(struct session *session, struct replay_run *run)
{
    const struct value *files = value_find(run->report->input, "files");
    for (uint32_t i = 0; files && files->kind == VALUE_SEQUENCE && i < files->count; i++) {
        const char *name = value_find_string(&files->items[i], "name");
        const char *recorded = value_find_string(&files->items[i], "hash");
        uint64_t hash = 0;
        if (!name || !recorded)
            continue;
        if (!verify_again_hash(session, name, &hash) ||
            strcmp(recorded, arena_printf(&session->arena, "xxh3:%016" PRIx64, hash)) != 0)
            VEC_PUSH(&session->arena, &run->changed_files, name);
    }
}

/* ---- the setup and the intents ---- */

/* A workload of which every node has a pod is not listed. */
static bool same_number(const struct value *numbers, const char *name, int32_t number)
{
    const struct value *value = value_find(numbers, name);
    int64_t found = 0;
    return !value || (value_read_integer(value, &found) && found == number);
}

static const struct setup *find_setup(struct session *session, const struct scope *scope,
                                      const struct value *scale)
{
    const struct value *groups = value_find(scale, "nodeGroups");
    const struct value *workloads = value_find(scale, "workloads");
    struct setups setups = {0};
    scope_enumerate(&session->arena, scope, &setups);
    for (uint32_t i = 0; i < setups.count; i++) {
        bool same = same_number(scale, "nodes", setups.items[i].total_nodes) &&
                    same_number(scale, "pods", setups.items[i].total_pods);
        for (uint32_t g = 0; g < scope->group_count; g++)
            same &= same_number(groups, scope->groups[g].name, setups.items[i].nodes[g]);
        for (uint32_t w = 0; w < scope->workload_count; w++)
            same &= same_number(workloads, scope->workloads[w].name, setups.items[i].replicas[w]);
        if (same)
            return &setups.items[i];
    }
    return NULL;
}

/* The intents that were judged together; gives the place of the violated one. */
static uint32_t select_intents(struct session *session, const struct verify_plan *plan,
                               const struct told_violation *violation,
                               struct check_intent **intents, uint32_t *count)
{
    uint32_t place = UINT32_MAX;
    *intents = ARENA_ARRAY(&session->arena, struct check_intent, violation->judged.count + 1);
    *count = 0;
    for (uint32_t i = 0; i < violation->judged.count; i++) {
        const uint32_t number = violation->judged.items[i];
        if (number >= plan->intents.count)
            return UINT32_MAX;
        if (number == violation->number &&
            strcmp(report_intent_label(&session->arena, &plan->intents.items[number]),
                   violation->label) == 0)
            place = *count;
        (*intents)[(*count)++] = plan->intents.items[number];
    }
    return place;
}

/* ---- the run ---- */

static bool same_text(const char *left, const char *right)
{
    return strcmp(left ? left : "", right ? right : "") == 0;
}

static bool tells_the_same(struct session *session, const struct walk *walk, uint32_t choice,
                           const struct told_step *step)
{
    struct arena arena;
    struct story_step told;
    arena_init(&arena, &session->memory);
    walk_peek(walk, &arena, choice, &told);
    const bool same = same_text(told.actor, step->actor) && same_text(told.action, step->action) &&
                      same_text(told.object, step->object) && same_text(told.detail, step->detail);
    arena_release(&arena);
    return same;
}

static uint32_t find_choice(struct session *session, const struct walk *walk,
                            const struct told_step *step)
{
    if (step->choice < walk->choices.count && tells_the_same(session, walk, step->choice, step))
        return step->choice;
    for (uint32_t i = 0; i < walk->choices.count; i++)
        if (tells_the_same(session, walk, i, step))
            return i;
    return UINT32_MAX;
}

static void note_alternatives(struct session *session, const struct walk *walk,
                              struct replay_run *run)
{
    for (uint32_t i = 0; i < walk->choices.count; i++) {
        struct story_step told;
        walk_peek(walk, &session->arena, i, &told);
        VEC_PUSH(&session->arena, &run->instead, told.detail);
    }
}

static void follow(struct session *session, struct walk *walk, uint32_t property,
                   struct replay_run *run)
{
    const struct told_violation *violation = run->violation;
    storyteller_picture(walk->teller, &run->pictures[0]);
    for (; run->steps_done < violation->steps.count; run->steps_done++) {
        const uint32_t choice =
            find_choice(session, walk, &violation->steps.items[run->steps_done]);
        if (choice == UINT32_MAX) {
            run->flaw = arena_printf(&session->arena, "step %u cannot come there any more",
                                     run->steps_done + 1);
            note_alternatives(session, walk, run);
            return;
        }
        walk_take(walk, choice);
        storyteller_picture(walk->teller, &run->pictures[run->steps_done + 1]);
    }
    run->flaw =
        walk_refutes(walk, property, violation->loops, violation->rests, violation->loop_from);
}

static bool run_in_model(struct session *session, struct replay_run *run)
{
    struct verify_settings settings;
    struct verify_plan plan = {0};
    struct check_intent *intents;
    struct problems problems;
    uint32_t count;
    if (!read_plan(session, run->report, &settings, &plan))
        return false;
    problems_init(&problems, &session->arena);
    const uint32_t place = select_intents(session, &plan, run->violation, &intents, &count);
    const struct setup *setup = find_setup(session, &plan.scope, run->violation->scale);
    run->pictures =
        ARENA_ARRAY(&session->arena, struct story_picture, (size_t)run->violation->steps.count + 1);
    if (place == UINT32_MAX)
        run->flaw = "the intent is not among those of the Check any more";
    else if (!setup)
        run->flaw = "the Check has no setup of this size any more";
    if (run->flaw)
        return true;
    run->scale = report_scale(&session->arena, &plan.scope, setup);
    /* As verify does: what large setups leave out first, then without; and loops that are
     * fair to each node of several that are alike with one of them apart. */
    static const struct {
        enum population_nodes nodes;
        enum population_reductions reductions;
    } manners[] = {
        {NODES_ALIKE, REDUCTIONS_OF_LARGE},
        {NODES_ALIKE, REDUCTIONS_NEVER},
        {NODES_ONE_APART, REDUCTIONS_OF_LARGE},
        {NODES_ONE_APART, REDUCTIONS_NEVER},
    };
    for (uint32_t i = 0; i < sizeof(manners) / sizeof(*manners); i++) {
        settings.run.population.nodes = manners[i].nodes;
        settings.run.population.reductions = manners[i].reductions;
        struct population *population =
            population_create(&session->memory, &plan.scope, setup, intents, count,
                              &settings.run.population, &problems);
        if (!population) {
            session_complain(session, &problems);
            return false;
        }
        run->steps_done = 0;
        run->flaw = NULL;
        run->instead.count = 0;
        struct walk *walk =
            walk_create_at(&session->arena, population, run->violation->begin, false);
        if (walk)
            follow(session, walk, place, run);
        else
            run->flaw = "no run begins as it does any more";
        population_free(population);
        if (!run->flaw)
            break;
    }
    return true;
}

bool replay_run(struct session *session, const struct told_report *report,
                const struct told_violation *violation, struct replay_run *run)
{
    *run = (struct replay_run){.report = report, .violation = violation};
    if (lacks_standard_input(session, report))
        return false;
    find_changes(session, run);
    /* The command line is the report's for as long as its input is read. */
    const struct options options = session->options;
    const struct command_line line = session->line;
    const bool good = run_in_model(session, run);
    session->options = options;
    session->line = line;
    return good;
}
