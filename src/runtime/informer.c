/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/informer.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const int64_t retry_first_ns = INT64_C(200000000);
static const int64_t retry_most_ns = INT64_C(30000000000);
/* A watch that ends sooner than this counts as failed. */
static const int64_t watch_least_ns = INT64_C(1000000000);

void informer_init(struct informer *informer, struct memory *memory, struct kube_client *client,
                   const struct kube_resource *resource, const char *name_space, bool objects,
                   const struct informer_hooks *hooks)
{
    *informer = (struct informer){
        .memory = memory,
        .client = client,
        .resource = resource,
        .name_space = name_space,
        .objects = objects,
        .hooks = *hooks,
    };
}

void informer_release(struct informer *informer)
{
    if (informer->stream)
        kube_stream_close(informer->stream);
    informer->stream = NULL;
}

static void retry_later(struct informer *informer, int64_t now_ns)
{
    int64_t wait_ns = retry_first_ns;
    for (uint32_t i = 0; i < informer->failures && wait_ns < retry_most_ns; i++)
        wait_ns *= 2;
    informer->failures++;
    informer->due_ns = now_ns + (wait_ns < retry_most_ns ? wait_ns : retry_most_ns);
}

static void take_version(struct informer *informer, const struct datum *object)
{
    const struct datum *version = datum_at(object, "metadata.resourceVersion");
    if (version && version->kind == DATUM_VERSION)
        snprintf(informer->version, sizeof(informer->version), "%" PRIu64, version->number);
    else if (version && strlen(datum_text(version, "")) < sizeof(informer->version))
        snprintf(informer->version, sizeof(informer->version), "%s", datum_text(version, ""));
}

static bool list(struct informer *informer, int64_t now_ns)
{
    struct arena arena;
    arena_init(&arena, informer->memory);
    const struct kube_resource *resource = informer->resource;
    const char *path = kube_resource_path(&arena, resource, informer->name_space, "");
    if (!informer->objects)
        path = arena_printf(&arena, "%s?limit=1", path);
    const struct kube_reply reply = kube_request(informer->client, &arena, "GET", path, NULL);
    if (reply.error == API_OK) {
        const struct datum *items = datum_member(reply.content, "items");
        take_version(informer, reply.content);
        for (uint32_t i = 0;
             informer->objects && items && items->kind == DATUM_LIST && i < items->count; i++)
            informer->hooks.see(informer->hooks.context, resource, "LISTED", items->items[i]);
        if (informer->listed_before)
            informer->hooks.relisted(informer->hooks.context, resource);
        informer->listed_before = true;
        informer->failures = 0;
    } else {
        retry_later(informer, now_ns);
        informer->hooks.say(informer->hooks.context, "cannot list %s: %s", resource->plural,
                            reply.message);
    }
    const bool good = reply.error == API_OK && *informer->version;
    arena_release(&arena);
    return good;
}

static void see_line(void *context, const char *bytes, size_t count)
{
    struct informer *informer = context;
    struct arena arena;
    struct problems problems;
    arena_init(&arena, informer->memory);
    problems_init(&problems, &arena);
    /* A watch event is an envelope: its object is what is in real form. */
    const struct datum *event =
        datum_read(&arena, DATUM_REAL, (struct place){"watch", 1, 1}, bytes, count, &problems);
    const char *type = datum_text(datum_member(event, "type"), "");
    const struct datum *object = datum_member(event, "object");
    if (!event || !object || strcmp(type, "ERROR") == 0) {
        informer->expired = true;
        informer->hooks.say(informer->hooks.context, "the watch of %s ends: %s",
                            informer->resource->plural,
                            datum_text(datum_member(object, "message"), "it is not understood"));
    } else {
        informer->failures = 0;
        take_version(informer, object);
        if (strcmp(type, "BOOKMARK") != 0)
            informer->hooks.see(informer->hooks.context, informer->resource, type, object);
    }
    arena_release(&arena);
}

static void end_stream(void *context, unsigned status)
{
    struct informer *informer = context;
    informer->stream = NULL;
    const int64_t now_ns = clock_now_ns();
    if (informer->expired || status == 410)
        informer->version[0] = '\0';
    informer->expired = false;
    if (status == 200 && now_ns - informer->opened_ns > watch_least_ns)
        informer->due_ns = now_ns; /* it had its time */
    else
        retry_later(informer, now_ns);
    if (status != 200) {
        informer->version[0] = '\0';
        informer->hooks.say(informer->hooks.context, "cannot watch %s: %s",
                            informer->resource->plural,
                            status ? "the API server refuses" : "there is no answer");
    }
}

int64_t informer_keep_going(struct informer *informer, int64_t now_ns)
{
    if (informer->stream)
        return INT64_MAX;
    if (now_ns < informer->due_ns)
        return informer->due_ns;
    if (!*informer->version && !list(informer, now_ns))
        return informer->due_ns;
    struct arena arena;
    arena_init(&arena, informer->memory);
    const struct kube_stream_hooks hooks = {informer, see_line, end_stream};
    const char *path = arena_printf(
        &arena, "%s?watch=true&allowWatchBookmarks=true&timeoutSeconds=290&resourceVersion=%s",
        kube_resource_path(&arena, informer->resource, informer->name_space, ""),
        informer->version);
    informer->opened_ns = now_ns;
    informer->stream = kube_stream_open(informer->client, path, &hooks);
    arena_release(&arena);
    return INT64_MAX;
}
