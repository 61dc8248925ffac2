/* SPDX-License-Identifier: Apache-2.0 */
/* UUIDs: made from the system's random numbers, read and written as text. */
#include "fathom/trace.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

/* Without random numbers of the system, which means that it is broken, ids are
 * at least unique within this process. */
static void fill_without_entropy(struct fathom_trace_id *id)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t parts[2] = {(uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec,
                               (uint64_t)(uintptr_t)&now};
    memcpy(id->bytes, parts, sizeof(id->bytes));
}

struct fathom_trace_id fathom_trace_id_new(void)
{
    struct fathom_trace_id id;
    if (getrandom(id.bytes, sizeof(id.bytes), 0) != sizeof(id.bytes))
        fill_without_entropy(&id);
    id.bytes[6] = (uint8_t)((id.bytes[6] & 0x0F) | 0x40);
    id.bytes[8] = (uint8_t)((id.bytes[8] & 0x3F) | 0x80);
    return id;
}

bool fathom_trace_id_equal(const struct fathom_trace_id *one, const struct fathom_trace_id *other)
{
    return memcmp(one->bytes, other->bytes, sizeof(one->bytes)) == 0;
}

bool fathom_trace_id_is_none(const struct fathom_trace_id *id)
{
    static const struct fathom_trace_id none = {{0}};
    return fathom_trace_id_equal(id, &none);
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static bool dash_before(int byte)
{
    return byte == 4 || byte == 6 || byte == 8 || byte == 10;
}

bool fathom_trace_id_parse(const char *text, size_t length, struct fathom_trace_id *id)
{
    if (length != FATHOM_TRACE_ID_TEXT - 1)
        return false;
    struct fathom_trace_id read;
    for (int i = 0; i < 16; i++) {
        if (dash_before(i) && *text++ != '-')
            return false;
        const int high = digit(text[0]);
        const int low = digit(text[1]);
        if (high < 0 || low < 0)
            return false;
        read.bytes[i] = (uint8_t)(high << 4 | low);
        text += 2;
    }
    if (fathom_trace_id_is_none(&read))
        return false;
    *id = read;
    return true;
}

void fathom_trace_id_format(const struct fathom_trace_id *id, char text[FATHOM_TRACE_ID_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++) {
        if (dash_before(i))
            *text++ = '-';
        *text++ = digits[id->bytes[i] >> 4];
        *text++ = digits[id->bytes[i] & 0x0F];
    }
    *text = '\0';
}
