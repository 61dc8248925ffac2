/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change graph as the records of a trace server, and back. What a span of a
 * graph has beyond one of the server is among its attributes:
 *
 *     {"cpid.root": true, "cpid.call": true, "cpid.failure": "409: ...",
 *      "k8s.audit.id": "...", "k8s.object.uid": "...", "mc.step": 3, "cpid.unlisted": 2,
 *      "cpid.causes": [{"cpid": "...", "span": "...", "label": "owner", "rule": "owner"}]}
 */
#ifndef FATHOM_TRACING_IMPORT_RECORDS_H
#define FATHOM_TRACING_IMPORT_RECORDS_H

#include "tracing/graph/record.h"
#include "tracing/import/change_graph.h"

/* Texts live in the arena, or as long as the graph. */
void change_to_record(struct arena *arena, const struct change_graph *graph, uint32_t span,
                      struct span_record *record);

/* {"mergelogs": [...], "spans": [...]} */
void change_write_records(struct json_out *json, const char *key, const struct change_graph *graph);

/* "Kind/namespace/name" or "Kind/name"; what is neither is a name without a kind. */
struct change_object change_object_read(struct arena *arena, const char *text);

/* Spans are sorted by time. Everything that the graph needs is copied. */
void change_from_records(struct arena *arena, const struct record_batch *batch,
                         struct change_graph *graph);

#endif
