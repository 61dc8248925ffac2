/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a YAML text, in words that help. */
#ifndef FATHOM_MANIFEST_YAML_MESSAGE_H
#define FATHOM_MANIFEST_YAML_MESSAGE_H

#include "manifest/tree_builder.h"

#include <yaml.h>

/* Reports the error that stopped the parser. `bytes` is the whole text. */
void yaml_report(struct tree_builder *builder, const yaml_parser_t *parser, const char *bytes,
                 size_t count);

#endif
