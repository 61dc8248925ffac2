/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How builders and readers report what is wrong with a text. Each report makes
 * the builder `failed` and counts as a refusal.
 */
#ifndef FATHOM_MANIFEST_TREE_PROBLEMS_H
#define FATHOM_MANIFEST_TREE_PROBLEMS_H

#include "manifest/tree_builder.h"

/* Says it, and takes the text all the same. */
void tree_builder_warn(struct tree_builder *builder, uint32_t line, uint32_t column,
                       const char *message);

/* Reports an error at this place of the text, with the path of what is being
 * built. */
__attribute__((format(printf, 4, 5))) void tree_builder_refuse(struct tree_builder *builder,
                                                               uint32_t line, uint32_t column,
                                                               const char *format, ...);

/* Reports an error without a path: the readers look ahead, so that the place
 * may not belong to what is being built. */
__attribute__((format(printf, 4, 5))) void tree_builder_refuse_syntax(struct tree_builder *builder,
                                                                      uint32_t line,
                                                                      uint32_t column,
                                                                      const char *format, ...);

#endif
