/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/patch.h"

#include <string.h>

static const struct datum *number_as_text(struct arena *arena, const struct datum *number)
{
    struct text text;
    text_init(&text, arena->memory);
    datum_write(&text, DATUM_REAL, number);
    const char *quoted = text_content(&text);
    const struct datum *plain =
        datum_string(arena, arena_strndup(arena, quoted + 1, text.length - 2));
    text_release(&text);
    return plain;
}

const struct datum *patch_plain(struct arena *arena, const struct datum *object)
{
    switch (object->kind) {
    case DATUM_VERSION:
    case DATUM_UID: return number_as_text(arena, object);
    case DATUM_LIST: {
        const struct datum **items = ARENA_ARRAY(arena, const struct datum *, object->count + 1);
        for (uint32_t i = 0; i < object->count; i++)
            items[i] = patch_plain(arena, object->items[i]);
        return datum_list(arena, items, object->count);
    }
    case DATUM_OBJECT: {
        struct datum_member *members = ARENA_ARRAY(arena, struct datum_member, object->count + 1);
        for (uint32_t i = 0; i < object->count; i++)
            members[i] = (struct datum_member){object->members[i].key,
                                               patch_plain(arena, object->members[i].value)};
        return datum_object(arena, members, object->count);
    }
    case DATUM_FALSE:
    case DATUM_TRUE:
    case DATUM_INTEGER:
    case DATUM_DOUBLE:
    case DATUM_STRING: break;
    }
    return object;
}

const struct datum *patch_content(struct arena *arena, const struct value *value, const char **why)
{
    struct problems problems;
    problems_init(&problems, arena);
    *why = NULL;
    const struct datum *datum = datum_of_value(arena, value, &problems);
    if (!problems.errors)
        return datum;
    *why = problem_format(arena, &problems.items[0]);
    return NULL;
}

/* A copied member takes some 100 bytes, and 64 bytes of its key as much again. */
static const uint64_t work_most = 2 << 20;

struct patching patching_begin(struct arena *arena, const char *kind)
{
    return (struct patching){.arena = arena,
                             .kind = kind,
                             .work_left = work_most,
                             .copied_bytes_left = PATCH_COPIED_BYTES_MOST};
}

bool patching_spend(struct patching *patching, uint64_t work)
{
    if (work <= patching->work_left) {
        patching->work_left -= work;
        return false;
    }
    patching->work_left = 0;
    patching->too_large = true;
    patching->why = "the patch takes too much work";
    return true;
}

uint64_t patching_work(const struct datum *copied)
{
    if (!copied || (copied->kind != DATUM_OBJECT && copied->kind != DATUM_LIST))
        return 1;
    uint64_t work = (uint64_t)copied->count + 1;
    for (uint32_t i = 0; copied->kind == DATUM_OBJECT && i < copied->count; i++)
        work += strlen(copied->members[i].key) / 64;
    return work;
}

const struct datum *patch_member(struct patching *patching, const struct datum *object,
                                 const char *key, const struct datum *value)
{
    const uint32_t count = object && object->kind == DATUM_OBJECT ? object->count : 0;
    if (patching_spend(patching, patching_work(object) + strlen(key) / 64))
        return NULL;
    struct datum_member *members = ARENA_ARRAY(patching->arena, struct datum_member, count + 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(object->members[i].key, key) != 0)
            members[kept++] = object->members[i];
    if (value)
        members[kept++] = (struct datum_member){key, value};
    return datum_object(patching->arena, members, kept);
}

const struct datum *patch_merge(struct patching *patching, const struct datum *object,
                                const struct value *patch)
{
    if (patch->kind != VALUE_MAPPING)
        return patch_content(patching->arena, patch, &patching->why);
    const uint32_t before = object && object->kind == DATUM_OBJECT ? object->count : 0;
    if (patching_spend(patching, patching_work(object) + patch->count))
        return NULL;
    struct datum_member *members =
        ARENA_ARRAY(patching->arena, struct datum_member, before + patch->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < before; i++)
        members[count++] = object->members[i];
    VALUE_EACH_MEMBER(patch, member)
    {
        const struct datum *value =
            patch_merge(patching, datum_member(object, member->key), &member->value);
        if (patching->why)
            return NULL;
        members[count++] = (struct datum_member){member->key, value};
    }
    return datum_object(patching->arena, members, count); /* of equal keys the last counts */
}
