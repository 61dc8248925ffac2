/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about a property that do not depend on its kind. */
#ifndef FATHOM_EXPLORE_PROPERTY_H
#define FATHOM_EXPLORE_PROPERTY_H

#include "explore/model.h"

/* Is the property about runs that never end, and not about single states and steps? */
bool property_is_liveness(const struct property *property);

/* The atoms that the property looks at. */
uint64_t property_atoms(const struct property *property);

/* Does it hold, if it does, only because nothing that it is about was ever seen? */
bool property_is_vacuous(const struct property *property, uint64_t atoms_seen, uint64_t marks_seen);

#endif
