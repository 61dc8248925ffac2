/* SPDX-License-Identifier: Apache-2.0 */
/* Which requests a webhook is asked about, beside those that create pods. */
#ifndef FATHOM_CLUSTER_BUILD_WEBHOOK_REQUESTS_H
#define FATHOM_CLUSTER_BUILD_WEBHOOK_REQUESTS_H

#include "cluster/state/webhooks.h"

#include <stdbool.h>

struct population;

/* Finds the actions of the model that make such requests, for the webhook that is being added, of
 * which `covers` and `near` are known. Gives whether there are any. */
bool webhook_find_requests(const struct population *population, struct population_webhook *added);

#endif
