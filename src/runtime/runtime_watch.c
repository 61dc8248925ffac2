/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Without `--once`: informers watch the kinds that matter, and a change adds the
 * custom resources that it concerns to the queue.
 */
#include "runtime/runtime_watch.h"

#include "base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const int64_t second_ns = INT64_C(1000000000);

static void say_of_informer(void *context, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    runtime_say(context, RUNTIME_WARNINGS, "watch", "%s", line);
}

static bool is_listed(const char *const *kinds, const char *kind)
{
    for (; kinds && *kinds; kinds++)
        if (strcmp(*kinds, kind) == 0)
            return true;
    return false;
}

static bool is_custom_kind(const struct runtime *runtime, const char *kind)
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

enum runtime_end runtime_run_watching(struct runtime *runtime)
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
