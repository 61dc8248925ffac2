/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/build/claim_templates.h"
#include "decide/quota/resource_math.h"
#include "manifest/document.h"
#include "object/object.h"

const struct value *claim_templates(const struct object *object)
{
    return object->kind == OBJECT_STATEFUL_SET && object->source
               ? value_find(value_find(&object->source->root, "spec"), "volumeClaimTemplates")
               : NULL;
}

struct persistent_volume_claim claim_of_template(struct arena *arena, const struct value *template)
{
    const struct value *spec = value_find(template, "spec");
    const struct value *requests = value_find(value_find(spec, "resources"), "requests");
    const struct value *storage = value_find(requests, "storage");
    struct persistent_volume_claim claim = {
        .storage_class_name = value_find_string(spec, "storageClassName"),
    };
    struct quantity quantity;
    const char *why;
    if (storage && storage->text && quantity_parse(storage->text, &quantity, &why))
        resources_put(arena, &claim.requests, "storage", quantity);
    return claim;
}
