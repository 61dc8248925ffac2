/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/asker.h"
#include "cli/verify_one.h"

/* Of one Check of a question. A workload by itself is explored in two ways. */
enum { STATES_OF_QUESTION = 400000, STATES_OF_ONE = 600000 };

void asker_run(struct asker *asker, const struct verify_plan *plan, uint64_t states_most,
               struct verify_report *found)
{
    struct verify_options options = asker->options;
    if (!asker->limited)
        options.states_most = states_most;
    verify_one(asker->session, asker->settings, plan, &options, found);
    if (asker->limited) {
        asker->options.states_most = options.states_most;
        asker->options.time_most_ms = options.time_most_ms;
    }
}

void asker_ask(struct asker *asker, enum question_topic kind, const struct objects *objects,
               const struct question_options *about)
{
    struct questions questions = {0};
    struct question_options how = *about;
    how.budget = &asker->budget;
    asker->scope.budget = &asker->budget;
    how.at_any_time = asker->at_any_time;
    how.room_for_all = asker->needs && !asker->settings->scope.nodes.given;
    questions_add(&asker->session->arena, kind, asker->unit, objects, &how, &asker->scope,
                  &questions);
    for (uint32_t i = 0; i < questions.count; i++) {
        struct asked_question asked = {.question = questions.items[i]};
        /* One of many Checks says no more than that it is undecided then. */
        asked.question.plan.in_vain |= budget_is_over(&asker->budget);
        if (asked.question.made)
            asker_run(asker, &asked.question.plan,
                      asked.question.plan.scope.workload_count > 1 ? STATES_OF_QUESTION
                                                                   : STATES_OF_ONE,
                      &asked.found);
        VEC_PUSH(&asker->session->arena, &asker->asked, asked);
    }
}
