/* SPDX-License-Identifier: Apache-2.0 */
/* The Services that select pods of the model, if some intent is about traffic. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_SERVICES_H
#define FATHOM_CLUSTER_BUILD_BUILD_SERVICES_H

#include "cluster/forward.h"

void add_services(struct population *population);

#endif
