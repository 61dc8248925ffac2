/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that are not about records: pages, health, metrics, live CPIDs, errors. */
#include "tracing/server/server_internal.h"

#include <cjson/cJSON.h>
#include <string.h>

void answer_error(struct request *request, unsigned status, const char *format, ...)
{
    va_list arguments;
    struct json_out json;
    va_start(arguments, format);
    const char *message = arena_vprintf(&request->arena, format, arguments);
    va_end(arguments);
    text_reset(&request->text);
    json_out_init(&json, &request->text, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "error", message);
    json_object_end(&json);
    request->type = "application/json";
    request->status = status;
    request->answered = true;
}

const char *request_parameter(const struct request *request, const char *name)
{
    return request->server->http.lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND,
                                                         name);
}

void answer_asset(struct trace_server *server, struct request *request)
{
    (void)server;
    request->type = request->asset->type;
    request->status = 200;
    request->answered = true;
}

void answer_health(struct trace_server *server, struct request *request)
{
    (void)server;
    text_append_string(&request->text, "{\"status\":\"ok\"}");
    request->status = 200;
    request->answered = true;
}

void answer_metrics(struct trace_server *server, struct request *request)
{
    pthread_mutex_lock(&server->store_lock);
    const struct store_statistics store = trace_store_statistics(server->store);
    pthread_mutex_unlock(&server->store_lock);
    metrics_write(&server->metrics, &store, &request->text);
    request->type = "text/plain; version=0.0.4; charset=utf-8";
    request->status = 200;
    request->answered = true;
}

/* All CPIDs of the list are marked, or none if one is wrong: {"cpids": [...]}
 * replaces all marks. */
static const char *mark_live(struct trace_server *server, const cJSON *cpids)
{
    struct merge_graph *graph = trace_store_graph(server->store);
    const cJSON *item = NULL;
    struct fathom_trace_id cpid;
    cJSON_ArrayForEach(
        item, cpids) if (!cJSON_IsString(item) ||
                         !fathom_trace_id_parse(item->valuestring, strlen(item->valuestring),
                                                &cpid)) return "cpids: expected UUIDs";
    for (uint32_t i = 0; i < merge_graph_end(graph); i++)
        merge_graph_set_live(graph, i, false);
    cJSON_ArrayForEach(item, cpids)
    {
        fathom_trace_id_parse(item->valuestring, strlen(item->valuestring), &cpid);
        const uint32_t node = merge_graph_find(graph, &cpid);
        if (node != MERGE_NOWHERE)
            merge_graph_set_live(graph, node, true);
    }
    return NULL;
}

void answer_live(struct trace_server *server, struct request *request)
{
    cJSON *root = cJSON_ParseWithLength(text_content(&request->body), request->body.length);
    const cJSON *cpids = cJSON_GetObjectItemCaseSensitive(root, "cpids");
    const char *error = "expected {\"cpids\": [...]}";
    if (cJSON_IsArray(cpids)) {
        pthread_mutex_lock(&server->store_lock);
        error = mark_live(server, cpids);
        pthread_mutex_unlock(&server->store_lock);
    }
    cJSON_Delete(root);
    if (error) {
        answer_error(request, 400, "%s", error);
        return;
    }
    text_append_string(&request->text, "{}");
    request->status = 200;
    request->answered = true;
}
