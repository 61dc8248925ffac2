/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/watch.h"

#include "apiserver/render.h"
#include "apiserver/selection.h"
#include "apiserver/status.h"
#include "base/clock.h"

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { CHANGES_AT_ONCE = 64, TIMEOUT_SECONDS = 3600, BOOKMARK_SECONDS = 60 };

static const int64_t second_ns = 1000000000;

struct watch {
    struct apiserver *server;
    struct arena arena;   /* of the selection and the rendering */
    struct arena scratch; /* of one batch of events */
    struct object_store_watcher watcher;
    struct rendering rendering;
    struct selection selection;
    const char *name_space;
    uint64_t next;    /* the number of the next change to look at */
    uint64_t version; /* up to which everything was sent */
    bool bookmarks;
    bool over;
    int64_t deadline_ns;
    int64_t bookmark_ns; /* when the next is due */
    /* What was there at the start, to be sent first; held. */
    struct snapshot **initial;
    uint32_t initial_count;
    uint32_t initial_next;
    bool initial_bookmark; /* is due after them */
    struct text pending;
    size_t sent; /* of `pending` */
};

/* Changes that are about to be sent; held. */
struct batch {
    struct object_store_change changes[CHANGES_AT_ONCE];
    uint32_t count;
    size_t bytes; /* of their objects */
};

static void append_event(struct watch *watch, const char *type, const struct datum *object)
{
    text_printf(&watch->pending, "{\"type\":\"%s\",\"object\":", type);
    render_object(&watch->pending, &watch->rendering, object);
    text_append_string(&watch->pending, "}\n");
}

static void append_error(struct watch *watch, const struct status *status)
{
    text_append_string(&watch->pending, "{\"type\":\"ERROR\",\"object\":");
    status_write(&watch->pending, status);
    text_append_string(&watch->pending, "}\n");
    watch->over = true;
}

static void append_bookmark(struct watch *watch, bool initial_end)
{
    const struct resource_type *type = watch->rendering.type;
    text_printf(
        &watch->pending,
        "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"%s\",\"apiVersion\":\"%s\","
        "\"metadata\":{\"resourceVersion\":\"%" PRIu64 "\",\"creationTimestamp\":null%s}}}\n",
        type->kind, resource_api_version(&watch->scratch, type, watch->rendering.version->name),
        watch->version,
        initial_end ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "");
    watch->bookmark_ns = clock_now_ns() + BOOKMARK_SECONDS * second_ns;
}

static bool selected(struct watch *watch, const struct snapshot *snapshot)
{
    return snapshot && selection_matches(&watch->scratch, &watch->selection, snapshot->object);
}

/* The change as an event for a client that sees only the selected objects. */
static void append_change(struct watch *watch, const struct object_store_change *change)
{
    const bool before = selected(watch, change->before);
    const bool after = !change->deleted && selected(watch, change->after);
    if (before || after)
        append_event(watch, after ? (before ? "MODIFIED" : "ADDED") : "DELETED",
                     change->after->object);
}

static bool concerns(const struct watch *watch, const struct object_store_change *change)
{
    if (change->type != watch->rendering.type->identity)
        return false;
    const char *name_space = datum_text(datum_at(change->after->object, "metadata.namespace"), "");
    return !*watch->name_space || strcmp(watch->name_space, name_space) == 0;
}

/* Takes over changes that concern the watch, for about one piece. False: some were forgotten. */
static bool take_changes(struct watch *watch, struct batch *batch, uint64_t *oldest)
{
    struct object_store *store = &watch->server->store;
    pthread_mutex_lock(&store->lock);
    const bool forgotten = watch->next < store->change_first;
    *oldest = store->forgotten;
    while (!forgotten && watch->next < store->change_end && batch->count < CHANGES_AT_ONCE &&
           batch->bytes < STREAM_PIECE_BYTES) {
        struct object_store_change change = store->changes[watch->next++ % store->change_capacity];
        watch->version = change.version;
        if (!concerns(watch, &change))
            continue;
        if (change.before)
            snapshot_hold(change.before);
        batch->bytes += snapshot_bytes(change.after);
        snapshot_hold(change.after);
        batch->changes[batch->count++] = change;
    }
    pthread_mutex_unlock(&store->lock);
    return !forgotten;
}

/* Text takes about as much as the objects, and half as much again while it grows. */
static bool take_room(struct watch *watch, struct stream_room *room, size_t bytes)
{
    if (!stream_room_take(room, 2 * bytes))
        watch->over = true;
    return !watch->over;
}

/* False: there is nothing new. */
static bool collect(struct watch *watch, struct stream_room *room)
{
    struct batch batch = {.count = 0};
    uint64_t oldest = 0;
    if (!take_changes(watch, &batch, &oldest)) {
        const struct status expired = status_expired(&watch->scratch, watch->version, oldest);
        append_error(watch, &expired);
        return true;
    }
    const bool fits = batch.count == 0 || take_room(watch, room, batch.bytes);
    for (uint32_t i = 0; i < batch.count; i++) {
        if (fits)
            append_change(watch, &batch.changes[i]);
        snapshot_release(batch.changes[i].before);
        snapshot_release(batch.changes[i].after);
    }
    return batch.count > 0;
}

/* A piece of what was there at the start. */
static void write_initial(struct watch *watch, struct stream_room *room)
{
    size_t bytes = 0;
    const uint32_t end =
        snapshots_of_piece(watch->initial, watch->initial_next, watch->initial_count, &bytes);
    if (!take_room(watch, room, bytes))
        return;
    while (watch->initial_next < end) {
        struct snapshot *snapshot = watch->initial[watch->initial_next++];
        append_event(watch, "ADDED", snapshot->object);
        snapshot_release(snapshot);
    }
    if (watch->initial_next == watch->initial_count && watch->initial_bookmark) {
        append_bookmark(watch, true);
        watch->initial_bookmark = false;
    }
}

static bool is_beginning(const struct watch *watch)
{
    return watch->initial_next < watch->initial_count || watch->initial_bookmark;
}

/* False: the other side is gone. */
static bool wait_for_change(struct watch *watch, const struct stream_room *room)
{
    const int connection = room ? room->socket : -1;
    const int64_t now = clock_now_ns();
    int64_t until = watch->deadline_ns;
    if (watch->bookmarks && watch->bookmark_ns < until)
        until = watch->bookmark_ns;
    struct pollfd polled[2] = {
        {.fd = watch->watcher.descriptor, .events = POLLIN},
        {.fd = connection, .events = POLLRDHUP},
    };
    const int64_t left_ms = until > now ? (until - now) / 1000000 + 1 : 0;
    poll(polled, connection >= 0 ? 2 : 1, (int)left_ms);
    if (polled[0].revents) {
        uint64_t counter = 0;
        const ssize_t got = read(watch->watcher.descriptor, &counter, sizeof(counter));
        (void)got; /* that there was something is enough */
    }
    return connection < 0 || !(polled[1].revents & (POLLRDHUP | POLLHUP | POLLERR));
}

static void fill(struct watch *watch, struct stream_room *room)
{
    while (!watch->over && !watch->pending.length) {
        arena_release(&watch->scratch);
        watch->rendering.arena = &watch->scratch;
        watch->rendering.now = apiserver_seconds(watch->server);
        if (is_beginning(watch)) {
            write_initial(watch, room);
            continue;
        }
        if (collect(watch, room))
            continue;
        /* Changes that are not selected may have taken room. */
        stream_room_take(room, 0);
        const int64_t now = clock_now_ns();
        const bool due = watch->bookmarks && now >= watch->bookmark_ns;
        watch->over = atomic_load(&watch->server->stopping) || now >= watch->deadline_ns ||
                      (!due && !wait_for_change(watch, room));
        if (!watch->over && due)
            append_bookmark(watch, false);
    }
}

static void drop_pending(struct watch *watch)
{
    text_release(&watch->pending);
    text_init(&watch->pending, &watch->server->memory);
    watch->sent = 0;
}

size_t watch_read(struct watch *watch, struct stream_room *room, char *buffer, size_t most)
{
    if (watch->sent == watch->pending.length) {
        drop_pending(watch); /* a watch that waits holds nothing */
        if (!stream_room_take(room, 0))
            return 0;
        fill(watch, room);
        /* Some objects take more as text than was taken for them. */
        if (watch->pending.length && !stream_room_take(room, watch->pending.capacity)) {
            drop_pending(watch);
            watch->over = true;
        }
    }
    size_t count = watch->pending.length - watch->sent;
    if (count > most)
        count = most;
    if (count)
        memcpy(buffer, watch->pending.content + watch->sent, count);
    watch->sent += count;
    return count;
}

bool watch_keeps_objects(const struct watch *watch)
{
    return watch->initial_next < watch->initial_count;
}

void watch_close(struct watch *watch)
{
    struct memory *memory = &watch->server->memory;
    pthread_mutex_lock(&watch->server->store.lock);
    object_store_unwatch(&watch->server->store, &watch->watcher);
    pthread_mutex_unlock(&watch->server->store.lock);
    close(watch->watcher.descriptor);
    for (; watch->initial_next < watch->initial_count; watch->initial_next++)
        snapshot_release(watch->initial[watch->initial_next]);
    resource_type_release(watch->rendering.type);
    text_release(&watch->pending);
    arena_release(&watch->arena);
    arena_release(&watch->scratch);
    memory_release(memory, watch, sizeof(*watch));
}

/* What is there already is sent as if it were added now. */
static void hold_all(struct watch *watch)
{
    const struct object_store_range range =
        object_store_range(&watch->server->store, watch->rendering.type, watch->name_space);
    watch->initial = ARENA_ARRAY(&watch->arena, struct snapshot *,
                                 range.end > range.first ? (size_t)(range.end - range.first) : 1);
    for (const struct object_store_entry *entry = range.first; entry != range.end; entry++)
        if (selected(watch, entry->snapshot))
            watch->initial[watch->initial_count++] = snapshot_hold(entry->snapshot);
}

/* Called with the lock held. */
static void begin_at(struct watch *watch, const char *asked, bool send_initial)
{
    const struct object_store *store = &watch->server->store;
    const uint64_t version = strtoull(asked, NULL, 10);
    watch->version = store->version;
    watch->next = store->change_end;
    if (!*asked || strcmp(asked, "0") == 0 || send_initial) {
        hold_all(watch);
        watch->initial_bookmark = send_initial && watch->bookmarks;
    } else if (version > store->version) {
        const struct status status = {
            .code = 504,
            .reason = "Timeout",
            .message = arena_printf(&watch->scratch,
                                    "Too large resource version: %" PRIu64 ", current: %" PRIu64,
                                    version, store->version),
        };
        append_error(watch, &status);
    } else if (!object_store_changes_after(store, version, &watch->next)) {
        const struct status status = status_expired(&watch->scratch, version, store->forgotten);
        append_error(watch, &status);
    } else {
        watch->version = version;
    }
}

static int64_t timeout_of(const struct http_request *request)
{
    const char *written = http_parameter(request, "timeoutSeconds");
    const long long seconds = *written ? strtoll(written, NULL, 10) : TIMEOUT_SECONDS;
    return seconds > 0 && seconds < TIMEOUT_SECONDS ? seconds : TIMEOUT_SECONDS;
}

static bool is_number(const char *text)
{
    return strspn(text, "0123456789") == strlen(text) && strlen(text) < 20;
}

static void select_name(struct watch *watch, const char *name)
{
    struct field_requirement *field = ARENA_NEW(&watch->arena, struct field_requirement);
    *field = (struct field_requirement){"metadata.name", arena_strdup(&watch->arena, name), false};
    watch->selection.fields = field;
    watch->selection.field_count = watch->selection.field_capacity = 1;
}

struct watch *watch_open(struct apiserver *server, const struct watch_target *target,
                         const struct http_request *request, struct http_response *response)
{
    struct arena arena;
    struct selection selection;
    const char *why = NULL;
    arena_init(&arena, &server->memory);
    const char *version = http_parameter(request, "resourceVersion");
    if (!is_number(version))
        why = arena_printf(&arena, "invalid resource version \"%s\"", version);
    if (why || !selection_read(&arena, target->type, request, &selection, &why)) {
        const struct status status = status_bad_request(why);
        status_respond(response, &status);
        arena_release(&arena);
        return NULL;
    }
    const int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (descriptor < 0) {
        const struct status status = status_too_many_requests("there are too many watches");
        status_respond(response, &status);
        arena_release(&arena);
        return NULL;
    }
    struct watch *watch = memory_allocate(&server->memory, sizeof(*watch));
    *watch = (struct watch){
        .server = server,
        .arena = arena,
        .selection = selection,
        .watcher.descriptor = descriptor,
        .bookmarks = http_parameter_true(request, "allowWatchBookmarks"),
        .deadline_ns = clock_now_ns() + timeout_of(request) * second_ns,
        .bookmark_ns = clock_now_ns() + BOOKMARK_SECONDS * second_ns,
    };
    arena_init(&watch->scratch, &server->memory);
    text_init(&watch->pending, &server->memory);
    watch->name_space = arena_strdup(&watch->arena, target->name_space);
    watch->rendering = rendering_of(server, &watch->arena, target->type, target->version, request);
    watch->rendering.arena = &watch->scratch;
    resource_type_hold(watch->rendering.type);
    if (*target->name)
        select_name(watch, target->name);
    pthread_mutex_lock(&server->store.lock);
    object_store_watch(&server->store, &watch->watcher);
    begin_at(watch, version, http_parameter_true(request, "sendInitialEvents"));
    pthread_mutex_unlock(&server->store.lock);
    response->status = 200;
    response->content_type = "application/json";
    response->watch = watch;
    return watch;
}
