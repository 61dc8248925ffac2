/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files for what does not fit into memory (`--spill DIR`).
 *
 * A file has no name: it is gone with the process, however that ends. Its blocks are reserved
 * before they are written to, so that a full disk is a refusal and never a signal.
 *
 * One `struct spill` serves all threads of a run.
 */
#ifndef FATHOM_BASE_SPILL_H
#define FATHOM_BASE_SPILL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spill {
    const char *folder;
    atomic_uint_fast64_t bytes; /* in all files at present */
    atomic_uint_fast64_t peak_bytes;
    atomic_int error; /* errno of the first refusal; 0: there was none */
};

/* A new file in the folder; -1, with the error noted: it cannot be made. */
int spill_open(struct spill *spill);
/* `bytes` is what was reserved in the file. */
void spill_close(struct spill *spill, int file, uint64_t bytes);
/* Reserves bytes `from` to `to` - 1 on the disk, which are zero. False, with the error noted: it
 * does not have them. */
bool spill_reserve(struct spill *spill, int file, uint64_t from, uint64_t to);
/* Writes to the beginning of the file. */
bool spill_write(struct spill *spill, int file, const void *data, size_t bytes);
/* What the system refused, in its words; NULL: nothing. */
const char *spill_error(const struct spill *spill);

#endif
