/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `--once`: rounds of all custom resources, until one pass over them ends well
 * everywhere and leaves every object that the controller asks about as it was.
 */
#include "runtime/runtime_once.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

static const int64_t wait_first_ns = INT64_C(20000000);
static const int64_t wait_most_ns = INT64_C(5000000000);

typedef VEC(struct object_key) key_vec;

struct pass {
    uint64_t before; /* what there is: a hash of uids and resource versions */
    uint64_t after;
    uint32_t errors;
    bool unreadable; /* a list was refused */
};

/* Objects of one kind: into the hash and, if wanted, the list of keys. */
static bool look(struct runtime *runtime, struct arena *arena, const struct kube_resource *resource,
                 uint64_t *hash, key_vec *keys)
{
    const char *path = kube_resource_path(arena, resource, runtime->settings->name_space, "");
    const struct kube_reply reply = kube_request(runtime->client, arena, "GET", path, NULL);
    const struct datum *items = datum_member(reply.content, "items");
    if (reply.error != API_OK) {
        runtime_say(runtime, RUNTIME_WARNINGS, "list", "%s: %s", resource->plural, reply.message);
        return false;
    }
    for (uint32_t i = 0; items && items->kind == DATUM_LIST && i < items->count; i++) {
        const struct datum *metadata = datum_member(items->items[i], "metadata");
        const struct datum *uid = datum_member(metadata, "uid");
        const struct datum *version = datum_member(metadata, "resourceVersion");
        *hash = hash_word(*hash ^ (uid ? uid->hash : 0));
        *hash = hash_word(*hash ^ (version ? version->hash : 0));
        if (!keys)
            continue;
        const struct object_key key = {resource->kind,
                                       datum_text(datum_member(metadata, "namespace"), ""),
                                       datum_text(datum_member(metadata, "name"), "")};
        VEC_PUSH(arena, keys, key);
    }
    return true;
}

static bool look_at_all(struct runtime *runtime, struct arena *arena, uint32_t touched,
                        uint64_t *hash)
{
    bool good = true;
    *hash = touched;
    for (uint32_t i = 0; good && i < touched; i++)
        good = look(runtime, arena, runtime->reconciler.touched[i], hash, NULL);
    return good;
}

/* False: the controller is broken. */
static bool make_pass(struct runtime *runtime, struct arena *arena, struct pass *pass)
{
    key_vec keys = {0};
    uint64_t ignored = 0;
    const uint32_t touched = runtime->reconciler.touched_count;
    *pass = (struct pass){0};
    pass->unreadable = !look_at_all(runtime, arena, touched, &pass->before);
    for (const char *const *kind = runtime->settings->controller->custom_kinds; *kind; kind++) {
        const struct kube_resource *resource = kube_resource_find(&runtime->resources, *kind, NULL);
        pass->unreadable = !look(runtime, arena, resource, &ignored, &keys) || pass->unreadable;
    }
    for (uint32_t i = 0; i < keys.count && !runtime_stops(runtime); i++) {
        const struct round_result result = runtime_round(runtime, &keys.items[i]);
        if (result.end == ROUND_BROKEN)
            return false;
        pass->errors += result.end == ROUND_ERROR;
    }
    pass->unreadable =
        !look_at_all(runtime, arena, runtime->reconciler.touched_count, &pass->after) ||
        pass->unreadable;
    return true;
}

enum runtime_end runtime_run_once(struct runtime *runtime)
{
    const int64_t limit_ns = runtime->settings->timeout_ns;
    const int64_t deadline_ns = limit_ns ? clock_now_ns() + limit_ns : INT64_MAX;
    if (!runtime_find_kinds(runtime, deadline_ns))
        return runtime_stops(runtime) ? RUNTIME_STOPPED : RUNTIME_TIMEOUT;
    for (int64_t wait_ns = wait_first_ns;;) {
        struct arena arena;
        struct pass pass;
        arena_init(&arena, runtime->memory);
        const bool works = make_pass(runtime, &arena, &pass);
        arena_release(&arena);
        if (!works)
            return RUNTIME_BROKEN;
        const bool settled = !pass.errors && !pass.unreadable && pass.before == pass.after;
        if (settled || runtime_stops(runtime))
            return RUNTIME_STOPPED;
        const bool stuck = pass.errors || pass.unreadable;
        if (clock_now_ns() + (stuck ? wait_ns : 0) > deadline_ns)
            return RUNTIME_TIMEOUT;
        if (!stuck)
            continue;
        runtime_wait(runtime, wait_ns);
        wait_ns = wait_ns < wait_most_ns ? wait_ns * 2 : wait_ns;
    }
}
