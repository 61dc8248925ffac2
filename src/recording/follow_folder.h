/* SPDX-License-Identifier: Apache-2.0 */
/* All recorded runs of a folder, followed in the model. */
#ifndef FATHOM_RECORDING_FOLLOW_FOLDER_H
#define FATHOM_RECORDING_FOLLOW_FOLDER_H

#include "recording/follow.h"

struct followed_run {
    const char *folder; /* its last part: "s01-deploy-plain" */
    uint32_t number;
    struct follow_result result;
};

struct followed_report {
    struct followed_run *items; /* folder by folder */
    uint32_t count;
    uint32_t capacity;
};

/* The folder's own runs, or those of the folders in it, by the rules of these features (NULL: of
 * those that each recording tells). False, with problems, if there are
 * none or one makes no sense. */
bool follow_folder(struct arena *arena, const char *folder, const struct features *features,
                   struct followed_report *report, struct problems *problems);

#endif
