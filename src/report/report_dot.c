/* SPDX-License-Identifier: Apache-2.0 */
/* For Graphviz: the state graph of one setup of each Check: that of --setup, or the
 * smallest one that violates an intent, or the usual one. */
#include "cluster/threads/crew.h"
#include "report/formats.h"
#include "report/report.h"
#include "walk/state_graph.h"

static const struct verify_result *first_violation(const struct verify_report *found)
{
    for (uint32_t i = 0; i < found->result_count; i++)
        if (found->results[i].verdict == VERDICT_VIOLATED)
            return &found->results[i];
    return NULL;
}

/* Without a counterexample the model has no intents: what they remember would only add states. */
static uint32_t select_intents(struct arena *arena, const struct verify_report *found,
                               uint64_t asked, struct check_intent **intents)
{
    uint32_t count = 0;
    *intents = ARENA_ARRAY(arena, struct check_intent, found->result_count + 1);
    for (uint32_t i = 0; i < found->result_count; i++)
        if (asked >> i & 1)
            (*intents)[count++] = *found->results[i].intent;
    return count;
}

static const struct setup *choose_setup(const struct writer_context *how,
                                        const struct report *report,
                                        const struct verify_result *violation, const char *wanted)
{
    if (wanted)
        return setups_choose(how->arena, report->scope, &report->found->setups, wanted,
                             how->problems);
    if (violation)
        return violation->setup;
    const struct setup *usual = setups_usual(report->scope, &report->found->setups);
    if (!usual)
        problem_error(how->problems, (struct place){0}, "-o dot", "%s: there is no setup to draw",
                      report->check);
    return usual;
}

/* Takes the steps of the violation; false: the model does not have them. */
static bool walk_along(struct walk *walk, const struct verify_result *violation)
{
    for (uint32_t i = 0; i < violation->step_count; i++) {
        if (violation->steps[i].choice >= walk->choices.count)
            return false;
        walk_take(walk, violation->steps[i].choice);
    }
    return true;
}

static bool draw(const struct writer_context *how, const struct reports *reports,
                 const struct report *report, struct text *text)
{
    const struct verify_report *found = report->found;
    const struct verify_result *violation = reports->drawn ? NULL : first_violation(found);
    const struct setup *setup = choose_setup(how, report, violation, reports->drawn);
    struct check_intent *intents;
    const uint32_t count =
        select_intents(how->arena, found, violation ? violation->asked : 0, &intents);
    struct population_options population = *reports->population;
    population.features = report->features;
    /* Choices are numbered as in the model in which the violation was found. */
    if (violation) {
        population.nodes = violation->nodes;
        population.reductions = violation->reductions;
    }
    const uint32_t errors = how->problems->errors;
    struct crew *crew = setup ? crew_create(NULL, how->arena->memory, report->scope, setup, intents,
                                            count, &population, how->problems)
                              : NULL;
    if (!crew && setup && how->problems->errors == errors)
        problem_error(how->problems, (struct place){0}, "-o dot",
                      "there is not enough memory for the model");
    if (!crew)
        return false;
    struct walk *walk =
        walk_create_at(how->arena, crew_worker(crew), violation ? violation->initial : 0, false);
    if (!walk || (violation && !walk_along(walk, violation))) {
        problem_error(how->problems, (struct place){0}, "-o dot",
                      "%s: the run cannot be followed in one state graph; fathom replay shows it",
                      report->check);
        crew_free(crew);
        return false;
    }
    const struct state_graph_path path = {
        .walk = walk,
        .loops = violation && violation->loops && !violation->rests,
        .loop_from = violation ? violation->loop_from : 0,
    };
    const char *scale = report_scale(how->arena, report->scope, setup);
    const bool drawn = state_graph_write(
        how->arena->memory, &path, arena_printf(how->arena, "%s: %s", report->check, scale), text);
    if (!drawn)
        problem_error(how->problems, (struct place){0}, "-o dot",
                      "%s: the setup with %s has more than %d states, too many to draw; "
                      "name a smaller one with --setup",
                      report->check, scale, STATE_GRAPH_MOST);
    crew_free(crew);
    return drawn;
}

void report_write_dot(const struct writer_context *how, const struct reports *reports,
                      struct text *text)
{
    for (uint32_t i = 0; i < reports->count; i++)
        if (!draw(how, reports, &reports->items[i], text))
            return;
}
