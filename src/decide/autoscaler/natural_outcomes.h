/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_NATURAL_OUTCOMES_H
#define FATHOM_DECIDE_AUTOSCALER_NATURAL_OUTCOMES_H

#include "decide/autoscaler/autoscaler_case.h"

/* The outcome of the loop, as JSON, in orders that the seed draws; NULL if the scenario is wrong.
 */
const char *natural_outcome(struct arena *arena, const struct value *scenario,
                            const struct features *features, uint32_t loop, uint64_t seed,
                            struct problems *problems);

/*
 * How else the loop may come out: it is run so many times in orders that are drawn at random, after
 * loops that went by name. Writes {"runs", "outcomes", "sets": [{"n", "outcome"}]} under "natural".
 */
bool natural_outcomes_write(struct arena *arena, struct json_out *json,
                            const struct value *scenario, const struct features *features,
                            uint32_t loop, uint32_t runs, struct problems *problems);

#endif
