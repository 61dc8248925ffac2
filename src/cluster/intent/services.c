/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/intent/services.h"
#include "cluster/ask/traffic.h"
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "setup/setup.h"

#include <string.h>

/* Does the Service select pods of a workload that the intent is about? */
static bool concerns(const struct scope *scope, const struct check_intent *intent,
                     const struct service *service)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *workload = scope->workloads[w].object;
        struct object_meta pod = workload_template(workload)->meta;
        pod.namespace = workload->meta->namespace;
        if ((!intent->workload.name ||
             (strcmp(intent->workload.kind, workload->kind_name) == 0 &&
              strcmp(intent->workload.name, workload->meta->name) == 0)) &&
            service_selects(service, &pod))
            return true;
    }
    return false;
}

void services_check(const struct scope *scope, const struct check_intent *intent,
                    struct problems *problems)
{
    const struct intent_class *class = intent_class_of(intent);
    bool found = false;
    if (scope->time == TIME_CLOCKED)
        problem_error(problems, intent->place, NULL,
                      "verify models %s without clocks only, yet; nothing is verified",
                      intent_kind_name(intent->kind));
    for (uint32_t i = 0; i < scope->objects->count; i++) {
        const struct object *object = &scope->objects->items[i];
        if (object->kind != OBJECT_SERVICE || !concerns(scope, intent, object->as.service))
            continue;
        found = true;
        const char *part =
            class->unknown_service && object->source ? class->unknown_service(object) : NULL;
        if (part)
            problem_error(problems, object->place, NULL,
                          "verify does not model %s of a Service yet; nothing is verified", part);
    }
    if (!found)
        problem_error(problems, intent->place, NULL,
                      "expected a Service that selects the pods, found none");
}
