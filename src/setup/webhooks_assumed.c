/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/webhooks_assumed.h"

#include "base/vec.h"

struct string_list webhooks_assumed(struct arena *arena, const struct objects *objects,
                                    bool admit_rest)
{
    VEC(const char *) sentences = {0};
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind != OBJECT_VALIDATING_WEBHOOK_CONFIGURATION &&
            object->kind != OBJECT_MUTATING_WEBHOOK_CONFIGURATION)
            continue;
        const char *sentence =
            arena_printf(arena,
                         "the webhooks of %s/%s admit every pod as it is when they answer, and "
                         "while a settled start comes about%s",
                         object->kind_name, object->meta->name,
                         admit_rest ? "; other requests they admit at any time" : "");
        VEC_PUSH(arena, &sentences, sentence);
    }
    return (struct string_list){sentences.items, sentences.count};
}
