/* SPDX-License-Identifier: Apache-2.0 */
/* What following recorded runs found, for people and for programs (formats.def). */
#ifndef FATHOM_REPORT_REPORT_FOLLOWED_H
#define FATHOM_REPORT_REPORT_FOLLOWED_H

#include "explore/explore.h"
#include "recording/follow_folder.h"

/* Holds if every run was followed; violated if one was not; undecided if a limit of the
 * search was reached first. */
enum verdict followed_verdict(const struct followed_report *report);

#endif
