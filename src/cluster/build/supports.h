/* SPDX-License-Identifier: Apache-2.0 */
/* What is not modelled is refused, by who looks for it. */
#ifndef FATHOM_CLUSTER_BUILD_SUPPORTS_H
#define FATHOM_CLUSTER_BUILD_SUPPORTS_H

#include "setup/setup.h"

/* ---- supports_kinds.c ---- */
/* What is not modelled of the workloads and of what is applied to them. */
void supports_kinds(const struct scope *scope, const struct check_intent *intents,
                    uint32_t intent_count, struct problems *problems);

/* ---- supports_applied.c ---- */
/* Reports what the model cannot follow of what `apply` events bring. */
void supports_applied(const struct scope *scope, struct problems *problems);

/* ---- observed_revisions.c ---- */
/* Warns of pods that the model takes to be like others. */
void observed_check(const struct scope *scope, struct problems *problems);

#endif
