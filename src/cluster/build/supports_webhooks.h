/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLUSTER_BUILD_SUPPORTS_WEBHOOKS_H
#define FATHOM_CLUSTER_BUILD_SUPPORTS_WEBHOOKS_H

#include "object/object.h"

struct support;

/* Warns of webhooks that may refuse more than new pods, or whose Service is not known. */
void supports_webhooks(const struct support *support, const struct object *object,
                       const struct webhook_configuration *configuration);

#endif
