/* SPDX-License-Identifier: Apache-2.0 */
/* The documents of a Check, and which of them the counterexamples are about. */
#include "repair/repair.h"

#include <string.h>

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

void repair_mark_workloads(const struct verify_result *result, const struct scope *scope,
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

bool repair_is_near(const struct scope *scope, const bool *marked, const struct object *object)
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

/* The document of the file that the line is in; NULL: none. */
static struct edit_document *document_at(struct edit_case *of, struct place place)
{
    struct edit_document *found = NULL;
    uint32_t line = 0;
    for (uint32_t i = 0; place.file && i < of->documents.count; i++) {
        struct edit_document *document = &of->documents.items[i];
        const struct place begins = value_place(&document->source->root);
        if (begins.file && strcmp(begins.file, place.file) == 0 && begins.line <= place.line &&
            begins.line >= line) {
            found = document;
            line = begins.line;
        }
    }
    return found;
}

static void note_causes(const struct verify_plan *plan, const struct repair_options *options,
                        const struct verify_result *result, struct edit_case *of)
{
    struct edit_cause causes[REPAIR_CAUSES_MOST];
    const uint32_t count = options->find_causes(of->arena, options, plan, result, causes);
    for (uint32_t i = 0; i < count; i++) {
        struct edit_document *document = document_at(of, causes[i].place);
        if (document)
            VEC_PUSH(of->arena, &document->causes, causes[i].path);
    }
}

void repair_case_read(struct arena *arena, const struct verify_plan *plan,
                      const struct repair_options *options, const struct verify_report *before,
                      struct edit_case *of)
{
    *of = (struct edit_case){.arena = arena, .objects = &plan->unit->objects};
    add_documents(&plan->unit->objects, UINT32_MAX, of);
    for (uint32_t e = 0; plan->check && e < plan->check->event_count; e++)
        if (plan->check->events[e].manifests.count > 0)
            add_documents(&plan->scope.applied[e], e, of);
    bool *marked = ARENA_ARRAY(arena, bool, plan->scope.workload_count + 1);
    for (uint32_t i = 0; i < before->result_count; i++)
        if (before->results[i].verdict == VERDICT_VIOLATED) {
            repair_mark_workloads(&before->results[i], &plan->scope, marked);
            if (options->find_causes)
                note_causes(plan, options, &before->results[i], of);
        }
    for (uint32_t i = 0; i < of->documents.count; i++)
        of->documents.items[i].near =
            repair_is_near(&plan->scope, marked, of->documents.items[i].object);
}
