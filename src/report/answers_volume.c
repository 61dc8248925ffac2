/* SPDX-License-Identifier: Apache-2.0 */
/* Why pods wait for a volume that one node at a time may have: the line is that of its access
 * modes. */
#include "report/explaining.h"

#include "object/schemas.h"

#include <string.h>

static bool is_about(const struct story_step *step, const char *claim)
{
    for (uint32_t i = 0; i < step->why.count; i++)
        if (strstr(step->why.items[i], claim))
            return true;
    return false;
}

/* The claim of this template that the step is about; NULL: it is not among the manifests. */
static const struct object *find_claim(const struct explaining *explaining,
                                       const struct story_step *detached)
{
    const struct objects *objects = explaining->report->scope->objects;
    const char *namespace = explaining->workload->object->meta->namespace;
    const struct pod_spec *spec = &workload_template(explaining->workload->object)->spec;
    for (uint32_t v = 0; v < spec->volume_count; v++) {
        const char *name = spec->volumes[v].claim_name;
        if (!name ||
            !is_about(detached, arena_printf(explaining->arena, "claim %s/%s:", namespace, name)))
            continue;
        for (uint32_t i = 0; i < objects->count; i++)
            if (objects->items[i].kind == OBJECT_PERSISTENT_VOLUME_CLAIM &&
                strcmp(objects->items[i].meta->name, name) == 0 &&
                strcmp(objects->items[i].meta->namespace, namespace) == 0)
                return &objects->items[i];
    }
    return NULL;
}

void explain_attached(const struct explaining *explaining, const struct story_step *detached,
                      int32_t replicas)
{
    const struct object *claim = find_claim(explaining, detached);
    explain_step(explaining, detached);
    if (claim && claim->source)
        report_source_at(explaining->arena, claim, "spec.accessModes",
                         &explaining->finding->sources);
    explaining->finding->remedy =
        replicas > 1
            ? "replicas: 1; or a volume with the access mode ReadWriteMany; or a StatefulSet with "
              "volumeClaimTemplates, so that each pod has its own"
            : "a volume with the access mode ReadWriteMany; or a podAffinity that keeps the pods "
              "that share it on one node";
}
