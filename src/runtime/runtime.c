/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/runtime.h"

#include "base/clock.h"
#include "runtime/runtime_internal.h"

#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int64_t second_ns = INT64_C(1000000000);

/* --- Talk --- */

void runtime_say(const struct runtime *runtime, enum runtime_log level, const char *word,
                 const char *format, ...)
{
    static const char *const levels[] = {"", "WARN", "INFO", "DEBUG"};
    if (runtime->settings->log < level)
        return;
    struct timespec now;
    struct tm date;
    char text[40];
    char line[1024];
    va_list arguments;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &date);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &date);
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s.%03ldZ\t%s\t%s\t%s\n", text, now.tv_nsec / 1000000, levels[level], word,
            line);
}

static void say_of_informer(void *context, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    runtime_say(context, RUNTIME_WARNINGS, "watch", "%s", line);
}

/* --- Waiting --- */

bool runtime_stops(const struct runtime *runtime)
{
    struct pollfd polled = {.fd = runtime->settings->stop_descriptor, .events = POLLIN};
    if (!atomic_load(runtime->settings->stop) && polled.fd >= 0 && poll(&polled, 1, 0) > 0)
        atomic_store(runtime->settings->stop, true);
    return atomic_load(runtime->settings->stop);
}

void runtime_wait(struct runtime *runtime, int64_t nanoseconds)
{
    if (!runtime_stops(runtime))
        kube_streams_wait(runtime->client, nanoseconds, runtime->settings->stop_descriptor);
}

/* A bucket that fills at the rate, and holds two seconds of it. */
static void limit_rate(void *context, const struct api_request *request)
{
    (void)request;
    struct runtime *runtime = context;
    const double rate = runtime->settings->requests_per_second;
    while (rate > 0 && !runtime_stops(runtime)) {
        const int64_t now_ns = clock_now_ns();
        runtime->tokens += (double)(now_ns - runtime->tokens_ns) / 1e9 * rate;
        runtime->tokens_ns = now_ns;
        if (runtime->tokens > rate * 2)
            runtime->tokens = rate * 2;
        if (runtime->tokens >= 1) {
            runtime->tokens -= 1;
            return;
        }
        struct pollfd polled = {.fd = runtime->settings->stop_descriptor, .events = POLLIN};
        poll(&polled, polled.fd >= 0 ? 1 : 0, (int)((1 - runtime->tokens) / rate * 1000) + 1);
    }
}

static void say_request(void *context, const struct api_request *request,
                        const struct kube_reply *reply)
{
    runtime_say(context, RUNTIME_REQUESTS, "request", "%s %s %s/%s: %s%s%s",
                api_verb_name(request->verb), request->key.kind, request->key.name_space,
                request->key.name, api_error_name(reply->error), reply->message ? ": " : "",
                reply->message ? reply->message : "");
}

/* --- What happens out there --- */

static bool is_listed(const char *const *kinds, const char *kind)
{
    for (; kinds && *kinds; kinds++)
        if (strcmp(*kinds, kind) == 0)
            return true;
    return false;
}

bool is_custom_kind(const struct runtime *runtime, const char *kind)
{
    return is_listed(runtime->settings->controller->custom_kinds, kind);
}

static void see(void *context, const struct kube_resource *resource, const char *type,
                const struct datum *object)
{
    struct runtime *runtime = context;
    const int64_t now_ns = clock_now_ns();
    const char *name_space = datum_text(datum_at(object, "metadata.namespace"), "");
    const struct object_key own = {resource->kind, name_space,
                                   datum_text(datum_at(object, "metadata.name"), "")};
    runtime_say(runtime, RUNTIME_REQUESTS, "event", "%s %s %s/%s", type, own.kind, own.name_space,
                own.name);
    if (is_custom_kind(runtime, resource->kind)) {
        work_queue_add(&runtime->queue, &own, now_ns);
        return;
    }
    const struct datum *owners = datum_at(object, "metadata.ownerReferences");
    for (uint32_t i = 0; owners && owners->kind == DATUM_LIST && i < owners->count; i++) {
        const struct object_key owner = {datum_text(datum_member(owners->items[i], "kind"), ""),
                                         name_space,
                                         datum_text(datum_member(owners->items[i], "name"), "")};
        if (is_custom_kind(runtime, owner.kind))
            work_queue_add(&runtime->queue, &owner, now_ns);
    }
    if (is_listed(runtime->settings->controller->user_kinds, resource->kind))
        work_queue_add_all(&runtime->queue, now_ns);
}

static void relisted(void *context, const struct kube_resource *resource)
{
    struct runtime *runtime = context;
    runtime_say(runtime, RUNTIME_ROUNDS, "watch", "%s were listed anew", resource->plural);
    work_queue_add_all(&runtime->queue, clock_now_ns());
}

static void follow(struct runtime *runtime, const struct kube_resource *resource)
{
    for (uint32_t i = 0; i < runtime->informer_count; i++)
        if (strcmp(runtime->informers[i]->resource->kind, resource->kind) == 0)
            return;
    if (runtime->informer_count == TOUCHED_MOST)
        return;
    const struct informer_hooks hooks = {runtime, see, relisted, say_of_informer};
    struct informer *informer = ARENA_NEW(&runtime->arena, struct informer);
    informer_init(informer, runtime->memory, runtime->client, resource,
                  runtime->settings->name_space, is_custom_kind(runtime, resource->kind), &hooks);
    runtime->informers[runtime->informer_count++] = informer;
    runtime_say(runtime, RUNTIME_ROUNDS, "watch", "%s of %s", resource->plural,
                resource->api_version);
}

bool runtime_find_kinds(struct runtime *runtime, int64_t deadline_ns)
{
    const char *const *kinds = runtime->settings->controller->custom_kinds;
    for (int64_t wait_ns = second_ns / 10; !runtime_stops(runtime);) {
        struct kube_reply failure = {0};
        const bool found = kube_resources_discover(&runtime->resources, runtime->client, &failure);
        const char *missing = NULL;
        for (const char *const *kind = kinds; found && !missing && *kind; kind++)
            missing = kube_resource_find(&runtime->resources, *kind, NULL) ? NULL : *kind;
        if (found && !missing)
            return true;
        if (found)
            runtime_say(runtime, RUNTIME_WARNINGS, "discovery",
                        "the API server knows no kind %s yet; its CustomResourceDefinition is "
                        "waited for",
                        missing);
        else
            runtime_say(runtime, RUNTIME_WARNINGS, "discovery", "%s", failure.message);
        if (clock_now_ns() + wait_ns > deadline_ns)
            return false;
        runtime_wait(runtime, wait_ns);
        if (wait_ns < 10 * second_ns)
            wait_ns *= 2;
    }
    return false;
}

/* --- Rounds --- */

struct round_result runtime_round(struct runtime *runtime, const struct object_key *key)
{
    static const char *const words[] = {"done", "error", "gone", "broken"};
    struct arena arena;
    arena_init(&arena, runtime->memory);
    const int64_t start_ns = clock_now_ns();
    struct round_result result =
        reconcile_round(&runtime->reconciler, &arena, key, runtime->problems);
    runtime_say(runtime, result.end == ROUND_ERROR ? RUNTIME_WARNINGS : RUNTIME_ROUNDS,
                "reconciled", "%s %s/%s: %s, %" PRIu32 " requests, %" PRIu32 " writes, %.1f ms%s%s",
                key->kind, key->name_space, key->name, words[result.end], result.requests,
                result.writes, (double)(clock_now_ns() - start_ns) / 1e6,
                result.message && result.end == ROUND_ERROR ? ": " : "",
                result.message && result.end == ROUND_ERROR ? result.message : "");
    result.message = NULL;
    arena_release(&arena);
    return result;
}

/* False: the controller is broken. */
static bool take_turn(struct runtime *runtime, struct work_item *item)
{
    const struct round_result result = runtime_round(runtime, &item->key);
    const int64_t now_ns = clock_now_ns();
    switch (result.end) {
    case ROUND_DONE: work_queue_done(item, now_ns, runtime->settings->resync_ns); break;
    case ROUND_ERROR: work_queue_failed(item, now_ns); break;
    case ROUND_GONE: work_queue_forget(&runtime->queue, item); break;
    case ROUND_BROKEN: return false;
    }
    for (uint32_t i = 0; i < runtime->reconciler.touched_count; i++)
        follow(runtime, runtime->reconciler.touched[i]);
    return true;
}

static enum runtime_end run_on(struct runtime *runtime)
{
    const char *const *kinds = runtime->settings->controller->custom_kinds;
    if (!runtime_find_kinds(runtime, INT64_MAX))
        return RUNTIME_STOPPED;
    for (; *kinds; kinds++)
        follow(runtime, kube_resource_find(&runtime->resources, *kinds, NULL));
    for (kinds = runtime->settings->controller->user_kinds; kinds && *kinds; kinds++)
        if (kube_resource_find(&runtime->resources, *kinds, NULL))
            follow(runtime, kube_resource_find(&runtime->resources, *kinds, NULL));
    while (!runtime_stops(runtime)) {
        int64_t next_ns = 0;
        int64_t wake_ns = INT64_MAX;
        for (uint32_t i = 0; i < runtime->informer_count; i++) {
            const int64_t due_ns = informer_keep_going(runtime->informers[i], clock_now_ns());
            wake_ns = due_ns < wake_ns ? due_ns : wake_ns;
        }
        struct work_item *item = work_queue_next(&runtime->queue, clock_now_ns(), &next_ns);
        if (item && !take_turn(runtime, item))
            return RUNTIME_BROKEN;
        const int64_t until_ns = next_ns < wake_ns ? next_ns : wake_ns;
        const int64_t left_ns = until_ns - clock_now_ns();
        runtime_wait(runtime, item ? 0 : left_ns < 60 * second_ns ? left_ns : 60 * second_ns);
    }
    return RUNTIME_STOPPED;
}

enum runtime_end runtime_run(struct memory *memory, const struct runtime_settings *settings,
                             struct problems *problems)
{
    struct runtime runtime = {
        .settings = settings,
        .memory = memory,
        .problems = problems,
        .tokens = 2.0 * settings->requests_per_second,
        .tokens_ns = clock_now_ns(),
    };
    const char *why = "";
    runtime.client = kube_client_create(memory, settings->access, settings->stop, &why);
    if (!runtime.client) {
        problem_error(problems, (struct place){0}, NULL, "libcurl: %s", why);
        return RUNTIME_BROKEN;
    }
    arena_init(&runtime.arena, memory);
    runtime.resources.arena = &runtime.arena;
    work_queue_init(&runtime.queue, memory);
    runtime.reconciler = (struct reconciler){
        .memory = memory,
        .controller = settings->controller,
        .client = runtime.client,
        .resources = &runtime.resources,
        .before = limit_rate,
        .after = say_request,
        .context = &runtime,
        .external = settings->controller->external_initial,
        .may_model_external = settings->model_external,
    };
    arena_init(&runtime.reconciler.external_arena, memory);
    const enum runtime_end end = settings->once ? runtime_run_once(&runtime) : run_on(&runtime);
    for (uint32_t i = 0; i < runtime.informer_count; i++)
        informer_release(runtime.informers[i]);
    kube_client_free(runtime.client);
    work_queue_release(&runtime.queue);
    arena_release(&runtime.reconciler.external_arena);
    arena_release(&runtime.arena);
    return end;
}
