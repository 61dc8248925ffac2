/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets that remember states by hashes only and so may take a new state for a seen
 * one; they know how probable that is.
 *
 *   compact   a table of 64-bit hashes, 11 to 16 bytes a state
 *   bits      a field of fixed size in which each state sets a few bits
 */
#ifndef FATHOM_EXPLORE_FINGERPRINTS_H
#define FATHOM_EXPLORE_FINGERPRINTS_H

#include "explore/region.h"

struct fingerprints {
    struct region region;
    uint64_t *slots;     /* compact: 0 is free */
    uint64_t slot_count; /* compact: places; the table goes on behind the last */
    uint64_t slot_end;
    uint64_t bit_count; /* bits: size of the field; 0: compact */
    uint32_t bits_each;
    uint64_t bits_set;
    uint64_t count;            /* states added */
    double omissions_expected; /* states that were probably taken for seen */
};

enum fingerprint_result { FINGERPRINT_NEW, FINGERPRINT_SEEN, FINGERPRINT_NO_MEMORY };

bool fingerprints_init_compact(struct fingerprints *set, struct memory *memory);
bool fingerprints_init_bits(struct fingerprints *set, struct memory *memory, uint64_t bytes,
                            uint32_t bits_each);
void fingerprints_release(struct fingerprints *set);

enum fingerprint_result fingerprints_add(struct fingerprints *set, const uint32_t *words,
                                         uint32_t length);

/* The probability that at least one state was left out, given the states that were added. */
double fingerprints_omission(const struct fingerprints *set);

#endif
