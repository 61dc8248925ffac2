/* SPDX-License-Identifier: Apache-2.0 */
/* What an expression comes to in the cluster as it is. */
#include "cluster/ask/expression_cluster.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/story/story.h"
#include "cluster/story/story_internal.h"
#include "expression/expression.h"

bool storyteller_evaluate(struct storyteller *teller, const char *text, struct problems *problems,
                          struct expression_value *value)
{
    struct worker *worker = teller->worker;
    const struct expression *expression = expression_compile(
        teller->arena, text, &cluster_environment, NULL, (struct place){0}, NULL, problems);
    if (!expression)
        return false;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct expression_value workloads = expression_workloads(
        expression_cluster(NULL, NULL, NULL).classes, teller->population->scope, teller->arena);
    struct expression_cluster cluster =
        expression_cluster(worker, state_unpack(worker, teller->words, teller->length), &workloads);
    *value = expression_evaluate(expression, &cluster, teller->arena);
    arena_rewind(&worker->scratch, mark);
    return true;
}
