/* SPDX-License-Identifier: Apache-2.0 */
/* The documents of a Check, and which of them the counterexamples are about. */
#include "repair/repair.h"

static const char *object_label(struct arena *arena, const struct object *object)
{
    const char *space = object->meta->namespace;
    return arena_printf(arena, "%s/%s%s%s", object->kind_name, space ? space : "", space ? "/" : "",
                        object->meta->name ? object->meta->name : "");
}

static void add_documents(const struct objects *objects, uint32_t event, struct edit_case *of)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (!object->source)
            continue;
        const struct edit_document document = {
            .source = object->source,
            .object = object,
            .name = object_label(of->arena, object),
            .event = event,
        };
        VEC_PUSH(of->arena, &of->documents, document);
    }
}

/* Marks the workloads that a violation is about: the one that it is violated by, or else those of
 * the steps that it names and of its loop, or else those of all its steps. */
static void mark_workloads(const struct verify_result *result, const struct scope *scope,
                           bool *marked)
{
    bool found = result->whose < scope->workload_count;
    if (found)
        marked[result->whose] = true;
    for (uint32_t pass = 0; pass < 2 && !found; pass++)
        for (uint32_t s = 0; s < result->step_count; s++) {
            const uint32_t workload = result->steps[s].told.workload;
            bool named = pass > 0 || (result->loops && s >= result->loop_from);
            for (uint32_t i = 0; i < result->causes.count; i++)
                named |= result->causes.items[i] == s + 1;
            if (!named || workload >= scope->workload_count)
                continue;
            marked[workload] = true;
            found = true;
        }
}

/* Is the object such a workload, or does it guard or scale one? What is none of these (policies,
 * groups of nodes) may always matter. */
static bool is_near(const struct scope *scope, const bool *marked, const struct object *object)
{
    const bool guards = object->kind == OBJECT_POD_DISRUPTION_BUDGET;
    const bool scales = object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER;
    if (!workload_template(object) && !guards && !scales)
        return true;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *workload = scope->workloads[w].object;
        if (marked[w] &&
            (guards   ? edit_budget_guards(object, workload)
             : scales ? autoscaler_targets(object->as.horizontal_pod_autoscaler, workload)
                      : same_object(workload, object)))
            return true;
    }
    return false;
}

void repair_case_read(struct arena *arena, const struct verify_plan *plan,
                      const struct verify_report *before, struct edit_case *of)
{
    *of = (struct edit_case){.arena = arena, .objects = &plan->unit->objects};
    add_documents(&plan->unit->objects, UINT32_MAX, of);
    for (uint32_t e = 0; plan->check && e < plan->check->event_count; e++)
        if (plan->check->events[e].manifests.count > 0)
            add_documents(&plan->scope.applied[e], e, of);
    bool *marked = ARENA_ARRAY(arena, bool, plan->scope.workload_count + 1);
    for (uint32_t i = 0; i < before->result_count; i++)
        if (before->results[i].verdict == VERDICT_VIOLATED)
            mark_workloads(&before->results[i], &plan->scope, marked);
    for (uint32_t i = 0; i < of->documents.count; i++)
        of->documents.items[i].near = is_near(&plan->scope, marked, of->documents.items[i].object);
}
