/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States of a cluster from rank to rank (codec.h).
 *
 * A worker numbers node configs, what autoscalers remember and cohorts as it meets them
 * (numbering.h). What a number of another rank stands for comes once, before the first state that
 * has it.
 */
#ifndef FATHOM_RANKS_EXCHANGE_H
#define FATHOM_RANKS_EXCHANGE_H

#include "base/arena.h"
#include "cluster/forward.h"
#include "ranks/codec.h"

struct exchange;

/* For the states of the worker. NULL: no memory. */
struct exchange *exchange_create(struct memory *memory, struct worker *worker, uint32_t ranks);
void exchange_free(struct exchange *exchange);
struct codec exchange_codec(struct exchange *exchange);

/* The same for two ranks only if both have made the same model of the same setup. */
uint64_t exchange_fingerprint(struct exchange *exchange);

#endif
