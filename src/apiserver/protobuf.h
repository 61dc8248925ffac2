/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kubernetes' protobuf, as far as newer versions of kubectl need it: they send the
 * objects that they make themselves (`kubectl create configmap`) in this form. The
 * numbers of fields are those of Kubernetes' published .proto files. A kind or a field
 * that is not in the tables is refused, never dropped.
 */
#ifndef FATHOM_APISERVER_PROTOBUF_H
#define FATHOM_APISERVER_PROTOBUF_H

#include "kubeapi/datum.h"

#define PROTOBUF_MEDIA_TYPE "application/vnd.kubernetes.protobuf"

/* NULL, and `*why` in the arena or static, if it is not understood. */
const struct datum *protobuf_read(struct arena *arena, const char *bytes, size_t count,
                                  const char **why);

#endif
