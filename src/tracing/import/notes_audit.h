/* SPDX-License-Identifier: Apache-2.0 */
/* Notes from an event of an audit log. */
#ifndef FATHOM_TRACING_IMPORT_NOTES_AUDIT_H
#define FATHOM_TRACING_IMPORT_NOTES_AUDIT_H

#include "tracing/import/notes.h"

void notes_add_audit(struct note_collection *collection, const struct value *event);

#endif
