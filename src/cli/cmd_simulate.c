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
#include "report/report.h"
#include "verify/plan.h"
#include "walk/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct simulation {
    struct session *session;
    const struct verify_plan *plan;
    const struct setup *setup;
    struct walk *walk;
    uint64_t seed;
    uint64_t random; /* state of the generator */
    uint64_t violated;
    uint64_t rest_violated; /* at the end, for good */
    const char *ended;      /* why the run ends here */
    struct story_picture picture;
};

/* ---- chance ---- */

/* splitmix64: any seed is a good one. */
static uint64_t next_random(struct simulation *simulation)
{
    uint64_t z = simulation->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t random_below(struct simulation *simulation, uint32_t bound)
{
    return (uint32_t)((next_random(simulation) >> 32) * bound >> 32);
}

/* An attempt that fails is worth telling once, not again and again. */
static bool was_tried(const struct walk *walk, uint32_t choice)
{
    for (uint32_t i = walk->steps.count; i-- > 0 && walk->steps.items[i].told.waits;)
        if (walk->steps.items[i].choice == choice)
            return true;
    return false;
}

/* At rest it is as likely that nothing more comes as any of the events. */
static uint32_t choose_at_random(struct simulation *simulation)
{
    const struct walk *walk = simulation->walk;
    VEC(uint32_t) open = {0};
    const bool rests = walk_rests(walk);
    bool trying = false;
    for (uint32_t i = 0; i < walk->choices.count; i++)
        if (walk->choices.items[i].changes || !was_tried(walk, i)) {
            trying |= !walk->choices.items[i].changes;
            VEC_PUSH(walk->arena, &open, i);
        }
    const uint32_t bound = open.count + (rests && !trying);
    const uint32_t chosen = bound > 0 ? random_below(simulation, bound) : 0;
    return chosen < open.count ? open.items[chosen] : UINT32_MAX;
}

static void run_at_random(struct simulation *simulation, uint64_t steps_most)
{
    while (simulation->walk->steps.count < steps_most) {
        const uint32_t choice = choose_at_random(simulation);
        if (choice == UINT32_MAX) {
            simulation->ended = "nothing moves any more";
            return;
        }
        walk_take(simulation->walk, choice);
    }
    simulation->ended = arena_printf(&simulation->session->arena,
                                     "%" PRIu64 " steps were taken (--steps)", steps_most);
}

/* ---- the answer ---- */

static void finish(struct simulation *simulation)
{
    const struct walk *walk = simulation->walk;
    simulation->violated = 0;
    for (uint32_t i = 0; i < walk->steps.count; i++)
        simulation->violated |= walk->steps.items[i].violated;
    simulation->rest_violated = walk_rests(walk) ? walk_rest_violates(walk) : 0;
    storyteller_picture(walk->teller, &simulation->picture);
}

static void write_violations(const struct simulation *simulation, uint64_t violated,
                             const char *indent, struct text *text)
{
    struct arena *arena = &simulation->session->arena;
    for (uint32_t i = 0; i < simulation->plan->intents.count; i++)
        if (violated >> i & 1)
            text_printf(text, "%sVIOLATED  %s: %s\n", indent,
                        report_intent_label(arena, &simulation->plan->intents.items[i]),
                        report_intent_violated(simulation->plan->intents.items[i].kind));
}

static void write_step(const struct simulation *simulation, uint32_t index, struct text *text)
{
    const struct walk_step *step = &simulation->walk->steps.items[index];
    const uint64_t before = index > 0 ? simulation->walk->steps.items[index - 1].violated : 0;
    text_printf(text, "%4u. %s%s\n", index + 1, step->told.outside ? "event: " : "",
                step->told.detail);
    for (uint32_t w = 0; step->told.notable && w < step->told.why.count; w++)
        text_printf(text, "          %s\n", step->told.why.items[w]);
    /* A state that is bad goes on being bad: that is said once. */
    write_violations(simulation, step->violated & ~before, "      ", text);
}

static void write_heading(const struct simulation *simulation, struct text *text)
{
    const struct input_unit *unit = simulation->plan->unit;
    struct arena *arena = &simulation->session->arena;
    if (unit->file)
        text_printf(text, "Check %s (%s)\n", unit->name, unit->file);
    text_printf(text, "One run with %s\nSeed %" PRIu64 "\n\n",
                report_scale(arena, &simulation->plan->scope, simulation->setup), simulation->seed);
}

static void write_end(const struct simulation *simulation, struct text *text)
{
    struct arena *arena = &simulation->session->arena;
    const uint32_t back = walk_came_back(simulation->walk);
    text_printf(text, "\nThe run ends here: %s\n", simulation->ended);
    write_violations(simulation, simulation->rest_violated, "", text);
    if (back != UINT32_MAX && !walk_rests(simulation->walk))
        text_printf(text, "The cluster is as it was after step %u: this may repeat for ever\n",
                    back);
    text_append_string(text, "\nThe cluster then:\n");
    report_write_picture(arena, &simulation->picture, "  ", text);
}

static void write_json(const struct simulation *simulation, struct text *text)
{
    struct arena *arena = &simulation->session->arena;
    const struct walk *walk = simulation->walk;
    struct json_out json;
    int64_t now = 0;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "Simulation");
    json_string(&json, "check", simulation->plan->unit->name);
    json_unsigned(&json, "seed", simulation->seed);
    report_scale_json(&json, &simulation->plan->scope, simulation->setup);
    json_array_begin(&json, "trace");
    for (uint32_t i = 0; i < walk->steps.count; i++) {
        struct verify_step step = {.told = walk->steps.items[i].told,
                                   .choice = walk->steps.items[i].choice};
        step.time_ns = now += step.told.period_ns;
        report_step_json(arena, &json, i + 1, &step);
    }
    json_array_end(&json);
    json_array_begin(&json, "violations");
    for (uint32_t n = 0; n < simulation->plan->intents.count; n++)
        for (uint32_t i = 0; i <= walk->steps.count; i++) {
            const bool at_end = i == walk->steps.count;
            const uint64_t violated =
                at_end ? simulation->rest_violated : walk->steps.items[i].violated;
            if (!(violated >> n & 1))
                continue;
            json_object_begin(&json, NULL);
            json_string(&json, "intent",
                        report_intent_label(arena, &simulation->plan->intents.items[n]));
            json_unsigned(&json, "step", at_end ? i : i + 1);
            json_object_end(&json);
            break;
        }
    json_array_end(&json);
    json_boolean(&json, "rests", walk_rests(walk));
    json_string(&json, "ended", simulation->ended);
    report_picture_json(&json, "cluster", &simulation->picture);
    json_object_end(&json);
    text_append_char(text, '\n');
}

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    const struct simulation *simulation = answer;
    if (strcmp(format, "json") == 0) {
        write_json(simulation, text);
        return;
    }
    /* The heading and the steps were shown while the user chose them. */
    if (!session->options.interactive) {
        write_heading(simulation, text);
        for (uint32_t i = 0; i < simulation->walk->steps.count; i++)
            write_step(simulation, i, text);
    }
    write_end(simulation, text);
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
    text_init(&text, &simulation->session->memory);
    write(simulation, &text);
    fputs(text_content(&text), stream);
    text_release(&text);
}

static void write_last_step(const struct simulation *simulation, struct text *text)
{
    write_step(simulation, simulation->walk->steps.count - 1, text);
}

static void write_state(const struct simulation *simulation, struct text *text)
{
    struct story_picture picture;
    storyteller_picture(simulation->walk->teller, &picture);
    report_write_picture(&simulation->session->arena, &picture, "      ", text);
}

static void run_by_choice(struct simulation *simulation, uint64_t steps_most)
{
    FILE *talk = stream_of_talk(simulation->session);
    struct walk *walk = simulation->walk;
    show(simulation, talk, write_heading);
    simulation->ended = "as you wished";
    while (walk->steps.count < steps_most) {
        const struct next_choice next = choose_next(simulation->session, walk, stdin, talk);
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
        case NEXT_RANDOM: choice = choose_at_random(simulation); break;
        case NEXT_STEP: break;
        }
        if (choice == UINT32_MAX) {
            fputs("      nothing more happens this time\n", talk);
            continue;
        }
        walk_take(walk, choice);
        show(simulation, talk, write_last_step);
    }
    simulation->ended = arena_printf(&simulation->session->arena,
                                     "%" PRIu64 " steps were taken (--steps)", steps_most);
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
    struct simulation simulation = {.session = session, .plan = plan};
    simulation.setup = choose_setup(session, plan, &problems);
    struct population *population =
        simulation.setup ? population_create(&session->memory, &plan->scope, simulation.setup,
                                             plan->intents.items, plan->intents.count,
                                             &settings->run.population, &problems)
                         : NULL;
    if (!population) {
        session_complain(session, &problems);
        return EXIT_INPUT;
    }
    simulation.seed =
        session->options.seed ? session->options.seed : (uint64_t)clock_now_ns() % 1000000 + 1;
    simulation.random = simulation.seed;
    /* Causes are told in JSON alone. */
    simulation.walk = walk_create(&session->arena, population, session_wants(session, "json"));
    if (session->options.interactive)
        run_by_choice(&simulation, session->options.steps);
    else
        run_at_random(&simulation, session->options.steps);
    finish(&simulation);
    const bool written = session_answer(session, render, &simulation);
    population_free(population);
    if (!written)
        return EXIT_INPUT;
    return simulation.violated | simulation.rest_violated ? EXIT_VIOLATED : EXIT_HOLDS;
}

int cmd_simulate(struct session *session)
{
    struct verify_settings settings;
    struct input input;
    struct problems problems;
    problems_init(&problems, &session->arena);
    if (!verify_settings_read(session, &settings, &problems)) {
        session_complain(session, &problems);
        session_point_at_help(session);
        return EXIT_INPUT;
    }
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
