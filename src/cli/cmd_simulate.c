/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom simulate`: one run of the model, at random or as the user chooses.
 *
 * A run shows what may happen, not what must: that nothing goes wrong in it
 * proves nothing. The same seed gives the same run.
 */
#include "base/clock.h"
#include "cli/choose_next.h"
#include "cli/input.h"
#include "cli/verify_settings.h"
#include "cluster/threads/crew.h"
#include "report/report.h"
#include "report/simulation.h"
#include "walk/random_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *ended_by_steps(struct session *session)
{
    return arena_printf(&session->arena, "%" PRIu64 " steps were taken (--steps)",
                        session->options.steps);
}

/* ---- by chance ---- */

static void run_at_random(struct session *session, struct simulation *simulation)
{
    uint64_t random = simulation->seed;
    while (simulation->walk->steps.count < session->options.steps) {
        const uint32_t choice = walk_choose_at_random(simulation->walk, &random);
        if (choice == UINT32_MAX) {
            simulation->ended = "nothing moves any more";
            return;
        }
        walk_take(simulation->walk, choice);
    }
    simulation->ended = ended_by_steps(session);
}

/* ---- by choice ---- */

/* Standard output belongs to the answer if that is not the conversation itself. */
static FILE *stream_of_talk(const struct session *session)
{
    for (uint32_t i = 0; i < session->options.output.count; i++)
        if (!session->options.output.items[i].file &&
            strcmp(session->options.output.items[i].format, "text") != 0)
            return stderr;
    return stdout;
}

static void show(const struct simulation *simulation, FILE *stream,
                 void (*write)(const struct simulation *simulation, struct text *text))
{
    struct text text;
    text_init(&text, simulation->walk->arena->memory);
    write(simulation, &text);
    fputs(text_content(&text), stream);
    text_release(&text);
}

static void write_last_step(const struct simulation *simulation, struct text *text)
{
    simulation_write_step(simulation, simulation->walk->steps.count - 1, text);
}

static void write_state(const struct simulation *simulation, struct text *text)
{
    struct story_picture picture;
    storyteller_picture(simulation->walk->teller, &picture);
    report_write_picture(simulation->walk->arena, &picture, "      ", text);
}

static void run_by_choice(struct session *session, struct simulation *simulation)
{
    const uint64_t steps_most = session->options.steps;
    FILE *talk = stream_of_talk(session);
    uint64_t random = simulation->seed;
    struct walk *walk = simulation->walk;
    show(simulation, talk, simulation_write_heading);
    simulation->ended = "as you wished";
    while (walk->steps.count < steps_most) {
        const struct next_choice next = choose_next(session, walk, stdin, talk);
        uint32_t choice = next.choice;
        switch (next.kind) {
        case NEXT_QUIT: return;
        case NEXT_UNDO:
            if (!walk_back(walk))
                fputs("      there is nothing to undo\n", talk);
            else
                fprintf(talk, "      step %u is undone\n", walk->steps.count + 1);
            continue;
        case NEXT_STATE: show(simulation, talk, write_state); continue;
        case NEXT_NOTHING: simulation->ended = "nothing can happen any more"; return;
        case NEXT_RANDOM: choice = walk_choose_at_random(walk, &random); break;
        case NEXT_STEP: break;
        }
        if (choice == UINT32_MAX) {
            fputs("      nothing more happens this time\n", talk);
            continue;
        }
        walk_take(walk, choice);
        show(simulation, talk, write_last_step);
    }
    simulation->ended = ended_by_steps(session);
}

/* ---- the command ---- */

static const struct setup *choose_setup(struct session *session, const struct verify_plan *plan,
                                        struct problems *problems)
{
    struct setups setups = {0};
    scope_enumerate(&session->arena, &plan->scope, &setups);
    if (session->options.setup)
        return setups_choose(&session->arena, &plan->scope, &setups, session->options.setup,
                             problems);
    const struct setup *usual = setups_usual(&plan->scope, &setups);
    if (!usual)
        problem_error(problems, (struct place){.file = plan->unit->file}, NULL,
                      "there is no setup to run: no node group may have a node");
    return usual;
}

static int simulate(struct session *session, const struct verify_settings *settings,
                    const struct verify_plan *plan)
{
    struct problems problems;
    problems_init(&problems, &session->arena);
    struct simulation simulation = {.plan = plan, .told = session->options.interactive};
    simulation.setup = choose_setup(session, plan, &problems);
    struct crew *crew = simulation.setup
                            ? crew_create(NULL, &session->memory, &plan->scope, simulation.setup,
                                          plan->intents.items, plan->intents.count,
                                          &settings->run.population, &problems)
                            : NULL;
    if (!crew) {
        session_complain(session, &problems);
        return EXIT_INPUT;
    }
    simulation.seed =
        session->options.seed ? session->options.seed : (uint64_t)clock_now_ns() % 1000000 + 1;
    simulation.walk = walk_create(&session->arena, crew_worker(crew),
                                  session_needs(session, RESULT_SIMULATION, NEEDS_CAUSES));
    if (session->options.interactive)
        run_by_choice(session, &simulation);
    else
        run_at_random(session, &simulation);
    simulation_finish(&simulation);
    const bool violated = simulation.violated | simulation.rest_violated;
    const int code = session_report(session, RESULT_SIMULATION, &simulation,
                                    violated ? VERDICT_VIOLATED : VERDICT_HOLDS);
    crew_free(crew);
    return code;
}

int cmd_simulate(struct session *session)
{
    struct verify_settings settings;
    struct input input;
    struct problems problems;
    problems_init(&problems, &session->arena);
    if (!verify_settings_read(session, &settings, &problems))
        return session_refuse(session, &problems);
    struct verify_plan plan = {0};
    bool good = session_read(session, &input_checks, &input);
    if (good && input.units.count != 1) {
        problem_error(&input.problems, (struct place){0}, NULL,
                      "expected one Check to simulate, found %u", input.units.count);
        good = false;
    }
    good = good && verify_plan_make(&session->arena, &input.units.items[0], &settings.scope, &plan);
    if (!session_accepts(session, &input_checks, &input) || !good)
        return EXIT_INPUT;
    return simulate(session, &settings, &plan);
}
