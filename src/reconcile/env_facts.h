/* SPDX-License-Identifier: Apache-2.0 */
/* What every part of the environment asks for: its kinds and resources, and how
 * it fails. */
#ifndef FATHOM_RECONCILE_ENV_FACTS_H
#define FATHOM_RECONCILE_ENV_FACTS_H

#include "reconcile/environment_internal.h"

/* The environment cannot go on; the first reason is reported. */
__attribute__((format(printf, 2, 3))) void environment_fail(struct environment *environment,
                                                            const char *format, ...);

/* A custom kind or one that is built in; NULL: neither. */
const struct api_kind *environment_kind(const struct environment *environment, const char *kind);

/* The number of the custom resource with this key; -1: there is none. */
int environment_resource_of(const struct environment *environment, uint32_t key);

#endif
