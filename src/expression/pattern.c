/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches a pattern in one walk: all places of its program at which the text up to here may be are
 * kept, the preferred ones first, and never one twice.
 */
#include "expression/pattern.h"

#include "expression/character_set.h"
#include "expression/pattern_program.h"

/* Where the text up to here may be in the program. */
struct place_list {
    uint32_t *instructions;
    const char **starts; /* where the match would begin */
    uint32_t count;
    uint32_t *numbers; /* of an instruction: where it is in the list, if it is there */
};

struct search {
    const struct pattern *pattern;
    const char *text;
    uint32_t *open; /* instructions to look at, the last one first */
    uint64_t work;
    uint64_t work_most;
};

static struct place_list make_list(struct arena *arena, uint32_t count)
{
    return (struct place_list){.instructions = ARENA_ARRAY(arena, uint32_t, count),
                               .starts = ARENA_ARRAY(arena, const char *, count),
                               .numbers = ARENA_ARRAY(arena, uint32_t, count)};
}

static bool is_listed(const struct place_list *list, uint32_t instruction)
{
    const uint32_t number = list->numbers[instruction];
    return number < list->count && list->instructions[number] == instruction;
}

uint32_t pattern_size(const struct pattern *pattern)
{
    return pattern->count;
}

/* ---- assertions ---- */

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool is_met(const struct search *search, enum assertion assertion, const char *at)
{
    const bool first = at == search->text;
    const bool boundary = (!first && is_word(at[-1])) != is_word(*at);
    switch (assertion) {
    case ASSERT_TEXT_START: return first;
    case ASSERT_TEXT_END: return *at == '\0';
    case ASSERT_LINE_START: return first || at[-1] == '\n';
    case ASSERT_LINE_END: return *at == '\0' || *at == '\n';
    case ASSERT_WORD_BOUNDARY: return boundary;
    case ASSERT_NO_WORD_BOUNDARY: return !boundary;
    }
    return false;
}

/* ---- walking ---- */

/* Adds a place, and those that follow from it without a character, in the order of preference. */
static void add(struct search *search, struct place_list *list, uint32_t from, const char *start,
                const char *at)
{
    uint32_t depth = 0;
    search->open[depth++] = from;
    while (depth > 0) {
        const uint32_t number = search->open[--depth];
        if (is_listed(list, number))
            continue;
        const struct instruction *instruction = &search->pattern->instructions[number];
        list->numbers[number] = list->count;
        list->instructions[list->count] = number;
        list->starts[list->count++] = start;
        search->work++;
        if (instruction->kind == INSTRUCTION_SPLIT) {
            search->open[depth++] = instruction->next;
            search->open[depth++] = instruction->first;
        } else if (instruction->kind == INSTRUCTION_ASSERT &&
                   is_met(search, instruction->assertion, at)) {
            search->open[depth++] = instruction->next;
        }
    }
}

/* Goes on over a character. True: a match ends before it, and those behind it in the list are not
 * preferred to it. */
static bool advance(struct search *search, const struct place_list *now, struct place_list *next,
                    const char *at, struct pattern_match *match)
{
    uint32_t character = 0;
    const size_t width = *at ? character_read(at, &character) : 0;
    next->count = 0;
    for (uint32_t i = 0; i < now->count; i++) {
        const struct instruction *instruction =
            &search->pattern->instructions[now->instructions[i]];
        if (instruction->kind == INSTRUCTION_MATCH) {
            *match = (struct pattern_match){now->starts[i], at};
            return true;
        }
        if (instruction->kind != INSTRUCTION_SET || width == 0)
            continue;
        search->work += 1 + instruction->set->count;
        if (character_set_has(instruction->set, character))
            add(search, next, instruction->next, now->starts[i], at + width);
    }
    return false;
}

static enum pattern_result walk(struct search *search, struct place_list *now,
                                struct place_list *next, const char *at,
                                struct pattern_match *match)
{
    bool found = false;
    for (;;) {
        if (!found)
            add(search, now, search->pattern->start, at, at);
        if (search->work > search->work_most)
            return PATTERN_TOO_MUCH_WORK;
        found |= advance(search, now, next, at, match);
        if (!*at || (found && next->count == 0))
            return found ? PATTERN_FOUND : PATTERN_NOT_FOUND;
        uint32_t character = 0;
        at += character_read(at, &character);
        const struct place_list swapped = *now;
        *now = *next;
        *next = swapped;
    }
}

enum pattern_result pattern_find(const struct pattern *pattern, struct arena *scratch,
                                 const char *text, const char *from, uint64_t *work_left,
                                 struct pattern_match *match)
{
    const struct arena_mark mark = arena_mark(scratch);
    struct place_list now = make_list(scratch, pattern->count);
    struct place_list next = make_list(scratch, pattern->count);
    struct search search = {.pattern = pattern,
                            .text = text,
                            .open = ARENA_ARRAY(scratch, uint32_t, 2 * (size_t)pattern->count + 1),
                            .work = pattern->count,
                            .work_most = *work_left};
    const enum pattern_result result = walk(&search, &now, &next, from, match);
    *work_left -= search.work < *work_left ? search.work : *work_left;
    arena_rewind(scratch, mark);
    return result;
}
