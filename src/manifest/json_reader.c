/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON (RFC 8259) into the tree builder, in one pass over the bytes.
 *
 * The column is not counted along: it is the distance to the start of the
 * line, less the continuation bytes met in it. Nesting is kept by the builder;
 * the reader itself only remembers, in one bit a level, what is open.
 */
#include "base/utf8.h"
#include "manifest/text_reader.h"
#include "manifest/tree_problems.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

struct json_reader {
    struct tree_builder *builder;
    const char *bytes;
    size_t at;
    size_t end;
    uint32_t line;
    int64_t line_start; /* offset; before the text if that starts within a line */
    uint32_t continuations;
    bool in_object[DOCUMENT_DEPTH_MOST + 1];
    uint32_t depth;
    struct text unescaped;
    struct json_syntax *syntax;
    bool syntax_error;
};

static uint32_t column_at(const struct json_reader *reader, size_t offset)
{
    return (uint32_t)((int64_t)offset - reader->line_start - reader->continuations) + 1;
}

static bool wrong(struct json_reader *reader, const char *message)
{
    *reader->syntax = (struct json_syntax){
        .message = message, .line = reader->line, .column = column_at(reader, reader->at)};
    reader->syntax_error = true;
    return false;
}

/* The next byte, or NUL (which is no part of a text) at the end. */
static char peek(const struct json_reader *reader)
{
    return reader->at < reader->end ? reader->bytes[reader->at] : '\0';
}

static void skip_space(struct json_reader *reader)
{
    for (;; reader->at++) {
        const char c = peek(reader);
        if (c == '\n') {
            reader->line++;
            reader->line_start = (int64_t)reader->at + 1;
            reader->continuations = 0;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

static bool read_hex(struct json_reader *reader, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, reader->at++) {
        const char c = peek(reader);
        const char lower = (char)(c | 0x20);
        if (c >= '0' && c <= '9')
            *unit = *unit * 16 + (uint32_t)(c - '0');
        else if (lower >= 'a' && lower <= 'f')
            *unit = *unit * 16 + (uint32_t)(lower - 'a' + 10);
        else
            return wrong(reader, "expected four hexadecimal digits after \\u");
    }
    return true;
}

static void append_character(struct text *text, uint32_t c)
{
    if (c < 0x80) {
        text_append_char(text, (char)c);
    } else if (c < 0x800) {
        text_append_char(text, (char)(0xC0 | c >> 6));
        text_append_char(text, (char)(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
        text_append_char(text, (char)(0xE0 | c >> 12));
        text_append_char(text, (char)(0x80 | (c >> 6 & 0x3F)));
        text_append_char(text, (char)(0x80 | (c & 0x3F)));
    } else {
        text_append_char(text, (char)(0xF0 | c >> 18));
        text_append_char(text, (char)(0x80 | (c >> 12 & 0x3F)));
        text_append_char(text, (char)(0x80 | (c >> 6 & 0x3F)));
        text_append_char(text, (char)(0x80 | (c & 0x3F)));
    }
}

/* After `\u`. Half a surrogate pair becomes U+FFFD, as in Go. */
static bool read_unicode_escape(struct json_reader *reader)
{
    uint32_t unit;
    if (!read_hex(reader, &unit))
        return false;
    if (unit >= 0xD800 && unit < 0xDC00 && reader->end - reader->at >= 6 &&
        memcmp(reader->bytes + reader->at, "\\u", 2) == 0) {
        const size_t second_at = reader->at;
        uint32_t second;
        reader->at += 2;
        if (!read_hex(reader, &second))
            return false;
        if (second >= 0xDC00 && second < 0xE000)
            unit = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
        else
            reader->at = second_at;
    }
    append_character(&reader->unescaped, unit >= 0xD800 && unit < 0xE000 ? 0xFFFD : unit);
    return true;
}

/* At a backslash. */
static bool read_escape(struct json_reader *reader)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    reader->at++;
    const char c = peek(reader);
    if (c == 'u') {
        reader->at++;
        return read_unicode_escape(reader);
    }
    const char *letter = c ? strchr(letters, c) : NULL;
    if (!letter)
        return wrong(reader, "unknown escape");
    text_append_char(&reader->unescaped, meanings[letter - letters]);
    reader->at++;
    return true;
}

/* The high bit of each byte that may not stand for itself: a control character, a quote, a
 * backslash, or no ASCII. Bytes behind the first (the lowest) may be marked for nothing. */
static uint64_t unusual_bytes(uint64_t bytes)
{
    static const uint64_t each = UINT64_C(0x0101010101010101);
    const uint64_t controls = bytes - each * 0x20;
    const uint64_t quotes = (bytes ^ each * '"') - each;
    const uint64_t backslashes = (bytes ^ each * '\\') - each;
    return (controls | quotes | backslashes | bytes) & each * 0x80;
}

/* Eight bytes at a time; stops at an unusual one, and before the last few. */
static size_t skip_usual_bytes(const char *bytes, size_t at, size_t end)
{
    uint64_t word;
    for (; end - at >= sizeof(word); at += sizeof(word)) {
        memcpy(&word, bytes + at, sizeof(word));
        const uint64_t unusual = unusual_bytes(le64toh(word));
        if (unusual)
            return at + (size_t)__builtin_ctzll(unusual) / 8;
    }
    return at;
}

/* Moves over characters that stand for themselves. */
static void skip_plain_characters(struct json_reader *reader)
{
    size_t at = reader->at;
    while ((at = skip_usual_bytes(reader->bytes, at, reader->end)) < reader->end) {
        const unsigned char c = (unsigned char)reader->bytes[at];
        if (c < 0x20 || c == '"' || c == '\\')
            break;
        reader->continuations += (c & 0xC0) == 0x80;
        at++;
    }
    reader->at = at;
}

static bool read_string(struct json_reader *reader)
{
    struct tree_scalar scalar = {
        .kind = SCALAR_STRING, .line = reader->line, .column = column_at(reader, reader->at)};
    reader->at++;
    size_t start = reader->at;
    skip_plain_characters(reader);
    text_reset(&reader->unescaped);
    const bool has_escapes = peek(reader) == '\\';
    while (peek(reader) == '\\') {
        text_append(&reader->unescaped, reader->bytes + start, reader->at - start);
        if (!read_escape(reader))
            return false;
        start = reader->at;
        skip_plain_characters(reader);
    }
    if (peek(reader) != '"')
        return wrong(reader, "expected '\"' at the end of the text");
    if (has_escapes)
        text_append(&reader->unescaped, reader->bytes + start, reader->at - start);
    scalar.text = has_escapes ? text_content(&reader->unescaped) : reader->bytes + start;
    scalar.length = has_escapes ? reader->unescaped.length : reader->at - start;
    reader->at++;
    return tree_builder_scalar(reader->builder, &scalar);
}

static bool skip_digits(struct json_reader *reader)
{
    const size_t start = reader->at;
    while (peek(reader) >= '0' && peek(reader) <= '9')
        reader->at++;
    return reader->at > start;
}

static bool skip_number(struct json_reader *reader)
{
    if (peek(reader) == '-')
        reader->at++;
    if (peek(reader) == '0')
        reader->at++;
    else if (!skip_digits(reader))
        return false;
    if (peek(reader) == '.') {
        reader->at++;
        if (!skip_digits(reader))
            return false;
    }
    if (peek(reader) == 'e' || peek(reader) == 'E') {
        reader->at++;
        if (peek(reader) == '-' || peek(reader) == '+')
            reader->at++;
        return skip_digits(reader);
    }
    return true;
}

static bool read_number(struct json_reader *reader)
{
    struct tree_scalar scalar = {.line = reader->line, .column = column_at(reader, reader->at)};
    const size_t start = reader->at;
    if (!skip_number(reader))
        return wrong(reader, "expected a digit");
    text_reset(&reader->unescaped);
    text_append(&reader->unescaped, reader->bytes + start, reader->at - start);
    scalar.text = text_content(&reader->unescaped);
    scalar.length = reader->unescaped.length;
    scalar.kind = scalar_resolve(scalar.text, scalar.length);
    if (scalar.kind == SCALAR_STRING) {
        tree_builder_refuse(reader->builder, scalar.line, scalar.column,
                            "number out of range, found %.40s", scalar.text);
        return false;
    }
    return tree_builder_scalar(reader->builder, &scalar);
}

static bool read_word(struct json_reader *reader, const char *word, enum scalar_kind kind)
{
    const size_t length = strlen(word);
    if (reader->end - reader->at < length || memcmp(reader->bytes + reader->at, word, length) != 0)
        return wrong(reader, "expected a value");
    const struct tree_scalar scalar = {.kind = kind,
                                       .text = word,
                                       .length = length,
                                       .line = reader->line,
                                       .column = column_at(reader, reader->at)};
    reader->at += length;
    return tree_builder_scalar(reader->builder, &scalar);
}

static bool open_container(struct json_reader *reader, bool is_object)
{
    if (!tree_builder_begin(reader->builder, is_object ? VALUE_MAPPING : VALUE_SEQUENCE,
                            reader->line, column_at(reader, reader->at)))
        return false;
    assert(reader->depth < DOCUMENT_DEPTH_MOST);
    reader->in_object[++reader->depth] = is_object;
    reader->at++;
    return true;
}

static bool close_container(struct json_reader *reader)
{
    reader->at++;
    reader->depth--;
    return tree_builder_end(reader->builder);
}

static char closing(const struct json_reader *reader)
{
    return reader->in_object[reader->depth] ? '}' : ']';
}

static bool read_key(struct json_reader *reader)
{
    skip_space(reader);
    if (peek(reader) != '"')
        return wrong(reader, "expected a key in double quotes");
    if (!read_string(reader))
        return false;
    skip_space(reader);
    if (peek(reader) != ':')
        return wrong(reader, "expected ':' after the key");
    reader->at++;
    return true;
}

/* A scalar, or a container's beginning. `*opened` says that the container has
 * a first item that is still to be read. */
static bool read_value(struct json_reader *reader, bool *opened)
{
    *opened = false;
    skip_space(reader);
    switch (peek(reader)) {
    case '"': return read_string(reader);
    case 't': return read_word(reader, "true", SCALAR_TRUE);
    case 'f': return read_word(reader, "false", SCALAR_FALSE);
    case 'n': return read_word(reader, "null", SCALAR_NULL);
    case '{':
    case '[':
        if (!open_container(reader, peek(reader) == '{'))
            return false;
        skip_space(reader);
        *opened = peek(reader) != closing(reader);
        return *opened || close_container(reader);
    default:
        return peek(reader) == '-' || (peek(reader) >= '0' && peek(reader) <= '9')
                   ? read_number(reader)
                   : wrong(reader, "expected a value");
    }
}

/* After a value: what it ends, and the comma before the next one. */
static bool finish_value(struct json_reader *reader)
{
    while (reader->depth > 0) {
        skip_space(reader);
        if (peek(reader) == ',') {
            reader->at++;
            return true;
        }
        if (peek(reader) != closing(reader))
            return wrong(reader, reader->in_object[reader->depth] ? "expected ',' or '}'"
                                                                  : "expected ',' or ']'");
        if (!close_container(reader))
            return false;
    }
    return true;
}

static bool read_document(struct json_reader *reader)
{
    tree_builder_start_document(reader->builder);
    do {
        if (reader->in_object[reader->depth] && !read_key(reader))
            return false;
        bool opened;
        if (!read_value(reader, &opened))
            return false;
        if (!opened && !finish_value(reader))
            return false;
    } while (reader->depth > 0);
    return true;
}

static bool read_documents(struct json_reader *reader, bool several, struct roots *roots)
{
    do {
        if (!read_document(reader))
            return false;
        VEC_PUSH(reader->builder->arena, roots, reader->builder->root);
        skip_space(reader);
    } while (several && reader->at < reader->end);
    return reader->at == reader->end || wrong(reader, "expected nothing after the value");
}

enum json_outcome json_read(struct tree_builder *builder, const char *bytes, size_t count,
                            struct place start, bool several, struct roots *roots,
                            struct json_syntax *syntax)
{
    struct json_reader reader = {
        .builder = builder,
        .bytes = bytes,
        .end = count,
        .line = start.line,
        .line_start = 1 - (int64_t)start.column,
        .syntax = syntax,
    };
    text_init(&reader.unescaped, builder->memory);
    const bool complete = read_documents(&reader, several, roots);
    text_release(&reader.unescaped);
    if (reader.syntax_error && !builder->failed)
        return JSON_NO_JSON;
    return complete && !builder->failed ? JSON_READ : JSON_REFUSED;
}
