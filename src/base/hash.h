/* SPDX-License-Identifier: Apache-2.0 */
/* One hash for everything: XXH3, 64 bits. The same bytes give the same hash in
 * every run and on every machine of the same byte order. */
#ifndef FATHOM_BASE_HASH_H
#define FATHOM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *bytes, size_t count);
uint64_t hash_bytes_seeded(const void *bytes, size_t count, uint64_t seed);

/* Mixes one word well (the finaliser of SplitMix64); a bijection. */
static inline uint64_t hash_word(uint64_t word)
{
    word ^= word >> 30;
    word *= UINT64_C(0xbf58476d1ce4e5b9);
    word ^= word >> 27;
    word *= UINT64_C(0x94d049bb133111eb);
    word ^= word >> 31;
    return word;
}

#endif
