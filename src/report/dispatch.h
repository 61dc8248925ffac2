/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shards of a verification as the tasks of an engine that users have: the pods of an Indexed
 * Job of Kubernetes, or the tasks of a job array of Slurm. What is written is ready to be
 * submitted, and says in its first lines how to get the report.
 */
#ifndef FATHOM_REPORT_DISPATCH_H
#define FATHOM_REPORT_DISPATCH_H

#include "base/text.h"
#include "object/meta.h"
#include "verify/plan.h"

/* A file that the shards read: its name as the command line has it, and what is in it. */
struct dispatch_file {
    const char *name;
    struct text content;
};

struct dispatch {
    const char *name; /* of the Job, a DNS label */
    const char *image;
    const char *name_space; /* of the Job; NULL: that of the user's context */
    const char *claim;      /* a PersistentVolumeClaim that all pods can write to; NULL: none */
    struct string_list arguments; /* of `fathom verify`, without those of the shard */
    struct dispatch_file *files;
    uint32_t file_count;
    uint32_t shards;
    uint32_t cpus; /* of each task; so for the memory */
    uint64_t memory_bytes;
};

void dispatch_write_kubernetes(struct arena *arena, const struct dispatch *dispatch,
                               struct text *text);
void dispatch_write_slurm(struct arena *arena, const struct dispatch *dispatch, struct text *text);

/* The memory that a task may use for states, as --memory has it: what is left is for the rest of
 * the process. */
const char *dispatch_memory(struct arena *arena, const struct dispatch *dispatch);

#endif
