/* SPDX-License-Identifier: Apache-2.0 */
/* Records of any form, read into a collection. */
#ifndef FATHOM_TRACING_IMPORT_NOTES_READ_H
#define FATHOM_TRACING_IMPORT_NOTES_READ_H

#include "tracing/import/notes.h"

/* Reads a file of audit events, objects or Events (JSON lines, perhaps packed, or
 * manifests), or the recordings in a folder. */
bool notes_read(struct note_collection *collection, const char *path, struct problems *problems);

#endif
