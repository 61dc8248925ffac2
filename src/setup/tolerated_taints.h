/* SPDX-License-Identifier: Apache-2.0 */
/* Taints that the pods of manifests tolerate, so that their nodes may have them. */
#ifndef FATHOM_SETUP_TOLERATED_TAINTS_H
#define FATHOM_SETUP_TOLERATED_TAINTS_H

#include "object/object.h"

/* "dedicated=gpu:NoSchedule, spot"; NULL: there are none but those that Kubernetes sets by itself
 * (node.kubernetes.io/...), which come and go with the conditions of nodes. */
const char *tolerated_taints(struct arena *arena, const struct objects *objects);

#endif
