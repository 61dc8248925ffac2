/* SPDX-License-Identifier: Apache-2.0 */
/* Asks one question, which may be several Checks. */
#include "cli/asker.h"

/* Of one Check of a question. A workload by itself is explored in two ways. */
enum { STATES_OF_QUESTION = 400000, STATES_OF_ONE = 600000 };

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
        if (asked.question.made) {
            asker_run(asker, &asked.question.plan,
                      asked.question.plan.scope.workload_count > 1 ? STATES_OF_QUESTION
                                                                   : STATES_OF_ONE,
                      &asked.found);
            asker_ask_sizes(asker, &asked);
        }
        VEC_PUSH(&asker->session->arena, &asker->asked, asked);
    }
}
