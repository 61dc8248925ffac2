/* SPDX-License-Identifier: Apache-2.0 */
/* Records from OTLP/HTTP in JSON. */
#ifndef FATHOM_TRACING_GRAPH_RECORD_OTLP_H
#define FATHOM_TRACING_GRAPH_RECORD_OTLP_H

#include "tracing/graph/record_fields.h"

/* Reads {"resourceSpans": [...]}. NULL, or what is wrong with the whole. */
const char *record_read_otlp(struct record_reader *reader, const cJSON *root);

#endif
