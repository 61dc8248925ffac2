/* SPDX-License-Identifier: Apache-2.0 */
/* The admission webhooks that may keep pods of the model out. */
#ifndef FATHOM_CLUSTER_STATE_WEBHOOKS_H
#define FATHOM_CLUSTER_STATE_WEBHOOKS_H

#include "object/policy.h"

struct population_webhook {
    const struct object_meta *meta; /* of its configuration */
    const struct webhook *webhook;
    const struct service *service;
    bool *guards; /* by revision: true if it is asked about new pods */
    bool *backs;  /* by revision: true if its pods answer for it, once they are ready */
};

#endif
