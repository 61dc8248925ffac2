/* SPDX-License-Identifier: Apache-2.0 */
/* Which requests a webhook is asked about, beside those that create pods. */
#ifndef FATHOM_CLUSTER_BUILD_WEBHOOK_REQUESTS_H
#define FATHOM_CLUSTER_BUILD_WEBHOOK_REQUESTS_H

#include "cluster/state/webhooks.h"

struct population;

/* Finds which of them the webhook refuses that is being added, of which `covers` and `near` are
 * known; and the actions of the model that make others, of which that is not modelled. */
void webhook_find_requests(const struct population *population, struct population_webhook *added);

#endif
