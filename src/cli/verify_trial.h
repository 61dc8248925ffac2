/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --trial: what holds is tried with stronger settings, after all verdicts (verify/trial.h).
 *
 * Without the option a trial is small and, unless a state takes unusually long, the same every
 * time: its number of states is limited, by that of the verification. The time is there to end
 * what takes unusually long. With the option the time alone counts.
 */
#ifndef FATHOM_CLI_VERIFY_TRIAL_H
#define FATHOM_CLI_VERIFY_TRIAL_H

#include "cli/verify_settings.h"
#include "verify/trial.h"

/* Tries what holds in the reports, with what these have left of the limits of the run. Gives the
 * trials by Check; to be released by verify_trials_release. */
struct trials *verify_trials(struct session *session, const struct verify_settings *settings,
                             const struct verify_plan *plans, uint32_t count,
                             const struct verify_report *found);
void verify_trials_release(struct trials *trials, uint32_t count);

#endif
