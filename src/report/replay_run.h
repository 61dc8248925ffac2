/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A counterexample of a report, run again in the model as it is now, with the
 * manifests as they are now.
 *
 * Each step is looked for among those that the model offers: the one with the
 * number that the report gives, if it still says the same, or else whichever
 * does. So a report is still valid if only the order of steps has changed, and
 * no longer valid if one of its steps cannot happen any more.
 */
#ifndef FATHOM_REPORT_REPLAY_RUN_H
#define FATHOM_REPORT_REPLAY_RUN_H

#include "base/json_out.h"
#include "cluster/story/story.h"
#include "explore/explore.h"
#include "report/told_report.h"
#include "verify/plan.h"

struct replay_run {
    const struct told_report *report;
    const struct told_violation *violation;
    const char *scale;              /* in words; NULL: no setup was found */
    struct story_picture *pictures; /* after so many steps; one more than steps_done */
    uint32_t steps_done;
    const char *flaw; /* why the run is no counterexample any more; NULL: it is */
    VEC(const char *)
    instead; /* the steps that were possible where the run could not be continued */
    VEC(const char *) changed_files; /* since the report was written */
};

struct replay_runs {
    struct replay_run *items;
    uint32_t count;
    uint32_t capacity;
};

/* Runs run->violation, with the plan that its input gives now. False, with problems, if the
 * model refuses it. */
bool replay_run(struct arena *arena, const struct verify_plan *plan,
                const struct population_options *options, struct replay_run *run,
                struct problems *problems);

/* Violated if all counterexamples are still valid; undecided if one is not, which says
 * nothing about its intent; holds if there is none. */
enum verdict replay_verdict(const struct replay_runs *runs);

/* ---- parts, for whoever shows a run step by step (report_replay.c) ---- */

void replay_write_heading(const struct replay_run *run, struct text *text);
/* Step 0 is the beginning. */
void replay_write_step(struct arena *arena, const struct replay_run *run, uint32_t number,
                       struct text *text);
void replay_write_end(const struct replay_run *run, struct text *text);

#endif
