/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checkpoint file: what a verification that ended early has come to.
 *
 *     header      magic, version of the format, byte order
 *     parts       one behind another (bytes.h), in any order
 *     directory   of each part: what it is, where it begins, how long it is
 *     footer      where the directory is; checksum of everything before; magic
 *
 * The footer comes last and the file gets its name after that, so a file of that
 * name is whole. Parts of one kind, unit and setup replace each other: the last one
 * counts. A writer may be used by several threads; each part is written by one.
 */
#ifndef FATHOM_VERIFY_CHECKPOINT_H
#define FATHOM_VERIFY_CHECKPOINT_H

#include "base/arena.h"
#include "base/bytes.h"

enum checkpoint_kind {
    CHECKPOINT_INPUT,   /* what was verified, and by which program (cli/) */
    CHECKPOINT_REPORT,  /* a unit's setups that are settled */
    CHECKPOINT_OUTCOME, /* a setup that is settled, before smaller ones are */
    CHECKPOINT_SEARCH,  /* a setup in the middle of its exploration */
    CHECKPOINT_KINDS
};

struct checkpoint_part {
    uint64_t kind;
    uint64_t unit;       /* which of the Checks */
    uint64_t setup;      /* of the unit */
    uint64_t asked;      /* bit i: intent i is judged */
    uint64_t reductions; /* enum population_reductions */
    uint64_t offset;
    uint64_t length;
};

struct checkpoint_writer;
struct checkpoint_reader;

/* Nothing is written before the first part. */
struct checkpoint_writer *checkpoint_create(struct memory *memory, const char *path);
/* Where to write the part to (all members but the last two are the caller's); NULL if
 * the file cannot be written. */
struct bytes_out *checkpoint_begin(struct checkpoint_writer *writer,
                                   const struct checkpoint_part *part);
void checkpoint_end(struct checkpoint_writer *writer);
bool checkpoint_has(const struct checkpoint_writer *writer, enum checkpoint_kind kind,
                    uint64_t unit, uint64_t setup);
/* The part as it is in another file. */
void checkpoint_copy(struct checkpoint_writer *writer, const struct checkpoint_reader *reader,
                     const struct checkpoint_part *part);
/* The file is on the disk under its name; 0, or errno. A file that was there before
 * stays as it is if something fails. */
int checkpoint_commit(struct checkpoint_writer *writer);
/* Whether or not there was a commit. */
void checkpoint_free(struct checkpoint_writer *writer);

/* NULL, with what is wrong with it, if it is no whole checkpoint. */
struct checkpoint_reader *checkpoint_open(struct memory *memory, const char *path,
                                          const char **problem);
void checkpoint_close(struct checkpoint_reader *reader);
const struct checkpoint_part *checkpoint_find(const struct checkpoint_reader *reader,
                                              enum checkpoint_kind kind, uint64_t unit,
                                              uint64_t setup);
/* All of them, in order. */
const struct checkpoint_part *checkpoint_parts(const struct checkpoint_reader *reader,
                                               uint64_t *count);
/* Bad from the start if the file is not there any more. Any thread may. */
struct bytes_in checkpoint_read(const struct checkpoint_reader *reader,
                                const struct checkpoint_part *part);
void checkpoint_done(struct bytes_in *in);

#endif
