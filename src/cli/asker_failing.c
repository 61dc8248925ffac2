/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/asker.h"

#include <string.h>

bool object_names_equal(const struct object_name *left, const struct object_name *right)
{
    return strcmp(left->kind, right->kind) == 0 && strcmp(left->name, right->name) == 0 &&
           strcmp(left->namespace, right->namespace) == 0;
}

static bool is_failing(const struct asker *asker, const struct object_name *name)
{
    for (uint32_t i = 0; i < asker->failing.count; i++)
        if (object_names_equal(&asker->failing.items[i], name))
            return true;
    return false;
}

void asker_find_failing(struct asker *asker)
{
    for (uint32_t i = 0; i < asker->asked.count; i++) {
        const struct verify_report *found = &asker->asked.items[i].found;
        for (uint32_t r = 0; r < found->result_count; r++)
            if (found->results[r].verdict == VERDICT_VIOLATED &&
                !is_failing(asker, &found->results[r].intent->workload))
                VEC_PUSH(&asker->session->arena, &asker->failing,
                         found->results[r].intent->workload);
    }
}

void asker_tell_failing(struct asker *asker)
{
    enum { NAMED_MOST = 3 };
    struct arena *arena = &asker->session->arena;
    const uint32_t count = asker->failing.count;
    const char *named = "";
    for (uint32_t i = 0; i < count && i < NAMED_MOST; i++)
        named = arena_printf(arena, "%s%s%s/%s/%s", named, i > 0 ? ", " : "",
                             asker->failing.items[i].kind, asker->failing.items[i].namespace,
                             asker->failing.items[i].name);
    if (count > NAMED_MOST)
        named = arena_printf(arena, "%s and %u more", named, count - NAMED_MOST);
    if (count > 0)
        VEC_PUSH(arena, &asker->left_out,
                 arena_printf(arena,
                              "what else may happen to %s, because of the findings of start; the "
                              "answers about others are without %s",
                              named, count > 1 ? "them" : "it"));
}
