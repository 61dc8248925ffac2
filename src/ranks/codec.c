/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/codec.h"

#include "base/hash.h"

#include <stddef.h>

static uint64_t hash_plain(void *context, const uint32_t *words, uint32_t length)
{
    (void)context;
    return hash_bytes_seeded(words, length * sizeof(uint32_t), length);
}

struct codec codec_plain(void)
{
    return (struct codec){.hash = hash_plain};
}
