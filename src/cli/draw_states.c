/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/draw_states.h"

#include "cluster/threads/crew.h"
#include "report/report.h"
#include "walk/state_graph.h"

static const struct verify_result *first_violation(const struct verify_report *found)
{
    for (uint32_t i = 0; i < found->result_count; i++)
        if (found->results[i].verdict == VERDICT_VIOLATED)
            return &found->results[i];
    return NULL;
}

/* Without a counterexample nothing is asked: what intents remember would only
 * multiply the states. */
static uint32_t select_intents(struct session *session, const struct verify_plan *plan,
                               uint64_t asked, struct check_intent **intents)
{
    uint32_t count = 0;
    *intents = ARENA_ARRAY(&session->arena, struct check_intent, plan->intents.count + 1);
    for (uint32_t i = 0; i < plan->intents.count; i++)
        if (asked >> i & 1)
            (*intents)[count++] = plan->intents.items[i];
    return count;
}

bool draw_states(struct session *session, const struct verify_settings *settings,
                 const struct verify_plan *plan, const struct verify_report *found,
                 struct text *text)
{
    struct problems problems;
    problems_init(&problems, &session->arena);
    const struct verify_result *violation = session->options.setup ? NULL : first_violation(found);
    const struct setup *setup = violation ? violation->setup : NULL;
    if (session->options.setup)
        setup = setups_choose(&session->arena, &plan->scope, &found->setups, session->options.setup,
                              &problems);
    else if (!setup)
        setup = setups_usual(&plan->scope, &found->setups);
    struct check_intent *intents;
    const uint32_t count =
        select_intents(session, plan, violation ? violation->asked : 0, &intents);
    struct crew *crew = setup ? crew_create(NULL, &session->memory, &plan->scope, setup, intents,
                                            count, &settings->run.population, &problems)
                              : NULL;
    if (!crew) {
        session_complain(session, &problems);
        return false;
    }
    struct walk *walk = walk_create(&session->arena, crew_worker(crew), false);
    for (uint32_t i = 0; violation && i < violation->step_count; i++)
        walk_take(walk, violation->steps[i].choice);
    const struct state_graph_path path = {
        .walk = walk,
        .loops = violation && violation->loops && !violation->rests,
        .loop_from = violation ? violation->loop_from : 0,
    };
    const char *scale = report_scale(&session->arena, &plan->scope, setup);
    const bool drawn =
        state_graph_write(&session->memory, &path,
                          arena_printf(&session->arena, "%s: %s", plan->unit->name, scale), text);
    if (!drawn)
        session_say(session,
                    "-o dot: %s: the setup with %s has more than %d states, too many to draw; "
                    "name a smaller one with --setup",
                    plan->unit->name, scale, STATE_GRAPH_MOST);
    crew_free(crew);
    return drawn;
}
