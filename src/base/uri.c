/* SPDX-License-Identifier: Apache-2.0 */
#include "base/uri.h"

#include <string.h>

static const char *encoded(struct arena *arena, const char *text, const char *plain)
{
    static const char hex[] = "0123456789ABCDEF";
    char *result = arena_allocate(arena, strlen(text) * 3 + 1);
    char *out = result;
    for (const char *c = text; *c; c++) {
        if (strchr(plain, *c)) {
            *out++ = *c;
        } else {
            *out++ = '%';
            *out++ = hex[(unsigned char)*c >> 4];
            *out++ = hex[(unsigned char)*c & 15];
        }
    }
    return result;
}

#define UNRESERVED "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

const char *uri_segment(struct arena *arena, const char *text)
{
    return encoded(arena, text, UNRESERVED);
}

const char *uri_of_file(struct arena *arena, const char *name)
{
    const char *path = encoded(arena, name, UNRESERVED "/");
    return name[0] == '/' ? arena_printf(arena, "file://%s", path) : path;
}
