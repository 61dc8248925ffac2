/* SPDX-License-Identifier: Apache-2.0 */
/* zlib reads plain files as well as packed ones, so there is one way for both. */
#include "base/lines.h"

#include "base/input_file.h"

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

static gzFile open_file(const char *path)
{
    const int descriptor = input_open(path);
    gzFile file = descriptor < 0 ? NULL : gzdopen(descriptor, "rb");
    if (descriptor >= 0 && !file)
        close(descriptor);
    return file;
}

/* Is there more than anything that is worth reading? */
static bool is_too_large(struct lines *lines, size_t more, struct problems *problems)
{
    lines->bytes += more;
    const bool line = lines->text.length > LINE_BYTES_MOST;
    if (!line && lines->bytes <= lines->bytes_most)
        return false;
    lines->ended = true;
    problem_error(problems, (struct place){lines->path, line ? lines->number + 1 : 0, 0}, NULL,
                  "%slarger than %u MiB, the most that is read", line ? "a line that is " : "",
                  (unsigned)((line ? LINE_BYTES_MOST : lines->bytes_most) >> 20));
    return true;
}

bool lines_open(struct lines *lines, struct memory *memory, const char *path,
                struct problems *problems)
{
    const bool standard = strcmp(path, "-") == 0;
    *lines = (struct lines){.path = standard ? "<stdin>" : path, .bytes_most = LINES_BYTES_MOST};
    text_init(&lines->text, memory);
    errno = 0;
    lines->file = standard ? gzdopen(dup(STDIN_FILENO), "rb") : open_file(path);
    if (!lines->file)
        return complain(lines, errno ? input_why(errno) : "out of memory", problems);
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
        if (is_too_large(lines, length + (end ? 1 : 0), problems))
            break;
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

/* How much fgets has put into a chunk that was full of newlines. It does not say so itself, and
 * there may be NULs in the middle of a line: only its own newline has a NUL behind it. */
static size_t length_of_chunk(const char *chunk, size_t size, bool *line_ended, bool *stream_ended)
{
    const char *newline = memchr(chunk, '\n', size);
    if (!newline)
        return size - 1;
    const size_t length = (size_t)(newline - chunk);
    *line_ended = length + 1 < size && newline[1] == '\0';
    *stream_ended = !*line_ended;
    return *line_ended ? length : length - 1;
}

bool line_read(FILE *stream, size_t bytes_most, struct text *line, bool *too_long)
{
    enum { CHUNK_BYTES = 4096 };
    char chunk[CHUNK_BYTES];
    bool line_ended = false;
    bool stream_ended = false;
    text_reset(line);
    *too_long = false;
    while (!line_ended && !stream_ended && !*too_long) {
        const size_t left = bytes_most - line->length;
        const size_t size = left < CHUNK_BYTES - 2 ? left + 2 : CHUNK_BYTES;
        memset(chunk, '\n', size);
        if (!fgets(chunk, (int)size, stream))
            break;
        const size_t length = length_of_chunk(chunk, size, &line_ended, &stream_ended);
        *too_long = length > left;
        text_append(line, chunk, *too_long ? left : length);
    }
    return line_ended || *too_long || line->length > 0;
}
