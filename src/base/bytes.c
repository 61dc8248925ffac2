/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"

#include "base/hash.h"

#include <errno.h>
#include <string.h>

void bytes_out_init(struct bytes_out *out, FILE *file)
{
    out->file = file;
    out->written = 0;
    out->hash = 0;
    out->filled = 0;
    out->error = 0;
}

static void write_block(struct bytes_out *out)
{
    out->hash = hash_bytes_seeded(out->block, out->filled, out->hash);
    errno = 0;
    if (out->error == 0 && fwrite(out->block, 1, out->filled, out->file) != out->filled)
        out->error = errno ? errno : EIO;
    out->filled = 0;
}

void bytes_put(struct bytes_out *out, const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    out->written += count;
    while (count > 0 && out->error == 0) {
        const size_t room = sizeof(out->block) - out->filled;
        const size_t part = count < room ? count : room;
        memcpy(out->block + out->filled, next, part);
        out->filled += part;
        next += part;
        count -= part;
        if (out->filled == sizeof(out->block))
            write_block(out);
    }
}

void bytes_put_number(struct bytes_out *out, uint64_t number)
{
    bytes_put(out, &number, sizeof(number));
}

void bytes_put_text(struct bytes_out *out, const char *text)
{
    const size_t length = strlen(text);
    bytes_put_number(out, length);
    bytes_put(out, text, length);
}

uint64_t bytes_finish(struct bytes_out *out)
{
    if (out->filled > 0)
        write_block(out);
    return out->hash;
}

void bytes_get(struct bytes_in *in, void *bytes, size_t count)
{
    if (count == 0)
        return;
    if (!in->bad && count <= in->left && fread(bytes, 1, count, in->file) == count) {
        in->left -= count;
        return;
    }
    in->bad = true;
    memset(bytes, 0, count);
}

uint64_t bytes_get_number(struct bytes_in *in)
{
    uint64_t number;
    bytes_get(in, &number, sizeof(number));
    return number;
}

uint64_t bytes_get_count(struct bytes_in *in, size_t item_bytes)
{
    const uint64_t count = bytes_get_number(in);
    if (count <= in->left / (item_bytes > 0 ? item_bytes : 1))
        return count;
    in->bad = true;
    return 0;
}

bool bytes_checksum(FILE *file, uint64_t count, uint64_t *hash)
{
    unsigned char block[BYTES_BLOCK];
    *hash = 0;
    while (count > 0) {
        const size_t part = count < sizeof(block) ? (size_t)count : sizeof(block);
        if (fread(block, 1, part, file) != part)
            return false;
        *hash = hash_bytes_seeded(block, part, *hash);
        count -= part;
    }
    return true;
}
