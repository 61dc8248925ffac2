/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_RUNTIME_RUNTIME_ONCE_H
#define FATHOM_RUNTIME_RUNTIME_ONCE_H

#include "runtime/runtime_parts.h"

/* Reconciles all custom resources until nothing changes any more. */
enum runtime_end runtime_run_once(struct runtime *runtime);

#endif
