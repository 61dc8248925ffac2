/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any requests to the API server in memory, one after another: lines
 *
 *     METHOD PATH[?NAME=VALUE&...] [CONTENT-TYPE]
 *     BODY
 *
 * separated by lines of "~". Whatever comes is answered, with a status and with
 * JSON; nothing leaks, and no object is stored that cannot be read again.
 */
#include "harness.h"

#include "apiserver/apiserver.h"
#include "apiserver/collector.h"
#include "apiserver/list_stream.h"
#include "apiserver/watch.h"
#include "kubeapi/datum.h"

#include <string.h>

enum { REQUESTS_MOST = 16, PARAMETERS_MOST = 8 };

static char *cut(char **rest, const char *separators)
{
    char *start = *rest;
    char *end = strpbrk(start, separators);
    *rest = end ? end + 1 : start + strlen(start);
    if (end)
        *end = '\0';
    return start;
}

static uint32_t read_query(char *path, struct http_parameter *parameters)
{
    char *query = strchr(path, '?');
    uint32_t count = 0;
    if (!query)
        return 0;
    *query++ = '\0';
    while (*query && count < PARAMETERS_MOST) {
        char *value = cut(&query, "&");
        char *name = cut(&value, "=");
        parameters[count++] = (struct http_parameter){name, value};
    }
    return count;
}

static void require_json(struct arena *arena, const struct http_response *response)
{
    struct problems problems;
    problems_init(&problems, arena);
    const struct place place = {"response", 1, 1};
    if (strcmp(response->content_type, "application/json") != 0)
        return;
    FUZZ_REQUIRE(datum_read(arena, DATUM_REAL, place, text_content(&response->body),
                            response->body.length, &problems));
    FUZZ_REQUIRE(!problems.errors);
}

static void request_one(struct apiserver *server, struct arena *arena, char *input)
{
    struct http_parameter parameters[PARAMETERS_MOST];
    char *line = cut(&input, "\n");
    struct http_request request = {.method = cut(&line, " "), .parameters = parameters};
    char *path = cut(&line, " ");
    request.parameter_count = read_query(path, parameters);
    request.path = path;
    request.content_type = line;
    request.accept = strstr(line, "Table") ? "application/json;as=Table;v=v1;g=meta.k8s.io" : "";
    request.body = input;
    request.body_length = strlen(input);
    if (strncmp(input, "k8s!", 4) == 0)
        input[3] = '\0'; /* the start of protobuf, of which inputs have no other way */
    struct http_response response = {0};
    text_init(&response.body, arena->memory);
    apiserver_handle(server, &request, &response);
    FUZZ_REQUIRE(response.status >= 200 && response.status < 600);
    if (response.watch) {
        char buffer[512];
        apiserver_stop(server); /* so that it ends */
        while (watch_read(response.watch, NULL, buffer, sizeof(buffer))) {
        }
        watch_close(response.watch);
    } else {
        if (response.list)
            list_stream_drain(response.list, &response.body);
        require_json(arena, &response);
    }
    text_release(&response.body);
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    const struct apiserver_settings settings = {
        .store = {.first_version = 1, .first_uid = 1, .history = 8}, .no_collector = true};
    struct apiserver server;
    apiserver_start(&server, &settings);
    server.settings.no_collector = false; /* it is called here, and has no thread */
    char *rest = arena_strndup(arena, bytes, count);
    for (int i = 0; i < REQUESTS_MOST && *rest; i++) {
        char *end = strstr(rest, "\n~\n");
        if (end)
            *end = '\0';
        request_one(&server, arena, rest);
        for (int round = 0; collect_garbage(&server); round++)
            FUZZ_REQUIRE(round < 100);
        rest = end ? end + 3 : rest + strlen(rest);
    }
    apiserver_free(&server);
    FUZZ_REQUIRE(server.memory.used_bytes == 0);
}
