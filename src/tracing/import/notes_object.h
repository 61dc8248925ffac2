/* SPDX-License-Identifier: Apache-2.0 */
/* Notes from objects and Events. */
#ifndef FATHOM_TRACING_IMPORT_NOTES_OBJECT_H
#define FATHOM_TRACING_IMPORT_NOTES_OBJECT_H

#include "tracing/import/notes.h"

/* The controller of the controller manager that handles objects of this kind. */
const char *notes_controller_of(const char *kind);
bool notes_add_object(struct note_collection *collection, const struct value *object,
                      struct problems *problems);
void notes_add_event(struct note_collection *collection, const struct value *event);

#endif
