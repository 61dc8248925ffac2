/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of nodes that the workloads of a part cannot tell apart become one. */
#ifndef FATHOM_SETUP_PART_FOLD_H
#define FATHOM_SETUP_PART_FOLD_H

#include "setup/part.h"

/* Takes groups of the part together, for a model in which pods may go to any node that fits. Gives
 * the setup of the part with them; the one that is given if nothing changes. */
const struct setup *scope_part_fold(struct arena *arena, struct scope_part *part,
                                    const struct setup *setup, const struct check_intent *intents,
                                    uint32_t intent_count);

/* May a pod of the part that is yet to be placed have a volume that is somewhere? */
bool scope_part_places_volumes(const struct scope_part *part);

#endif
