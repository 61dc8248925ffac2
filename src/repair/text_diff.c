/* SPDX-License-Identifier: Apache-2.0 */
/* The difference of two texts, line by line. */
#include "repair/text_edit.h"

#include <string.h>

enum { AROUND = 3, TABLE_MOST = 4000000 };

typedef VEC(const char *) text_lines;

static text_lines split(struct arena *arena, const char *text)
{
    text_lines list = {0};
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, "\n");
        VEC_PUSH(arena, &list, arena_strndup(arena, at, length));
        at += length + (at[length] == '\n');
    }
    return list;
}

struct text_comparison {
    text_lines before;
    text_lines after;
    bool *removed; /* by line */
    bool *added;
};

/* The longest common subsequence of what is between equal beginnings and ends. */
static void compare_middle(struct arena *arena, struct text_comparison *of, uint32_t from,
                           uint32_t before_end, uint32_t after_end)
{
    const uint32_t rows = before_end - from;
    const uint32_t columns = after_end - from;
    const bool large = (uint64_t)rows * columns > TABLE_MOST;
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, large ? 1 : (size_t)(rows + 1) * (columns + 1));
    for (uint32_t r = rows; !large && r-- > 0;)
        for (uint32_t c = columns; c-- > 0;) {
            const uint32_t down = table[(r + 1) * (columns + 1) + c];
            const uint32_t right = table[r * (columns + 1) + c + 1];
            table[r * (columns + 1) + c] =
                strcmp(of->before.items[from + r], of->after.items[from + c]) == 0
                    ? table[(r + 1) * (columns + 1) + c + 1] + 1
                : down > right ? down
                               : right;
        }
    uint32_t r = 0;
    uint32_t c = 0;
    while (r < rows || c < columns) {
        if (!large && r < rows && c < columns &&
            strcmp(of->before.items[from + r], of->after.items[from + c]) == 0) {
            r++;
            c++;
        } else if (r < rows &&
                   (large || c == columns ||
                    table[(r + 1) * (columns + 1) + c] >= table[r * (columns + 1) + c + 1])) {
            of->removed[from + r++] = true;
        } else {
            of->added[from + c++] = true;
        }
    }
}

/* What is between equal beginnings and ends. */
static void narrow(const struct text_comparison *of, uint32_t *from, uint32_t *before_end,
                   uint32_t *after_end)
{
    while (*from < *before_end && *from < *after_end &&
           strcmp(of->before.items[*from], of->after.items[*from]) == 0)
        (*from)++;
    while (*before_end > *from && *after_end > *from &&
           strcmp(of->before.items[*before_end - 1], of->after.items[*after_end - 1]) == 0) {
        (*before_end)--;
        (*after_end)--;
    }
}

static void compare(struct arena *arena, struct text_comparison *of)
{
    uint32_t from = 0;
    uint32_t before_end = of->before.count;
    uint32_t after_end = of->after.count;
    of->removed = ARENA_ARRAY(arena, bool, of->before.count + 1);
    of->added = ARENA_ARRAY(arena, bool, of->after.count + 1);
    narrow(of, &from, &before_end, &after_end);
    compare_middle(arena, of, from, before_end, after_end);
}

/* A place in both texts. */
struct cursor {
    uint32_t before;
    uint32_t after;
};

static bool is_equal_here(const struct text_comparison *of, struct cursor at)
{
    return at.before < of->before.count && at.after < of->after.count && !of->removed[at.before] &&
           !of->added[at.after];
}

static bool is_end(const struct text_comparison *of, struct cursor at)
{
    return at.before >= of->before.count && at.after >= of->after.count;
}

/* Where a hunk ends that begins with a change here: before a long stretch of equal lines. */
static struct cursor hunk_end(const struct text_comparison *of, struct cursor at)
{
    struct cursor last = at;
    uint32_t equal = 0;
    while (!is_end(of, at) && equal <= 2 * AROUND) {
        if (is_equal_here(of, at)) {
            at.before++;
            at.after++;
            equal++;
            continue;
        }
        if (at.before < of->before.count && of->removed[at.before])
            at.before++;
        else
            at.after++;
        equal = 0;
        last = at;
    }
    return last;
}

static void write_lines(const struct text_comparison *of, struct cursor at, struct cursor end,
                        struct text *text)
{
    while (at.before < end.before || at.after < end.after) {
        if (at.before < end.before && of->removed[at.before]) {
            text_printf(text, "-%s\n", of->before.items[at.before++]);
        } else if (at.after < end.after && of->added[at.after]) {
            text_printf(text, "+%s\n", of->after.items[at.after++]);
        } else {
            text_printf(text, " %s\n", of->before.items[at.before++]);
            at.after++;
        }
    }
}

static struct cursor write_hunk(const struct text_comparison *of, struct cursor at,
                                struct text *text)
{
    struct cursor end = hunk_end(of, at);
    const uint32_t before = at.before < AROUND ? at.before : AROUND;
    const uint32_t left = of->before.count - end.before;
    const uint32_t behind = left < AROUND ? left : AROUND;
    at.before -= before;
    at.after -= before;
    end.before += behind;
    end.after += behind;
    text_printf(text, "@@ -%u,%u +%u,%u @@\n", at.before + (end.before > at.before),
                end.before - at.before, at.after + (end.after > at.after), end.after - at.after);
    write_lines(of, at, end, text);
    return end;
}

char *text_edit_diff(struct arena *arena, const char *name, const char *before, const char *after)
{
    struct text_comparison of = {.before = split(arena, before), .after = split(arena, after)};
    struct cursor at = {0};
    struct text text;
    bool begun = false;
    compare(arena, &of);
    text_init(&text, arena->memory);
    while (!is_end(&of, at)) {
        if (is_equal_here(&of, at)) {
            at.before++;
            at.after++;
            continue;
        }
        if (!begun)
            text_printf(&text, "--- %s\n+++ %s\n", name, name);
        begun = true;
        at = write_hunk(&of, at, &text);
    }
    return text_keep(&text, arena);
}

char *text_edit_block(struct arena *arena, const char *before, const char *after, uint32_t *line,
                      uint32_t *lines)
{
    struct text_comparison of = {.before = split(arena, before), .after = split(arena, after)};
    uint32_t from = 0;
    uint32_t before_end = of.before.count;
    uint32_t after_end = of.after.count;
    struct text text;
    narrow(&of, &from, &before_end, &after_end);
    text_init(&text, arena->memory);
    for (uint32_t i = from; i < after_end; i++)
        text_printf(&text, "%s\n", of.after.items[i]);
    *line = from + 1;
    *lines = before_end - from;
    return text_keep(&text, arena);
}
