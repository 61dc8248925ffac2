/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLUSTER_BUILD_SUPPORTS_KARPENTER_H
#define FATHOM_CLUSTER_BUILD_SUPPORTS_KARPENTER_H

#include "base/error.h"
#include "setup/setup.h"

/* Warns of objects of Karpenter, which adds and removes nodes and is not modelled. */
void supports_karpenter(const struct scope *scope, struct problems *problems);

#endif
