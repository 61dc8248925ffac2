/* SPDX-License-Identifier: Apache-2.0 */
#include "kubeapi/datum.h"

#include "base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct datum *datum_new(struct arena *arena, enum datum_kind kind)
{
    struct datum *datum = arena_allocate_raw(arena, sizeof(*datum), _Alignof(struct datum));
    *datum = (struct datum){.kind = kind};
    return datum;
}

/* The kind is part of the hash: 3, version 3 and uid 3 are three data. */
static uint64_t hash_of(enum datum_kind kind, uint64_t content)
{
    return hash_word(content + ((uint64_t)kind + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

const struct datum *datum_bool(bool flag)
{
    static const struct datum truths[] = {
        {.kind = DATUM_FALSE, .hash = UINT64_C(0x7a1e3f5b90c4d286)},
        {.kind = DATUM_TRUE, .hash = UINT64_C(0x1f83d9abfb41bd6b)},
    };
    return &truths[flag];
}

const struct datum *datum_integer(struct arena *arena, int64_t number)
{
    struct datum *datum = datum_new(arena, DATUM_INTEGER);
    datum->integer = number;
    datum->hash = hash_of(DATUM_INTEGER, (uint64_t)number);
    return datum;
}

const struct datum *datum_double(struct arena *arena, double number)
{
    if (!isfinite(number))
        bug("a datum that is not a finite number");
    /* 2^63 is the first double beyond int64_t. */
    const double beyond = 9223372036854775808.0;
    if (number == trunc(number) && number >= -beyond && number < beyond)
        return datum_integer(arena, (int64_t)number);
    struct datum *datum = datum_new(arena, DATUM_DOUBLE);
    datum->real = number;
    datum->hash = hash_of(DATUM_DOUBLE, hash_bytes(&number, sizeof(number)));
    return datum;
}

/* The text is kept, not copied. */
static const struct datum *string_of(struct arena *arena, const char *text)
{
    struct datum *datum = datum_new(arena, DATUM_STRING);
    const size_t length = strlen(text);
    if (length > UINT32_MAX)
        bug("a text of %zu bytes", length);
    datum->text = text;
    datum->count = (uint32_t)length;
    datum->hash = hash_of(DATUM_STRING, hash_bytes(text, length));
    return datum;
}

const struct datum *datum_string(struct arena *arena, const char *text)
{
    return string_of(arena, arena_strdup(arena, text));
}

static const struct datum *numbered(struct arena *arena, enum datum_kind kind, uint64_t number)
{
    struct datum *datum = datum_new(arena, kind);
    datum->number = number;
    datum->hash = hash_of(kind, number);
    return datum;
}

const struct datum *datum_version(struct arena *arena, uint64_t number)
{
    return numbered(arena, DATUM_VERSION, number);
}

const struct datum *datum_uid(struct arena *arena, uint64_t number)
{
    return numbered(arena, DATUM_UID, number);
}

const struct datum *datum_list(struct arena *arena, const struct datum *const *items,
                               uint32_t count)
{
    struct datum *datum = datum_new(arena, DATUM_LIST);
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        if (!items[i])
            bug("a list with a null in it");
        hash = hash_word(hash ^ items[i]->hash);
    }
    datum->count = count;
    if (count > 0)
        datum->items = arena_copy(arena, items, count * sizeof(*items));
    datum->hash = hash_of(DATUM_LIST, hash);
    return datum;
}

static int compare_members(const void *a, const void *b)
{
    const struct datum_member *left = a;
    const struct datum_member *right = b;
    return strcmp(left->key, right->key);
}

/* Members that are sorted, differ, and are in the arena already. */
static const struct datum *object_of(struct arena *arena, const struct datum_member *members,
                                     uint32_t count)
{
    struct datum *datum = datum_new(arena, DATUM_OBJECT);
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = hash_word(hash ^ hash_bytes(members[i].key, strlen(members[i].key)));
        hash = hash_word(hash ^ members[i].value->hash);
    }
    datum->count = count;
    datum->members = count > 0 ? members : NULL;
    datum->hash = hash_of(DATUM_OBJECT, hash);
    return datum;
}

enum { LOOKED_UP_MOST = 64 }; /* members that are looked for one by one */

static uint32_t position_of(const struct datum_member *members, uint32_t count, const char *key)
{
    uint32_t at = 0;
    while (at < count && strcmp(members[at].key, key) != 0)
        at++;
    return at;
}

struct numbered_member {
    struct datum_member member;
    uint32_t number; /* as given */
};

static int compare_numbered(const void *a, const void *b)
{
    const struct numbered_member *left = a;
    const struct numbered_member *right = b;
    const int order = strcmp(left->member.key, right->member.key);
    return order ? order : (left->number > right->number) - (left->number < right->number);
}

/* Sorted, of equal keys the last: for so many that looking each up would take long. */
static const struct datum_member *
sorted_members(struct arena *arena, const struct datum_member *members, uint32_t *count)
{
    struct numbered_member *numbered = ARENA_ARRAY(arena, struct numbered_member, *count);
    struct datum_member *sorted = ARENA_ARRAY(arena, struct datum_member, *count);
    for (uint32_t i = 0; i < *count; i++)
        numbered[i] = (struct numbered_member){members[i], i};
    qsort(numbered, *count, sizeof(*numbered), compare_numbered);
    uint32_t many = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (i + 1 == *count || strcmp(numbered[i].member.key, numbered[i + 1].member.key) != 0)
            sorted[many++] = numbered[i].member;
    *count = many;
    return sorted;
}

const struct datum *datum_object(struct arena *arena, const struct datum_member *members,
                                 uint32_t count)
{
    if (count > LOOKED_UP_MOST)
        members = sorted_members(arena, members, &count);
    struct datum_member *kept = ARENA_ARRAY(arena, struct datum_member, count > 0 ? count : 1);
    uint32_t many = 0;
    bool sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = many;
        /* Most are given in order, and then none can be there already. */
        if (many > 0 && strcmp(kept[many - 1].key, members[i].key) >= 0) {
            at = position_of(kept, many, members[i].key);
            sorted = sorted && at < many;
        } else if (!sorted) {
            at = position_of(kept, many, members[i].key);
        }
        kept[at] = members[i];
        if (at == many) {
            kept[at].key = arena_strdup(arena, members[i].key);
            many++;
        }
    }
    uint32_t present = 0;
    for (uint32_t i = 0; i < many; i++)
        if (kept[i].value)
            kept[present++] = kept[i];
    if (!sorted)
        qsort(kept, present, sizeof(*kept), compare_members);
    return object_of(arena, kept, present);
}

const struct datum *datum_member(const struct datum *object, const char *key)
{
    if (!object || object->kind != DATUM_OBJECT)
        return NULL;
    uint32_t low = 0;
    uint32_t high = object->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(key, object->members[middle].key);
        if (order == 0)
            return object->members[middle].value;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *datum_text(const struct datum *value, const char *fallback)
{
    return value && value->kind == DATUM_STRING ? value->text : fallback;
}

int64_t datum_number(const struct datum *value, int64_t fallback)
{
    return value && value->kind == DATUM_INTEGER ? value->integer : fallback;
}

static bool parts_equal(const struct datum *a, const struct datum *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->kind == DATUM_LIST) {
            if (!datum_equal(a->items[i], b->items[i]))
                return false;
        } else if (strcmp(a->members[i].key, b->members[i].key) != 0 ||
                   !datum_equal(a->members[i].value, b->members[i].value)) {
            return false;
        }
    }
    return true;
}

bool datum_equal(const struct datum *a, const struct datum *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->kind != b->kind || a->hash != b->hash || a->count != b->count)
        return false;
    switch (a->kind) {
    case DATUM_FALSE:
    case DATUM_TRUE: return true;
    case DATUM_INTEGER: return a->integer == b->integer;
    case DATUM_DOUBLE: return a->real == b->real;
    case DATUM_STRING: return memcmp(a->text, b->text, a->count) == 0;
    case DATUM_VERSION:
    case DATUM_UID: return a->number == b->number;
    case DATUM_LIST:
    case DATUM_OBJECT: return parts_equal(a, b);
    }
    bug("datum of kind %d", (int)a->kind);
}

static int order(bool less, bool more)
{
    return (int)more - (int)less;
}

static int compare_parts(const struct datum *a, const struct datum *b)
{
    const uint32_t common = a->count < b->count ? a->count : b->count;
    for (uint32_t i = 0; i < common; i++) {
        int result = 0;
        if (a->kind == DATUM_LIST) {
            result = datum_compare(a->items[i], b->items[i]);
        } else {
            result = strcmp(a->members[i].key, b->members[i].key);
            if (result == 0)
                result = datum_compare(a->members[i].value, b->members[i].value);
        }
        if (result != 0)
            return result;
    }
    return order(a->count<b->count, a->count> b->count);
}

int datum_compare(const struct datum *a, const struct datum *b)
{
    if (a == b)
        return 0;
    if (!a || !b)
        return a ? 1 : -1;
    if (a->kind != b->kind)
        return order(a->kind<b->kind, a->kind> b->kind);
    switch (a->kind) {
    case DATUM_FALSE:
    case DATUM_TRUE: return 0;
    case DATUM_INTEGER: return order(a->integer<b->integer, a->integer> b->integer);
    case DATUM_DOUBLE: return order(a->real<b->real, a->real> b->real);
    case DATUM_STRING: return strcmp(a->text, b->text);
    case DATUM_VERSION:
    case DATUM_UID: return order(a->number<b->number, a->number> b->number);
    case DATUM_LIST:
    case DATUM_OBJECT: return compare_parts(a, b);
    }
    bug("datum of kind %d", (int)a->kind);
}

const struct datum *datum_copy(struct arena *arena, const struct datum *value)
{
    if (!value)
        return NULL;
    struct datum *copy = datum_new(arena, value->kind);
    *copy = *value;
    if (value->kind == DATUM_STRING) {
        copy->text = arena_strndup(arena, value->text, value->count);
    } else if (value->kind == DATUM_LIST && value->count > 0) {
        const struct datum **items = ARENA_ARRAY(arena, const struct datum *, value->count);
        for (uint32_t i = 0; i < value->count; i++)
            items[i] = datum_copy(arena, value->items[i]);
        copy->items = items;
    } else if (value->kind == DATUM_OBJECT && value->count > 0) {
        struct datum_member *members = ARENA_ARRAY(arena, struct datum_member, value->count);
        for (uint32_t i = 0; i < value->count; i++) {
            members[i].key = arena_strdup(arena, value->members[i].key);
            members[i].value = datum_copy(arena, value->members[i].value);
        }
        copy->members = members;
    }
    return copy;
}
