/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ServiceObjectives that the user names, each with the objects beside it: of
 * its own file, of the manifests that it names, and of -f.
 */
#ifndef FATHOM_CLI_SLO_INPUT_H
#define FATHOM_CLI_SLO_INPUT_H

#include "base/vec.h"
#include "cli/session.h"
#include "object/object.h"

struct slo_unit {
    const struct object *object; /* the ServiceObjective; NULL: it is wrong */
    struct objects objects;
    struct problems problems;
};

struct slo_input {
    VEC(struct slo_unit) units;
    struct problems problems; /* of no unit in particular */
};

/* False if anything is wrong. Nothing is printed yet. */
bool slo_input_read(struct session *session, struct slo_input *input);

#endif
