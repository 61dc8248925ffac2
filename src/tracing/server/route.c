/* SPDX-License-Identifier: Apache-2.0 */
/* Which path means what. */
#include "tracing/server/server_internal.h"

#include <string.h>

static const struct route routes[] = {
    {.method = "GET", .path = "/healthz", .answer = answer_health, .open = true},
    {.method = "GET", .path = "/metrics", .answer = answer_metrics},
    {.method = "POST", .path = "/api/v1/mergelogs", .records = true, .form = RECORD_FORM_MERGELOGS},
    {.method = "GET", .path = "/api/v1/mergelogs", .answer = answer_mergelogs},
    {.method = "POST", .path = "/api/v1/spans", .records = true, .form = RECORD_FORM_SPANS},
    {.method = "GET", .path = "/api/v1/spans", .answer = answer_spans},
    {.method = "POST", .path = "/api/v1/records", .records = true, .form = RECORD_FORM_BOTH},
    {.method = "POST", .path = "/v1/traces", .records = true, .form = RECORD_FORM_OTLP},
    {.method = "PUT", .path = "/api/v1/live", .answer = answer_live},
    {.method = "GET", .path = "/api/v1/roots", .answer = answer_roots},
    {.method = "GET", .path = "/api/v1/cpids/@", .answer = answer_cpid},
    {.method = "GET", .path = "/api/v1/cpids/@/related", .answer = answer_related},
    {.method = "GET", .path = "/api/v1/cpids/@/roots", .answer = answer_roots_of},
    {.method = "GET", .path = "/api/v1/cpids/@/mergelogs", .answer = answer_related_mergelogs},
    {.method = "GET", .path = "/api/v1/cpids/@/spans", .answer = answer_related_spans},
};

static const struct route asset_route = {
    .method = "GET", .path = "", .answer = answer_asset, .open = true};

/* `cpid` is what stands in place of the @. */
static bool matches(const char *pattern, const char *path, const char **cpid, size_t *cpid_length)
{
    const char *at = strchr(pattern, '@');
    if (!at)
        return strcmp(pattern, path) == 0;
    const size_t before = (size_t)(at - pattern);
    if (strncmp(pattern, path, before) != 0)
        return false;
    *cpid = path + before;
    *cpid_length = strcspn(*cpid, "/");
    return strcmp(at + 1, *cpid + *cpid_length) == 0;
}

static const struct server_asset *find_asset(const struct server_options *options, const char *path)
{
    for (size_t i = 0; i < options->asset_count; i++)
        if (strcmp(options->assets[i].path, path) == 0)
            return &options->assets[i];
    return NULL;
}

void route_find(struct request *request, const char *method, const char *path)
{
    const bool head = strcmp(method, "HEAD") == 0;
    bool known = false;
    for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
        const char *cpid = NULL;
        size_t cpid_length = 0;
        if (!matches(routes[i].path, path, &cpid, &cpid_length))
            continue;
        known = true;
        if (strcmp(routes[i].method, head ? "GET" : method) != 0)
            continue;
        request->route = &routes[i];
        if (cpid && !fathom_trace_id_parse(cpid, cpid_length, &request->cpid))
            answer_error(request, 400, "\"%.*s\" is not a CPID: expected a UUID", (int)cpid_length,
                         cpid);
        return;
    }
    request->asset = find_asset(&request->server->options, path);
    if (request->asset && (head || strcmp(method, "GET") == 0))
        request->route = &asset_route;
    else if (known || request->asset)
        answer_error(request, 405, "%s is not possible here", method);
    else
        answer_error(request, 404, "there is nothing at %s", path);
}
