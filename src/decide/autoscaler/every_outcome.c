/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/every_outcome.h"

#include "decide/autoscaler/hidden_orders.h"

#include <string.h>

/* So many ways of one trial are tried; if there are more, the loop says so. */
enum { TRIALS_MOST = 20000 };

struct result {
    const char *text;
    struct order_choices path;
};

typedef VEC(struct result) result_list;

static void add_result(struct arena *arena, result_list *results, const struct order_choices *path,
                       const char *text)
{
    for (uint32_t i = 0; i < results->count; i++)
        if (strcmp(results->items[i].text, text) == 0)
            return;
    struct result result = {.text = arena_strdup(arena, text), .path.arena = arena};
    for (uint32_t i = 0; i < path->taken.count; i++) {
        VEC_PUSH(arena, &result.path.taken, path->taken.items[i]);
        VEC_PUSH(arena, &result.path.bounds, path->bounds.items[i]);
    }
    VEC_PUSH(arena, results, result);
}

static void find_results(struct cluster_autoscaler *autoscaler, const struct outcome_trial *trial,
                         result_list *results)
{
    struct order_choices *path = ARENA_NEW(autoscaler->loop_arena, struct order_choices);
    struct text text;
    uint32_t tried = 0;
    *path = (struct order_choices){.arena = autoscaler->loop_arena};
    text_init(&text, autoscaler->loop_arena->memory);
    autoscaler->choices = path;
    do {
        text_reset(&text);
        trial->act(trial->context);
        trial->tell(trial->context, &text);
        trial->undo(trial->context);
        add_result(autoscaler->loop_arena, results, path, text_content(&text));
    } while (order_choices_advance(path) && ++tried < TRIALS_MOST);
    autoscaler->outcomes_overflow |= tried == TRIALS_MOST;
    text_release(&text);
}

void trial_run(struct cluster_autoscaler *autoscaler, const struct outcome_trial *trial)
{
    struct order_choices *outer = autoscaler->choices;
    result_list results = {0};
    if (!outer) {
        trial->act(trial->context);
        return;
    }
    find_results(autoscaler, trial, &results);
    autoscaler->choices = outer;
    struct result *chosen = &results.items[orders_pick(autoscaler, results.count)];
    autoscaler->choices = &chosen->path;
    trial->act(trial->context);
    autoscaler->choices = outer;
}
