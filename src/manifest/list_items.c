/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `kind: List` and every `kind: SomethingList` with `items` is a list, as for
 * kubectl. Items of a typed list need not name their kind (the API server
 * leaves it out): they are taken for a Something of the list's apiVersion.
 */
#include "manifest/list_items.h"

#include "base/vec.h"
#include "manifest/limits.h"

#include <string.h>

static const char suffix[] = "List";

/* The list's `items`, NULL if this is no list. */
static const struct value *items_of(const struct value *root)
{
    const char *kind = value_find_string(root, "kind");
    if (!kind || strlen(kind) < strlen(suffix) ||
        strcmp(kind + strlen(kind) - strlen(suffix), suffix) != 0)
        return NULL;
    const struct value *items = value_find(root, "items");
    return items && items->kind == VALUE_SEQUENCE ? items : NULL;
}

/* The item with the kind and apiVersion that its list implies in front. */
static struct value name_kind(struct arena *arena, const struct value *list,
                              const struct value *item)
{
    const struct member *kind = value_find_member(list, "kind");
    const struct member *version = value_find_member(list, "apiVersion");
    const uint32_t length = kind->value.count - (uint32_t)strlen(suffix);
    if (length == 0 || !version || value_find(item, "kind") || value_find(item, "apiVersion"))
        return *item;
    struct member *members = arena_allocate_raw(arena, (item->count + 2) * sizeof(*members), 8);
    members[0] = *version;
    members[1] = *kind;
    members[1].value.text = arena_strndup(arena, kind->value.text, length);
    members[1].value.count = length;
    if (item->count > 0)
        memcpy(members + 2, item->members, item->count * sizeof(*members));
    struct value named = *item;
    named.members = members;
    named.count += 2;
    return named;
}

static bool append_item(struct arena *arena, const struct value *list, uint32_t index,
                        struct documents *documents, struct problems *problems)
{
    const struct value *item = &value_find(list, "items")->items[index];
    if (item->kind != VALUE_MAPPING) {
        value_expected(problems, item, arena_printf(problems->arena, "items[%u]", index),
                       "an object");
        return false;
    }
    const struct value named = name_kind(arena, list, item);
    return list_items_append(arena, &named, documents, problems);
}

bool list_items_append(struct arena *arena, const struct value *root, struct documents *documents,
                       struct problems *problems)
{
    if (root->kind != VALUE_MAPPING) {
        value_expected(problems, root, NULL, "an object");
        return false;
    }
    const struct value *items = items_of(root);
    if (!items) {
        const struct document document = {.root = *root};
        VEC_PUSH(arena, documents, document);
        return true;
    }
    const uint32_t errors_before = problems->errors;
    bool good = true;
    for (uint32_t i = 0; i < items->count && problems->errors - errors_before < TEXT_PROBLEMS_MOST;
         i++)
        good = append_item(arena, root, i, documents, problems) && good;
    return good;
}
