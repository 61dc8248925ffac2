/* SPDX-License-Identifier: Apache-2.0 */
#include "object/reading.h"

void reading_init(struct reading *reading, struct arena *arena, const struct value *root,
                  struct problems *problems)
{
    *reading = (struct reading){.arena = arena, .problems = problems, .root = root};
}

/* Is one more problem to be listed? Errors that are not listed are counted. */
static bool listing(struct reading *reading, enum problem_kind kind)
{
    if (reading->told < READING_PROBLEMS_MOST) {
        reading->told++;
        return true;
    }
    if (reading->told == READING_PROBLEMS_MOST) {
        reading->told++;
        problem_warning(reading->problems, value_place(reading->root), NULL,
                        "more than %d problems; the others are not listed", READING_PROBLEMS_MOST);
    }
    if (kind == PROBLEM_ERROR)
        reading->problems->errors++;
    return false;
}

static const char *mark_broken(struct reading *reading, const struct path *path)
{
    const char *text = path_text(reading->problems->arena, path);
    VEC_PUSH(reading->arena, &reading->broken, text);
    return text;
}

void reading_expected(struct reading *reading, const struct path *path, const struct value *value,
                      const char *wanted)
{
    if (listing(reading, PROBLEM_ERROR))
        value_expected(reading->problems, value, mark_broken(reading, path), wanted);
}

void reading_missing(struct reading *reading, const struct path *path)
{
    if (listing(reading, PROBLEM_ERROR))
        problem_error(reading->problems, path_place(reading->root, path),
                      mark_broken(reading, path), "required, but missing");
}

void reading_unknown(struct reading *reading, const struct path *path, const struct value *mapping,
                     const struct member *member, enum problem_kind kind, const char *message)
{
    const struct path field = path_field(path, member->key);
    const struct place place = member_place(mapping, member);
    if (!listing(reading, kind))
        return;
    const char *text = path_text(reading->problems->arena, &field);
    if (kind == PROBLEM_ERROR)
        problem_error(reading->problems, place, text, "%s", message);
    else
        problem_warning(reading->problems, place, text, "%s", message);
}

/* Is one of the paths the other, or inside it? */
static bool is_related(const char *left, const char *right)
{
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return (!*left && (!*right || *right == '.' || *right == '[')) ||
           (!*right && (*left == '.' || *left == '['));
}

bool reading_is_sound(const struct reading *reading, const struct path *path)
{
    if (reading->broken.count == 0)
        return true;
    const char *text = path_text(reading->problems->arena, path);
    for (uint32_t i = 0; i < reading->broken.count; i++)
        if (!*text || !*reading->broken.items[i] || is_related(text, reading->broken.items[i]))
            return false;
    return true;
}

void reading_error(struct reading *reading, const struct path *path, const char *format, ...)
{
    struct arena *arena = reading->problems->arena;
    if (!reading_is_sound(reading, path) || !listing(reading, PROBLEM_ERROR))
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    problem_error(reading->problems, path_place(reading->root, path), path_text(arena, path), "%s",
                  message);
}

void reading_warning(struct reading *reading, const struct path *path, const char *format, ...)
{
    struct arena *arena = reading->problems->arena;
    if (!listing(reading, PROBLEM_WARNING))
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    problem_warning(reading->problems, path_place(reading->root, path), path_text(arena, path),
                    "%s", message);
}
