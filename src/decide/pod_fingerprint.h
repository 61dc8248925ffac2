/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text that is equal for two pods exactly when they differ only in their
 * names, their nodes and their status.
 *
 * It holds everything of the spec that any controller of the model looks at,
 * the labels, the namespace and the controlling owner. It does not hold
 * spec.nodeName and the status: those are of one pod, not of its kind. A pod
 * with an ephemeral volume owns a claim that bears its name, so there the name
 * is part of the text.
 */
#ifndef FATHOM_DECIDE_POD_FINGERPRINT_H
#define FATHOM_DECIDE_POD_FINGERPRINT_H

#include "base/text.h"
#include "object/pod.h"

void pod_fingerprint(struct text *text, const struct pod *pod);

#endif
