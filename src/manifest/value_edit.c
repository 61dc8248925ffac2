/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest/value_edit.h"

#include "base/arena.h"

#include <string.h>

static struct value value_at(const struct value *like, enum value_kind kind)
{
    return (struct value){.kind = (uint8_t)kind,
                          .file = like ? like->file : NULL,
                          .line = like ? like->line : 0,
                          .column = like ? like->column : 0};
}

struct value value_of_text(const struct value *like, const char *text)
{
    struct value value = value_at(like, VALUE_STRING);
    value.text = text;
    value.count = (uint32_t)strlen(text);
    return value;
}

struct value value_of_mapping(const struct value *like)
{
    return value_at(like, VALUE_MAPPING);
}

struct value value_of_item(struct arena *arena, const struct value *like, struct value item)
{
    struct value value = value_at(like, VALUE_SEQUENCE);
    struct value *items = ARENA_NEW(arena, struct value);
    *items = item;
    value.items = items;
    value.count = 1;
    return value;
}

struct value value_with(struct arena *arena, const struct value *mapping, const char *key,
                        struct value member)
{
    const bool is_mapping = mapping && mapping->kind == VALUE_MAPPING;
    const uint32_t count = is_mapping ? mapping->count : 0;
    struct member *members = ARENA_ARRAY(arena, struct member, count + 1);
    struct value copy = is_mapping ? *mapping : value_of_mapping(mapping ? mapping : &member);
    uint32_t at = count;
    for (uint32_t i = 0; i < count; i++) {
        members[i] = mapping->members[i];
        if (strcmp(members[i].key, key) == 0)
            at = i;
    }
    if (at == count)
        members[at] = (struct member){.key = key, .key_line = copy.line, .key_column = copy.column};
    members[at].value = member;
    copy.members = members;
    copy.count = at == count ? count + 1 : count;
    return copy;
}

struct value value_without(struct arena *arena, const struct value *mapping, const char *key)
{
    struct value copy = *mapping;
    struct member *members = ARENA_ARRAY(arena, struct member, mapping->count + 1);
    copy.count = 0;
    for (uint32_t i = 0; i < mapping->count; i++)
        if (strcmp(mapping->members[i].key, key) != 0)
            members[copy.count++] = mapping->members[i];
    copy.members = members;
    return copy;
}
