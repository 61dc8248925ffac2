/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `fathom verify` is to verify: each Check with the objects it is about.
 *
 * A Check's objects are the other documents of its file, those of -f, and those
 * of its spec.manifests. Without any Check, the manifests of -f are verified
 * alone.
 */
#ifndef FATHOM_CLI_VERIFY_INPUT_H
#define FATHOM_CLI_VERIFY_INPUT_H

#include "base/vec.h"
#include "cli/session.h"
#include "object/check.h"
#include "object/object.h"

struct verify_unit {
    const char *name;
    const char *file;          /* of the Check; NULL: there is none */
    const struct check *check; /* NULL: there is none */
    struct objects objects;    /* the Check among them */
    struct problems problems;
};

struct verify_input {
    VEC(struct verify_unit) units;
    struct problems problems; /* of what belongs to no unit alone */
};

/* False if anything is wrong. Nothing is printed yet. */
bool verify_input_read(struct session *session, struct verify_input *input);

/* All problems, each once, in the order in which people read them. */
void verify_input_problems(struct session *session, const struct verify_input *input,
                           struct problems *all);

#endif
