/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base64.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(struct arena *arena, const char *bytes, size_t count)
{
    const unsigned char *in = (const unsigned char *)bytes;
    char *text = arena_allocate(arena, (count + 2) / 3 * 4 + 1);
    char *out = text;
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const uint32_t group = (uint32_t)in[i] << 16 | (left > 1 ? (uint32_t)in[i + 1] << 8 : 0) |
                               (left > 2 ? in[i + 2] : 0);
        *out++ = alphabet[group >> 18];
        *out++ = alphabet[group >> 12 & 63];
        *out++ = left > 1 ? alphabet[group >> 6 & 63] : '=';
        *out++ = left > 2 ? alphabet[group & 63] : '=';
    }
    return text;
}

char *base64_decode(struct arena *arena, const char *text, size_t *count)
{
    unsigned char *bytes = arena_allocate(arena, strlen(text) / 4 * 3 + 4);
    uint32_t group = 0;
    unsigned digits = 0;
    unsigned padding = 0;
    *count = 0;
    for (; *text; text++) {
        if (strchr(" \t\r\n", *text))
            continue;
        const char *digit = strchr(alphabet, *text);
        if (*text == '=')
            padding++;
        else if (!digit || padding)
            return NULL;
        group = group << 6 | (*text == '=' ? 0 : (uint32_t)(digit - alphabet));
        if (++digits % 4)
            continue;
        if (padding > 2)
            return NULL;
        bytes[(*count)++] = (unsigned char)(group >> 16);
        bytes[(*count)++] = (unsigned char)(group >> 8);
        bytes[(*count)++] = (unsigned char)group;
        *count -= padding;
        group = 0;
    }
    if (digits % 4 || padding > 2)
        return NULL;
    bytes[*count] = '\0';
    return (char *)bytes;
}
