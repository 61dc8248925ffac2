/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions about trees, asked once each.
 *
 * A question is a kind of question, some shapes, and which of their holes are
 * equal: the holes of all shapes together are numbered in the order in which they
 * first occur, so that two questions that differ by a renaming of versions and
 * uids are the same one. The answer names shapes whose holes are numbers of the
 * question, or MEMO_FRESH for a number that is new.
 *
 * Every thread has a table of its own in front of the common one.
 */
#ifndef FATHOM_RECONCILE_MEMO_H
#define FATHOM_RECONCILE_MEMO_H

#include "base/arena.h"

#include <stdbool.h>

/* Numbers of holes fit a byte: two are not numbers. */
enum { MEMO_FRESH = 254, MEMO_NUMBERS_MOST = 254, MEMO_PARTS_MOST = 2, QUESTION_BYTES_MOST = 8192 };

/* A shape with its holes, wherever these are. */
struct memo_part {
    uint32_t shape; /* 0: none */
    uint8_t versions;
    uint8_t uids;
    const uint8_t *holes; /* versions, then uids */
};

struct answer {
    uint64_t hash;
    const uint8_t *question;
    uint32_t question_bytes;
    uint32_t flags; /* what the kind of question makes of them */
    uint64_t bits;
    struct memo_part parts[MEMO_PARTS_MOST]; /* holes: numbers of the question */
};

struct memo_slot {
    uint64_t hash;
    const struct answer *answer; /* NULL: free */
};

struct memo_table {
    struct memory *memory;
    struct memo_slot *slots;
    uint32_t slot_count;
    uint32_t count;
};

void memo_init(struct memo_table *table, struct memory *memory);
void memo_release(struct memo_table *table);

/* The question being put together; one a thread. */
struct memo_question {
    uint32_t length; /* bytes of shapes so far */
    uint32_t hole_count;
    uint32_t version_count;
    uint32_t uid_count;
    uint32_t epoch;
    bool overflows; /* too long to be asked */
    uint32_t version_epoch[256];
    uint32_t uid_epoch[256];
    uint8_t version_number[256]; /* by value, good if the epoch is this one's */
    uint8_t uid_number[256];
    uint8_t version_values[256]; /* by number */
    uint8_t uid_values[256];
    uint8_t bytes[QUESTION_BYTES_MOST];
    uint8_t holes[QUESTION_BYTES_MOST / 2];
};

void question_begin(struct memo_question *question, uint32_t kind, uint32_t extra);
void question_add(struct memo_question *question, const struct memo_part *part);
/* Appends the holes: `bytes` and `length` are all of it. */
uint64_t question_end(struct memo_question *question);

const struct answer *memo_find(const struct memo_table *table, const struct memo_question *question,
                               uint64_t hash);
void memo_add(struct memo_table *table, const struct answer *answer);

/* The holes of a part of an answer, in the numbers of the state that asked. */
struct memo_part question_part(const struct memo_question *question, const struct memo_part *part,
                               uint8_t *holes);

#endif
