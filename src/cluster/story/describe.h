/* SPDX-License-Identifier: Apache-2.0 */
/* States and steps in Kubernetes' words, as the model of explore/ gives them. */
#ifndef FATHOM_CLUSTER_STORY_DESCRIBE_H
#define FATHOM_CLUSTER_STORY_DESCRIBE_H

#include "cluster/forward.h"

#include <stdint.h>

void population_describe_state(const struct model *model, void *own, const uint32_t *words,
                               uint32_t length, struct text *text);
void population_describe_step(const struct model *model, void *own, const uint32_t *from,
                              uint32_t from_length, const struct step *step, struct text *text);

#endif
