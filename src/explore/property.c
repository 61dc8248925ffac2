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
