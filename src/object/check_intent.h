/* SPDX-License-Identifier: Apache-2.0 */
/* The intents of a Check. */
#ifndef FATHOM_OBJECT_CHECK_INTENT_H
#define FATHOM_OBJECT_CHECK_INTENT_H

#include "object/check.h"
#include "object/schema.h"

extern const struct field_hook check_intents_hook;

/* All of them, with their parameters. */
extern const struct library check_intent_library;

#endif
