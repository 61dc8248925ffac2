/* SPDX-License-Identifier: Apache-2.0 */
/* Whether webhooks answer. */
#ifndef FATHOM_CLUSTER_ASK_WEBHOOKS_H
#define FATHOM_CLUSTER_ASK_WEBHOOKS_H

#include "cluster/forward.h"
#include "cluster/state/actions.h"
#include "cluster/state/webhooks.h"

#include <stdint.h>

/* The webhook that keeps pods of the revision out, because no pod of its Service is ready; NULL:
 * none does. While a settled start comes about, all are taken to answer. */
const struct population_webhook *webhook_silent(struct worker *worker, const struct state *state,
                                                uint32_t revision);

/* The webhook because of which the API server refuses the request that is about the revision; NULL:
 * it is admitted. */
const struct population_webhook *webhook_refuses(struct worker *worker, const struct state *state,
                                                 enum webhook_request request, uint32_t revision);

/* May the API server refuse another request that such a step stands for, because a webhook is
 * silent? The revision: of the step; UINT32_MAX: it is about none. */
bool webhook_may_refuse(struct worker *worker, const struct state *state,
                        enum population_action action, uint32_t revision);

/* Is a webhook silent that is asked about what is written again and again, such as leases? */
bool webhook_disturbs(struct worker *worker, const struct state *state);

/* What the API server answers then. */
const char *webhook_refusal(struct arena *arena, const struct population_webhook *webhook);

#endif
