/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a line of a recording to the object that the API server held then.
 *
 * A line that has the whole object (`object`) is used as it is. Others carry
 * what changes in a run; the rest is in the manifests, in the template that the
 * owner had when the object was made.
 */
#ifndef FATHOM_RECORDING_RESTORE_H
#define FATHOM_RECORDING_RESTORE_H

#include "recording/recording.h"

struct restorer {
    struct recording *recording;
    struct manifest_reader *reader;
    struct problems *problems;
    struct text text; /* working space */
};

void restorer_init(struct restorer *restorer, struct recording *recording,
                   struct manifest_reader *reader, struct problems *problems);
void restorer_release(struct restorer *restorer);

/* What the API server held, as a document. NULL as below. */
const struct value *restore_value(struct restorer *restorer, const struct version *version);

/* NULL if the line is no valid object (a problem says why), or is of a kind
 * that is not restored. */
const struct object *restore_object(struct restorer *restorer, struct version *version);

#endif
