/* SPDX-License-Identifier: Apache-2.0 */
/* --shard: which share of the setups this process explores. */
#ifndef FATHOM_CLI_SHARD_OPTION_H
#define FATHOM_CLI_SHARD_OPTION_H

#include "base/error.h"
#include "verify/shard.h"

/* "2/8", counted from 1. "auto/8": Kubernetes gives the number to the pods of an Indexed Job in
 * JOB_COMPLETION_INDEX, counted from 0, and Slurm to the tasks of an array in SLURM_ARRAY_TASK_ID,
 * which `sbatch --array=1-8` counts from 1. No shard, with a problem, if it is wrong. */
struct shard shard_option_read(const char *text, struct problems *problems);

#endif
