/* SPDX-License-Identifier: Apache-2.0 */
/* All steps out of a state, in a fixed order. */
#ifndef FATHOM_CLUSTER_EXPAND_H
#define FATHOM_CLUSTER_EXPAND_H

#include <stdint.h>

struct model;
struct step_sink;

void population_expand(const struct model *model, void *own, const uint32_t *words, uint32_t length,
                       struct step_sink *sink);
uint64_t population_atoms(const struct model *model, void *own, const uint32_t *words,
                          uint32_t length);

#endif
