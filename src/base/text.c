/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "base/arena.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void text_init(struct text *text, struct memory *memory)
{
    *text = (struct text){.memory = memory};
}

void text_release(struct text *text)
{
    memory_release(text->memory, text->content, text->capacity);
    text_init(text, text->memory);
}

char *text_keep(struct text *text, struct arena *arena)
{
    char *copy = arena_strdup(arena, text_content(text));
    text_release(text);
    return copy;
}

void text_reset(struct text *text)
{
    text->length = 0;
    if (text->content)
        text->content[0] = '\0';
}

/* Room for `count` more bytes and the NUL. */
static void make_room(struct text *text, size_t count)
{
    if (text->length + count + 1 <= text->capacity)
        return;
    size_t wanted = text->capacity ? text->capacity * 2 : 64;
    if (wanted < text->length + count + 1)
        wanted = text->length + count + 1;
    text->content = memory_resize(text->memory, text->content, text->capacity, wanted);
    text->capacity = wanted;
}

void text_append(struct text *text, const char *bytes, size_t count)
{
    make_room(text, count);
    if (count > 0)
        memcpy(text->content + text->length, bytes, count);
    text->length += count;
    text->content[text->length] = '\0';
}

void text_append_string(struct text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

void text_append_char(struct text *text, char c)
{
    text_append(text, &c, 1);
}

void text_vprintf(struct text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    assert(length >= 0);
    make_room(text, (size_t)length);
    vsnprintf(text->content + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
    va_end(again);
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(text, format, arguments);
    va_end(arguments);
}

const char *text_content(const struct text *text)
{
    return text->content ? text->content : "";
}
