/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scenario of `fathom decide scheduler --batch`: `nodes`, existing `pods`,
 * `extra` objects, the pending `pod`, and perhaps a `kubernetesVersion` and
 * `featureGates` that differ from that version's. Pods pass through admission, which resolves
 * priorities; default tolerations are left to the scenario.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_SCHEDULER_SCENARIO_H
#define FATHOM_DECIDE_SCHEDULER_SCHEDULER_SCENARIO_H

#include "decide/features.h"
#include "manifest/document.h"
#include "object/object.h"

struct scheduler_scenario {
    struct objects objects; /* all but the pending pod */
    struct pod *pod;        /* may have spec.nodeName, and is pending all the same */
    struct features features;
};

/* `features` are the rules of a scenario that states no version. */
bool scheduler_scenario_read(struct arena *arena, const struct value *value,
                             const struct features *features, struct scheduler_scenario *scenario,
                             struct problems *problems);

#endif
