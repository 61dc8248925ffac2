/* SPDX-License-Identifier: Apache-2.0 */
/* What the model does not do with workloads of certain kinds, and what their templates may say
 * about their pods. */
#ifndef FATHOM_CLUSTER_BUILD_SUPPORTS_KINDS_H
#define FATHOM_CLUSTER_BUILD_SUPPORTS_KINDS_H

#include "cluster/forward.h"

#include <stdint.h>

/* What is not modelled of the workloads and of what is applied to them. */
void supports_kinds(const struct scope *scope, const struct check_intent *intents,
                    uint32_t intent_count, struct problems *problems);

#endif
