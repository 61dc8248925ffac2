/* SPDX-License-Identifier: Apache-2.0 */
/* Tables: the columns that `kubectl get` prints. */
#include "apiserver/render.h"
#include "base/json_out.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* --- Cells --- */

struct cell_context {
    const struct rendering *rendering;
    struct json_out *json;
    const struct datum *object;
};

typedef void cell(const struct cell_context *context);

static struct arena *scratch(const struct cell_context *context)
{
    return context->rendering->arena;
}

static void cell_text(const struct cell_context *context, const char *path, const char *otherwise)
{
    const char *text = datum_text(datum_at(context->object, path), "");
    json_string(context->json, NULL, *text ? text : otherwise);
}

static void cell_number(const struct cell_context *context, const char *path)
{
    json_integer(context->json, NULL, datum_number(datum_at(context->object, path), 0));
}

static void cell_count(const struct cell_context *context, const char *path)
{
    const struct datum *value = datum_at(context->object, path);
    const bool counts = value && (value->kind == DATUM_LIST || value->kind == DATUM_OBJECT);
    json_unsigned(context->json, NULL, counts ? value->count : 0);
}

static void cell_name(const struct cell_context *context)
{
    cell_text(context, "metadata.name", "");
}

/* As kubectl says durations: the two largest units, the second only while it matters. */
static const char *human_age(struct arena *arena, int64_t seconds)
{
    const int64_t minutes = seconds / 60;
    const int64_t hours = seconds / 3600;
    if (seconds < 120)
        return arena_printf(arena, "%" PRId64 "s", seconds > 0 ? seconds : 0);
    if (minutes < 10 && seconds % 60)
        return arena_printf(arena, "%" PRId64 "m%" PRId64 "s", minutes, seconds % 60);
    if (minutes < 180)
        return arena_printf(arena, "%" PRId64 "m", minutes);
    if (hours < 8 && minutes % 60)
        return arena_printf(arena, "%" PRId64 "h%" PRId64 "m", hours, minutes % 60);
    if (hours < 48)
        return arena_printf(arena, "%" PRId64 "h", hours);
    if (hours < INT64_C(24) * 8 && hours % 24)
        return arena_printf(arena, "%" PRId64 "d%" PRId64 "h", hours / 24, hours % 24);
    return arena_printf(arena, "%" PRId64 "d", hours / 24);
}

static const char *age_since(const struct cell_context *context, const char *date)
{
    struct tm parts = {0};
    const char *end = strptime(date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    if (!end || *end)
        return "<unknown>";
    return human_age(scratch(context), context->rendering->now - (int64_t)timegm(&parts));
}

static void cell_age(const struct cell_context *context)
{
    const char *date = datum_text(datum_at(context->object, "metadata.creationTimestamp"), "");
    json_string(context->json, NULL, age_since(context, date));
}

static void cell_created_at(const struct cell_context *context)
{
    cell_text(context, "metadata.creationTimestamp", "<unknown>");
}

static void cell_data(const struct cell_context *context)
{
    const struct datum *data = datum_member(context->object, "data");
    const struct datum *binary = datum_member(context->object, "binaryData");
    json_unsigned(context->json, NULL, (data ? data->count : 0) + (binary ? binary->count : 0));
}

static void cell_type(const struct cell_context *context)
{
    cell_text(context, "type", "");
}
static void cell_phase(const struct cell_context *context)
{
    const bool ends = datum_at(context->object, "metadata.deletionTimestamp") != NULL;
    if (ends)
        json_string(context->json, NULL, "Terminating");
    else
        cell_text(context, "status.phase", "Pending");
}
static void cell_secrets(const struct cell_context *context)
{
    cell_count(context, "secrets");
}

static void cell_replicas_ready(const struct cell_context *context)
{
    const struct datum *object = context->object;
    json_string(context->json, NULL,
                arena_printf(scratch(context), "%" PRId64 "/%" PRId64,
                             datum_number(datum_at(object, "status.readyReplicas"), 0),
                             datum_number(datum_at(object, "spec.replicas"), 1)));
}

static void cell_containers_ready(const struct cell_context *context)
{
    const struct datum *all = datum_at(context->object, "spec.containers");
    const struct datum *states = datum_at(context->object, "status.containerStatuses");
    uint32_t ready = 0;
    for (uint32_t i = 0; states && states->kind == DATUM_LIST && i < states->count; i++) {
        const struct datum *flag = datum_member(states->items[i], "ready");
        ready += flag && flag->kind == DATUM_TRUE;
    }
    const uint32_t count = all && all->kind == DATUM_LIST ? all->count : 0;
    json_string(context->json, NULL,
                arena_printf(scratch(context), "%" PRIu32 "/%" PRIu32, ready, count));
}

static void cell_restarts(const struct cell_context *context)
{
    const struct datum *states = datum_at(context->object, "status.containerStatuses");
    int64_t restarts = 0;
    for (uint32_t i = 0; states && states->kind == DATUM_LIST && i < states->count; i++)
        restarts += datum_number(datum_member(states->items[i], "restartCount"), 0);
    json_string(context->json, NULL, arena_printf(scratch(context), "%" PRId64, restarts));
}

static void cell_service_type(const struct cell_context *context)
{
    cell_text(context, "spec.type", "ClusterIP");
}
static void cell_cluster_ip(const struct cell_context *context)
{
    cell_text(context, "spec.clusterIP", "<none>");
}
static void cell_external_ip(const struct cell_context *context)
{
    cell_text(context, "spec.externalIPs[0]", "<none>");
}

static void cell_ports(const struct cell_context *context)
{
    const struct datum *ports = datum_at(context->object, "spec.ports");
    const char *joined = "";
    for (uint32_t i = 0; ports && ports->kind == DATUM_LIST && i < ports->count; i++)
        joined = arena_printf(scratch(context), "%s%s%" PRId64 "/%s", joined, *joined ? "," : "",
                              datum_number(datum_member(ports->items[i], "port"), 0),
                              datum_text(datum_member(ports->items[i], "protocol"), "TCP"));
    json_string(context->json, NULL, *joined ? joined : "<none>");
}

static void cell_desired(const struct cell_context *context)
{
    cell_number(context, "status.desiredNumberScheduled");
}
static void cell_current(const struct cell_context *context)
{
    cell_number(context, "status.currentNumberScheduled");
}
static void cell_number_ready(const struct cell_context *context)
{
    cell_number(context, "status.numberReady");
}
static void cell_updated(const struct cell_context *context)
{
    cell_number(context, "status.updatedNumberScheduled");
}
static void cell_available(const struct cell_context *context)
{
    cell_number(context, "status.numberAvailable");
}

static void cell_volume(const struct cell_context *context)
{
    cell_text(context, "spec.volumeName", "");
}
static void cell_capacity(const struct cell_context *context)
{
    cell_text(context, "status.capacity.storage", "");
}
static void cell_access(const struct cell_context *context)
{
    cell_text(context, "status.accessModes[0]", "");
}
static void cell_class(const struct cell_context *context)
{
    cell_text(context, "spec.storageClassName", "");
}

static void cell_role(const struct cell_context *context)
{
    const struct datum *object = context->object;
    json_string(context->json, NULL,
                arena_printf(scratch(context), "%s/%s",
                             datum_text(datum_at(object, "roleRef.kind"), ""),
                             datum_text(datum_at(object, "roleRef.name"), "")));
}

static void cell_holder(const struct cell_context *context)
{
    cell_text(context, "spec.holderIdentity", "");
}

static void cell_last_seen(const struct cell_context *context)
{
    const char *date = datum_text(datum_at(context->object, "lastTimestamp"), "");
    json_string(context->json, NULL, age_since(context, date));
}
static void cell_reason(const struct cell_context *context)
{
    cell_text(context, "reason", "");
}
static void cell_message(const struct cell_context *context)
{
    cell_text(context, "message", "");
}
static void cell_involved(const struct cell_context *context)
{
    const struct datum *object = context->object;
    json_string(context->json, NULL,
                arena_printf(scratch(context), "%s/%s",
                             datum_text(datum_at(object, "involvedObject.kind"), ""),
                             datum_text(datum_at(object, "involvedObject.name"), "")));
}

/* --- Columns --- */

static const struct column {
    const char *kind;
    const char *name;
    const char *type;
    cell *write;
} columns[] = {
    {"ConfigMap", "Data", "string", cell_data},
    {"ConfigMap", "Age", "string", cell_age},
    {"CustomResourceDefinition", "Created At", "date", cell_created_at},
    {"DaemonSet", "Desired", "integer", cell_desired},
    {"DaemonSet", "Current", "integer", cell_current},
    {"DaemonSet", "Ready", "integer", cell_number_ready},
    {"DaemonSet", "Up-to-date", "integer", cell_updated},
    {"DaemonSet", "Available", "integer", cell_available},
    {"DaemonSet", "Age", "string", cell_age},
    {"Event", "Last Seen", "string", cell_last_seen},
    {"Event", "Type", "string", cell_type},
    {"Event", "Reason", "string", cell_reason},
    {"Event", "Object", "string", cell_involved},
    {"Event", "Message", "string", cell_message},
    {"Lease", "Holder", "string", cell_holder},
    {"Lease", "Age", "string", cell_age},
    {"Namespace", "Status", "string", cell_phase},
    {"Namespace", "Age", "string", cell_age},
    {"PersistentVolumeClaim", "Status", "string", cell_phase},
    {"PersistentVolumeClaim", "Volume", "string", cell_volume},
    {"PersistentVolumeClaim", "Capacity", "string", cell_capacity},
    {"PersistentVolumeClaim", "Access Modes", "string", cell_access},
    {"PersistentVolumeClaim", "StorageClass", "string", cell_class},
    {"PersistentVolumeClaim", "Age", "string", cell_age},
    {"Pod", "Ready", "string", cell_containers_ready},
    {"Pod", "Status", "string", cell_phase},
    {"Pod", "Restarts", "string", cell_restarts},
    {"Pod", "Age", "string", cell_age},
    {"Role", "Created At", "date", cell_created_at},
    {"RoleBinding", "Role", "string", cell_role},
    {"RoleBinding", "Age", "string", cell_age},
    {"Secret", "Type", "string", cell_type},
    {"Secret", "Data", "string", cell_data},
    {"Secret", "Age", "string", cell_age},
    {"Service", "Type", "string", cell_service_type},
    {"Service", "Cluster-IP", "string", cell_cluster_ip},
    {"Service", "External-IP", "string", cell_external_ip},
    {"Service", "Port(s)", "string", cell_ports},
    {"Service", "Age", "string", cell_age},
    {"ServiceAccount", "Secrets", "string", cell_secrets},
    {"ServiceAccount", "Age", "string", cell_age},
    {"StatefulSet", "Ready", "string", cell_replicas_ready},
    {"StatefulSet", "Age", "string", cell_age},
};

static void write_column(struct json_out *json, const char *name, const char *type,
                         const char *format, int64_t priority)
{
    json_object_begin(json, NULL);
    json_string(json, "name", name);
    json_string(json, "type", type);
    json_string(json, "format", format);
    json_string(json, "description", "");
    json_integer(json, "priority", priority);
    json_object_end(json);
}

#define COLUMN_EACH(type_, column)                                         \
    for (const struct column *column = columns;                            \
         column != columns + sizeof(columns) / sizeof(*columns); column++) \
        if (!(type_)->rules->custom && strcmp(column->kind, (type_)->kind) == 0)

/* Columns that a CustomResourceDefinition gives: names, types and simple paths. */
static uint32_t custom_count(const struct rendering *rendering)
{
    const struct datum *list = rendering->version->columns;
    return list && list->kind == DATUM_LIST ? list->count : 0;
}

static void write_columns(struct json_out *json, const struct rendering *rendering)
{
    json_array_begin(json, "columnDefinitions");
    write_column(json, "Name", "string", "name", 0);
    COLUMN_EACH(rendering->type, column)
    write_column(json, column->name, column->type, "", 0);
    for (uint32_t i = 0; i < custom_count(rendering); i++) {
        const struct datum *column = rendering->version->columns->items[i];
        write_column(json, datum_text(datum_member(column, "name"), ""),
                     datum_text(datum_member(column, "type"), "string"), "",
                     datum_number(datum_member(column, "priority"), 0));
    }
    if (rendering->type->rules->custom && !custom_count(rendering))
        write_column(json, "Age", "date", "", 0);
    json_array_end(json);
}

static void custom_cell(const struct cell_context *context, const struct datum *column)
{
    const char *path = datum_text(datum_member(column, "jsonPath"), "");
    const char *type = datum_text(datum_member(column, "type"), "");
    path += *path == '.';
    const struct datum *value =
        datum_path_is_well_formed(path) ? datum_at(context->object, path) : NULL;
    if (!value || value->kind == DATUM_OBJECT || value->kind == DATUM_LIST)
        json_null(context->json, NULL);
    else if (strcmp(type, "date") == 0)
        json_string(context->json, NULL, age_since(context, datum_text(value, "")));
    else {
        struct text text;
        text_init(&text, scratch(context)->memory);
        datum_write(&text, DATUM_REAL, value);
        json_raw(context->json, NULL, text_content(&text));
        text_release(&text);
    }
}

static void write_cells(struct json_out *json, const struct rendering *rendering,
                        const struct datum *object)
{
    const struct cell_context context = {rendering, json, object};
    json_array_begin(json, "cells");
    cell_name(&context);
    COLUMN_EACH(rendering->type, column)
    column->write(&context);
    for (uint32_t i = 0; i < custom_count(rendering); i++)
        custom_cell(&context, rendering->version->columns->items[i]);
    if (rendering->type->rules->custom && !custom_count(rendering))
        cell_age(&context);
    json_array_end(json);
}

static void write_row_object(struct json_out *json, const struct rendering *rendering,
                             const struct datum *object)
{
    struct text text;
    text_init(&text, rendering->arena->memory);
    if (strcmp(rendering->include, "Object") == 0) {
        datum_write(&text, DATUM_REAL, object);
    } else {
        text_append_string(&text, "{\"kind\":\"PartialObjectMetadata\","
                                  "\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":");
        datum_write(&text, DATUM_REAL, datum_member(object, "metadata"));
        text_append_char(&text, '}');
    }
    json_raw(json, "object", text_content(&text));
    text_release(&text);
}

void render_table_head(struct text *text, const struct rendering *rendering, const char *version)
{
    struct json_out json;
    json_out_init(&json, text, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "kind", "Table");
    json_string(&json, "apiVersion", "meta.k8s.io/v1");
    json_object_begin(&json, "metadata");
    json_string(&json, "resourceVersion", version);
    json_object_end(&json);
    write_columns(&json, rendering);
    json_array_begin(&json, "rows");
}

void render_table_row(struct text *text, const struct rendering *rendering,
                      const struct datum *object)
{
    struct json_out json;
    json_out_init(&json, text, 0);
    json_object_begin(&json, NULL);
    write_cells(&json, rendering, object);
    if (strcmp(rendering->include, "None") != 0)
        write_row_object(&json, rendering, object);
    json_object_end(&json);
}
