/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_RUNTIME_RUNTIME_WATCH_H
#define FATHOM_RUNTIME_RUNTIME_WATCH_H

#include "runtime/runtime_parts.h"

/* Reconciles whatever changes, until an end is asked for. */
enum runtime_end runtime_run_watching(struct runtime *runtime);

#endif
