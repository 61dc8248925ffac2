/* SPDX-License-Identifier: Apache-2.0 */
/* OpenTelemetry's JSON: one trace for each CPID, one resource for each service,
 * merges and causes as links. */
#include "base/json_out.h"
#include "tracing/import/export.h"
#include "tracing/import/plot.h"

#include <stdio.h>

enum { KIND_INTERNAL = 1, KIND_CLIENT = 3, STATUS_ERROR = 2 };

struct otlp {
    struct json_out json;
    const struct plot *plot;
    const struct export_options *options;
};

/* An attribute; the caller writes its value between the two. */
static void begin_attribute(struct json_out *json, const char *key)
{
    json_object_begin(json, NULL);
    json_string(json, "key", key);
    json_object_begin(json, "value");
}

static void end_attribute(struct json_out *json)
{
    json_object_end(json);
    json_object_end(json);
}

static void write_text(struct json_out *json, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    begin_attribute(json, key);
    json_string(json, "stringValue", value);
    end_attribute(json);
}

static void write_true(struct json_out *json, const char *key)
{
    begin_attribute(json, key);
    json_boolean(json, "boolValue", true);
    end_attribute(json);
}

/* 64-bit numbers are decimal strings in this format. */
static void write_integer(struct json_out *json, const char *key, int64_t value)
{
    char text[24];
    snprintf(text, sizeof(text), "%lld", (long long)value);
    begin_attribute(json, key);
    json_string(json, "intValue", text);
    end_attribute(json);
}

static void write_time(struct json_out *json, const char *key, int64_t time_ns)
{
    char text[24];
    snprintf(text, sizeof(text), "%lld", (long long)time_ns);
    json_string(json, key, text);
}

static void write_trace_id(struct otlp *otlp, const struct plot_span *span)
{
    char text[33];
    const struct fathom_trace_id *merged = &otlp->options->merged;
    plot_format_cpid(fathom_trace_id_is_none(merged) ? &span->cpid : merged, text);
    json_string(&otlp->json, "traceId", text);
}

static void write_link(struct otlp *otlp, uint32_t target, const char *relation, const char *label,
                       const char *rule)
{
    struct json_out *json = &otlp->json;
    const struct plot_span *span = &otlp->plot->spans.items[target];
    char text[17];
    char cpid[FATHOM_TRACE_ID_TEXT];
    json_object_begin(json, NULL);
    write_trace_id(otlp, span);
    plot_format_id(span->id, text);
    json_string(json, "spanId", text);
    json_array_begin(json, "attributes");
    fathom_trace_id_format(&span->cpid, cpid);
    write_text(json, "cpid.id", cpid);
    write_text(json, "cpid.link", relation);
    write_text(json, "cpid.cause.label", label);
    write_text(json, "cpid.cause.rule", rule);
    json_array_end(json);
    json_object_end(json);
}

static void write_attributes(struct otlp *otlp, const struct plot_span *drawn)
{
    struct json_out *json = &otlp->json;
    const struct change_span *span = drawn->span;
    char cpid[FATHOM_TRACE_ID_TEXT];
    json_array_begin(json, "attributes");
    fathom_trace_id_format(&drawn->cpid, cpid);
    write_text(json, "cpid.id", cpid);
    if (drawn->root)
        write_true(json, "cpid.root");
    if (span) {
        char id[FATHOM_TRACE_ID_TEXT];
        fathom_trace_id_format(&span->id, id);
        write_text(json, "cpid.span.id", id);
        write_text(json, "k8s.object.kind", span->object.kind);
        write_text(json, "k8s.namespace.name", span->object.namespace);
        write_text(json, "k8s.object.name", span->object.name);
        write_text(json, "k8s.object.uid", span->object.uid);
        write_text(json, "k8s.audit.id", span->origin);
        write_text(json, "k8s.resource_version", span->version_written);
        write_text(json, "k8s.resource_version.read", span->version_read);
        if (span->step >= 0)
            write_integer(json, "mc.step", span->step);
        if (span->choices)
            write_integer(json, "cpid.cause.candidates", (int64_t)span->choices + span->unlisted);
    }
    json_array_end(json);
}

static void write_span(struct otlp *otlp, const struct plot_span *drawn)
{
    struct json_out *json = &otlp->json;
    const struct change_span *span = drawn->span;
    char text[17];
    json_object_begin(json, NULL);
    write_trace_id(otlp, drawn);
    plot_format_id(drawn->id, text);
    json_string(json, "spanId", text);
    if (drawn->parent != PLOT_NOWHERE)
        plot_format_id(otlp->plot->spans.items[drawn->parent].id, text);
    json_string(json, "parentSpanId", drawn->parent != PLOT_NOWHERE ? text : "");
    json_string(json, "name", drawn->name);
    json_integer(json, "kind", span && span->call ? KIND_CLIENT : KIND_INTERNAL);
    write_time(json, "startTimeUnixNano", drawn->start_ns);
    write_time(json, "endTimeUnixNano", drawn->end_ns);
    write_attributes(otlp, drawn);
    json_array_begin(json, "links");
    for (uint32_t i = 0; i < drawn->link_count; i++)
        write_link(otlp, drawn->links[i], "merge", NULL, NULL);
    for (uint32_t i = 0; span && i < span->cause_count; i++)
        write_link(otlp, span->causes[i].span, "cause", change_label_names[span->causes[i].label],
                   span->causes[i].rule);
    json_array_end(json);
    json_array_begin(json, "events");
    if (span && span->failure) {
        json_object_begin(json, NULL);
        write_time(json, "timeUnixNano", drawn->end_ns);
        json_string(json, "name", "violation");
        json_array_begin(json, "attributes");
        write_text(json, "exception.message", span->failure);
        json_array_end(json);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_begin(json, "status");
    if (span && span->failure) {
        json_integer(json, "code", STATUS_ERROR);
        json_string(json, "message", span->failure);
    }
    json_object_end(json);
    json_object_end(json);
}

void change_export_otlp(const struct change_graph *graph, const struct export_options *options,
                        struct text *text)
{
    struct arena scratch;
    struct plot plot;
    struct otlp otlp = {.plot = &plot, .options = options};
    struct json_out *json = &otlp.json;
    arena_init(&scratch, text->memory);
    plot_make(&plot, &scratch, graph);
    json_out_init(json, text, 0);
    json_object_begin(json, NULL);
    json_array_begin(json, "resourceSpans");
    for (uint32_t service = 0; service < plot.services.count; service++) {
        json_object_begin(json, NULL);
        json_object_begin(json, "resource");
        json_array_begin(json, "attributes");
        write_text(json, "service.name", plot.services.items[service]);
        json_array_end(json);
        json_object_end(json);
        json_array_begin(json, "scopeSpans");
        json_object_begin(json, NULL);
        json_object_begin(json, "scope");
        json_string(json, "name", "fathom");
        json_object_end(json);
        json_array_begin(json, "spans");
        for (uint32_t i = 0; i < plot.spans.count; i++)
            if (plot.spans.items[i].service == service)
                write_span(&otlp, &plot.spans.items[i]);
        json_array_end(json);
        json_object_end(json);
        json_array_end(json);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
    text_append_char(text, '\n');
    arena_release(&scratch);
}
