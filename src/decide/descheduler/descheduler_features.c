/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/descheduler_features.h"

#include "object/workload.h"

#include <string.h>

struct descheduler_features descheduler_features_of_version(int minor)
{
    struct descheduler_features features = {.minor = minor};
#define FEATURE(member, name, first, last, help) \
    features.member = minor >= (first) && minor <= (last);
#include "decide/descheduler/descheduler_features.def"
#undef FEATURE
    return features;
}

bool descheduler_parse_version(const char *text, int *minor)
{
    if (*text == 'v')
        text++;
    for (int known = DESCHEDULER_MINOR_FIRST; known <= DESCHEDULER_MINOR_LAST; known++) {
        const char digits[] = {'0', '.', (char)('0' + known / 10), (char)('0' + known % 10), 0};
        const size_t length = strlen(digits);
        if (strncmp(text, digits, length) == 0 && (text[length] == '\0' || text[length] == '.')) {
            *minor = known;
            return true;
        }
    }
    return false;
}

static bool version_of_image(const struct pod_spec *spec, int *minor)
{
    static const char image[] = "descheduler:";
    for (uint32_t i = 0; i < spec->container_count; i++) {
        const char *found =
            spec->containers[i].image ? strstr(spec->containers[i].image, image) : NULL;
        if (found && descheduler_parse_version(found + strlen(image), minor))
            return true;
    }
    return false;
}

int descheduler_version_of(const struct objects *objects)
{
    int minor = DESCHEDULER_MINOR_FIRST;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if ((object->kind == OBJECT_POD && version_of_image(&object->as.pod->spec, &minor)) ||
            (object->kind == OBJECT_DEPLOYMENT &&
             version_of_image(&object->as.deployment->template.spec, &minor)))
            return minor;
    }
    return minor;
}
