/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A counterexample of a report, run again in the model as it is now, with the
 * manifests as they are now.
 *
 * Each step is looked for among those that the model offers: the one with the
 * number that the report gives, if it still says the same, or else whichever
 * does. So a report stands even where the order of steps has changed, and falls
 * where something that it tells cannot happen any more.
 */
#ifndef FATHOM_CLI_REPLAY_RUN_H
#define FATHOM_CLI_REPLAY_RUN_H

#include "cli/told_report.h"
#include "cli/verify_plan.h"
#include "cluster/story/story.h"

struct replay_run {
    const struct told_report *report;
    const struct told_violation *violation;
    const char *scale;              /* in words */
    struct story_picture *pictures; /* after so many steps; one more than steps_done */
    uint32_t steps_done;
    const char *flaw;                /* why the run is no counterexample any more; NULL: it is */
    VEC(const char *) instead;       /* what could happen where it went off */
    VEC(const char *) changed_files; /* since the report was written */
};

/* False, after complaints, if the input of the report cannot be read any more. */
bool replay_run(struct session *session, const struct told_report *report,
                const struct told_violation *violation, struct replay_run *run);

#endif
