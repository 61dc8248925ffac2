/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that grows.
 *
 * A `struct text` owns a NUL-terminated buffer from a memory budget; `content`
 * is never NULL once something was appended, and `text_content` never gives
 * NULL at all. For texts of known length `arena_printf` is simpler.
 */
#ifndef FATHOM_BASE_TEXT_H
#define FATHOM_BASE_TEXT_H

#include "base/memory.h"

#include <stdarg.h>

struct arena;

struct text {
    struct memory *memory;
    char *content;
    size_t length;
    size_t capacity;
};

void text_init(struct text *text, struct memory *memory);
void text_release(struct text *text);
void text_reset(struct text *text); /* empty again, the buffer is kept */
/* A copy of the content that lives in the arena; the text is released. */
char *text_keep(struct text *text, struct arena *arena);

void text_append(struct text *text, const char *bytes, size_t count);
void text_append_string(struct text *text, const char *string);
void text_append_char(struct text *text, char c);
__attribute__((format(printf, 2, 3))) void text_printf(struct text *text, const char *format, ...);
void text_vprintf(struct text *text, const char *format, va_list arguments);

const char *text_content(const struct text *text);

#endif
