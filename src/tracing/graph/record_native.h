/* SPDX-License-Identifier: Apache-2.0 */
/* Records from JSON in their own form. Each function returns NULL, or what is
 * wrong with the whole. */
#ifndef FATHOM_TRACING_GRAPH_RECORD_NATIVE_H
#define FATHOM_TRACING_GRAPH_RECORD_NATIVE_H

#include "tracing/graph/record_fields.h"

/* One record, a list, or a list by its name. */
const char *record_read_kind(struct record_reader *reader, const cJSON *root, bool spans);
/* {"mergelogs": [...], "spans": [...]} */
const char *record_read_both(struct record_reader *reader, const cJSON *root);

#endif
