/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Autoscaled workloads at their largest.
 *
 * With the fewest pods budgets allow least, with the most pods nodes have least room: what happens
 * to a node is asked of both. Where nodes are made (default_nodes.h) and no quota counts pods, more
 * pods change nothing: each node has room for all of them, as many nodes are made as pods have to
 * be apart, and a budget allows at least as many evictions of more pods.
 */
#include "cli/asker.h"
#include "object/autoscaler.h"

#include <string.h>

/* Can more pods of a workload make a difference to anything? */
static bool numbers_count(const struct asker *asker)
{
    return !asker->needs || asker->settings->scope.nodes.given ||
           objects_have_kind(&asker->unit->objects, OBJECT_RESOURCE_QUOTA);
}

static bool any_is_scaled(const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct horizontal_pod_autoscaler *autoscaler =
            objects->items[i].kind == OBJECT_HORIZONTAL_POD_AUTOSCALER
                ? objects->items[i].as.horizontal_pod_autoscaler
                : NULL;
        if (!autoscaler || autoscaler->max_replicas <= autoscaler->min_replicas)
            continue;
        for (uint32_t w = 0; w < objects->count; w++)
            if (workload_template(&objects->items[w]) &&
                autoscaler_targets(autoscaler, &objects->items[w]))
                return true;
    }
    return false;
}

/* Does everything become ready with so many pods? Of a cluster that is too small already, there is
 * nothing to say about what happens to its nodes. */
static enum verdict starts(struct asker *asker, const struct objects *objects)
{
    const uint32_t first = asker->asked.count;
    enum verdict verdict = VERDICT_HOLDS;
    asker_ask(asker, QUESTION_START, objects, &(struct question_options){.at_most = true});
    for (uint32_t i = first; i < asker->asked.count; i++) {
        struct asked_question *asked = &asker->asked.items[i];
        if (!asked->question.made) {
            verdict = VERDICT_UNDECIDED;
            continue;
        }
        verdict = verdict_worse(verdict, verify_verdict(&asked->found));
        verify_release(&asked->found);
    }
    asker->asked.count = first;
    return verdict;
}

void asker_ask_largest(struct asker *asker, unsigned asked)
{
    const unsigned of_nodes =
        1U << QUESTION_DRAIN | 1U << QUESTION_NODE_FAILURE | 1U << QUESTION_ZONE_OUTAGE;
    struct objects *objects = ARENA_NEW(&asker->session->arena, struct objects);
    asker_copy_objects(asker, asker->failing.items, asker->failing.count, objects);
    if (!(asked & of_nodes) || !numbers_count(asker) || !any_is_scaled(objects) ||
        objects_have_live_pods(objects))
        return;
    asker_add_nodes(asker, true, objects);
    const enum verdict verdict = starts(asker, objects);
    if (verdict != VERDICT_HOLDS) {
        VEC_PUSH(
            &asker->session->arena, &asker->left_out,
            verdict == VERDICT_VIOLATED
                ? "what happens to nodes when autoscaled workloads have the most pods of their "
                  "bounds: not all of these pods find a node even without that"
                : "what happens to nodes when autoscaled workloads have the most pods of their "
                  "bounds: it is undecided whether all of these pods find a node");
        return;
    }
    asker->asks_largest = true;
    for (unsigned k = QUESTION_START + 1; k < QUESTION_COUNT; k++)
        if (asked & of_nodes & 1U << k)
            asker_ask(asker, (enum question_topic)k, objects,
                      &(struct question_options){.at_most = true});
}
