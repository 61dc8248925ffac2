/* SPDX-License-Identifier: Apache-2.0 */
/* The autoscaler's own words for results and reasons. */
#ifndef FATHOM_DECIDE_AUTOSCALER_RESULT_NAMES_H
#define FATHOM_DECIDE_AUTOSCALER_RESULT_NAMES_H

#include "decide/autoscaler/autoscaler_result.h"

const char *scale_up_result_name(enum scale_up_result result);
const char *scale_down_result_name(enum scale_down_result result);
const char *unremovable_reason_name(enum unremovable_reason reason);
const char *blocking_reason_name(enum blocking_reason reason);
const char *scale_action_name(enum scale_action_kind kind);

#endif
