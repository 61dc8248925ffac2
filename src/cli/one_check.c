/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/one_check.h"

#include "base/budget.h"
#include "cli/input.h"
#include "cli/kubernetes_features.h"
#include "cli/verify_questions.h"
#include "cli/watchdog.h"
#include "cluster/threads/crew.h"

/* The only Check, or (--unit) a question that verify asks. */
static bool make_plan(struct session *session, const struct verify_settings *settings,
                      struct input *input, struct verify_plan *plan)
{
    const uint64_t number = session->options.unit;
    if (number > 0 && verify_asks_questions(session, input))
        return verify_questions_plan(session, settings, input, (uint32_t)(number - 1), plan);
    if (number == 0 && input->units.count == 1)
        return verify_plan_make(&session->arena, &input->units.items[0], &settings->scope, plan);
    if (number == 0)
        problem_error(&input->problems, (struct place){0}, NULL, "expected one Check, found %u",
                      input->units.count);
    else
        problem_error(&input->problems, (struct place){0}, "--unit",
                      "expected manifests without a Check, and no expressions or intents");
    return false;
}

bool one_check_read(struct session *session, struct verify_settings *settings,
                    struct verify_plan *plan)
{
    struct input input;
    struct problems problems;
    problems_init(&problems, &session->arena);
    if (!verify_settings_read(session, settings, &problems)) {
        session_refuse(session, &problems);
        return false;
    }
    const char *sentence;
    bool good = session_read(session, &input_checks, &input);
    good = kubernetes_features_settle(&session->arena, &session->options, &input,
                                      &settings->run.population.features, &sentence) &&
           good;
    good = good && make_plan(session, settings, &input, plan);
    return session_accepts(session, &input_checks, &input) && good;
}

const struct setup *one_check_setup(struct session *session, const struct verify_plan *plan,
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

struct crew *one_check_build(struct session *session, const struct verify_settings *settings,
                             const struct verify_plan *plan, const struct setup *setup,
                             struct problems *problems, int *code)
{
    struct population_options population = settings->run.population;
    population.deadline_ns = settings->budget.deadline_ns;
    struct crew *crew =
        setup ? crew_create(NULL, &session->memory, &plan->scope, setup, plan->intents.items,
                            plan->intents.count, &population, problems)
              : NULL;
    *code = EXIT_INPUT;
    if (crew)
        return crew;
    if (setup && problems->errors == 0) {
        /* One of the two tells that the limit was reached: this thread or the watchdog. */
        watchdog_pause();
        /* A request that is refused because it is too large leaves memory that is not over. */
        session_say(session, "undecided: the %s limit was reached while the model was built",
                    budget_time_is_over(&settings->budget) ? "time" : "memory");
        *code = EXIT_UNDECIDED;
    } else {
        session_complain(session, problems);
    }
    return NULL;
}
