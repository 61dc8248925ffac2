/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_USUAL = 80 };

static bool terminal_is_dumb(const char *terminal)
{
    return !terminal || !*terminal || strcmp(terminal, "dumb") == 0;
}

bool colours_wanted(bool declined, const char *no_color, const char *terminal)
{
    return !declined && !(no_color && *no_color) && !terminal_is_dumb(terminal);
}

bool terminal_overwrites(int descriptor)
{
    return isatty(descriptor) && !terminal_is_dumb(getenv("TERM"));
}

uint32_t terminal_columns(int descriptor)
{
    struct winsize size = {0};
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                        : COLUMNS_USUAL;
}

/* The first that is set and not empty counts, as setlocale has it. */
bool locale_is_utf8(const char *all, const char *ctype, const char *lang)
{
    const char *name = all && *all ? all : ctype && *ctype ? ctype : lang ? lang : "";
    const char *charset = strchr(name, '.');
    return charset &&
           (strncasecmp(charset, ".utf-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0);
}

bool terminal_reads_utf8(void)
{
    return locale_is_utf8(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"));
}

/* ---- characters ---- */

/* Bytes of the character that begins with this one; 1 for what is no UTF-8. */
static size_t character_length(const unsigned char *bytes, size_t left)
{
    const size_t length = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : bytes[0] >= 0xc0 ? 2 : 1;
    for (size_t i = 1; i < length; i++)
        if (i >= left || (bytes[i] & 0xc0) != 0x80)
            return 1;
    return length;
}

static uint32_t code_point(const unsigned char *bytes, size_t length)
{
    static const unsigned char masks[] = {0xff, 0xff, 0x1f, 0x0f, 0x07};
    uint32_t code = bytes[0] & masks[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (bytes[i] & 0x3f);
    return code;
}

static void append_ascii(struct text *text, const unsigned char *bytes, size_t length)
{
    const uint32_t code = code_point(bytes, length);
    if (code < 0x80)
        text_append_char(text, (char)code);
    else if (length == 1)
        text_printf(text, "\\x%02x", (unsigned)code);
    else
        text_printf(text, code > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)code);
}

void terminal_make_ascii(struct text *text)
{
    struct text ascii;
    const unsigned char *bytes = (const unsigned char *)text_content(text);
    text_init(&ascii, text->memory);
    for (size_t i = 0; i < text->length;) {
        const size_t length = character_length(bytes + i, text->length - i);
        append_ascii(&ascii, bytes + i, length);
        i += length;
    }
    text_release(text);
    *text = ascii;
}

/* ---- colours ---- */

static const char red[] = "\033[1;31m";
static const char green[] = "\033[1;32m";
static const char yellow[] = "\033[1;33m";
static const char plain[] = "\033[0m";

/* Words at the beginning of a line, longer ones first. */
static const struct {
    const char *word;
    const char *colour;
} painted[] = {
    {"VIOLATED", red},     {"HOLDS PROBABLY", yellow}, {"HOLDS (of nothing", yellow},
    {"HOLDS", green},      {"UNDECIDED", yellow},      {"FOUND", green},
    {"It stands", red},    {"   Remedy:", green},      {"      VIOLATED", red},
    {"Undecided", yellow},
};

/* "1." at the beginning of a line is the number of a finding. */
static size_t finding_number(const char *line)
{
    const size_t digits = strspn(line, "0123456789");
    return digits > 0 && strncmp(line + digits, ". ", 2) == 0 ? digits + 1 : 0;
}

/* How much of the line's beginning is painted, and how. */
static size_t paint_of(const char *line, const char **colour)
{
    for (size_t i = 0; i < sizeof(painted) / sizeof(*painted); i++) {
        const size_t length = strlen(painted[i].word);
        if (strncmp(line, painted[i].word, length) == 0 && !isalpha((unsigned char)line[length])) {
            *colour = painted[i].colour;
            return length;
        }
    }
    *colour = red;
    return finding_number(line);
}

void terminal_paint(struct text *text)
{
    struct text coloured;
    const char *line = text_content(text);
    text_init(&coloured, text->memory);
    while (*line) {
        const char *colour = NULL;
        const size_t begin = paint_of(line, &colour);
        const size_t length = strcspn(line, "\n");
        if (begin > 0)
            text_printf(&coloured, "%s%.*s%s", colour, (int)begin, line, plain);
        text_append(&coloured, line + begin, length - begin + (line[length] == '\n'));
        line += length + (line[length] == '\n');
    }
    text_release(text);
    *text = coloured;
}
