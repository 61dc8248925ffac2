/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How else the loops of a scenario may come out: it is run in orders that are drawn at random.
 *
 * If all that changes between its loops is what the autoscaler did there, a run goes through all
 * loops in drawn orders, and its own decisions change the cluster (natural_world.h). Otherwise the
 * changes fit only what they were recorded with, so each loop is drawn after loops that went by
 * name.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_NATURAL_OUTCOMES_H
#define FATHOM_DECIDE_AUTOSCALER_NATURAL_OUTCOMES_H

#include "decide/autoscaler/autoscaler_case.h"

struct natural_scenario {
    const struct value *document;
    struct features features; /* of a scenario that states no version */
    uint32_t loop_count;
    bool alone; /* nobody but the autoscaler changes the cluster */
};

/* Of a document that is good. */
void natural_scenario_init(struct natural_scenario *result, struct arena *arena,
                           const struct value *document, const struct features *features);

/* One run: an outcome for each loop, as JSON. False if the scenario is wrong. */
bool natural_outcomes_draw(struct arena *arena, const struct natural_scenario *scenario,
                           uint64_t seed, const char **outcomes, struct problems *problems);

/* The outcomes of so many runs. */
struct natural_outcomes {
    uint32_t runs;
    struct map *loops; /* of each loop: outcome -> in how many runs */
};

bool natural_outcomes_find(struct natural_outcomes *found, struct arena *arena,
                           const struct natural_scenario *scenario, uint32_t runs,
                           struct problems *problems);

/* Writes {"runs", "outcomes", "sets": [{"n", "outcome"}]} under "natural". */
void natural_outcomes_write(struct json_out *json, const struct natural_outcomes *found,
                            uint32_t loop);

#endif
