/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_VERIFY_CONFIRM_LOOPS_H
#define FATHOM_VERIFY_CONFIRM_LOOPS_H

#include "verify/setup_query.h"

/* Withdraws violations whose loops are unfair to one of several nodes that are alike. */
void confirm_loops(const struct setup_query *query, struct memory *memory,
                   struct setup_outcome *outcome);

#endif
