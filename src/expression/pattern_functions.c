/* SPDX-License-Identifier: Apache-2.0 */
/* matches(), of CEL, and find() and findAll(), of Kubernetes' library of regular expressions. */
#include "expression/expression_function.h"

#include "base/vec.h"
#include "expression/character_set.h"
#include "expression/pattern.h"

#include <string.h>

static void charge(uint64_t *work_left, uint64_t work)
{
    *work_left -= work < *work_left ? work : *work_left;
}

/* The pattern, which costs; NULL: it is none, and `*error` says why. */
static const struct pattern *compiled(struct arena *arena, struct expression_value text,
                                      uint64_t *work_left, struct expression_value *error)
{
    enum { WORK_OF_A_BYTE = 4, WORK_OF_AN_INSTRUCTION = 8 };
    const char *why = NULL;
    charge(work_left, strlen(text.text) * WORK_OF_A_BYTE);
    const struct pattern *pattern = pattern_compile(arena, text.text, &why);
    if (!pattern)
        *error = expression_error(arena, "'%.100s' is no regular expression: %s", text.text, why);
    else
        charge(work_left, (uint64_t)pattern_size(pattern) * WORK_OF_AN_INSTRUCTION);
    return pattern;
}

static struct expression_value matches(struct arena *arena, const struct expression_value *of,
                                       uint64_t *work_left)
{
    struct expression_value error = expression_absent();
    struct pattern_match match = {0};
    const struct pattern *pattern = compiled(arena, of[1], work_left, &error);
    return !pattern ? error
                    : expression_of_bool(pattern_find(pattern, arena, of[0].text, of[0].text,
                                                      work_left, &match) == PATTERN_FOUND);
}

static struct expression_value text_of(struct arena *arena, const struct pattern_match *match)
{
    return expression_of_string(
        arena_strndup(arena, match->start, (size_t)(match->end - match->start)));
}

/* The first match; the empty text if there is none. */
static struct expression_value find(struct arena *arena, const struct expression_value *of,
                                    uint64_t *work_left)
{
    struct expression_value error = expression_absent();
    struct pattern_match match = {0};
    const struct pattern *pattern = compiled(arena, of[1], work_left, &error);
    if (!pattern)
        return error;
    return pattern_find(pattern, arena, of[0].text, of[0].text, work_left, &match) == PATTERN_FOUND
               ? text_of(arena, &match)
               : expression_of_string("");
}

/* The first so many matches; a negative number: all of them. An empty one does not count right
 * behind another one. */
static struct expression_value find_some(struct arena *arena, const struct expression_value *of,
                                         uint64_t *work_left)
{
    struct expression_value error = expression_absent();
    struct pattern_match match = {0};
    VEC(struct expression_value) found = {0};
    const char *at = of[0].text;
    const char *last_end = NULL;
    const int64_t most = of[2].integer < 0 ? INT64_MAX : of[2].integer;
    const struct pattern *pattern = compiled(arena, of[1], work_left, &error);
    if (!pattern)
        return error;
    while (at && found.count < most &&
           pattern_find(pattern, arena, of[0].text, at, work_left, &match) == PATTERN_FOUND) {
        uint32_t character = 0;
        if (match.start < match.end || match.start != last_end)
            VEC_PUSH(arena, &found, text_of(arena, &match));
        last_end = match.end;
        if (match.end > at)
            at = match.end;
        else
            at = *at ? at + character_read(at, &character) : NULL;
    }
    return expression_of_list(arena, found.items, found.count);
}

static struct expression_value find_all(struct arena *arena, const struct expression_value *of,
                                        uint64_t *work_left)
{
    const struct expression_value all[] = {of[0], of[1], expression_of_int(-1)};
    return find_some(arena, all, work_left);
}

#define S &expression_string
#define SEARCH(name, is_method, count, result, function, ...)                           \
    {                                                                                   \
        name, is_method, count, {__VA_ARGS__}, &expression_##result, .search = function \
    }

static const struct expression_function rows[] = {
    SEARCH("matches", true, 2, bool, matches, S, S),
    SEARCH("matches", false, 2, bool, matches, S, S),
    SEARCH("find", true, 2, string, find, S, S),
    SEARCH("findAll", true, 2, list_of_string, find_all, S, S),
    SEARCH("findAll", true, 3, list_of_string, find_some, S, S, &expression_int),
};

const struct expression_functions pattern_functions = {rows, sizeof(rows) / sizeof(rows[0])};
