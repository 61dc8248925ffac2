/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/tolerated_taints.h"

#include "object/names.h"
#include "object/pod.h"
#include "setup/setup.h"

#include <string.h>

enum { TAINTS_SHOWN = 6 };

static bool is_set_by_kubernetes(const struct toleration *toleration)
{
    static const char own[] = "node.kubernetes.io/";
    return strncmp(toleration->key, own, sizeof(own) - 1) == 0;
}

static const char *taint_words(struct arena *arena, const struct toleration *toleration)
{
    static const char *const effects[] = {
        [TAINT_EFFECT_ANY] = "",
        [TAINT_NO_SCHEDULE] = ":NoSchedule",
        [TAINT_PREFER_NO_SCHEDULE] = ":PreferNoSchedule",
        [TAINT_NO_EXECUTE] = ":NoExecute",
    };
    return arena_printf(arena, "%s%s%s%s", *toleration->key ? toleration->key : "any taint",
                        *toleration->value ? "=" : "", toleration->value,
                        effects[toleration->effect]);
}

const char *tolerated_taints(struct arena *arena, const struct objects *objects)
{
    const char *list = NULL;
    uint32_t count = 0;
    struct name_set told;
    name_set_init(&told, arena);
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct pod_template *template = workload_template(&objects->items[i]);
        for (uint32_t t = 0; template && t < template->spec.toleration_count; t++) {
            const struct toleration *toleration = &template->spec.tolerations[t];
            const char *words = taint_words(arena, toleration);
            if (is_set_by_kubernetes(toleration) || !name_set_add(&told, words))
                continue;
            if (count++ < TAINTS_SHOWN)
                list = arena_printf(arena, "%s%s%s", list ? list : "", list ? ", " : "", words);
        }
    }
    return count > TAINTS_SHOWN ? arena_printf(arena, "%s and %u more", list, count - TAINTS_SHOWN)
                                : list;
}
