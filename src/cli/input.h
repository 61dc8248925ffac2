/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What commands read: which documents each of them looks for, and the files that this
 * command line names (object/input.h does the reading).
 */
#ifndef FATHOM_CLI_INPUT_H
#define FATHOM_CLI_INPUT_H

#include "cli/session.h"
#include "object/input.h"

extern const struct input_kind input_manifests;         /* decide */
extern const struct input_kind input_listed;            /* check-manifests */
extern const struct input_kind input_checks;            /* verify, simulate, replay */
extern const struct input_kind input_init;              /* init */
extern const struct input_kind input_objectives;        /* slo */
extern const struct input_kind input_controller_checks; /* controller */
extern const struct input_kind input_controller;        /* controller run */

/* The operands and -f of the command line. False if anything is wrong; nothing is printed
 * yet. */
bool session_read(struct session *session, const struct input_kind *kind, struct input *input);

/* All problems of it so far; --strict counts warnings as errors, but remarks. */
void session_problems(struct session *session, const struct input_kind *kind,
                      const struct input *input, struct problems *problems);

/* So too, and complains. False if there are errors: exit code 2. */
bool session_accepts(struct session *session, const struct input_kind *kind,
                     const struct input *input);

#endif
