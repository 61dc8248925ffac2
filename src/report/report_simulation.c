/* SPDX-License-Identifier: Apache-2.0 */
#include "report/simulation.h"

#include "report/formats.h"
#include "report/report.h"

#include <inttypes.h>

static void keep_picture(struct simulation *simulation)
{
    struct story_picture picture;
    if (!simulation->with_pictures)
        return;
    storyteller_picture(simulation->walk->teller, &picture);
    VEC_PUSH(simulation->walk->arena, &simulation->pictures, picture);
}

void simulation_begin(struct simulation *simulation)
{
    keep_picture(simulation);
}

void simulation_take(struct simulation *simulation, uint32_t choice)
{
    walk_take(simulation->walk, choice);
    keep_picture(simulation);
}

bool simulation_back(struct simulation *simulation)
{
    if (!walk_back(simulation->walk))
        return false;
    if (simulation->with_pictures)
        simulation->pictures.count--;
    return true;
}

void simulation_finish(struct simulation *simulation)
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
    struct arena *arena = simulation->walk->arena;
    for (uint32_t i = 0; i < simulation->plan->intents.count; i++)
        if (violated >> i & 1)
            text_printf(text, "%sVIOLATED  %s: %s\n", indent,
                        report_intent_label(arena, &simulation->plan->intents.items[i]),
                        report_intent_violated(simulation->plan->intents.items[i].kind));
}

void simulation_write_step(const struct simulation *simulation, uint32_t index, struct text *text)
{
    const struct walk_step *step = &simulation->walk->steps.items[index];
    const uint64_t before = index > 0 ? simulation->walk->steps.items[index - 1].violated : 0;
    text_printf(text, "%4u. %s%s\n", index + 1, step->told.outside ? "event: " : "",
                step->told.detail);
    for (uint32_t w = 0; step->told.notable && w < step->told.why.count; w++)
        text_printf(text, "          %s\n", step->told.why.items[w]);
    /* An intent that stays violated is reported once. */
    write_violations(simulation, step->violated & ~before, "      ", text);
}

void simulation_write_heading(const struct simulation *simulation, struct text *text)
{
    const struct input_unit *unit = simulation->plan->unit;
    struct arena *arena = simulation->walk->arena;
    if (unit->file)
        text_printf(text, "Check %s (%s)\n", unit->name, unit->file);
    text_printf(text, "One run with %s\nSeed %" PRIu64 "\n\n",
                report_scale(arena, &simulation->plan->scope, simulation->setup), simulation->seed);
}

static void write_end(const struct simulation *simulation, struct text *text)
{
    struct arena *arena = simulation->walk->arena;
    const uint32_t back = walk_came_back(simulation->walk);
    text_printf(text, "\nThe run ends here: %s\n", simulation->ended);
    write_violations(simulation, simulation->rest_violated, "", text);
    if (back != UINT32_MAX && !walk_rests(simulation->walk))
        text_printf(text, "The cluster is as it was after step %u: this may repeat for ever\n",
                    back);
    text_append_string(text, "\nThe cluster then:\n");
    report_write_picture(arena, &simulation->picture, "  ", text);
}

void simulation_write_json(const struct writer_context *how, const struct simulation *simulation,
                           struct text *text)
{
    struct arena *arena = how->arena;
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

void simulation_write_text(const struct writer_context *how, const struct simulation *simulation,
                           struct text *text)
{
    (void)how;
    if (!simulation->told) {
        simulation_write_heading(simulation, text);
        for (uint32_t i = 0; i < simulation->walk->steps.count; i++)
            simulation_write_step(simulation, i, text);
    }
    write_end(simulation, text);
}
