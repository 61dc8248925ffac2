/* SPDX-License-Identifier: Apache-2.0 */
#include "base/plain_text.h"

#include "base/utf8.h"

#include <stdint.h>

/* The character of so many bytes. */
static uint32_t decode(const unsigned char *bytes, size_t length)
{
    static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t character = bytes[0] & first[length];
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (bytes[i] & 0x3f);
    return character;
}

static bool is_obeyed(uint32_t character, enum plain_lines lines)
{
    if (character == '\n')
        return lines == PLAIN_ONE_LINE;
    if (character == '\t')
        return false;
    if (character < 0x20 || (character >= 0x7f && character < 0xa0))
        return true;
    return character == 0x061c || character == 0x200e || character == 0x200f ||
           (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

void plain_append(struct text *text, const char *bytes, size_t count, enum plain_lines lines)
{
    size_t shown = 0; /* up to here it was appended */
    for (size_t i = 0; i < count;) {
        const size_t valid = utf8_length(bytes + i, count - i);
        const size_t length = valid > 0 ? valid : 1;
        const uint32_t character =
            valid > 0 ? decode((const unsigned char *)bytes + i, length) : (unsigned char)bytes[i];
        if (valid == 0 || is_obeyed(character, lines)) {
            text_append(text, bytes + shown, i - shown);
            if (character == '\n')
                text_append_string(text, "\\n");
            else
                text_printf(text, character < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)character);
            shown = i + length;
        }
        i += length;
    }
    text_append(text, bytes + shown, count - shown);
}

void plain_end_line(struct text *text, size_t from)
{
    struct text line;
    text_init(&line, text->memory);
    plain_append(&line, text_content(text) + from, text->length - from, PLAIN_ONE_LINE);
    text->length = from;
    text_append(text, text_content(&line), line.length);
    text_append_char(text, '\n');
    text_release(&line);
}
