/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of strings, CEL's own and those of Kubernetes' strings library. Positions count
 * characters, not bytes. */
#include "expression/expression_function.h"

#include "base/text.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <string.h>

/* Of a text that a function makes. */
enum { TEXT_BYTES_MOST = 1 << 20 };

/* ---- characters ---- */

static size_t step(const char *text)
{
    enum { CHARACTER_BYTES_MOST = 4 };
    const size_t length = utf8_length(text, strnlen(text, CHARACTER_BYTES_MOST));
    return length ? length : 1;
}

static int64_t characters(const char *text)
{
    int64_t count = 0;
    for (; *text; text += step(text))
        count++;
    return count;
}

/* NULL: the text has fewer characters. */
static const char *skip(const char *text, int64_t count)
{
    for (; count > 0 && *text; count--)
        text += step(text);
    return count == 0 ? text : NULL;
}

static int64_t position(const char *text, const char *at)
{
    int64_t count = 0;
    for (; text < at; text += step(text))
        count++;
    return count;
}

static struct expression_value out_of_range(struct arena *arena, int64_t index)
{
    return expression_error(arena, "index out of range: %lld", (long long)index);
}

/* ---- questions ---- */

static struct expression_value size(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_int(characters(of[0].text));
}

static struct expression_value contains(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_bool(strstr(of[0].text, of[1].text) != NULL);
}

static struct expression_value starts_with(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_bool(strncmp(of[0].text, of[1].text, strlen(of[1].text)) == 0);
}

static struct expression_value ends_with(struct arena *arena, const struct expression_value *of)
{
    const size_t length = strlen(of[0].text);
    const size_t ending = strlen(of[1].text);
    (void)arena;
    return expression_of_bool(ending <= length &&
                              strcmp(of[0].text + length - ending, of[1].text) == 0);
}

/* Behind the end there is nothing but the empty text, which is found where the text ends. */
static struct expression_value index_from(struct arena *arena, const struct expression_value *of)
{
    const char *from = of[0].text;
    if (of[2].integer < 0)
        return out_of_range(arena, of[2].integer);
    for (int64_t i = of[2].integer; i > 0 && *from; i--)
        from += step(from);
    const char *found = strstr(from, of[1].text);
    return expression_of_int(found ? position(of[0].text, found) : -1);
}

static struct expression_value index_of(struct arena *arena, const struct expression_value *of)
{
    const struct expression_value all[] = {of[0], of[1], expression_of_int(0)};
    return index_from(arena, all);
}

static const char *backwards(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_strndup(arena, text, length);
    for (size_t i = 0; i < length; i++)
        copy[i] = text[length - 1 - i];
    return copy;
}

/* The last place up to `to` at which it begins; -1: none. It is the first one backwards, which is
 * found in linear time. */
static struct expression_value last_index_up_to(struct arena *arena,
                                                const struct expression_value *of, const char *to)
{
    const char *text = of[0].text;
    const size_t wanted = strlen(of[1].text);
    const size_t searched = (size_t)(to - text) + strnlen(to, wanted);
    const char *back = backwards(arena, text, searched);
    const char *found = strstr(back, backwards(arena, of[1].text, wanted));
    if (!found)
        return expression_of_int(-1);
    return expression_of_int(position(text, text + searched - (size_t)(found - back) - wanted));
}

static struct expression_value last_index_of(struct arena *arena, const struct expression_value *of)
{
    return last_index_up_to(arena, of, of[0].text + strlen(of[0].text));
}

/* No search that begins behind the last character finds anything, but the empty text. */
static struct expression_value last_index_from(struct arena *arena,
                                               const struct expression_value *of)
{
    if (of[2].integer < 0)
        return out_of_range(arena, of[2].integer);
    const char *from = skip(of[0].text, of[2].integer);
    if (from && (*from || *of[1].text == '\0'))
        return last_index_up_to(arena, of, from);
    return expression_of_int(*of[1].text ? -1 : characters(of[0].text));
}

/* ---- parts ---- */

static struct expression_value part(struct arena *arena, const char *text, int64_t from, int64_t to)
{
    const char *start = from < 0 ? NULL : skip(text, from);
    const char *end = to < 0 ? NULL : skip(text, to);
    if (!start)
        return out_of_range(arena, from);
    if (!end)
        return out_of_range(arena, to);
    if (end < start)
        return expression_error(arena, "invalid substring range: %lld to %lld", (long long)from,
                                (long long)to);
    return expression_of_string(arena_strndup(arena, start, (size_t)(end - start)));
}

static struct expression_value substring(struct arena *arena, const struct expression_value *of)
{
    return part(arena, of[0].text, of[1].integer, of[2].integer);
}

static struct expression_value rest(struct arena *arena, const struct expression_value *of)
{
    return part(arena, of[0].text, of[1].integer, characters(of[0].text));
}

/* Behind the last character there is the empty string. */
static struct expression_value char_at(struct arena *arena, const struct expression_value *of)
{
    const char *at = of[1].integer < 0 ? NULL : skip(of[0].text, of[1].integer);
    if (!at)
        return out_of_range(arena, of[1].integer);
    return expression_of_string(arena_strndup(arena, at, *at ? step(at) : 0));
}

/* What Unicode calls white space: bytes of the blank at the start, 0 if there is none. */
static size_t blank(const char *at)
{
    static const char *const others[] = {
        "\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80", "\xe2\x80\xa8",
        "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80",
    };
    if (*at && strchr(" \t\n\v\f\r", *at))
        return 1;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strncmp(at, others[i], strlen(others[i])) == 0)
            return strlen(others[i]);
    /* From U+2000 to U+200A. */
    const unsigned char third = strncmp(at, "\xe2\x80", 2) == 0 ? (unsigned char)at[2] : 0;
    return third >= 0x80 && third <= 0x8a ? 3 : 0;
}

static struct expression_value trim(struct arena *arena, const struct expression_value *of)
{
    const char *start = of[0].text;
    while (blank(start) > 0)
        start += blank(start);
    const char *end = start;
    for (const char *at = start; *at; at += step(at))
        end = blank(at) > 0 ? end : at + step(at);
    return expression_of_string(arena_strndup(arena, start, (size_t)(end - start)));
}

/* ---- changes ---- */

static struct expression_value kept_text(struct arena *arena, struct text *text)
{
    if (text->length <= TEXT_BYTES_MOST)
        return expression_of_string(text_keep(text, arena));
    text_release(text);
    return expression_error(arena, "the text is too long");
}

static struct expression_value recoded(struct arena *arena, const char *text, char from, char to,
                                       int shift)
{
    char *copy = arena_strdup(arena, text);
    for (char *at = copy; *at; at++)
        if (*at >= from && *at <= to)
            *at = (char)(*at + shift);
    return expression_of_string(copy);
}

static struct expression_value lower(struct arena *arena, const struct expression_value *of)
{
    return recoded(arena, of[0].text, 'A', 'Z', 'a' - 'A');
}

static struct expression_value upper(struct arena *arena, const struct expression_value *of)
{
    return recoded(arena, of[0].text, 'a', 'z', 'A' - 'a');
}

/* Up to the next place at which something is to be replaced. Without a text to replace, that is
 * behind each character. */
static size_t up_to_next(const char *at, const char *old, bool begins)
{
    const char *next = NULL;
    if (*old)
        next = strstr(at, old);
    else if (begins || *at)
        next = begins ? at : at + step(at);
    return next ? (size_t)(next - at) : SIZE_MAX;
}

/* The first so many; a negative number: all of them. */
static struct expression_value replace_some(struct arena *arena, const struct expression_value *of)
{
    int64_t left = of[3].integer;
    const char *at = of[0].text;
    size_t kept;
    struct text result;
    text_init(&result, arena->memory);
    for (bool begins = true; left != 0 && result.length <= TEXT_BYTES_MOST &&
                             (kept = up_to_next(at, of[1].text, begins)) != SIZE_MAX;
         begins = false, left--) {
        text_append(&result, at, kept);
        text_append_string(&result, of[2].text);
        at += kept + strlen(of[1].text);
    }
    text_append_string(&result, at);
    return kept_text(arena, &result);
}

static struct expression_value replace(struct arena *arena, const struct expression_value *of)
{
    const struct expression_value all[] = {of[0], of[1], of[2], expression_of_int(-1)};
    return replace_some(arena, all);
}

/* Where the first part ends; NULL: there is only one left. */
static const char *part_end(const char *start, const char *separator)
{
    if (*separator)
        return strstr(start, separator);
    return *start && start[step(start)] ? start + step(start) : NULL;
}

/* Into so many at most, the last of which has the rest; a negative number: into all. */
static struct expression_value split_some(struct arena *arena, const struct expression_value *of)
{
    const int64_t most = of[2].integer;
    const char *start = of[0].text;
    const char *end;
    VEC(struct expression_value) parts = {0};
    while ((most < 0 || (int64_t)parts.count + 1 < most) && (end = part_end(start, of[1].text))) {
        VEC_PUSH(arena, &parts,
                 expression_of_string(arena_strndup(arena, start, (size_t)(end - start))));
        start = end + strlen(of[1].text);
    }
    if (most != 0 && (*start || *of[1].text))
        VEC_PUSH(arena, &parts, expression_of_string(arena_strdup(arena, start)));
    return expression_of_list(arena, parts.items, parts.count);
}

static struct expression_value split(struct arena *arena, const struct expression_value *of)
{
    const struct expression_value all[] = {of[0], of[1], expression_of_int(-1)};
    return split_some(arena, all);
}

static struct expression_value join_with(struct arena *arena, const struct expression_value *of)
{
    struct text result;
    text_init(&result, arena->memory);
    for (uint32_t i = 0; i < of[0].list->count && result.length <= TEXT_BYTES_MOST; i++) {
        text_append_string(&result, i ? of[1].text : "");
        text_append_string(&result, of[0].list->items[i].text);
    }
    return kept_text(arena, &result);
}

static struct expression_value join(struct arena *arena, const struct expression_value *of)
{
    const struct expression_value all[] = {of[0], expression_of_string("")};
    return join_with(arena, all);
}

#define S &expression_string
#define I &expression_int
#define METHOD(name, count, result, function, ...)                                \
    {                                                                             \
        name, true, count, {__VA_ARGS__}, &expression_##result, 0, function, true \
    }

static const struct expression_function rows[] = {
    {"size", false, 1, {S}, I, 0, size, true},
    METHOD("size", 1, int, size, S),
    METHOD("contains", 2, bool, contains, S, S),
    METHOD("startsWith", 2, bool, starts_with, S, S),
    METHOD("endsWith", 2, bool, ends_with, S, S),
    METHOD("indexOf", 2, int, index_of, S, S),
    METHOD("indexOf", 3, int, index_from, S, S, I),
    METHOD("lastIndexOf", 2, int, last_index_of, S, S),
    METHOD("lastIndexOf", 3, int, last_index_from, S, S, I),
    METHOD("substring", 2, string, rest, S, I),
    METHOD("substring", 3, string, substring, S, I, I),
    METHOD("charAt", 2, string, char_at, S, I),
    METHOD("trim", 1, string, trim, S),
    METHOD("lowerAscii", 1, string, lower, S),
    METHOD("upperAscii", 1, string, upper, S),
    METHOD("replace", 3, string, replace, S, S, S),
    METHOD("replace", 4, string, replace_some, S, S, S, I),
    METHOD("split", 2, list_of_string, split, S, S),
    METHOD("split", 3, list_of_string, split_some, S, S, I),
    METHOD("join", 1, string, join, &expression_list_of_string),
    METHOD("join", 2, string, join_with, &expression_list_of_string, S),
};

const struct expression_functions text_functions = {rows, sizeof(rows) / sizeof(rows[0])};
