/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --checkpoint and --resume of fathom-mpi: the exploration in hand, a file for each rank.
 *
 * Rank 2 of 4 writes FILE.2-of-4.a and FILE.2-of-4.b in turn, so that there is always one from a
 * time at which all ranks had written theirs: each has a number, and a run goes on from the
 * greatest that all ranks have. Setups before the one in hand are explored again.
 */
#ifndef FATHOM_CLI_RANK_CHECKPOINT_H
#define FATHOM_CLI_RANK_CHECKPOINT_H

#include "cli/session.h"
#include "cluster/forward.h"
#include "ranks/rank_explore.h"

struct rank_checkpoint;

/* Which exploration it is; the same on all ranks. */
struct rank_checkpoint_key {
    uint64_t unit, setup, asked, reductions, interleaving;
    uint64_t model; /* a fingerprint of it */
};

/* To be called by all ranks. NULL: nothing is to be saved. If there is nothing to go on from, all
 * ranks end. `identity` is of the program, its input and what is asked. */
struct rank_checkpoint *rank_checkpoint_open(struct session *session, struct link *link,
                                             uint64_t identity, uint64_t interval_ms);
/* Before and after an exploration. A crew that goes on gets the numbers that it had. */
const struct rank_keeping *rank_checkpoint_attach(struct rank_checkpoint *checkpoint,
                                                  const struct rank_checkpoint_key *key,
                                                  struct crew *crew);
void rank_checkpoint_detach(struct rank_checkpoint *checkpoint, enum explore_reason reason);
void rank_checkpoint_close(struct rank_checkpoint *checkpoint);

#endif
