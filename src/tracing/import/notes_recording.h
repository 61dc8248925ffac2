/* SPDX-License-Identifier: Apache-2.0 */
/* Notes from the recordings in a folder. */
#ifndef FATHOM_TRACING_IMPORT_NOTES_RECORDING_H
#define FATHOM_TRACING_IMPORT_NOTES_RECORDING_H

#include "tracing/import/notes.h"

bool notes_read_recording(struct note_collection *collection, const char *folder,
                          struct problems *problems);

#endif
