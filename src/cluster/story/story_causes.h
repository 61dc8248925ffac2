/* SPDX-License-Identifier: Apache-2.0 */
/* Which earlier steps a step goes back to. */
#ifndef FATHOM_CLUSTER_STORY_STORY_CAUSES_H
#define FATHOM_CLUSTER_STORY_STORY_CAUSES_H

#include <stdbool.h>
#include <stdint.h>

struct population_state;
struct step;
struct story_causes;
struct story_step;
struct storyteller;

/* The writes of the step in hand are the last ones; `from` is the state that it
 * was taken in. */
void story_find_causes(struct storyteller *teller, const struct population_state *from,
                       const struct population_state *to, const struct step *step,
                       struct story_step *told);

#endif
