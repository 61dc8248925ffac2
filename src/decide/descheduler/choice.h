/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Choices that upstream leaves to chance, and the walk over all of them.
 *
 * The code of a cycle is written once. Where Go's maps decide what comes next,
 * it asks: which of these alternatives? Without a `struct choice` the answer is
 * always the first, which gives the canonical cycle. With one, the cycle is run
 * again and again over a tape of answers, depth first, until every way to
 * answer has been taken.
 *
 * With each question comes a signature of the whole state: where the cycle is,
 * what has happened, what is still to come. A state that was asked about before
 * leads to nothing new, so the run is given up there: where several orders lead
 * to the same state, the cost is the number of subsets and not of permutations.
 * Signatures are 128 bits and equal for states that differ only by exchanging
 * pods or nodes of one kind.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_CHOICE_H
#define FATHOM_DECIDE_DESCHEDULER_CHOICE_H

#include "base/hash.h"
#include "base/vec.h"

#include <stdbool.h>

struct signature {
    uint64_t left;
    uint64_t right;
};

static inline bool signature_equal(struct signature a, struct signature b)
{
    return a.left == b.left && a.right == b.right;
}

/* A sequence: the order of mixing matters. */
static inline struct signature signature_mix(struct signature a, uint64_t word)
{
    return (struct signature){hash_word(a.left * 3 + hash_word(word + 0x51)),
                              hash_word(a.right * 5 + hash_word(word ^ UINT64_C(0xa5a5a5a5a5)))};
}

static inline struct signature signature_mix_all(struct signature a, struct signature b)
{
    return signature_mix(signature_mix(a, b.left), b.right);
}

/* A multiset: the order of adding does not matter, and what was added can be taken away. */
static inline struct signature signature_add(struct signature a, struct signature b)
{
    return (struct signature){a.left + b.left, a.right + b.right};
}

static inline struct signature signature_subtract(struct signature a, struct signature b)
{
    return (struct signature){a.left - b.left, a.right - b.right};
}

/* A set of signatures, and nothing else. Zeroed: empty. */
struct signature_set {
    struct signature *slots;
    uint32_t slot_count;
    uint32_t count;
    bool has_zero;
};

/* False when it was there already. */
bool signature_set_add(struct arena *arena, struct signature_set *set, struct signature signature);

struct choice_answer {
    uint32_t taken;
    uint32_t count;
};

struct choice {
    struct arena *arena;
    VEC(struct choice_answer) tape;
    uint32_t position; /* in the tape */
    struct signature_set seen;
    bool remembers; /* give up runs whose state was seen */
    bool given_up;  /* this run leads to nothing new */
    uint64_t questions;
};

void choice_init(struct choice *choice, struct arena *arena, bool remembers);

/* Before every run. */
void choice_rewind(struct choice *choice);

/* The alternative to take, below `count` (at least 1). */
uint32_t choice_pick(struct choice *choice, uint32_t count, struct signature state);

/* After every run: is there another one? */
bool choice_advance(struct choice *choice);

#endif
