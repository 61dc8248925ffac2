/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/runtime.h"

#include "base/clock.h"
#include "runtime/runtime_once.h"
#include "runtime/runtime_watch.h"

#include <poll.h>

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
    runtime.client = kube_client_create(memory, settings->access, settings->stop,
                                        settings->stop_descriptor, &why);
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
    const enum runtime_end end =
        settings->once ? runtime_run_once(&runtime) : runtime_run_watching(&runtime);
    for (uint32_t i = 0; i < runtime.informer_count; i++)
        informer_release(runtime.informers[i]);
    kube_client_free(runtime.client);
    work_queue_release(&runtime.queue);
    arena_release(&runtime.reconciler.external_arena);
    arena_release(&runtime.arena);
    return end;
}
