/* SPDX-License-Identifier: Apache-2.0 */
/* What the admission plugin RuntimeClass does to a new pod that names a class. */
#ifndef FATHOM_OBJECT_RUNTIME_CLASS_ADMISSION_H
#define FATHOM_OBJECT_RUNTIME_CLASS_ADMISSION_H

#include "object/policy.h"

/* Gives the pod the overhead, node selector and tolerations of its class. NULL: the pod is
 * admitted; otherwise what the API server answers. */
const char *runtime_class_admit(struct arena *arena, const struct runtime_class *class,
                                struct pod_spec *spec);

#endif
