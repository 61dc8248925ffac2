/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Are two pod templates the same to the Deployment and StatefulSet controllers?
 *
 * They compare every field, also those that Fathom does not model: a changed
 * environment variable starts a rollout. So the comparison is made on the
 * manifest's own tree, written as a text with sorted keys. What the API server
 * fills in by default is left out of it, so that a template from a manifest
 * and the same template from a live cluster agree.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_TEMPLATE_SIGNATURE_H
#define FATHOM_DECIDE_CONTROLLER_TEMPLATE_SIGNATURE_H

#include "base/arena.h"

struct value;

/* Equal texts for equal templates. The label pod-template-hash does not count. */
const char *template_signature(struct arena *arena, const struct value *template);

#endif
