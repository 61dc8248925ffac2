/* SPDX-License-Identifier: Apache-2.0 */
/* A loop in sentences. */
#include "decide/autoscaler/autoscaler.h"
#include "decide/autoscaler/result_names.h"

static void tell_help(struct text *text, const struct cluster_autoscaler *autoscaler,
                      const struct loop_result *result)
{
    for (uint32_t i = 0; i < result->schedulable.count; i++)
        text_printf(text, "  %s needs no new node: it fits on %s\n",
                    result->schedulable.items[i].pod->name, result->schedulable.items[i].to);
    for (uint32_t i = 0; i < result->options.count; i++) {
        const struct scale_option *option = &result->options.items[i];
        text_printf(text, "  %lld more node%s of %s would help %u pod%s\n",
                    (long long)option->nodes, option->nodes == 1 ? "" : "s", option->group->id,
                    option->pods.count, option->pods.count == 1 ? "" : "s");
    }
    for (uint32_t i = 0; i < result->remain.count; i++) {
        const struct rejected_pod *pod = &result->remain.items[i];
        text_printf(text, "  %s is helped by no group:", pod->pod->name);
        for (uint32_t g = 0; g < autoscaler->groups.count; g++) {
            const char *reason = result->skipped[g] ? result->skipped[g] : pod->reasons[g];
            text_printf(text, "%s %s: %s", g > 0 ? ";" : "", autoscaler->groups.items[g]->id,
                        reason ? reason : "");
        }
        text_append_char(text, '\n');
    }
}

static void tell_up(struct text *text, const struct cluster_autoscaler *autoscaler,
                    const struct loop_result *result)
{
    text_printf(text, "Scale-up: %s\n", scale_up_result_name(result->up));
    tell_help(text, autoscaler, result);
    for (uint32_t i = 0; i < result->increases.count; i++)
        text_printf(
            text, "  grows %s from %lld to %lld nodes\n", result->increases.items[i].group->id,
            (long long)result->increases.items[i].from, (long long)result->increases.items[i].to);
    if (result->best.count > 1)
        text_printf(text, "  %u groups are equally good; the first by name is taken\n",
                    result->best.count);
    if (result->up_error)
        text_printf(text, "  %s\n", result->up_error);
}

static void tell_unneeded(struct text *text, const struct removed_node *node)
{
    text_printf(text, "  %s is not needed", node->node);
    if (node->pods.count > 0)
        text_printf(text, "; %u pod%s must move", node->pods.count,
                    node->pods.count == 1 ? "" : "s");
    text_append_string(text, node->risky ? ", and a budget may stop that\n" : "\n");
}

static void tell_unremovable(struct text *text, const struct unremovable_node *node)
{
    text_printf(text, "  %s stays: %s", node->node, unremovable_reason_name(node->reason));
    if (node->pod)
        text_printf(text, " (%s: %s)", node->pod->name, blocking_reason_name(node->pod_reason));
    text_append_char(text, '\n');
}

static void tell_down(struct text *text, const struct loop_result *result)
{
    text_printf(text, "Scale-down: %s\n", scale_down_result_name(result->down));
    for (uint32_t i = 0; i < result->unneeded.count; i++)
        tell_unneeded(text, &result->unneeded.items[i]);
    for (uint32_t i = 0; i < result->unremovable.count; i++)
        tell_unremovable(text, &result->unremovable.items[i]);
    for (uint32_t i = 0; i < result->delete_empty.count; i++)
        text_printf(text, "  deletes %s, which is empty\n", result->delete_empty.items[i]);
    for (uint32_t i = 0; i < result->delete_drain.count; i++)
        text_printf(text, "  drains and deletes %s\n", result->delete_drain.items[i]);
}

void loop_result_tell(struct text *sentences, const struct cluster_autoscaler *autoscaler,
                      const struct loop_result *result)
{
    struct arena *arena = autoscaler->loop_arena;
    text_printf(sentences, "Cluster autoscaler 1.26, %s, %s\n",
                count_words(arena, autoscaler->nodes.count, "node"),
                count_words(arena, autoscaler->groups.count, "group"));
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        const struct autoscaler_group *group = autoscaler->groups.items[i];
        text_printf(sentences, "  %s: %s, may have %lld to %lld\n", group->id,
                    count_words(arena, (uint64_t)group->readiness.registered, "node"),
                    (long long)group->min, (long long)group->max);
    }
    if (result->unhealthy)
        text_append_string(sentences, "Too many nodes are not ready: nothing is done.\n");
    tell_up(sentences, autoscaler, result);
    tell_down(sentences, result);
    text_append_string(sentences,
                       "Nothing is known of earlier loops, so timers begin with this one.\n");
}
