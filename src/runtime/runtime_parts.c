/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/runtime_parts.h"

#include "base/clock.h"

#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static const int64_t second_ns = INT64_C(1000000000);

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
