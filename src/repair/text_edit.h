/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes in the text of a manifest, at the lines where the fields stand: comments, order and style
 * stay as they are.
 *
 * A text is changed field by field and read again after each change. Whether the result says what
 * it should is for the caller to see: YAML has more ways to write things than are known here.
 */
#ifndef FATHOM_REPAIR_TEXT_EDIT_H
#define FATHOM_REPAIR_TEXT_EDIT_H

#include "repair/edit.h"

/* The text with the change of the document that begins with the place `root` has. NULL: that is not
 * possible. */
char *text_edit_change(struct arena *arena, const char *text, const struct value *root,
                       const struct edit_change *change);

/* With one more document at the end. */
char *text_edit_add(struct arena *arena, const char *text, const struct value *root);

/* What changed, as a unified diff with three lines around each change; "" if nothing did. */
char *text_edit_diff(struct arena *arena, const char *name, const char *before, const char *after);

/* The lines that differ as one block: from `line` (1) on `lines` of them become the text. */
char *text_edit_block(struct arena *arena, const char *before, const char *after, uint32_t *line,
                      uint32_t *lines);

#endif
