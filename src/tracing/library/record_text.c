/* SPDX-License-Identifier: Apache-2.0 */
/* The room that a record needs at most is known beforehand: it is written into
 * one allocation without looking. */
#include "tracing/library/record_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 4096 }; /* longer ones the server would refuse */

static char *append(char *end, const char *text)
{
    return stpcpy(end, text);
}

static char *append_id(char *end, const struct fathom_trace_id *id)
{
    *end++ = '"';
    if (!fathom_trace_id_is_none(id)) {
        fathom_trace_id_format(id, end);
        end += FATHOM_TRACE_ID_TEXT - 1;
    }
    *end++ = '"';
    return end;
}

static char *append_time(char *end, int64_t time_ns)
{
    return end + sprintf(end, "\"%" PRId64 "\"", time_ns);
}

char *record_text_of_mergelog(const struct fathom_trace_mergelog *mergelog, size_t *length)
{
    char *text = malloc(160 + mergelog->source_count * (FATHOM_TRACE_ID_TEXT + 2));
    if (!text)
        return NULL;
    char *end = append(text, "{\"cpid\":");
    end = append_id(end, &mergelog->cpid);
    end = append(end, ",\"sources\":[");
    for (size_t i = 0; i < mergelog->source_count; i++) {
        if (i)
            *end++ = ',';
        end = append_id(end, &mergelog->sources[i]);
    }
    end = append(end, "],\"timeUnixNano\":");
    end = append_time(end, mergelog->time_ns);
    end = append(end, "}");
    *length = (size_t)(end - text);
    return text;
}

/* Bytes of a valid character at the start of a text that ends with NUL; 0: none. */
static size_t character(const unsigned char *text)
{
    if (text[0] < 0x80)
        return 1;
    const size_t length = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
    if (text[0] < 0xC2 || text[0] > 0xF4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F))
        return 0;
    return length;
}

/* A byte takes six at most; what is not UTF-8 becomes a question mark. */
static char *append_text(char *end, const char *text)
{
    const unsigned char *next = (const unsigned char *)text;
    const unsigned char *most = next + TEXT_MOST;
    *end++ = '"';
    while (*next) {
        const size_t length = character(next);
        if (next + length > most)
            break;
        if (*next == '"' || *next == '\\')
            end += sprintf(end, "\\%c", *next);
        else if (*next < 0x20)
            end += sprintf(end, "\\u%04x", *next);
        else if (!length)
            *end++ = '?';
        else
            end = mempcpy(end, next, length);
        next += length ? length : 1;
    }
    *end++ = '"';
    return end;
}

static size_t room(const char *text)
{
    return text ? strnlen(text, TEXT_MOST) * 6 : 0;
}

static char *append_member(char *end, const char *name, const char *text)
{
    if (!text || !*text)
        return end;
    end += sprintf(end, ",\"%s\":", name);
    return append_text(end, text);
}

char *record_text_of_span(const struct fathom_trace_span *span, size_t *length)
{
    char *text = malloc(512 + room(span->service) + room(span->name) + room(span->object) +
                        room(span->version_read) + room(span->version_written));
    if (!text)
        return NULL;
    char *end = append(text, "{\"cpid\":");
    end = append_id(end, &span->cpid);
    end = append(end, ",\"spanId\":");
    end = append_id(end, &span->span_id);
    end = append(end, ",\"parentId\":");
    end = append_id(end, &span->parent_id);
    end = append_member(end, "service", span->service);
    end = append_member(end, "name", span->name);
    end = append(end, ",\"startTimeUnixNano\":");
    end = append_time(end, span->start_ns);
    end = append(end, ",\"endTimeUnixNano\":");
    end = append_time(end, span->end_ns);
    end = append_member(end, "object", span->object);
    end = append_member(end, "resourceVersionRead", span->version_read);
    end = append_member(end, "resourceVersionWritten", span->version_written);
    end = append(end, "}");
    *length = (size_t)(end - text);
    return text;
}
