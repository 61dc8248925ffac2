/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/template_walk.h"

#include "setup/owners.h"

#include <string.h>

bool templates_next(struct template_walk *walk)
{
    const struct scope *scope = walk->scope;
    const uint32_t events = scope->check ? scope->check->event_count : 0;
    for (; walk->event <= events; walk->event++, walk->item = 0) {
        const struct objects *applied = walk->event > 0 ? &scope->applied[walk->event - 1] : NULL;
        const uint32_t count = applied ? applied->count : scope->workload_count;
        while (walk->item < count) {
            const uint32_t item = walk->item++;
            walk->object = applied ? &applied->items[item] : scope->workloads[item].object;
            walk->template = workload_template(walk->object);
            if (!walk->template)
                continue;
            walk->workload = applied ? owner_find(scope, walk->object) : item;
            return true;
        }
    }
    return false;
}

bool label_is_of_controllers(const char *key)
{
    static const char *const keys[] = {
        "pod-template-hash",
        "controller-revision-hash",
        "statefulset.kubernetes.io/pod-name",
        "controller-uid",
        "job-name",
        "apps.kubernetes.io/pod-index",
    };
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return strncmp(key, "batch.kubernetes.io/", strlen("batch.kubernetes.io/")) == 0;
}
