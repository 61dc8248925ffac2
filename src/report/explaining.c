/* SPDX-License-Identifier: Apache-2.0 */
#include "report/explaining.h"

#include "object/as_written.h"
#include "object/workload.h"
#include "setup/autoscaler_words.h"

#include <string.h>

void explain_say(const struct explaining *explaining, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    VEC_PUSH(explaining->arena, &explaining->finding->reasons,
             arena_vprintf(explaining->arena, format, arguments));
    va_end(arguments);
}

const struct object *explain_autoscaler(const struct explaining *explaining)
{
    const struct objects *objects = explaining->report->given;
    const struct object *autoscaler = NULL;
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            autoscaler_targets(objects->items[i].as.horizontal_pod_autoscaler,
                               explaining->workload->object))
            autoscaler = &objects->items[i];
    return autoscaler;
}

void explain_largest(const struct explaining *explaining)
{
    const struct scope *scope = explaining->report->scope;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        struct explaining other = *explaining;
        other.workload = &scope->workloads[w];
        const struct object *object = explain_autoscaler(&other);
        const struct horizontal_pod_autoscaler *autoscaler =
            object ? object->as.horizontal_pod_autoscaler : NULL;
        if (autoscaler && !other.workload->autoscaler &&
            autoscaler->max_replicas > autoscaler->min_replicas &&
            other.workload->least == autoscaler->max_replicas)
            explain_say(explaining, "while %s wants %s", written_words(explaining->arena, object),
                        autoscaler_most(explaining->arena, object));
    }
}

/* ---- steps ---- */

static const struct story_step *step_of(const struct verify_result *result, uint32_t number)
{
    return &result->steps[number].told;
}

static bool is_step(const struct story_step *step, const char *actor, const char *action)
{
    return strcmp(step->actor, actor) == 0 && (!action || strcmp(step->action, action) == 0);
}

const struct story_step *explain_last_step(const struct explaining *explaining, const char *actor,
                                           const char *action)
{
    const struct verify_result *result = explaining->result;
    const uint32_t own = scope_find_workload(explaining->report->scope, &result->intent->workload);
    for (uint32_t i = result->step_count; i-- > 0;)
        if (is_step(step_of(result, i), actor, action) && step_of(result, i)->workload == own)
            return step_of(result, i);
    return NULL;
}

uint32_t explain_count_steps(const struct explaining *explaining, const char *actor,
                             const char *action)
{
    const struct verify_result *result = explaining->result;
    const uint32_t own = scope_find_workload(explaining->report->scope, &result->intent->workload);
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->step_count; i++)
        count += is_step(step_of(result, i), actor, action) && step_of(result, i)->workload == own;
    return count;
}

/* Why each node was rejected, nodes with the same reason together, as the scheduler's event has
 * it: "4 nodes: InterPodAffinity: node(s) didn't match pod anti-affinity rules". */
static void say_nodes(const struct explaining *explaining, const struct string_list *why)
{
    for (uint32_t i = 0; i < why->count; i++) {
        const char *reason = strstr(why->items[i], ": ");
        uint32_t nodes = 0;
        bool said = false;
        for (uint32_t k = 0; k < why->count; k++) {
            const char *other = strstr(why->items[k], ": ");
            const bool same = reason && other && strcmp(reason, other) == 0;
            said |= same && k < i;
            nodes += same;
        }
        if (!reason || (!said && nodes == 1))
            explain_say(explaining, "  %s", why->items[i]);
        else if (!said)
            explain_say(explaining, "  %u nodes%s", nodes, reason);
    }
}

void explain_step(const struct explaining *explaining, const struct story_step *step)
{
    explain_say(explaining, "%s", step->detail);
    say_nodes(explaining, &step->why);
}

/* On how many nodes this reason is in the way. */
static uint32_t nodes_with(const struct story_step *step, const char *reason)
{
    uint32_t nodes = 0;
    for (uint32_t i = 0; i < step->why.count; i++)
        nodes += strstr(step->why.items[i], reason) != NULL;
    return nodes;
}

const char *explain_room(const struct story_step *unschedulable)
{
    static const struct {
        const char *reason;
        const char *remedy;
    } known[] = {
        {"NodeResourcesFit", "more or larger nodes, fewer pods, or smaller requests"},
        {"anti-affinity", "more nodes (or zones), fewer pods, or an anti-affinity that is "
                          "preferred and not required"},
        {"didn't match pod affinity",
         "a node that it may use with a pod that its podAffinity asks for; or an affinity that is "
         "preferred and not required"},
        {"(missing required label)", "the label of the topologyKey on every node that it may use, "
                                     "or whenUnsatisfiable: ScheduleAnyway"},
        {"PodTopologySpread", "nodes in each domain, or whenUnsatisfiable: ScheduleAnyway"},
        {"NodePorts", "as many nodes as pods, or no hostPort"},
        {"NodeAffinity", "nodes with the labels that its nodeSelector and affinity ask for"},
        {"TaintToleration", "a toleration of the taint, or nodes without it"},
    };
    const char *remedy = NULL;
    uint32_t most = 0;
    for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++)
        if (nodes_with(unschedulable, known[k].reason) > most) {
            most = nodes_with(unschedulable, known[k].reason);
            remedy = known[k].remedy;
        }
    return remedy;
}

void explain_end(const struct explaining *explaining)
{
    enum { SHOWN_MOST = 4 };
    const struct verify_result *result = explaining->result;
    const uint32_t from = result->loops && !result->rests ? result->loop_from : 0;
    uint32_t shown = 0;
    uint32_t first = result->step_count;
    while (first > from && shown < SHOWN_MOST)
        shown += !step_of(result, --first)->waits;
    if (shown == 0)
        return;
    if (result->loops && !result->rests)
        explain_say(explaining, "again and again:");
    for (uint32_t i = first; i < result->step_count; i++)
        if (!step_of(result, i)->waits)
            explain_say(explaining, "%s%s", result->loops && !result->rests ? "  " : "",
                        step_of(result, i)->detail);
}
