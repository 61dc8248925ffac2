/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a checkpoint depends on. A run can be resumed only if all of these are the same;
 * limits, threads and formats of the report may differ.
 */
#ifndef FATHOM_VERIFY_CHECKPOINT_IDENTITY_H
#define FATHOM_VERIFY_CHECKPOINT_IDENTITY_H

#include "base/bytes.h"
#include "verify/made_from.h"

struct checkpoint_identity {
    const char *version; /* of the program */
    uint64_t program;    /* hash of the executable */
    bool exhaustive;
    struct string_list arguments;
    VEC(struct input_file) files;
};

void checkpoint_identity_save(const struct checkpoint_identity *identity, struct bytes_out *out);
/* False: it is damaged. */
bool checkpoint_identity_load(struct arena *arena, struct bytes_in *in,
                              struct checkpoint_identity *identity);
/* Why the checkpoint is of something else; NULL: it is not. */
const char *checkpoint_identity_differs(struct arena *arena, const struct checkpoint_identity *then,
                                        const struct checkpoint_identity *now);

#endif
