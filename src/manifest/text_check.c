/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest/text_reader.h"

#include "base/utf8.h"

#include <string.h>

struct place text_place(const char *file, const char *bytes, size_t offset)
{
    struct place place = {.file = file, .line = 1, .column = 1};
    for (size_t i = 0; i < offset; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if (c == '\n' || (c == '\r' && !(i + 1 < offset && bytes[i + 1] == '\n'))) {
            place.line++;
            place.column = 1;
        } else if ((c & 0xC0) != 0x80) {
            place.column++;
        }
    }
    return place;
}

static struct place place_after(struct place start, const char *bytes, size_t offset)
{
    struct place place = text_place(start.file, bytes, offset);
    if (place.line == 1)
        place.column += start.column - 1;
    place.line += start.line - 1;
    return place;
}

static bool starts_with(const char *bytes, size_t count, const char *prefix)
{
    return count >= strlen(prefix) && memcmp(bytes, prefix, strlen(prefix)) == 0;
}

static uint32_t count_tag_directives(const char *bytes, size_t count)
{
    uint32_t directives = starts_with(bytes, count, "%TAG");
    const char *at = bytes;
    while ((at = memchr(at, '%', (size_t)(bytes + count - at)))) {
        if (at > bytes && (at[-1] == '\n' || at[-1] == '\r') &&
            starts_with(at, (size_t)(bytes + count - at), "%TAG"))
            directives++;
        at++;
    }
    return directives;
}

bool text_check(const char *bytes, size_t count, struct place start, size_t *skip,
                struct problems *problems)
{
    const struct place whole = {.file = start.file};
    *skip = starts_with(bytes, count, "\xEF\xBB\xBF") ? 3 : 0;
    if (starts_with(bytes, count, "\xFF\xFE") || starts_with(bytes, count, "\xFE\xFF")) {
        problem_error(problems, whole, NULL, "UTF-16 text; manifests are read as UTF-8");
        return false;
    }
    const char *nul = count > 0 ? memchr(bytes, '\0', count) : NULL;
    if (nul) {
        problem_error(problems, place_after(start, bytes, (size_t)(nul - bytes)), NULL,
                      "NUL byte; a manifest is UTF-8 text");
        return false;
    }
    const size_t valid = utf8_valid_prefix(bytes, count);
    if (valid < count) {
        problem_error(problems, place_after(start, bytes, valid), NULL,
                      "byte 0x%02X is not UTF-8 text", (unsigned)(unsigned char)bytes[valid]);
        return false;
    }
    if (count_tag_directives(bytes, count) > TAG_DIRECTIVES_MOST) {
        problem_error(problems, whole, NULL, "more than %d %%TAG directives", TAG_DIRECTIVES_MOST);
        return false;
    }
    return true;
}
