/* SPDX-License-Identifier: Apache-2.0 */
/* A controller deletes pods, so many of each class in each place. */
#ifndef FATHOM_CLUSTER_ACTOR_REMOVAL_H
#define FATHOM_CLUSTER_ACTOR_REMOVAL_H

#include <stdint.h>

struct removal;

/* Hands over all steps that take these amounts. */
void removal_emit(struct removal *removal, const uint32_t *amounts);

#endif
