/* SPDX-License-Identifier: Apache-2.0 */
/* What Jaeger's UI loads from a file: one trace for each CPID, with a process for
 * each service; merges and causes are references to other traces. */
#include "base/json_out.h"
#include "tracing/import/export.h"
#include "tracing/import/plot.h"

#include <stdio.h>
#include <string.h>

struct jaeger {
    struct json_out json;
    const struct plot *plot;
    const struct export_options *options;
};

static const struct fathom_trace_id *trace_of(const struct jaeger *jaeger,
                                              const struct plot_span *span)
{
    const struct fathom_trace_id *merged = &jaeger->options->merged;
    return fathom_trace_id_is_none(merged) ? &span->cpid : merged;
}

static void write_tag(struct json_out *json, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    json_object_begin(json, NULL);
    json_string(json, "key", key);
    json_string(json, "type", "string");
    json_string(json, "value", value);
    json_object_end(json);
}

static void write_true(struct json_out *json, const char *key)
{
    json_object_begin(json, NULL);
    json_string(json, "key", key);
    json_string(json, "type", "bool");
    json_boolean(json, "value", true);
    json_object_end(json);
}

static void write_integer(struct json_out *json, const char *key, int64_t value)
{
    json_object_begin(json, NULL);
    json_string(json, "key", key);
    json_string(json, "type", "int64");
    json_integer(json, "value", value);
    json_object_end(json);
}

static void write_ids(struct jaeger *jaeger, const struct plot_span *span)
{
    char trace[33];
    char id[17];
    plot_format_cpid(trace_of(jaeger, span), trace);
    plot_format_id(span->id, id);
    json_string(&jaeger->json, "traceID", trace);
    json_string(&jaeger->json, "spanID", id);
}

static void write_reference(struct jaeger *jaeger, const char *type, uint32_t target)
{
    json_object_begin(&jaeger->json, NULL);
    json_string(&jaeger->json, "refType", type);
    write_ids(jaeger, &jaeger->plot->spans.items[target]);
    json_object_end(&jaeger->json);
}

static void write_tags(struct jaeger *jaeger, const struct plot_span *drawn)
{
    struct json_out *json = &jaeger->json;
    const struct change_span *span = drawn->span;
    char cpid[FATHOM_TRACE_ID_TEXT];
    fathom_trace_id_format(&drawn->cpid, cpid);
    json_array_begin(json, "tags");
    write_tag(json, "span.kind", span && span->call ? "client" : "internal");
    write_tag(json, "cpid.id", cpid);
    if (drawn->root)
        write_true(json, "cpid.root");
    if (span) {
        write_tag(json, "k8s.object.kind", span->object.kind);
        write_tag(json, "k8s.namespace.name", span->object.namespace);
        write_tag(json, "k8s.object.name", span->object.name);
        write_tag(json, "k8s.object.uid", span->object.uid);
        write_tag(json, "k8s.audit.id", span->origin);
        write_tag(json, "k8s.resource_version", span->version_written);
        write_tag(json, "k8s.resource_version.read", span->version_read);
        if (span->step >= 0)
            write_integer(json, "mc.step", span->step);
        if (span->failure)
            write_true(json, "error");
    }
    json_array_end(json);
}

static void write_span(struct jaeger *jaeger, const struct plot_span *drawn)
{
    struct json_out *json = &jaeger->json;
    const struct change_span *span = drawn->span;
    char process[16];
    json_object_begin(json, NULL);
    write_ids(jaeger, drawn);
    json_string(json, "operationName", drawn->name);
    json_array_begin(json, "references");
    if (drawn->parent != PLOT_NOWHERE)
        write_reference(jaeger, "CHILD_OF", drawn->parent);
    for (uint32_t i = 0; i < drawn->link_count; i++)
        write_reference(jaeger, "FOLLOWS_FROM", drawn->links[i]);
    for (uint32_t i = 0; span && i < span->cause_count; i++)
        write_reference(jaeger, "FOLLOWS_FROM", span->causes[i].span);
    json_array_end(json);
    json_integer(json, "startTime", drawn->start_ns / 1000);
    json_integer(json, "duration", (drawn->end_ns - drawn->start_ns) / 1000);
    write_tags(jaeger, drawn);
    json_array_begin(json, "logs");
    if (span && span->failure) {
        json_object_begin(json, NULL);
        json_integer(json, "timestamp", drawn->end_ns / 1000);
        json_array_begin(json, "fields");
        write_tag(json, "event", "violation");
        write_tag(json, "message", span->failure);
        json_array_end(json);
        json_object_end(json);
    }
    json_array_end(json);
    snprintf(process, sizeof(process), "p%u", drawn->service + 1);
    json_string(json, "processID", process);
    json_null(json, "warnings");
    json_object_end(json);
}

/* Spans of one trace hang together: the next of the same trace, by index. */
struct chain {
    uint32_t first;
    uint32_t last;
};

static void write_trace(struct jaeger *jaeger, const struct chain *chain, const uint32_t *next,
                        bool *used)
{
    struct json_out *json = &jaeger->json;
    const struct plot *plot = jaeger->plot;
    char trace[33];
    json_object_begin(json, NULL);
    plot_format_cpid(trace_of(jaeger, &plot->spans.items[chain->first]), trace);
    json_string(json, "traceID", trace);
    json_array_begin(json, "spans");
    memset(used, 0, plot->services.count * sizeof(*used));
    for (uint32_t i = chain->first; i != PLOT_NOWHERE; i = next[i]) {
        write_span(jaeger, &plot->spans.items[i]);
        used[plot->spans.items[i].service] = true;
    }
    json_array_end(json);
    json_object_begin(json, "processes");
    for (uint32_t i = 0; i < plot->services.count; i++) {
        char process[16];
        if (!used[i])
            continue;
        snprintf(process, sizeof(process), "p%u", i + 1);
        json_object_begin(json, process);
        json_string(json, "serviceName", plot->services.items[i]);
        json_array_begin(json, "tags");
        json_array_end(json);
        json_object_end(json);
    }
    json_object_end(json);
    json_null(json, "warnings");
    json_object_end(json);
}

void change_export_jaeger(const struct change_graph *graph, const struct export_options *options,
                          struct text *text)
{
    struct arena scratch;
    struct plot plot;
    struct jaeger jaeger = {.plot = &plot, .options = options};
    struct map traces;
    arena_init(&scratch, text->memory);
    plot_make(&plot, &scratch, graph);
    map_init(&traces, &scratch);
    uint32_t *next = ARENA_ARRAY(&scratch, uint32_t, plot.spans.count + 1);
    for (uint32_t i = 0; i < plot.spans.count; i++) {
        char trace[33];
        plot_format_cpid(trace_of(&jaeger, &plot.spans.items[i]), trace);
        struct chain *chain = map_get(&traces, trace);
        next[i] = PLOT_NOWHERE;
        if (chain) {
            next[chain->last] = i;
        } else {
            chain = ARENA_NEW(&scratch, struct chain);
            chain->first = i;
            map_put(&traces, arena_strdup(&scratch, trace))->value = chain;
        }
        chain->last = i;
    }
    bool *used = ARENA_ARRAY(&scratch, bool, plot.services.count + 1);
    json_out_init(&jaeger.json, text, 0);
    json_object_begin(&jaeger.json, NULL);
    json_array_begin(&jaeger.json, "data");
    MAP_EACH (&traces, entry)
        write_trace(&jaeger, entry->value, next, used);
    json_array_end(&jaeger.json);
    json_integer(&jaeger.json, "total", traces.count);
    json_integer(&jaeger.json, "limit", 0);
    json_integer(&jaeger.json, "offset", 0);
    json_null(&jaeger.json, "errors");
    json_object_end(&jaeger.json);
    text_append_char(text, '\n');
    arena_release(&scratch);
}
