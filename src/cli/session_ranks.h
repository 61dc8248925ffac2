/* SPDX-License-Identifier: Apache-2.0 */
/* What `verify` does differently when it is run by several ranks of MPI (fathom_mpi.c): rank 0 is
 * the program as ever, and the others explore what it asks them to. */
#ifndef FATHOM_CLI_SESSION_RANKS_H
#define FATHOM_CLI_SESSION_RANKS_H

#include "cli/verify_settings.h"
#include "verify/plan.h"

/* Hashes of the program, of what it was asked, and of all files, once they are read. */
struct rank_input {
    uint64_t identity; /* has to be the same on all ranks */
    uint64_t question; /* the same without limits: what a checkpoint is of */
};

struct session_ranks {
    const struct explorer *explorer; /* of rank 0; NULL: this is another rank */
    /* Another rank explores what it is asked to, until there is no more. */
    void (*serve)(void *context, struct session *session, const struct verify_settings *settings,
                  const struct verify_plan *plans);
    void *context;
    struct rank_input *input;
};

/* All of these do nothing, and accept everything, in a process by itself. */

/* Each rank is one thread, and explores whole setups. */
void ranks_settle_options(struct session *session);
/* False, after a complaint, if an option is given that needs a process by itself. */
bool ranks_accept_options(const struct session *session);
/* False, after a complaint, if there is no Check. */
bool ranks_accept_input(const struct session *session, bool asks_questions);
/* False, after a complaint, if there are groups of nodes without a maximum, or if not every rank
 * can read the input. */
bool ranks_accept_plans(struct session *session, const struct verify_plan *plans, uint32_t count);
/* True, at the end, if this rank is not the one that reports. Rank 0 gets its explorer. */
bool ranks_serve(struct session *session, struct verify_settings *settings,
                 const struct verify_plan *plans);

#endif
