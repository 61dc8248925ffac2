/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated run as pages draw it: the cluster after each step, and what may come next. */
#include "report/formats.h"
#include "report/report.h"
#include "report/report_html_data.h"
#include "report/simulation.h"

/* As --setup takes it. */
static const char *setup_text(struct arena *arena, const struct simulation *simulation)
{
    const struct scope *scope = &simulation->plan->scope;
    const struct setup *setup = simulation->setup;
    const char *text = "";
    for (uint32_t g = 0; g < scope->group_count; g++)
        text = arena_printf(arena, "%s%s%s=%d", text, *text ? "," : "", scope->groups[g].name,
                            setup->nodes[g]);
    for (uint32_t w = 0; w < scope->workload_count; w++)
        text = arena_printf(arena, "%s%s%s=%d", text, *text ? "," : "", scope->workloads[w].name,
                            setup->replicas[w]);
    return text;
}

static void write_violated(struct arena *arena, struct json_out *json, const char *key,
                           const struct simulation *simulation, uint64_t violated)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < simulation->plan->intents.count; i++)
        if (violated >> i & 1)
            json_string(json, NULL,
                        report_intent_label(arena, &simulation->plan->intents.items[i]));
    json_array_end(json);
}

static void write_told(struct json_out *json, const struct story_step *told)
{
    json_string(json, "actor", told->actor);
    json_string(json, "detail", told->detail);
    json_boolean(json, "outside", told->outside);
}

/* What is told of each step; the run beside it has what the step changes. */
static void write_steps(struct arena *arena, struct json_out *json,
                        const struct simulation *simulation)
{
    const struct walk *walk = simulation->walk;
    json_array_begin(json, "told");
    for (uint32_t i = 0; i < walk->steps.count; i++) {
        const struct walk_step *step = &walk->steps.items[i];
        const uint64_t before = i > 0 ? walk->steps.items[i - 1].violated : 0;
        json_object_begin(json, NULL);
        json_unsigned(json, "choice", step->choice + 1);
        if (i < simulation->follows.count && simulation->follows.items[i] > 0)
            json_unsigned(json, "follows", simulation->follows.items[i]);
        write_told(json, &step->told);
        report_write_strings(json, "why", &step->told.why);
        json_array_begin(json, "causes");
        for (uint32_t c = 0; c < step->told.causes.count; c++)
            if (step->told.causes.items[c] > 0)
                json_unsigned(json, NULL, step->told.causes.items[c]);
        json_array_end(json);
        write_violated(arena, json, "violates", simulation, step->violated & ~before);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_choices(struct arena *arena, struct json_out *json, const struct walk *walk)
{
    json_array_begin(json, "choices");
    for (uint32_t i = 0; i < walk->choices.count; i++) {
        struct story_step told;
        walk_peek(walk, arena, i, &told);
        json_object_begin(json, NULL);
        json_unsigned(json, "number", i + 1);
        write_told(json, &told);
        json_boolean(json, "changes", walk->choices.items[i].changes);
        json_object_end(json);
    }
    json_array_end(json);
}

/* The run in the form in which verify has counterexamples. */
static struct verify_result as_result(struct arena *arena, const struct simulation *simulation)
{
    const struct walk *walk = simulation->walk;
    struct verify_result result = {
        .start = simulation->pictures.items[0],
        .steps = ARENA_ARRAY(arena, struct verify_step, walk->steps.count + 1),
        .step_count = walk->steps.count,
    };
    int64_t now = 0;
    for (uint32_t i = 0; i < walk->steps.count; i++) {
        now += walk->steps.items[i].told.period_ns;
        result.steps[i] = (struct verify_step){.told = walk->steps.items[i].told,
                                               .time_ns = now,
                                               .picture = simulation->pictures.items[i + 1]};
    }
    return result;
}

void simulation_write_run(const struct writer_context *how, const struct simulation *simulation,
                          struct text *text)
{
    const struct walk *walk = simulation->walk;
    const struct verify_result result = as_result(how->arena, simulation);
    const uint32_t back = walk_came_back(walk);
    struct json_out json;
    json_out_init(&json, text, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "check", simulation->plan->unit->name);
    json_string(&json, "scale",
                report_scale(how->arena, &simulation->plan->scope, simulation->setup));
    json_string(&json, "setup", setup_text(how->arena, simulation));
    run_data_write(how->arena, &json, "run", &simulation->plan->scope, &result);
    write_steps(how->arena, &json, simulation);
    write_choices(how->arena, &json, walk);
    json_boolean(&json, "rests", walk_rests(walk));
    write_violated(how->arena, &json, "restViolates", simulation, simulation->rest_violated);
    if (back != UINT32_MAX && !walk_rests(walk))
        json_unsigned(&json, "cameBack", back);
    json_object_end(&json);
    text_append_char(text, '\n');
}
