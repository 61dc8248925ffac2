/* SPDX-License-Identifier: Apache-2.0 */
/* Which word of a state is whose (state.h has the order). */
#ifndef FATHOM_CLUSTER_STATE_LAYOUT_H
#define FATHOM_CLUSTER_STATE_LAYOUT_H

#include "cluster/forward.h"

/* Gives every part of a state its words. */
void lay_out(struct population *population);

#endif
