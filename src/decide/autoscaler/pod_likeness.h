/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_POD_LIKENESS_H
#define FATHOM_DECIDE_AUTOSCALER_POD_LIKENESS_H

#include "base/text.h"

struct arena;
struct value;

/*
 * A text of a pod's labels and spec that is equal for pods which the autoscaler takes for the same:
 * without spec.nodeName and spec.hostname, and without projected volumes and their mounts. The
 * order of keys, empty values and how a quantity is written make no difference.
 */
void pod_likeness(struct arena *scratch, struct text *text, const struct value *pod);

#endif
