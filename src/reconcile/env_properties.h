/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of a store and of a change of it. Both fill in the answer; false:
 * the controller is wrong, which has been reported. */
#ifndef FATHOM_RECONCILE_ENV_PROPERTIES_H
#define FATHOM_RECONCILE_ENV_PROPERTIES_H

#include "reconcile/env_inquiry.h"

/* Which custom resources are wanted, and which of these are not matched yet. */
bool inquiry_answer_store(const struct inquiry *inquiry);
/* Which safety properties a change breaks. */
bool inquiry_answer_safety(const struct inquiry *inquiry);

#endif
