/* SPDX-License-Identifier: Apache-2.0 */
/* Records from and to a trace server that is running. */
#include "base/json_out.h"
#include "tracing/import/http_get.h"
#include "tracing/import/kept_records.h"
#include "tracing/import/records.h"
#include "tracing/library/http_post.h"

#include <cjson/cJSON.h>
#include <string.h>

enum { PAGE = 50000, PART_BYTES = 1 << 20, TIMEOUT_MS = 30000 };

struct client {
    struct arena *arena;
    const struct records_server *server;
    struct problems *problems;
    struct text body;
};

static bool complain(struct client *client, int status, const char *why)
{
    cJSON *answer = status ? cJSON_Parse(text_content(&client->body)) : NULL;
    const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
    const struct place nowhere = {0};
    if (status)
        problem_error(client->problems, nowhere, NULL, "%s: %d: %s", client->server->url, status,
                      cJSON_IsString(error) ? error->valuestring : "the server does not say why");
    else
        problem_error(client->problems, nowhere, NULL, "%s: %s", client->server->url, why);
    cJSON_Delete(answer);
    return false;
}

/* What the next page is called; NULL: this was the last one. `*truncated`: the
 * server had more than it tells in one answer. */
static const char *next_page(struct client *client, bool *truncated)
{
    cJSON *answer = cJSON_Parse(text_content(&client->body));
    const cJSON *next = cJSON_GetObjectItemCaseSensitive(answer, "next");
    const char *copy = cJSON_IsString(next) ? arena_strdup(client->arena, next->valuestring) : NULL;
    *truncated = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "truncated"));
    cJSON_Delete(answer);
    return copy;
}

/* All pages of one list. */
static bool load_list(struct client *client, const char *list, enum record_form form,
                      const char *cpid, struct record_batch *batch, struct records_cut *cut)
{
    struct arena *arena = client->arena;
    const char *after = NULL;
    do {
        const char *why = NULL;
        const char *error = NULL;
        const char *path = cpid ? arena_printf(arena, "/api/v1/cpids/%s/%s?direction=both&limit=%d",
                                               cpid, list, 2 * PAGE)
                                : arena_printf(arena, "/api/v1/%s?limit=%d%s%s", list, PAGE,
                                               after ? "&after=" : "", after ? after : "");
        struct record_batch page = {0};
        const int status =
            http_get(client->server->url, path, client->server->token, &client->body, &why);
        if (status != 200)
            return complain(client, status, why);
        if (!record_batch_read(arena, form, text_content(&client->body), client->body.length, &page,
                               &error))
            return complain(client, 0, error);
        for (uint32_t i = 0; i < page.mergelogs.count; i++)
            VEC_PUSH(arena, &batch->mergelogs, page.mergelogs.items[i]);
        for (uint32_t i = 0; i < page.spans.count; i++)
            VEC_PUSH(arena, &batch->spans, page.spans.items[i]);
        bool truncated = false;
        after = next_page(client, &truncated);
        if (truncated && cut->count < sizeof(cut->lists) / sizeof(*cut->lists))
            cut->lists[cut->count++] = list;
    } while (after && !cpid);
    return true;
}

bool server_records_load(struct arena *arena, const struct records_server *server,
                         const struct fathom_trace_id *cpid, struct record_batch *batch,
                         struct records_cut *cut, struct problems *problems)
{
    struct client client = {.arena = arena, .server = server, .problems = problems};
    char text[FATHOM_TRACE_ID_TEXT];
    const char *asked = NULL;
    if (cpid && !fathom_trace_id_is_none(cpid)) {
        fathom_trace_id_format(cpid, text);
        asked = text;
    }
    text_init(&client.body, arena->memory);
    const bool good = load_list(&client, "mergelogs", RECORD_FORM_MERGELOGS, asked, batch, cut) &&
                      load_list(&client, "spans", RECORD_FORM_SPANS, asked, batch, cut);
    text_release(&client.body);
    return good;
}

/* ---- to the server ---- */

struct posting {
    struct client *client;
    struct http_post *post;
    struct json_out json;
    struct text text;
    const char *list; /* that is being written; NULL: nothing yet */
};

static bool send_part(struct posting *posting)
{
    char answer[1024] = "";
    if (!posting->list)
        return true;
    json_array_end(&posting->json);
    json_object_end(&posting->json);
    posting->list = NULL;
    const int status = http_post_send(posting->post, text_content(&posting->text),
                                      posting->text.length, answer, sizeof(answer));
    text_reset(&posting->text);
    if (status == 200)
        return true;
    text_reset(&posting->client->body);
    text_append_string(&posting->client->body, answer);
    return complain(posting->client, status, "there was no answer in time");
}

/* A part holds records of one list, and not too many. */
static bool begin_record(struct posting *posting, const char *list)
{
    const bool same = posting->list && strcmp(posting->list, list) == 0;
    if (same && posting->text.length < PART_BYTES)
        return true;
    if (!send_part(posting))
        return false;
    json_out_init(&posting->json, &posting->text, 0);
    json_object_begin(&posting->json, NULL);
    json_array_begin(&posting->json, list);
    posting->list = list;
    return true;
}

static bool post_graph(struct posting *posting, const struct change_graph *graph)
{
    struct arena *arena = posting->client->arena;
    for (uint32_t i = 0; i < graph->merges.count; i++) {
        const struct change_merge *merge = &graph->merges.items[i];
        const struct fathom_trace_mergelog mergelog = {merge->cpid, merge->sources,
                                                       merge->source_count, merge->time_ns};
        if (!begin_record(posting, "mergelogs"))
            return false;
        record_write_mergelog(&posting->json, NULL, &mergelog);
    }
    for (uint32_t i = 0; i < graph->spans.count; i++) {
        const struct arena_mark mark = arena_mark(arena);
        struct span_record record;
        if (!begin_record(posting, "spans"))
            return false;
        change_to_record(arena, graph, i, &record);
        record_write_span(&posting->json, NULL, &record);
        arena_rewind(arena, mark);
    }
    return send_part(posting);
}

bool server_records_save(struct arena *arena, const struct records_server *server,
                         const struct change_graph *graph, struct problems *problems)
{
    struct client client = {.arena = arena, .server = server, .problems = problems};
    struct posting posting = {.client = &client};
    const char *why = NULL;
    bool good = false;
    text_init(&client.body, arena->memory);
    text_init(&posting.text, arena->memory);
    posting.post =
        http_post_create(server->url, "/api/v1/records", server->token, TIMEOUT_MS, &why);
    if (!posting.post) {
        complain(&client, 0, why ? why : "out of memory");
    } else {
        good = post_graph(&posting, graph);
        http_post_free(posting.post);
    }
    text_release(&posting.text);
    text_release(&client.body);
    return good;
}
