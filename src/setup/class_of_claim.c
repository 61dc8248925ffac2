/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/class_of_claim.h"

#include <string.h>

static bool is_default(const struct storage_class *class)
{
    const char *value =
        labels_find(&class->meta.annotations, "storageclass.kubernetes.io/is-default-class");
    return value && strcmp(value, "true") == 0;
}

const struct storage_class *class_of_claim(const struct objects *objects, const char *name)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct storage_class *class = objects->items[i].as.storage_class;
        if (objects->items[i].kind == OBJECT_STORAGE_CLASS &&
            (name ? strcmp(class->meta.name, name) == 0 : is_default(class)))
            return class;
    }
    return NULL;
}
