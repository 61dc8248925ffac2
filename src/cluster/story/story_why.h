/* SPDX-License-Identifier: Apache-2.0 */
/* Why a step could be taken, in sentences: what the one who acts saw. */
#ifndef FATHOM_CLUSTER_STORY_STORY_WHY_H
#define FATHOM_CLUSTER_STORY_STORY_WHY_H

struct population_state;
struct step;
struct story_step;
struct storyteller;

/* Before the names follow the step: why it can be taken. */
void story_explain(struct storyteller *teller, const struct population_state *from,
                   const struct population_state *to, const struct step *step,
                   struct story_step *told);

#endif
