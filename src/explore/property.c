/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/property.h"

bool property_is_liveness(const struct property *property)
{
    switch (property->kind) {
    case PROPERTY_INVARIANT:
    case PROPERTY_STEP_INVARIANT:
    case PROPERTY_DEADLOCK_FREE:
    case PROPERTY_REACHABLE: return false;
    case PROPERTY_EVENTUALLY:
    case PROPERTY_EVENTUALLY_ALWAYS:
    case PROPERTY_ALWAYS_EVENTUALLY:
    case PROPERTY_LEADS_TO:
    case PROPERTY_NO_CYCLE:
    case PROPERTY_ALWAYS_POSSIBLE: return true;
    }
    return false;
}

uint64_t property_atoms(const struct property *property)
{
    return property->p.all | property->p.none | property->q.all | property->q.none |
           property->visits;
}

bool property_is_vacuous(const struct property *property, uint64_t atoms_seen, uint64_t marks_seen)
{
    switch (property->kind) {
    case PROPERTY_STEP_INVARIANT: return (property->marks & marks_seen) == 0;
    case PROPERTY_LEADS_TO: return (property->p.all & ~atoms_seen) != 0;
    case PROPERTY_NO_CYCLE:
        return (property->marks & ~marks_seen) != 0 || (property->visits & ~atoms_seen) != 0;
    default: return false;
    }
}
