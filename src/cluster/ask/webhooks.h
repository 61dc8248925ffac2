/* SPDX-License-Identifier: Apache-2.0 */
/* Whether webhooks answer. */
#ifndef FATHOM_CLUSTER_ASK_WEBHOOKS_H
#define FATHOM_CLUSTER_ASK_WEBHOOKS_H

#include "cluster/forward.h"

#include <stdint.h>

struct population_webhook;

/* The webhook that keeps pods of the revision out, because no pod of its Service is ready; NULL:
 * none does. While a settled start comes about, all are taken to answer. */
const struct population_webhook *webhook_silent(struct worker *worker, const struct state *state,
                                                uint32_t revision);

/* What the API server answers then. */
const char *webhook_refusal(struct arena *arena, const struct population_webhook *webhook);

#endif
