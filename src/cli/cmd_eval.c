/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom eval`: what an expression comes to in a cluster as it is. */
#include "cli/one_check.h"
#include "cluster/ask/expression_cluster.h"
#include "cluster/story/story.h"
#include "cluster/threads/crew.h"
#include "expression/expression.h"
#include "walk/walk.h"

#include <stdio.h>

/* The state in which runs begin is asked. */
static int evaluate(struct session *session, const struct verify_settings *settings,
                    const struct verify_plan *plan, const char *text)
{
    struct problems problems;
    struct expression_value value = {0};
    problems_init(&problems, &session->arena);
    int code;
    const struct setup *setup = one_check_setup(session, plan, &problems);
    struct crew *crew = one_check_build(session, settings, plan, setup, &problems, &code);
    if (!crew)
        return code;
    struct walk *walk = walk_create(&session->arena, crew_worker(crew), false);
    bool good = storyteller_evaluate(walk->teller, text, &problems, &value);
    crew_free(crew);
    if (good && value.tag == VALUE_IS_ERROR) {
        problem_error(&problems, (struct place){0}, NULL, "the expression fails: %s", value.text);
        good = false;
    }
    if (!good) {
        session_complain(session, &problems);
        return EXIT_INPUT;
    }
    puts(expression_value_whole_text(&session->arena, value));
    return value.tag == VALUE_IS_BOOL && !value.truth ? EXIT_VIOLATED : EXIT_HOLDS;
}

/* An intent that looks at what the expression looks at, so that the state has all of it; NULL: it
 * is no expression, and the problems say why. */
static const char *same_look(struct session *session, const char *text, struct problems *problems)
{
    if (!expression_compile(&session->arena, text, &cluster_environment, NULL, (struct place){0},
                            NULL, problems))
        return NULL;
    return arena_printf(&session->arena, "[%s\n].size() == 1", text);
}

int cmd_eval(struct session *session)
{
    struct verify_settings settings;
    struct verify_plan plan = {0};
    struct option_list *operands = &session->line.operands;
    struct problems problems;
    problems_init(&problems, &session->arena);
    const char *text = operands->count > 0 ? operands->items[0] : NULL;
    const char *asked[] = {text ? same_look(session, text, &problems) : NULL};
    if (!text)
        problem_error(&problems, (struct place){0}, NULL, "expected an expression");
    if (!asked[0])
        return session_refuse(session, &problems);
    operands->count = 0; /* what is left is no file */
    session->options.always = (struct option_list){.items = asked, .count = 1};
    return one_check_read(session, &settings, &plan) ? evaluate(session, &settings, &plan, text)
                                                     : EXIT_INPUT;
}
