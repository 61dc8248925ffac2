/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/quota/chosen_pod.h"

#include "decide/scenario.h"
#include "manifest/document.h"
#include "object/path.h"

#include <string.h>

const struct object *chosen_pod_find(const struct objects *objects, const char *name,
                                     struct problems *problems)
{
    if (!name)
        return scenario_only(objects, OBJECT_POD, problems);
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object_meta *meta = objects->items[i].meta;
        const size_t length = meta->namespace ? strlen(meta->namespace) : 0;
        if (objects->items[i].kind == OBJECT_POD && meta->name &&
            strncmp(name, meta->namespace ? meta->namespace : "", length) == 0 &&
            name[length] == '/' && strcmp(name + length + 1, meta->name) == 0)
            return &objects->items[i];
    }
    problem_error(problems, (struct place){0}, NULL, "expected a Pod %s, found none", name);
    return NULL;
}

bool chosen_pod_read(struct arena *arena, const struct objects *objects, const char *name,
                     struct object *pod, struct problems *problems)
{
    const struct object *found = chosen_pod_find(objects, name, problems);
    if (!found)
        return false;
    *pod = *found;
    if (!found->source)
        return true;
    const struct object_options options = {.namespace = found->meta->namespace,
                                           .unvalidated = true};
    return object_decode_at(arena, &found->source->root, &path_root, OBJECT_POD, &options, pod,
                            problems);
}
