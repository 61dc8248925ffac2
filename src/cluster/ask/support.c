/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what a Check names is among the objects. */
#include "cluster/ask/support.h"

#include <string.h>

static bool has_workload(const struct scope *scope, const struct object_name *name)
{
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (object_name_matches(name, scope->workloads[w].object))
            return true;
    return false;
}

void support_workload(const struct support *support, struct place place,
                      const struct object_name *name)
{
    if (name->name && !has_workload(support->scope, name))
        problem_error(support->problems, place, NULL, "there is no workload %s among the manifests",
                      object_name_format(support->arena, name));
}

const struct setup_group *support_group(const struct support *support, const char *name)
{
    const struct scope *scope = support->scope;
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (strcmp(scope->groups[g].name, name) == 0)
            return &scope->groups[g];
    return NULL;
}

bool support_has_label(const struct support *support, const char *key, const char *wanted)
{
    const struct scope *scope = support->scope;
    for (uint32_t g = 0; g < scope->group_count; g++) {
        const char *value = labels_find(&scope->groups[g].node->meta.labels, key);
        if (value && (!wanted || strcmp(value, wanted) == 0))
            return true;
    }
    return false;
}
