/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers and arrays to and from a file that the same program reads again.
 *
 * Everything written passes through one checksum; numbers are 64 bits wide, in the
 * machine's own byte order. Errors stick: whoever writes or reads looks once, at
 * the end. What is read is zero after an error.
 */
#ifndef FATHOM_BASE_BYTES_H
#define FATHOM_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BYTES_BLOCK = 1 << 16 };

struct bytes_out {
    FILE *file;
    uint64_t written;
    uint64_t hash; /* of all blocks that are full */
    size_t filled;
    int error; /* errno of the first failure; 0: none */
    unsigned char block[BYTES_BLOCK];
};

void bytes_out_init(struct bytes_out *out, FILE *file);
void bytes_put(struct bytes_out *out, const void *bytes, size_t count);
void bytes_put_number(struct bytes_out *out, uint64_t number);
void bytes_put_text(struct bytes_out *out, const char *text);
/* Nothing is left in the block; gives the checksum of all. */
uint64_t bytes_finish(struct bytes_out *out);

struct bytes_in {
    FILE *file;
    uint64_t left; /* that may be read */
    bool bad;      /* more was asked for, or the file cannot be read */
};

void bytes_get(struct bytes_in *in, void *bytes, size_t count);
uint64_t bytes_get_number(struct bytes_in *in);
/* A number of things of at least so many bytes each that follow; 0 and bad if
 * there are not so many bytes. */
uint64_t bytes_get_count(struct bytes_in *in, size_t item_bytes);

/* The checksum of the next `count` bytes of a file, as bytes_finish gives it. */
bool bytes_checksum(FILE *file, uint64_t count, uint64_t *hash);

#endif
