/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change graph written down for other programs, and for people (docs/trace.md
 * has the mapping of every field).
 *
 * What tools need and a graph may lack is made up: a merge is a span of no length
 * in the trace of its new CPID, which links to the last span of each source; a
 * CPID that has no span of its own gets one of no length, so that every link has
 * its target in the file.
 */
#ifndef FATHOM_TRACING_IMPORT_EXPORT_H
#define FATHOM_TRACING_IMPORT_EXPORT_H

#include "base/text.h"
#include "tracing/import/change_graph.h"

struct export_options {
    /* --merge-traces: all spans in the trace of this CPID; none: each in its own. */
    struct fathom_trace_id merged;
    const char *title; /* of a page; NULL: none */
};

typedef void change_export(const struct change_graph *graph, const struct export_options *options,
                           struct text *text);

change_export change_export_json;   /* mergelogs and spans, as the trace server has them */
change_export change_export_text;   /* for people */
change_export change_export_otlp;   /* OpenTelemetry protocol, JSON */
change_export change_export_jaeger; /* what Jaeger's UI loads */
change_export change_export_chrome; /* trace events, for Perfetto and chrome://tracing */
change_export change_export_folded; /* folded stacks, for flame graphs */
change_export change_export_dot;    /* Graphviz */
change_export change_export_html;   /* the dashboard, in one file */

/* A graph and how it is to be written. */
struct change_picture {
    struct change_graph graph;
    struct export_options options;
};

#endif
