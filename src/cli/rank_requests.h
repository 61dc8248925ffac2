/* SPDX-License-Identifier: Apache-2.0 */
/* What rank 0 asks of the others: to explore a setup together with it. */
#ifndef FATHOM_CLI_RANK_REQUESTS_H
#define FATHOM_CLI_RANK_REQUESTS_H

#include "cli/rank_checkpoint.h"
#include "cli/session_ranks.h"
#include "ranks/rank_explore.h"

struct rank_requests {
    struct link *link;
    struct rank_statistics statistics;
    bool over;               /* there are no more requests */
    struct rank_input input; /* see struct session_ranks */
    struct session *session;
    uint64_t checkpoint_interval_ms;
    bool opened; /* the next was looked for */
    struct rank_checkpoint *checkpoint;
};

/* For struct explorer; `context` is the requests. */
struct exploration *rank_requests_explore(void *context, const struct setup_query *query,
                                          enum population_reductions reductions, struct crew *crew,
                                          const struct explore_options *options,
                                          struct memory *memory);
/* For struct session_ranks. */
void rank_requests_serve(void *context, struct session *session,
                         const struct verify_settings *settings, const struct verify_plan *plans);
/* All ranks, when they have nothing more to do; rank 0 prints what each of them did. */
void rank_requests_end(struct rank_requests *requests, bool prints_statistics);

#endif
