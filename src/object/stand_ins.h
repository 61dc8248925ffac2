/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Custom resources that are almost objects of Kubernetes: what they do to pods, a kind of
 * Kubernetes does as well, as far as budgets, nodes and rollouts are concerned. Manifests without a
 * Check are verified with that kind in their place, and a warning says so. In the same way
 * kube-scheduler stands for schedulers that are not modelled.
 */
#ifndef FATHOM_OBJECT_STAND_INS_H
#define FATHOM_OBJECT_STAND_INS_H

#include "manifest/document.h"

/* Puts stand-ins in the place of such documents. */
void stand_ins_put(struct arena *arena, struct documents *documents, struct problems *problems);

#endif
