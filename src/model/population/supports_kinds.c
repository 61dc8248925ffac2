/* SPDX-License-Identifier: Apache-2.0 */
/* What the model does not do with workloads of certain kinds, and what their
 * templates may say about their pods. */
#include "manifest/document.h"
#include "model/controller/deployment/template_signature.h"
#include "model/population/population_internal.h"

#include <string.h>

static const struct value *template_of(const struct object *object)
{
    return object->source ? value_find(value_find(&object->source->root, "spec"), "template")
                          : NULL;
}

/* How the pods of a template behave is said by annotations (docs/formats.md). */
static void check_annotations(const struct object *object, struct problems *problems)
{
    const struct value *annotations =
        value_find(value_find(template_of(object), "metadata"), "annotations");
    if (!annotations || annotations->kind != VALUE_MAPPING)
        return;
    VALUE_EACH_MEMBER(annotations, member)
    {
        const char *text = NULL;
        if (strncmp(member->key, "fathom.dev/", strlen("fathom.dev/")) != 0 ||
            !value_read_string(&member->value, &text))
            continue;
        if (strcmp(member->key, ANNOTATION_NEVER_READY) != 0)
            problem_error(problems, member_place(annotations, member), NULL,
                          "unknown annotation \"%s\" (there is " ANNOTATION_NEVER_READY ")",
                          member->key);
        else if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
            problem_error(problems, value_place(&member->value), NULL,
                          "expected \"true\" or \"false\", found \"%s\"", text);
    }
}

/* A ReplicaSet leaves the pods that it has alone when its template changes. */
static void check_applied(const struct scope *scope, const struct object *applied,
                          struct problems *problems)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        if (applied->kind != object->kind || strcmp(applied->meta->name, object->meta->name) != 0 ||
            strcmp(applied->meta->namespace, object->meta->namespace) != 0 ||
            (object->kind != OBJECT_REPLICA_SET && object->kind != OBJECT_REPLICATION_CONTROLLER))
            continue;
        if (strcmp(template_signature(problems->arena, template_of(applied)),
                   template_signature(problems->arena, template_of(object))) != 0)
            problem_error(problems, applied->place, "spec.template",
                          "verify does not model a new template for a %s; nothing is verified",
                          object->kind_name);
    }
}

void supports_kinds(const struct scope *scope, struct problems *problems)
{
    for (uint32_t w = 0; w < scope->workload_count; w++)
        check_annotations(scope->workloads[w].object, problems);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        for (uint32_t i = 0; i < scope->applied[e].count; i++) {
            check_annotations(&scope->applied[e].items[i], problems);
            check_applied(scope, &scope->applied[e].items[i], problems);
        }
}
