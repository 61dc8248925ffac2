/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/build/supports_karpenter.h"

#include <string.h>

/* NodePool and NodeClaim, and what they were called before v1beta1. */
static const char *const kinds[] = {"NodePool", "NodeClaim", "Provisioner", "Machine"};

static const struct object *find_first(const struct objects *objects, const char *kind)
{
    static const char group[] = "karpenter.sh/";
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind == OBJECT_OTHER && strcmp(object->kind_name, kind) == 0 &&
            strncmp(object->api_version, group, sizeof(group) - 1) == 0)
            return object;
    }
    return NULL;
}

/* A dump of a cluster has a NodeClaim for each node, so that one warning stands for all. */
void supports_karpenter(const struct scope *scope, struct problems *problems)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const struct object *object = find_first(scope->objects, kinds[i]);
        if (object)
            problem_warning(problems, object->place, NULL,
                            "verify does not model Karpenter (%s): no node is added for pods that "
                            "wait, and none is replaced or removed; the nodes are those of the "
                            "Check and the manifests",
                            kinds[i]);
    }
}
