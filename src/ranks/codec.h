/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How states go from rank to rank.
 *
 * The words of a state may be numbers that each process gives for itself. A codec makes a state's
 * hash from what its numbers stand for, so that all ranks agree which of them owns the state; it
 * tells a receiver what a number stands for before the first state that has it; and the receiver
 * puts its own numbers in their place.
 */
#ifndef FATHOM_RANKS_CODEC_H
#define FATHOM_RANKS_CODEC_H

#include <stdbool.h>
#include <stdint.h>

struct link;

struct codec {
    void *context;
    uint64_t (*hash)(void *context, const uint32_t *words, uint32_t length);
    /* NULL, as the next two, if numbers are the same everywhere. Sends the receiver what it does
     * not know yet of this state, as records whose first word is `kind`. */
    void (*tell)(void *context, struct link *link, uint32_t to, uint32_t kind,
                 const uint32_t *words, uint32_t length);
    /* What another rank has told. */
    void (*learn)(void *context, uint32_t from, const uint32_t *record, uint32_t words);
    /* The state that another rank has sent, in own numbers, in place. False: that is not possible
     * for lack of memory. */
    bool (*localise)(void *context, uint32_t from, uint32_t *words, uint32_t length);
};

/* For models whose words mean the same everywhere. */
struct codec codec_plain(void);

#endif
