/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/character_set.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

void character_ranges_add(struct arena *arena, character_ranges *ranges, uint32_t from, uint32_t to)
{
    const struct character_range range = {from, to};
    VEC_PUSH(arena, ranges, range);
}

static uint32_t larger(uint32_t left, uint32_t right)
{
    return left > right ? left : right;
}

static uint32_t lesser(uint32_t left, uint32_t right)
{
    return left < right ? left : right;
}

/* The part of the range within two letters, moved. */
static void add_moved(struct arena *arena, character_ranges *ranges, struct character_range range,
                      char first, char last, int shift)
{
    const uint32_t from = larger(range.from, (uint32_t)first);
    const uint32_t to = lesser(range.to, (uint32_t)last);
    if (from <= to)
        character_ranges_add(arena, ranges, from + (uint32_t)shift, to + (uint32_t)shift);
}

static bool has(const character_ranges *ranges, uint32_t character)
{
    for (uint32_t i = 0; i < ranges->count; i++)
        if (character >= ranges->items[i].from && character <= ranges->items[i].to)
            return true;
    return false;
}

bool character_ranges_fold(struct arena *arena, character_ranges *ranges)
{
    /* Characters outside of ASCII of which letters of ASCII are the lower case or upper case. */
    enum { ASCII_MOST = 0x7f, LONG_S = 0x17f, KELVIN_SIGN = 0x212a };
    const uint32_t count = ranges->count;
    for (uint32_t i = 0; i < count; i++) {
        const struct character_range range = ranges->items[i];
        if (range.to > ASCII_MOST)
            return false;
        add_moved(arena, ranges, range, 'a', 'z', 'A' - 'a');
        add_moved(arena, ranges, range, 'A', 'Z', 'a' - 'A');
    }
    if (has(ranges, 's'))
        character_ranges_add(arena, ranges, LONG_S, LONG_S);
    if (has(ranges, 'k'))
        character_ranges_add(arena, ranges, KELVIN_SIGN, KELVIN_SIGN);
    return true;
}

static int by_start(const void *left, const void *right)
{
    const struct character_range *a = left;
    const struct character_range *b = right;
    return (a->from > b->from) - (a->from < b->from);
}

void character_ranges_negate(struct arena *arena, character_ranges *ranges)
{
    character_ranges rest = {0};
    uint32_t next = 0;
    if (ranges->count > 0)
        qsort(ranges->items, ranges->count, sizeof(*ranges->items), by_start);
    for (uint32_t i = 0; i < ranges->count; i++) {
        if (ranges->items[i].from > next)
            character_ranges_add(arena, &rest, next, ranges->items[i].from - 1);
        next = larger(next, ranges->items[i].to + 1);
    }
    if (next <= CHARACTER_MOST)
        character_ranges_add(arena, &rest, next, CHARACTER_MOST);
    *ranges = rest;
}

/* ---- classes ---- */

/* Pairs: from and to. */
struct class
{
    const char *name;
    const char *pairs;
};

static void add_class(struct arena *arena, character_ranges *ranges, const struct class *class)
{
    for (const char *pair = class->pairs; *pair; pair += 2)
        character_ranges_add(arena, ranges, (uint32_t)pair[0], (uint32_t)pair[1]);
}

bool character_ranges_add_class(struct arena *arena, character_ranges *ranges, char letter)
{
    static const struct class classes[] = {
        {"d", "09"},
        {"s", "\t\n\f\r  "},
        {"w", "09AZ__az"},
    };
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
        if (classes[i].name[0] == letter) {
            add_class(arena, ranges, &classes[i]);
            return true;
        }
    return false;
}

bool character_ranges_add_named(struct arena *arena, character_ranges *ranges, const char *name,
                                size_t length)
{
    static const struct class classes[] = {
        {"alnum", "09AZaz"},   {"alpha", "AZaz"},
        {"blank", "\t\t  "},   {"cntrl", "\x01\x1f\x7f\x7f"},
        {"digit", "09"},       {"graph", "!~"},
        {"lower", "az"},       {"print", " ~"},
        {"punct", "!/:@[`{~"}, {"space", "\t\r  "},
        {"upper", "AZ"},       {"word", "09AZaz__"},
        {"xdigit", "09AFaf"},  {"ascii", "\x01\x7f"},
    };
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
        if (strlen(classes[i].name) == length && strncmp(classes[i].name, name, length) == 0) {
            add_class(arena, ranges, &classes[i]);
            return true;
        }
    return false;
}

/* ---- sets ---- */

size_t character_read(const char *text, uint32_t *character)
{
    enum { BITS = 6, REST = 0x3f, CHARACTER_BYTES_MOST = 4 };
    static const unsigned char first_bits[] = {0xff, 0xff, 0x1f, 0x0f, 0x07};
    const size_t length = utf8_length(text, strnlen(text, CHARACTER_BYTES_MOST));
    *character = (unsigned char)text[0] & first_bits[length];
    for (size_t i = 1; i < length; i++)
        *character = *character << BITS | ((unsigned char)text[i] & REST);
    return length ? length : 1;
}

const struct character_set *character_set_of(struct arena *arena, const character_ranges *ranges)
{
    struct character_set *set = ARENA_NEW(arena, struct character_set);
    set->ranges = ranges->items;
    set->count = ranges->count;
    return set;
}

bool character_set_has(const struct character_set *set, uint32_t character)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (character >= set->ranges[i].from && character <= set->ranges[i].to)
            return true;
    return false;
}
