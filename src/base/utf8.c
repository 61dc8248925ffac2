/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

static int continuation(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

size_t utf8_length(const char *bytes, size_t available)
{
    const unsigned char *b = (const unsigned char *)bytes;
    if (available >= 1 && b[0] < 0x80)
        return 1;
    if (available >= 2 && b[0] >= 0xC2 && b[0] <= 0xDF && continuation(b[1]))
        return 2;
    if (available >= 3 && (b[0] & 0xF0) == 0xE0 && continuation(b[1]) && continuation(b[2]))
        return (b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xED && b[1] > 0x9F) ? 0 : 3;
    if (available >= 4 && b[0] >= 0xF0 && b[0] <= 0xF4 && continuation(b[1]) &&
        continuation(b[2]) && continuation(b[3]))
        return (b[0] == 0xF0 && b[1] < 0x90) || (b[0] == 0xF4 && b[1] > 0x8F) ? 0 : 4;
    return 0;
}

size_t utf8_valid_prefix(const char *bytes, size_t count)
{
    size_t i = 0;
    while (i < count) {
        uint64_t word;
        /* Eight ASCII bytes at a time: manifests are little else. */
        while (count - i >= sizeof(word)) {
            memcpy(&word, bytes + i, sizeof(word));
            if (word & UINT64_C(0x8080808080808080))
                break;
            i += sizeof(word);
        }
        if (i == count)
            break;
        const size_t width = utf8_length(bytes + i, count - i);
        if (width == 0)
            break;
        i += width;
    }
    return i;
}
