/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom simulate`: one run of the model, at random or as the user chooses.
 *
 * A run shows what may happen, not what must: that nothing goes wrong in it
 * proves nothing. The same seed gives the same run.
 */
#include "base/budget.h"
#include "cli/choose_next.h"
#include "cli/one_check.h"
#include "cli/take_steps.h"
#include "cli/verify_settings.h"
#include "cli/what_if.h"
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "cluster/threads/crew.h"
#include "report/formats.h"
#include "report/report.h"
#include "report/simulation.h"
#include "walk/random_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *ended_by_steps(struct session *session)
{
    if (session->options.take)
        return "all steps were taken (--take, --steps)";
    return arena_printf(&session->arena, "%" PRIu64 " steps were taken (--steps)",
                        session->options.steps);
}

/* ---- by chance ---- */

/* Why the run cannot go on; NULL: it can. */
static const char *limit_reached(const struct session *session, const struct budget *budget)
{
    if (memory_is_over(&session->memory))
        return "the memory limit was reached";
    return budget_is_over(budget) ? "the time limit was reached" : NULL;
}

static void run_at_random(struct session *session, const struct budget *budget,
                          struct simulation *simulation)
{
    uint64_t random = simulation->seed;
    while (simulation->walk->steps.count < session->options.steps) {
        if ((simulation->ended = limit_reached(session, budget)) != NULL)
            return;
        const uint32_t choice = walk_choose_at_random(simulation->walk, &random);
        if (choice == UINT32_MAX) {
            simulation->ended = "nothing moves any more";
            return;
        }
        simulation_take(simulation, choice);
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
            if (!simulation_back(simulation))
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
        simulation_take(simulation, choice);
        show(simulation, talk, write_last_step);
    }
    simulation->ended = ended_by_steps(session);
}

/* ---- the command ---- */

static int simulate(struct session *session, const struct verify_settings *settings,
                    const struct verify_plan *plan)
{
    struct problems problems;
    problems_init(&problems, &session->arena);
    struct simulation simulation = {.plan = plan, .told = session->options.interactive};
    simulation.setup = one_check_setup(session, plan, &problems);
    int code = EXIT_INPUT;
    struct verify_settings chosen = *settings;
    if (session->options.as_verify)
        chosen.run.population.reductions = REDUCTIONS_OF_LARGE;
    struct crew *crew = one_check_build(session, &chosen, plan, simulation.setup, &problems, &code);
    if (!crew)
        return code;
    simulation.seed =
        session->options.seed ? session->options.seed : (uint64_t)clock_now_ns() % 1000000 + 1;
    simulation.walk = walk_create(&session->arena, crew_worker(crew),
                                  session_needs(session, RESULT_SIMULATION, NEEDS_CAUSES));
    simulation.with_pictures = session_needs(session, RESULT_SIMULATION, NEEDS_PICTURES);
    simulation_begin(&simulation);
    if (session->options.take && !take_steps(session, session->options.take, &simulation)) {
        crew_free(crew);
        return EXIT_INPUT;
    }
    if (session->options.what_if) {
        if (!what_if_follow(session, session->options.what_if, &simulation)) {
            crew_free(crew);
            return EXIT_INPUT;
        }
    } else if (session->options.interactive)
        run_by_choice(session, &simulation);
    else
        run_at_random(session, &settings->budget, &simulation);
    simulation_finish(&simulation);
    const bool violated = simulation.violated | simulation.rest_violated;
    code = session_report(session, RESULT_SIMULATION, &simulation,
                          violated ? VERDICT_VIOLATED : VERDICT_HOLDS);
    crew_free(crew);
    return code;
}

/* One run shows nothing about intents that ask for some run. */
static void drop_examples(struct verify_plan *plan)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < plan->intents.count; i++)
        if (!intent_class_of(&plan->intents.items[i])->asks_for_example)
            plan->intents.items[kept++] = plan->intents.items[i];
    plan->intents.count = kept;
}

int cmd_simulate(struct session *session)
{
    struct verify_settings settings;
    struct verify_plan plan = {0};
    if (session->options.what_if && (session->options.take || session->options.interactive)) {
        session_say(session, "simulate: expected --what-if by itself, found --take or "
                             "--interactive, too");
        return EXIT_INPUT;
    }
    if (!one_check_read(session, &settings, &plan))
        return EXIT_INPUT;
    drop_examples(&plan);
    return simulate(session, &settings, &plan);
}
