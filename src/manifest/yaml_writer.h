/* SPDX-License-Identifier: Apache-2.0 */
/* A document tree as YAML for people: blocks, one member or item a line. What is
 * written is read as the same tree (strings that look like something else are quoted). */
#ifndef FATHOM_MANIFEST_YAML_WRITER_H
#define FATHOM_MANIFEST_YAML_WRITER_H

#include "base/text.h"
#include "manifest/document.h"

/* The value as a block whose lines begin with `indent` spaces. */
void yaml_write(struct text *text, const struct value *value, uint32_t indent);

/* A string, quoted if it has to be. */
void yaml_write_string(struct text *text, const char *string);

#endif
