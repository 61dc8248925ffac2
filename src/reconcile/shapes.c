/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/shapes.h"

#include "base/hash.h"

#include <string.h>

void shapes_init(struct shape_table *table, struct memory *memory)
{
    *table = (struct shape_table){.slot_count = 1024};
    arena_init(&table->arena, memory);
    table->slots = ARENA_ARRAY(&table->arena, uint32_t, table->slot_count);
    table->chunks[0] = ARENA_ARRAY(&table->arena, struct shape, SHAPE_CHUNK);
}

void shapes_release(struct shape_table *table)
{
    arena_release(&table->arena);
}

int object_key_compare(const struct object_key *a, const struct object_key *b)
{
    int order = strcmp(a->kind, b->kind);
    if (order == 0)
        order = strcmp(a->name_space, b->name_space);
    return order != 0 ? order : strcmp(a->name, b->name);
}

struct object_key object_key_of(const struct datum *object)
{
    return (struct object_key){
        .kind = datum_text(datum_member(object, "kind"), ""),
        .name_space = datum_text(datum_at(object, "metadata.namespace"), ""),
        .name = datum_text(datum_at(object, "metadata.name"), ""),
    };
}

uint32_t shapes_key(struct shape_table *table, const struct object_key *key)
{
    for (uint32_t i = 1; i <= table->key_count; i++)
        if (object_key_compare(&table->keys[i], key) == 0)
            return i;
    if (table->key_count + 1 == KEYS_MOST)
        return 0;
    table->keys[++table->key_count] = (struct object_key){
        .kind = arena_strdup(&table->arena, key->kind),
        .name_space = arena_strdup(&table->arena, key->name_space),
        .name = arena_strdup(&table->arena, key->name),
    };
    return table->key_count;
}

/* --- Numbering --- */

static bool number_of(uint64_t *known, uint32_t *count, uint64_t value, uint64_t *number)
{
    uint32_t at = 0;
    while (at < *count && known[at] != value)
        at++;
    if (at == HOLES_MOST)
        return false;
    if (at == *count)
        known[(*count)++] = value;
    *number = at;
    return true;
}

static bool gather_holes(const struct datum *tree, struct holes *holes)
{
    uint64_t number = 0;
    if (!tree)
        return true;
    switch (tree->kind) {
    case DATUM_VERSION:
        return number_of(holes->versions, &holes->version_count, tree->number, &number);
    case DATUM_UID: return number_of(holes->uids, &holes->uid_count, tree->number, &number);
    case DATUM_LIST:
        for (uint32_t i = 0; i < tree->count; i++)
            if (!gather_holes(tree->items[i], holes))
                return false;
        return true;
    case DATUM_OBJECT:
        for (uint32_t i = 0; i < tree->count; i++)
            if (!gather_holes(tree->members[i].value, holes))
                return false;
        return true;
    default: return true;
    }
}

/* The tree with every version and uid mapped; what has none is shared. */
static const struct datum *mapped(struct arena *arena, const struct datum *tree,
                                  uint64_t (*map)(const void *context, enum datum_kind kind,
                                                  uint64_t number),
                                  const void *context)
{
    if (!tree)
        return NULL;
    bool changed = false;
    switch (tree->kind) {
    case DATUM_VERSION: return datum_version(arena, map(context, tree->kind, tree->number));
    case DATUM_UID: return datum_uid(arena, map(context, tree->kind, tree->number));
    case DATUM_LIST: {
        const struct datum **items = ARENA_ARRAY(arena, const struct datum *, tree->count + 1);
        for (uint32_t i = 0; i < tree->count; i++) {
            items[i] = mapped(arena, tree->items[i], map, context);
            changed = changed || items[i] != tree->items[i];
        }
        return changed ? datum_list(arena, items, tree->count) : tree;
    }
    case DATUM_OBJECT: {
        struct datum_member *members = ARENA_ARRAY(arena, struct datum_member, tree->count + 1);
        for (uint32_t i = 0; i < tree->count; i++) {
            members[i].key = tree->members[i].key;
            members[i].value = mapped(arena, tree->members[i].value, map, context);
            changed = changed || members[i].value != tree->members[i].value;
        }
        return changed ? datum_object(arena, members, tree->count) : tree;
    }
    default: return tree;
    }
}

static uint64_t number_in(const void *context, enum datum_kind kind, uint64_t value)
{
    const struct holes *holes = context;
    const uint64_t *known = kind == DATUM_VERSION ? holes->versions : holes->uids;
    uint64_t at = 0;
    while (known[at] != value)
        at++;
    return at;
}

struct filling {
    const uint64_t *versions;
    const uint64_t *uids;
};

static uint64_t value_in(const void *context, enum datum_kind kind, uint64_t number)
{
    const struct filling *filling = context;
    return kind == DATUM_VERSION ? filling->versions[number] : filling->uids[number];
}

const struct datum *shape_fill(struct arena *arena, const struct datum *tree,
                               const uint64_t *versions, const uint64_t *uids)
{
    const struct filling filling = {versions, uids};
    return mapped(arena, tree, value_in, &filling);
}

/* --- The table --- */

static uint64_t hash_of(enum shape_role role, const struct datum *tree)
{
    return hash_word((tree ? tree->hash : 0) + (uint64_t)role);
}

static void enlarge(struct shape_table *table)
{
    table->slot_count *= 2;
    table->slots = ARENA_ARRAY(&table->arena, uint32_t, table->slot_count);
    for (uint32_t i = 1; i <= table->count; i++) {
        const struct shape *shape = shape_at(table, i);
        uint32_t slot = (uint32_t)hash_of(shape->role, shape->tree) & (table->slot_count - 1);
        while (table->slots[slot] != 0)
            slot = (slot + 1) & (table->slot_count - 1);
        table->slots[slot] = i;
    }
}

uint32_t shapes_add(struct shape_table *table, enum shape_role role, const struct datum *tree,
                    struct holes *holes, bool *is_new)
{
    *is_new = false;
    holes->version_count = 0;
    holes->uid_count = 0;
    if (!gather_holes(tree, holes) || table->count + 1 == SHAPE_CHUNK * SHAPE_CHUNKS_MOST)
        return 0;
    const struct arena_mark mark = arena_mark(&table->arena);
    const struct datum *numbered = mapped(&table->arena, tree, number_in, holes);
    uint32_t slot = (uint32_t)hash_of(role, numbered) & (table->slot_count - 1);
    for (; table->slots[slot] != 0; slot = (slot + 1) & (table->slot_count - 1)) {
        const struct shape *shape = shape_at(table, table->slots[slot]);
        if (shape->role == role && datum_equal(shape->tree, numbered)) {
            const uint32_t found = table->slots[slot];
            arena_rewind(&table->arena, mark);
            return found;
        }
    }
    const uint32_t number = ++table->count;
    if (!table->chunks[number / SHAPE_CHUNK])
        table->chunks[number / SHAPE_CHUNK] = ARENA_ARRAY(&table->arena, struct shape, SHAPE_CHUNK);
    *shape_at(table, number) = (struct shape){
        .tree = datum_copy(&table->arena, numbered),
        .role = role,
        .versions = (uint8_t)holes->version_count,
        .uids = (uint8_t)holes->uid_count,
        .uid = UINT32_MAX,
    };
    table->slots[slot] = number;
    if (table->count * 2 > table->slot_count)
        enlarge(table);
    *is_new = true;
    return number;
}

/* --- Messages --- */

static const struct datum *text_or_none(struct arena *arena, const char *text)
{
    return text && *text ? datum_string(arena, text) : NULL;
}

const struct datum *request_datum(struct arena *arena, const struct api_request *request)
{
    const struct datum_member members[] = {
        {"verb", datum_integer(arena, request->verb)},
        {"kind", text_or_none(arena, request->key.kind)},
        {"name", text_or_none(arena, request->key.name)},
        {"namespace", text_or_none(arena, request->key.name_space)},
        {"object", request->object},
        {"uid", request->uid_precondition},
        {"version", request->version_precondition},
    };
    return datum_object(arena, members, sizeof(members) / sizeof(members[0]));
}

struct api_request request_of_datum(const struct datum *datum)
{
    return (struct api_request){
        .verb = (enum api_verb)datum_number(datum_member(datum, "verb"), API_GET),
        .key = {.kind = datum_text(datum_member(datum, "kind"), ""),
                .name_space = datum_text(datum_member(datum, "namespace"), ""),
                .name = datum_text(datum_member(datum, "name"), "")},
        .object = datum_member(datum, "object"),
        .uid_precondition = datum_member(datum, "uid"),
        .version_precondition = datum_member(datum, "version"),
    };
}

const struct datum *response_datum(struct arena *arena, enum api_error error,
                                   const struct datum *content)
{
    const struct datum_member members[] = {
        {"error", datum_integer(arena, error)},
        {"content", content},
    };
    return datum_object(arena, members, 2);
}
