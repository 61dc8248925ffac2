/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about one CPID and about all. Each answer is made under the lock of
 * the store, and is bounded. */
#include "tracing/server/server_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_USUAL = 10000, LIMIT_MOST = 100000, RECORD_BYTES_ABOUT = 400 };

struct answering {
    struct trace_server *server;
    struct merge_graph *graph;
    struct request *request;
    struct json_out json;
    uint32_t left;  /* of what may be told */
    bool truncated; /* there is more */
};

static bool read_limit(struct request *request, uint32_t *limit)
{
    const char *text = request_parameter(request, "limit");
    *limit = LIMIT_USUAL;
    if (!text)
        return true;
    const bool digits = *text && strlen(text) <= 6 && strspn(text, "0123456789") == strlen(text);
    *limit = digits ? (uint32_t)strtoul(text, NULL, 10) : 0;
    if (*limit >= 1 && *limit <= LIMIT_MOST)
        return true;
    answer_error(request, 400, "limit: expected a number from 1 to %d, found \"%s\"", LIMIT_MOST,
                 text);
    return false;
}

/* Locks the store; false, and an answer, if the request is wrong. */
static bool begin(struct answering *answering, struct trace_server *server, struct request *request)
{
    *answering = (struct answering){.server = server, .request = request};
    if (!read_limit(request, &answering->left) ||
        !request_expect(request, (size_t)answering->left * RECORD_BYTES_ABOUT))
        return false;
    json_out_init(&answering->json, &request->text, 0);
    pthread_mutex_lock(&server->store_lock);
    answering->graph = trace_store_graph(server->store);
    json_object_begin(&answering->json, NULL);
    return true;
}

static void end(struct answering *answering)
{
    json_object_end(&answering->json);
    pthread_mutex_unlock(&answering->server->store_lock);
    answering->request->status = 200;
    answering->request->answered = true;
}

/* The CPID of the path; not there: 404. */
static bool begin_of(struct answering *answering, struct trace_server *server,
                     struct request *request, uint32_t *node)
{
    if (!begin(answering, server, request))
        return false;
    *node = merge_graph_find(answering->graph, &request->cpid);
    if (*node != MERGE_NOWHERE)
        return true;
    pthread_mutex_unlock(&server->store_lock);
    char text[FATHOM_TRACE_ID_TEXT];
    fathom_trace_id_format(&request->cpid, text);
    answer_error(request, 404, "nothing is known of %s", text);
    return false;
}

static void write_cpid(struct json_out *json, const char *key, const struct fathom_trace_id *cpid)
{
    char text[FATHOM_TRACE_ID_TEXT];
    fathom_trace_id_format(cpid, text);
    json_string(json, key, text);
}

static void write_cpids(struct answering *answering, const char *key, struct merge_nodes nodes)
{
    json_array_begin(&answering->json, key);
    for (uint32_t i = 0; i < nodes.count; i++) {
        const struct merge_node node = merge_graph_node(answering->graph, nodes.items[i]);
        write_cpid(&answering->json, NULL, &node.cpid);
    }
    json_array_end(&answering->json);
}

static void write_node(struct answering *answering, uint32_t index)
{
    const struct merge_node node = merge_graph_node(answering->graph, index);
    char time[32];
    snprintf(time, sizeof(time), "%" PRId64, node.time_ns);
    json_object_begin(&answering->json, NULL);
    write_cpid(&answering->json, "cpid", &node.cpid);
    json_boolean(&answering->json, "known", node.known);
    json_string(&answering->json, "timeUnixNano", time);
    json_object_end(&answering->json);
}

static void write_mergelog(struct answering *answering, uint32_t index)
{
    const struct merge_node node = merge_graph_node(answering->graph, index);
    const struct merge_nodes sources = merge_graph_sources(answering->graph, index);
    struct arena *arena = &answering->request->arena;
    const struct arena_mark mark = arena_mark(arena);
    struct fathom_trace_id *cpids =
        ARENA_ARRAY(arena, struct fathom_trace_id, (size_t)sources.count + 1);
    for (uint32_t i = 0; i < sources.count; i++)
        cpids[i] = merge_graph_node(answering->graph, sources.items[i]).cpid;
    const struct fathom_trace_mergelog mergelog = {node.cpid, cpids, sources.count, node.time_ns};
    record_write_mergelog(&answering->json, NULL, &mergelog);
    arena_rewind(arena, mark);
}

/* ---- one CPID ---- */

void answer_cpid(struct trace_server *server, struct request *request)
{
    struct answering answering;
    uint32_t index = 0;
    if (!begin_of(&answering, server, request, &index))
        return;
    const struct merge_node node = merge_graph_node(answering.graph, index);
    write_cpid(&answering.json, "cpid", &node.cpid);
    json_boolean(&answering.json, "known", node.known);
    json_boolean(&answering.json, "live", node.live);
    json_string(&answering.json, "timeUnixNano",
                arena_printf(&request->arena, "%" PRId64, node.time_ns));
    write_cpids(&answering, "sources", merge_graph_sources(answering.graph, index));
    write_cpids(&answering, "targets", merge_graph_targets(answering.graph, index));
    end(&answering);
}

void answer_roots_of(struct trace_server *server, struct request *request)
{
    struct answering answering;
    uint32_t index = 0;
    if (!begin_of(&answering, server, request, &index))
        return;
    const struct merge_nodes roots = merge_graph_roots(answering.graph, index);
    json_array_begin(&answering.json, "roots");
    for (uint32_t i = 0; i < roots.count; i++)
        write_node(&answering, roots.items[i]);
    json_array_end(&answering.json);
    end(&answering);
}

/* Copies, since the graph gives one list at a time; both directions share the node. */
struct nodes {
    uint32_t *items;
    uint32_t count;
};

static void add_nodes(struct answering *answering, struct nodes *nodes, struct merge_nodes more,
                      uint32_t without)
{
    uint32_t *items =
        ARENA_ARRAY(&answering->request->arena, uint32_t, (size_t)nodes->count + more.count + 1);
    if (nodes->count)
        memcpy(items, nodes->items, nodes->count * sizeof(*items));
    nodes->items = items;
    for (uint32_t i = 0; i < more.count; i++) {
        if (more.items[i] == without)
            continue;
        if (nodes->count == answering->left) {
            answering->truncated = true;
            return;
        }
        nodes->items[nodes->count++] = more.items[i];
    }
}

/* By ?direction: forward (what came of it), backward (what it came of), both. */
static bool begin_related(struct answering *answering, struct trace_server *server,
                          struct request *request, struct nodes *nodes)
{
    const char *direction = request_parameter(request, "direction");
    if (!direction)
        direction = "forward";
    const bool both = strcmp(direction, "both") == 0;
    const bool forward = both || strcmp(direction, "forward") == 0;
    const bool backward = both || strcmp(direction, "backward") == 0;
    uint32_t node = 0;
    *nodes = (struct nodes){0};
    if (!forward && !backward) {
        answer_error(request, 400, "direction: expected forward, backward or both, found \"%s\"",
                     direction);
        return false;
    }
    if (!begin_of(answering, server, request, &node))
        return false;
    const uint32_t most = answering->left + 1;
    if (forward)
        add_nodes(answering, nodes, merge_graph_related(answering->graph, node, most),
                  MERGE_NOWHERE);
    if (backward)
        add_nodes(answering, nodes, merge_graph_ancestors(answering->graph, node, most),
                  forward ? node : MERGE_NOWHERE);
    return true;
}

void answer_related(struct trace_server *server, struct request *request)
{
    struct answering answering;
    struct nodes nodes;
    if (!begin_related(&answering, server, request, &nodes))
        return;
    write_cpids(&answering, "cpids", (struct merge_nodes){nodes.items, nodes.count});
    json_boolean(&answering.json, "truncated", answering.truncated);
    end(&answering);
}

void answer_related_mergelogs(struct trace_server *server, struct request *request)
{
    struct answering answering;
    struct nodes nodes;
    if (!begin_related(&answering, server, request, &nodes))
        return;
    json_array_begin(&answering.json, "mergelogs");
    for (uint32_t i = 0; i < nodes.count; i++)
        if (merge_graph_node(answering.graph, nodes.items[i]).known)
            write_mergelog(&answering, nodes.items[i]);
    json_array_end(&answering.json);
    json_boolean(&answering.json, "truncated", answering.truncated);
    end(&answering);
}

static bool write_span(void *context, const struct span_record *span)
{
    struct answering *answering = context;
    if (!answering->left) {
        answering->truncated = true;
        return false;
    }
    answering->left--;
    record_write_span(&answering->json, NULL, span);
    return true;
}

void answer_related_spans(struct trace_server *server, struct request *request)
{
    struct answering answering;
    struct nodes nodes;
    if (!begin_related(&answering, server, request, &nodes))
        return;
    bool good = true;
    json_array_begin(&answering.json, "spans");
    for (uint32_t i = 0; i < nodes.count && good && !(answering.truncated && !answering.left); i++)
        good = trace_store_spans_of(server->store, nodes.items[i], write_span, &answering);
    json_array_end(&answering.json);
    json_boolean(&answering.json, "truncated", answering.truncated);
    end(&answering);
    if (!good)
        answer_error(request, 500, "the store failed");
}

/* ---- all ---- */

static bool visit_mergelog(void *context, uint32_t node)
{
    struct answering *answering = context;
    if (merge_graph_node(answering->graph, node).known)
        write_mergelog(answering, node);
    answering->left--;
    return true;
}

/* `next` is what ?after is to be for the next page; null at the end. */
void answer_mergelogs(struct trace_server *server, struct request *request)
{
    struct answering answering;
    const char *text = request_parameter(request, "after");
    if (text && (!*text || strspn(text, "0123456789") != strlen(text))) {
        answer_error(request, 400, "after: expected what `next` said, found \"%s\"", text);
        return;
    }
    if (!begin(&answering, server, request))
        return;
    uint64_t after = text ? strtoull(text, NULL, 10) & INT64_MAX : 0;
    json_array_begin(&answering.json, "mergelogs");
    const bool good =
        trace_store_nodes_after(server->store, &after, answering.left, visit_mergelog, &answering);
    json_array_end(&answering.json);
    json_string(&answering.json, "next",
                answering.left ? NULL : arena_printf(&request->arena, "%" PRIu64, after));
    end(&answering);
    if (!good)
        answer_error(request, 500, "the store failed");
}

static bool read_cursor(const char *text, struct trace_cursor *cursor)
{
    *cursor = (struct trace_cursor){0};
    if (!text)
        return true;
    const size_t digits = strspn(text, "0123456789");
    if (!digits || digits > 19 || text[digits] != '.')
        return false;
    cursor->number = strtoull(text, NULL, 10) & INT64_MAX;
    return fathom_trace_id_parse(text + digits + 1, strlen(text + digits + 1), &cursor->span_id);
}

void answer_spans(struct trace_server *server, struct request *request)
{
    struct answering answering;
    struct trace_cursor cursor;
    const char *after = request_parameter(request, "after");
    if (!read_cursor(after, &cursor)) {
        answer_error(request, 400, "after: expected what `next` said, found \"%s\"", after);
        return;
    }
    if (!begin(&answering, server, request))
        return;
    json_array_begin(&answering.json, "spans");
    const bool good =
        trace_store_spans_after(server->store, &cursor, answering.left, write_span, &answering);
    json_array_end(&answering.json);
    char last[FATHOM_TRACE_ID_TEXT];
    fathom_trace_id_format(&cursor.span_id, last);
    json_string(&answering.json, "next",
                answering.left
                    ? NULL
                    : arena_printf(&request->arena, "%" PRIu64 ".%s", cursor.number, last));
    end(&answering);
    if (!good)
        answer_error(request, 500, "the store failed");
}

struct root {
    int64_t time_ns;
    uint32_t node;
};

static int newest_first(const void *one, const void *other)
{
    const struct root *a = one;
    const struct root *b = other;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? 1 : -1;
    return (a->node > b->node) - (a->node < b->node);
}

struct newest {
    struct root *items; /* room for twice as many as are wanted */
    uint32_t count;
    uint32_t wanted;
    uint32_t seen;
};

/* A graph may have a million roots: sorted are only twice as many as are wanted,
 * again and again; those that cannot be among them do not come so far. */
static void consider(struct newest *newest, struct root root)
{
    newest->seen++;
    if (newest->count == 2 * newest->wanted) {
        qsort(newest->items, newest->count, sizeof(root), newest_first);
        newest->count = newest->wanted;
    }
    if (newest->seen <= 2 * newest->wanted ||
        newest_first(&root, &newest->items[newest->wanted - 1]) < 0)
        newest->items[newest->count++] = root;
}

/* The newest changes. */
void answer_roots(struct trace_server *server, struct request *request)
{
    struct answering answering;
    if (!begin(&answering, server, request))
        return;
    struct newest newest = {.wanted = answering.left};
    newest.items = ARENA_ARRAY(&request->arena, struct root, 2 * (size_t)newest.wanted);
    for (uint32_t i = 0; i < merge_graph_end(answering.graph); i++) {
        const struct merge_node node = merge_graph_node(answering.graph, i);
        if (node.number && !node.source_count)
            consider(&newest, (struct root){node.time_ns, i});
    }
    qsort(newest.items, newest.count, sizeof(newest.items[0]), newest_first);
    json_array_begin(&answering.json, "roots");
    for (uint32_t i = 0; i < newest.count && i < newest.wanted; i++)
        write_node(&answering, newest.items[i].node);
    json_array_end(&answering.json);
    json_boolean(&answering.json, "truncated", newest.seen > newest.wanted);
    end(&answering);
}
