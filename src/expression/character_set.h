/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of characters in patterns: what is added to them, and what they become. */
#ifndef FATHOM_EXPRESSION_CHARACTER_SET_H
#define FATHOM_EXPRESSION_CHARACTER_SET_H

#include "base/vec.h"
#include "expression/pattern_tree.h"

enum { CHARACTER_MOST = 0x10ffff };

typedef VEC(struct character_range) character_ranges;

void character_ranges_add(struct arena *arena, character_ranges *ranges, uint32_t from,
                          uint32_t to);
/* Adds the letters that differ by case only. False: there are letters outside of ASCII. */
bool character_ranges_fold(struct arena *arena, character_ranges *ranges);
void character_ranges_negate(struct arena *arena, character_ranges *ranges);
/* \d, \s and \w, by their letter; false: there is none. */
bool character_ranges_add_class(struct arena *arena, character_ranges *ranges, char letter);
/* [:alpha:] and the like, by their name of so many bytes. */
bool character_ranges_add_named(struct arena *arena, character_ranges *ranges, const char *name,
                                size_t length);

/* The character at the start of a text that is not empty; gives how many bytes it has. */
size_t character_read(const char *text, uint32_t *character);

const struct character_set *character_set_of(struct arena *arena, const character_ranges *ranges);
bool character_set_has(const struct character_set *set, uint32_t character);

#endif
