/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of intents, by kind. */
#ifndef FATHOM_CLUSTER_INTENT_REGISTRY_H
#define FATHOM_CLUSTER_INTENT_REGISTRY_H

#include "cluster/forward.h"
#include "object/check.h"

#include <stdint.h>

struct intent_class;

/* The class of an intent with its parameters. */
const struct intent_class *intent_class_of(const struct check_intent *source);
/* The usual intent at this place, from 1; INTENT_KIND_COUNT: there are no more. */
enum intent_kind intent_kind_usual(uint32_t place);

#endif
