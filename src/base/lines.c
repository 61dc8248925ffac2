/* SPDX-License-Identifier: Apache-2.0 */
/* zlib reads plain files as well as packed ones, so there is one way for both. */
#include "base/lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER_BYTES = 256 * 1024 };

static bool complain(struct lines *lines, const char *why, struct problems *problems)
{
    problem_error(problems, (struct place){lines->path, 0, 0}, NULL, "cannot be read: %s", why);
    return false;
}

bool lines_open(struct lines *lines, struct memory *memory, const char *path,
                struct problems *problems)
{
    const bool standard = strcmp(path, "-") == 0;
    *lines = (struct lines){.path = standard ? "<stdin>" : path};
    text_init(&lines->text, memory);
    errno = 0;
    lines->file = standard ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rbe");
    if (!lines->file)
        return complain(lines, errno ? strerror(errno) : "out of memory", problems);
    gzbuffer(lines->file, BUFFER_BYTES);
    lines->buffer = memory_allocate(memory, BUFFER_BYTES);
    return true;
}

/* Reads on; false at the end or when that fails. */
static bool refill(struct lines *lines, struct problems *problems)
{
    errno = 0;
    const int got = gzread(lines->file, lines->buffer, BUFFER_BYTES);
    int error = Z_OK;
    const char *why = gzerror(lines->file, &error);
    lines->next = 0;
    lines->count = got > 0 ? (size_t)got : 0;
    lines->ended = got <= 0;
    if (error == Z_ERRNO)
        return complain(lines, strerror(errno), problems);
    if (error != Z_OK && error != Z_STREAM_END)
        return complain(lines, why, problems);
    return got > 0;
}

bool lines_next(struct lines *lines, struct problems *problems)
{
    const uint32_t errors = problems->errors;
    bool any = false;
    text_reset(&lines->text);
    while (!lines->ended && (lines->next < lines->count || refill(lines, problems))) {
        const char *start = lines->buffer + lines->next;
        const size_t left = lines->count - lines->next;
        const char *end = memchr(start, '\n', left);
        const size_t length = end ? (size_t)(end - start) : left;
        any = true;
        text_append(&lines->text, start, length);
        lines->next += length + (end ? 1 : 0);
        if (end)
            break;
    }
    if (!any || problems->errors != errors)
        return false;
    lines->number++;
    return true;
}

void lines_close(struct lines *lines)
{
    if (lines->file)
        gzclose(lines->file);
    if (lines->buffer)
        memory_release(lines->text.memory, lines->buffer, BUFFER_BYTES);
    text_release(&lines->text);
}
