/* SPDX-License-Identifier: Apache-2.0 */
/* One run of the model, and what was seen in it (report_simulation.c). */
#ifndef FATHOM_REPORT_SIMULATION_H
#define FATHOM_REPORT_SIMULATION_H

#include "base/text.h"
#include "verify/plan.h"
#include "walk/walk.h"

struct simulation {
    const struct verify_plan *plan;
    const struct setup *setup;
    struct walk *walk;
    uint64_t seed;
    uint64_t violated;      /* bit i: a step violates intent i */
    uint64_t rest_violated; /* bit i: the end does, at which the run stays for good */
    const char *ended;      /* why the run ends here */
    bool told;              /* heading and steps were shown while the user chose them */
    struct story_picture picture;
    bool with_pictures;                 /* `pictures` are kept */
    VEC(struct story_picture) pictures; /* after so many steps; one more than the walk has steps */
    /* With --what-if, by step: the step of the other run that it follows, from 1; 0: none. */
    VEC(uint32_t) follows;
};

/* Before the first step, once the walk is there. */
void simulation_begin(struct simulation *simulation);
void simulation_take(struct simulation *simulation, uint32_t choice);
/* False: there is no step to undo. */
bool simulation_back(struct simulation *simulation);

/* Judges the run, once it has ended. */
void simulation_finish(struct simulation *simulation);

/* ---- parts, for whoever shows the run step by step ---- */

void simulation_write_heading(const struct simulation *simulation, struct text *text);
void simulation_write_step(const struct simulation *simulation, uint32_t index, struct text *text);

#endif
