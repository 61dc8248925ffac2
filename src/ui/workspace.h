/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders for the manifests of a page while commands read them. They are gone when the server ends.
 *
 * The manifests keep the names that the page gives them, so that messages name what the user sees.
 */
#ifndef FATHOM_UI_WORKSPACE_H
#define FATHOM_UI_WORKSPACE_H

#include "base/arena.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Makes a folder that nobody else can read; NULL: that is not possible. */
const char *workspace_create(struct arena *arena);
void workspace_remove(const char *folder);

/* Is this a name that stays inside of a folder: relative, without ".."? */
bool workspace_name_is_safe(const char *name);

/* Writes [{"name": ..., "text": ...}] into the folder. NULL, or why that is not possible, in the
 * arena. */
const char *workspace_write(struct arena *arena, const char *folder, const cJSON *files);

/* A file of the folder: all of it, or more than `most` bytes if it is larger. False: there is none.
 */
bool workspace_read(const char *folder, const char *name, size_t most, struct text *text);

#endif
