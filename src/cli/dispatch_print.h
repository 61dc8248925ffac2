/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom dispatch`, once the input of the verification is read and found to be right. */
#ifndef FATHOM_CLI_DISPATCH_PRINT_H
#define FATHOM_CLI_DISPATCH_PRINT_H

#include "cli/input.h"
#include "verify/plan.h"

/* What dispatch was asked for, beside what is verified. */
struct dispatch_request {
    bool kubernetes; /* else Slurm */
    const char *name;
    const char *image;
    const char *name_space;
    const char *claim;
    uint32_t shards;
    uint32_t cpus;
    uint64_t memory_bytes;
};

/* Gives the exit code. */
int dispatch_print(struct session *session, const struct input *input,
                   const struct verify_plan *plans, uint32_t count, bool exhaustive);

#endif
