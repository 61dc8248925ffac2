/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects that the user names with -f: read, defaulted, validated.
 *
 * Used by every command that takes manifests, so that they all read the same
 * way and complain in the same words.
 */
#ifndef FATHOM_CLI_INPUT_H
#define FATHOM_CLI_INPUT_H

#include "cli/session.h"
#include "object/object.h"

struct input {
    struct objects objects; /* those that are right */
    struct problems problems;
};

/* False if anything is wrong; --strict counts warnings as errors. Nothing is
 * printed yet. Everything lives in the session's arena. */
bool input_read(struct session *session, struct input *input);

/* --strict */
void input_make_warnings_errors(struct problems *problems);

#endif
