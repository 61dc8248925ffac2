/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Go's syntax is written in POSIX' extended one. As only the existence of a match counts, groups
 * that capture and repetitions that are lazy are no different from others.
 */
#include "decide/autoscaler/group_pattern.h"

#include "base/text.h"

#include <regex.h>
#include <stddef.h>
#include <string.h>

struct translation {
    const char *rest;
    struct text *text;
    bool ignores_case;
};

/* What a class like \d is in brackets; NULL: it is none. */
static const char *class_of(char letter)
{
    switch (letter) {
    case 'd': return "0-9";
    case 'w': return "[:alnum:]_";
    case 's': return "[:space:]";
    default: return NULL;
    }
}

static bool escape(struct translation *translation)
{
    const char letter = translation->rest[1];
    const char *class = class_of(letter);
    const char *complement = letter == 'D' ? "0-9" : letter == 'W' ? "[:alnum:]_" : "[:space:]";
    translation->rest += 2;
    if (class)
        text_printf(translation->text, "[%s]", class);
    else if (letter == 'D' || letter == 'W' || letter == 'S')
        text_printf(translation->text, "[^%s]", complement);
    else if (letter != '\0' && strchr("\\.+*?()|[]{}^$", letter))
        text_printf(translation->text, "\\%c", letter);
    else if (letter != '\0' && strchr("-_/ :@=,~#%&!\"'<>;`", letter))
        text_append_char(translation->text, letter);
    else
        return false;
    return true;
}

static bool bracket(struct translation *translation)
{
    struct text *text = translation->text;
    const char *next = translation->rest;
    text_append_char(text, *next++);
    if (*next == '^')
        text_append_char(text, *next++);
    if (*next == ']')
        text_append_char(text, *next++);
    for (; *next && *next != ']'; next++) {
        if (*next == '[')
            return false; /* named classes, and nested brackets */
        if (*next != '\\') {
            text_append_char(text, *next);
            continue;
        }
        next++;
        if (class_of(*next))
            text_append_string(text, class_of(*next));
        else if (*next && strchr("./_:@+*?()|{}$", *next))
            text_append_char(text, *next);
        else
            return false;
    }
    if (*next == ']')
        text_append_char(text, *next++);
    translation->rest = next;
    return true;
}

/* "(?:" is a group, and "(?i)" at the beginning stands for the whole expression. */
static bool special_group(struct translation *translation, bool at_start)
{
    if (strncmp(translation->rest, "(?:", 3) == 0) {
        text_append_char(translation->text, '(');
        translation->rest += 3;
        return true;
    }
    if (!at_start || strncmp(translation->rest, "(?i)", 4) != 0)
        return false;
    translation->ignores_case = true;
    translation->rest += 4;
    return true;
}

static bool translate(struct translation *translation)
{
    const char *start = translation->rest;
    while (*translation->rest) {
        const char c = *translation->rest;
        const bool lazy = c == '?' && translation->rest > start && translation->rest[-1] != '\\' &&
                          strchr("*+?}", translation->rest[-1]);
        if (c == '\\') {
            if (!escape(translation))
                return false;
        } else if (c == '[') {
            if (!bracket(translation))
                return false;
        } else if (c == '(' && translation->rest[1] == '?') {
            if (!special_group(translation, translation->rest == start))
                return false;
        } else {
            if (!lazy)
                text_append_char(translation->text, c);
            translation->rest++;
        }
    }
    return true;
}

enum group_pattern_result group_pattern_search(struct arena *scratch, const char *pattern,
                                               const char *text)
{
    struct text posix;
    regex_t expression;
    text_init(&posix, scratch->memory);
    struct translation translation = {.rest = pattern, .text = &posix};
    enum group_pattern_result result = PATTERN_UNSUPPORTED;
    if (translate(&translation)) {
        const int flags = REG_EXTENDED | REG_NOSUB | (translation.ignores_case ? REG_ICASE : 0);
        result = PATTERN_WRONG;
        if (posix.length == 0) {
            result = PATTERN_MATCHES;
        } else if (regcomp(&expression, text_content(&posix), flags) == 0) {
            result =
                regexec(&expression, text, 0, NULL, 0) == 0 ? PATTERN_MATCHES : PATTERN_DIFFERS;
            regfree(&expression);
        }
    }
    text_release(&posix);
    return result;
}
