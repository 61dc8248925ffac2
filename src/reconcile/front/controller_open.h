/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A check's `spec.controller` becomes a `struct controller`, by one of three ways:
 *
 *     controller: {plugin: ./mine.so, parameters: {...}}   a C plugin (or its source, ./mine.c)
 *     controller: {command: [python3, mine.py]}            a program that speaks JSON lines
 *     controller: {machine: {...}}                         a state machine, written down
 *
 * Beside them, `customKinds` and `userKinds` say of which kinds the custom resources
 * are and what else users write, where the controller itself does not. Names of files
 * are relative to the folder of the check, where a program also runs.
 */
#ifndef FATHOM_RECONCILE_FRONT_CONTROLLER_OPEN_H
#define FATHOM_RECONCILE_FRONT_CONTROLLER_OPEN_H

#include "manifest/document.h"
#include "reconcile/controller.h"

struct controller_options {
    int64_t timeout_ns; /* for one answer of a program; 0: CONTROLLER_TIMEOUT_DEFAULT_NS */
};

#define CONTROLLER_TIMEOUT_DEFAULT_NS INT64_C(5000000000)

/* `check` is the whole document. The controller keeps `arena`, which must live as long
 * and is not used by it from other threads; its functions may be called by several
 * threads at once. If the result is true, the caller calls `release` in the end. */
bool controller_open(struct arena *arena, const struct value *check,
                     const struct controller_options *options, struct controller *controller,
                     struct problems *problems);

#endif
