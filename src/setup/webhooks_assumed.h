/* SPDX-License-Identifier: Apache-2.0 */
/* What is assumed of admission webhooks. */
#ifndef FATHOM_SETUP_WEBHOOKS_ASSUMED_H
#define FATHOM_SETUP_WEBHOOKS_ASSUMED_H

#include "object/object.h"

/* A sentence for each configuration. `admit_rest` is as in struct scope. */
struct string_list webhooks_assumed(struct arena *arena, const struct objects *objects,
                                    bool admit_rest);

#endif
