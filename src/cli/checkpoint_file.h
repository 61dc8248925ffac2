/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --checkpoint and --resume: the file, and whether it was made from this very input.
 *
 * The file says which build of the program wrote it, with which arguments, and the
 * hashes of all files that were read. Whoever goes on from it must have all of these
 * as they were; limits, threads and formats of the report may be others.
 */
#ifndef FATHOM_CLI_CHECKPOINT_FILE_H
#define FATHOM_CLI_CHECKPOINT_FILE_H

#include "cli/session.h"
#include "verify/checkpoint.h"
#include "verify/plan.h"

struct checkpoint_file {
    const char *name;                 /* where a run that ends early goes; NULL: nowhere */
    struct checkpoint_writer *writer; /* NULL: nowhere */
    struct checkpoint_reader *reader; /* NULL: the run begins anew */
};

/* Of all the Checks. False, with a message, if the file cannot be gone on with. */
bool checkpoint_file_open(struct session *session, const struct verify_plan *plans, uint32_t count,
                          bool exhaustive, struct checkpoint_file *file);

/* Keeps what was written if the run `ended_early`, and says where. */
void checkpoint_file_close(struct session *session, struct checkpoint_file *file, bool ended_early);

#endif
