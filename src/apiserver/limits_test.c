/* SPDX-License-Identifier: Apache-2.0 */
/* What one request may cost, and what the server keeps, whatever clients do. */
#include "apiserver/change.h"
#include "apiserver/collector.h"
#include "apiserver/patch.h"
#include "apiserver/watch.h"
#include "apiserver/world_fixture.h"

#include <stdlib.h>

#define JSON_PATCH  "application/json-patch+json"
#define MERGE       "application/merge-patch+json"
#define STRATEGIC   "application/strategic-merge-patch+json"
#define PODS        "/api/v1/namespaces/default/pods"
#define DEFINITIONS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

#define EXPECT_AS(status, part, ...) assert_says(&world, status, ask_as(&world, __VA_ARGS__), part)

/* So many texts, with commas between them; # is the number of the text. */
static const char *repeated(struct world *world, uint32_t count, const char *format)
{
    struct text text;
    text_init(&text, &world->memory);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            text_append_char(&text, ',');
        for (const char *c = format; *c; c++)
            if (c[0] == '#')
                text_printf(&text, "%u", i);
            else
                text_append_char(&text, *c);
    }
    return text_keep(&text, &world->arena);
}

static const char *joined(struct world *world, const char *before, const char *middle,
                          const char *after)
{
    return arena_printf(&world->arena, "%s%s%s", before, middle, after);
}

/* Each level of the object has two copies of the one below. */
static void copies_are_limited(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(201, "", "POST", CMS, cm(&world, "a", "", "x"));
    struct text patch;
    text_init(&patch, &world.memory);
    text_append_string(&patch, "[{\"op\":\"add\",\"path\":\"/data/k0\",\"value\":\"0123456789\"}");
    for (uint32_t i = 0; i < 40; i++)
        text_printf(&patch,
                    ",{\"op\":\"add\",\"path\":\"/b%u\",\"value\":{}}"
                    ",{\"op\":\"copy\",\"from\":\"/%s%u\",\"path\":\"/b%u/l\"}"
                    ",{\"op\":\"copy\",\"from\":\"/%s%u\",\"path\":\"/b%u/r\"}",
                    i, i ? "b" : "data/k", i ? i - 1 : 0, i, i ? "b" : "data/k", i ? i - 1 : 0, i);
    text_append_char(&patch, ']');
    EXPECT_AS(413, "larger than 3145728 bytes", "PATCH", CMS "/a", JSON_PATCH,
              text_keep(&patch, &world.arena));
    EXPECT_AS(200, "\"copy\":\"x\"", "PATCH", CMS "/a", JSON_PATCH,
              "[{\"op\":\"copy\",\"from\":\"/data/v\",\"path\":\"/data/copy\"}]");
    world_end(&world);
}

static void operations_are_limited(void **state)
{
    (void)state;
    struct world world;
    const char *const operation = "{\"op\":\"test\",\"path\":\"/kind\",\"value\":\"ConfigMap\"}";
    world_start(&world);
    EXPECT(201, "", "POST", CMS, cm(&world, "a", "", "x"));
    EXPECT_AS(413, "maximum operations in a JSON patch is 10000, got 10001", "PATCH", CMS "/a",
              JSON_PATCH,
              joined(&world, "[", repeated(&world, PATCH_OPERATIONS_MOST + 1, operation), "]"));
    EXPECT_AS(200, "", "PATCH", CMS "/a", JSON_PATCH,
              joined(&world, "[", repeated(&world, PATCH_OPERATIONS_MOST, operation), "]"));
    world_end(&world);
}

/* Each operation copies the object that it changes. */
static void work_of_operations_is_limited(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(201, "", "POST", CMS,
           joined(&world, "{\"metadata\":{\"name\":\"a\"},\"data\":{",
                  repeated(&world, 5000, "\"k#\":\"v\""), "}}"));
    EXPECT_AS(
        413, "too much work", "PATCH", CMS "/a", JSON_PATCH,
        joined(&world, "[",
               repeated(&world, 5000, "{\"op\":\"add\",\"path\":\"/data/n#\",\"value\":\"v\"}"),
               "]"));
    world_end(&world);
}

/* 20,000 containers are merged with 20,000 others: each is found by its name. */
static void long_lists_are_merged(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(201, "", "POST", PODS,
           joined(&world, "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[",
                  repeated(&world, 20000, "{\"name\":\"c#\",\"image\":\"a\"}"), "]}}"));
    const char *patched =
        ask_as(&world, "PATCH", PODS "/p", STRATEGIC,
               joined(&world, "{\"spec\":{\"containers\":[",
                      repeated(&world, 20000, "{\"name\":\"d#\",\"image\":\"b\"}"), "]}}"));
    assert_says(&world, 200, patched, "{\"image\":\"b\",\"name\":\"d19999\"}");
    assert_non_null(strstr(patched, "{\"image\":\"a\",\"name\":\"c0\"}"));
    world_end(&world);
}

/* Equal items are compared with one another, which is work. */
static void work_of_equal_items_is_limited(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(201, "", "POST", CMS,
           joined(&world, "{\"metadata\":{\"name\":\"a\",\"finalizers\":[",
                  repeated(&world, 20000, "\"x.io/a\""), "]}}"));
    EXPECT_AS(413, "too much work", "PATCH", CMS "/a", STRATEGIC,
              "{\"metadata\":{\"finalizers\":[\"x.io/b\"]}}");
    EXPECT_AS(413, "too much work", "PATCH", CMS "/a", STRATEGIC,
              "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"x.io/b\"]}}");
    EXPECT_AS(413, "too much work", "PATCH", CMS "/a", STRATEGIC,
              "{\"metadata\":{\"$setElementOrder/finalizers\":[\"x.io/b\"]}}");
    world_end(&world);
}

/* As the real API server does. */
static void equal_items_are_removed_together(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    EXPECT(201, "", "POST", CMS,
           "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"x.io/a\",\"x.io/b\",\"x.io/a\"]}}");
    EXPECT_AS(200, "\"finalizers\":[\"x.io/b\"]", "PATCH", CMS "/a", STRATEGIC,
              "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"x.io/a\"]}}");
    EXPECT(
        201, "", "POST", PODS,
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\","
        "\"ports\":[{\"containerPort\":53,\"protocol\":\"TCP\"},{\"containerPort\":80},"
        "{\"containerPort\":53,\"protocol\":\"UDP\"}]}]}}");
    EXPECT_AS(200, "\"ports\":[{\"containerPort\":80", "PATCH", PODS "/p", STRATEGIC,
              "{\"spec\":{\"containers\":[{\"name\":\"c\",\"ports\":"
              "[{\"$patch\":\"delete\",\"containerPort\":53}]}]}}");
    world_end(&world);
}

/* Objects do not grow by patches beyond what a request may bring. */
static void patched_objects_are_limited(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    const char *half = arena_printf(&world.arena, "%0*d", 1700000, 0);
    EXPECT(201, "", "POST", CMS, cm(&world, "a", "", half));
    EXPECT_AS(413, "would be larger than 3145728 bytes", "PATCH", CMS "/a", MERGE,
              joined(&world, "{\"data\":{\"more\":\"", half, "\"}}"));
    world_end(&world);
}

/* History is forgotten early where it takes much; the watch that missed something is told. */
static void history_is_limited_by_its_size(void **state)
{
    (void)state;
    struct world world;
    const char *content = "";
    char event[4096] = "";
    world_start_with(&world,
                     (struct object_store_settings){.history = 4096, .history_bytes = 4 << 20}, 0);
    EXPECT(201, "", "POST", CMS, cm(&world, "a", "", "x"));
    struct watch *watch = exchange(&world, "GET", CMS "?watch=1&resourceVersion=10",
                                   "application/json", "", &content);
    const char *large = arena_printf(&world.arena, "%0*d", 1000000, 0);
    for (uint32_t i = 0; i < 20; i++)
        EXPECT(200, "", "PUT", CMS "/a", cm(&world, "a", "", i % 2 ? large : large + 1));
    assert_true(world.server.store.change_bytes <= 4 << 20);
    assert_true(world.server.memory.used_bytes < 12 << 20);
    watch_read(watch, NULL, event, sizeof(event) - 1);
    assert_non_null(strstr(event, "410"));
    watch_close(watch);
    world_end(&world);
}

/* Objects that are no longer stored count, although what replaced them is small. */
static void history_counts_what_was_there_before(void **state)
{
    (void)state;
    struct world world;
    world_start_with(&world,
                     (struct object_store_settings){.history = 4096, .history_bytes = 4 << 20}, 0);
    const char *large = arena_printf(&world.arena, "%0*d", 1000000, 0);
    for (uint32_t i = 0; i < 16; i++)
        EXPECT(201, "", "POST", CMS, cm(&world, arena_printf(&world.arena, "b%u", i), "", large));
    for (uint32_t i = 0; i < 16; i++) {
        const char *name = arena_printf(&world.arena, "b%u", i);
        EXPECT(200, "", "PUT", joined(&world, CMS, "/", name), cm(&world, name, "", "x"));
    }
    assert_true(world.server.memory.used_bytes < 6 << 20);
    world_end(&world);
}

/* Room that is asked for. */
struct asked_room {
    struct stream_room stream;
    size_t bytes; /* the last */
    size_t most;
};

static bool note_room(struct stream_room *stream, size_t bytes)
{
    struct asked_room *room = (struct asked_room *)stream;
    room->bytes = bytes;
    room->most = bytes > room->most ? bytes : room->most;
    return true;
}

enum { LARGEST_PIECE = 8 << 20 };

/* A small object, large ones behind it, and one that is much larger as text. */
static void add_small_and_large(struct world *world)
{
    const char *large = arena_printf(&world->arena, "%0*d", 1000000, 0);
    struct text escaped;
    text_init(&escaped, &world->memory);
    for (uint32_t i = 0; i < 200000; i++)
        text_append_string(&escaped, "\\u0001");
    ask(world, "POST", CMS, cm(world, "d", "", text_keep(&escaped, &world->arena)));
    assert_int_equal(world->status, 201);
    ask(world, "POST", CMS, cm(world, "a", "", "x"));
    ask(world, "POST", CMS, cm(world, "b", "", large));
    ask(world, "POST", CMS, cm(world, "c", "", large));
}

static void pieces_of_lists_fit_their_room(void **state)
{
    (void)state;
    struct world world;
    struct asked_room room = {.stream = {-1, note_room}};
    struct http_response response = {0};
    const struct http_request request = {
        .method = "GET", .path = CMS, .accept = "application/json", .body = ""};
    world_start(&world);
    char *buffer = arena_allocate(&world.arena, LARGEST_PIECE);
    add_small_and_large(&world);
    text_init(&response.body, &world.memory);
    apiserver_handle(&world.server, &request, &response);
    for (size_t count = 1; count > 0;) {
        count = list_stream_read(response.list, &room.stream, buffer, LARGEST_PIECE);
        assert_in_range(count, 0, room.bytes);
    }
    assert_in_range(room.most, 1000000, 5000000);
    list_stream_close(response.list);
    world_end(&world);
}

static void pieces_of_watches_fit_their_room(void **state)
{
    (void)state;
    struct world world;
    const char *content = "";
    struct asked_room room = {.stream = {-1, note_room}};
    world_start(&world);
    char *buffer = arena_allocate(&world.arena, LARGEST_PIECE);
    add_small_and_large(&world);
    struct watch *watch = exchange(&world, "GET", CMS "?watch=1", "application/json", "", &content);
    apiserver_stop(&world.server);
    for (size_t count = 1; count > 0;) {
        count = watch_read(watch, &room.stream, buffer, LARGEST_PIECE);
        assert_in_range(count, 0, room.bytes);
    }
    assert_in_range(room.most, 1000000, 5000000);
    watch_close(watch);
    world_end(&world);
}

/* Changes that it does not select leave nothing behind. */
static void silent_watches_hold_no_room(void **state)
{
    (void)state;
    struct world world;
    const char *content = "";
    char event[4096] = "";
    struct asked_room room = {.stream = {-1, note_room}};
    world_start(&world);
    struct watch *watch =
        exchange(&world, "GET", CMS "?watch=1&resourceVersion=9&fieldSelector=metadata.name=other",
                 "application/json", "", &content);
    add_small_and_large(&world);
    apiserver_stop(&world.server);
    assert_int_equal(watch_read(watch, &room.stream, event, sizeof(event) - 1), 0);
    assert_in_range(room.most, 1000000, 5000000);
    assert_int_equal(room.bytes, 0);
    watch_close(watch);
    world_end(&world);
}

/* What is full can be emptied. */
static void a_full_store_allows_deletions(void **state)
{
    (void)state;
    struct world world;
    world_start_with(
        &world, (struct object_store_settings){.history = 4096, .history_bytes = 1 << 20}, 8 << 20);
    const char *large = arena_printf(&world.arena, "%0*d", 1500000, 0);
    EXPECT(201, "", "POST", CMS, cm(&world, "a", "", large));
    for (uint32_t i = 0; world.server.store.object_bytes <= 8 << 20; i++)
        EXPECT(201, "", "POST", CMS, cm(&world, arena_printf(&world.arena, "b%u", i), "", large));
    EXPECT(500, "database space exceeded", "POST", CMS, cm(&world, "c", "", "x"));
    EXPECT(200, "", "DELETE", CMS "/a", "");
    EXPECT(201, "", "POST", CMS, cm(&world, "c", "", "x"));
    world_end(&world);
}

static const char *definition(struct world *world, uint32_t number, const char *column)
{
    return arena_printf(
        &world->arena,
        "{\"metadata\":{\"name\":\"f%us.example.org\"},\"spec\":{\"group\":\"example.org\","
        "\"scope\":\"Namespaced\",\"names\":{\"plural\":\"f%us\",\"kind\":\"F%u\"},\"versions\":"
        "[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"additionalPrinterColumns\":"
        "[{\"name\":\"c\",\"type\":\"string\",\"jsonPath\":\".x\",\"description\":\"%s\"}]}]}}",
        number, number, number, column);
}

/* Definitions that change leave nothing behind. */
static void changed_definitions_are_freed(void **state)
{
    (void)state;
    struct world world;
    world_start_with(&world, (struct object_store_settings){.history = 1}, 0);
    const char *large = arena_printf(&world.arena, "%0*d", 100000, 0);
    EXPECT(201, "", "POST", DEFINITIONS, definition(&world, 0, large));
    const size_t used = world.server.memory.used_bytes;
    for (uint32_t i = 0; i < 50; i++)
        EXPECT_AS(200, "", "PATCH", DEFINITIONS "/f0s.example.org", MERGE,
                  arena_printf(&world.arena, "{\"metadata\":{\"labels\":{\"n\":\"%u\"}}}", i));
    assert_true(world.server.memory.used_bytes < used + 1000000);
    world_end(&world);
}

/* A deleted definition makes room for another, but not for one that its watch would see. */
static void places_of_definitions_are_reused(void **state)
{
    (void)state;
    struct world world;
    const char *content = "";
    char event[4096] = "";
    world_start(&world);
    EXPECT(201, "", "POST", DEFINITIONS, definition(&world, 0, ""));
    const uint32_t count = world.server.store.types.count;
    struct watch *watch =
        exchange(&world, "GET", "/apis/example.org/v1/namespaces/default/f0s?watch=1",
                 "application/json", "", &content);
    EXPECT(200, "", "DELETE", DEFINITIONS "/f0s.example.org", "");
    EXPECT(201, "", "POST", DEFINITIONS, definition(&world, 1, ""));
    EXPECT(201, "", "POST", "/apis/example.org/v1/namespaces/default/f1s",
           "{\"metadata\":{\"name\":\"x\"}}");
    assert_int_equal(world.server.store.types.count, count);
    apiserver_stop(&world.server);
    assert_int_equal(watch_read(watch, NULL, event, sizeof(event) - 1), 0);
    watch_close(watch);
    world_end(&world);
}

/* Somebody looked a type up; meanwhile its definition is deleted and its place given away. */
static void types_without_place_are_not_written(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    struct object_store *store = &world.server.store;
    EXPECT(201, "", "POST", DEFINITIONS, definition(&world, 0, ""));
    const struct resource_type *type =
        resource_type_hold(resource_type_find(&store->types, "example.org", "v1", "f0s", NULL));
    const struct change change = {.server = &world.server,
                                  .arena = &world.arena,
                                  .type = type,
                                  .version = "v1",
                                  .name_space = "default",
                                  .name = ""};
    const struct datum *object =
        datum_with(&world.arena, NULL, "metadata.name", datum_string(&world.arena, "x"));
    EXPECT(200, "", "DELETE", DEFINITIONS "/f0s.example.org", "");
    assert_int_equal(change_create(&change, object).status.code, 404);
    EXPECT(201, "", "POST", DEFINITIONS, definition(&world, 1, ""));
    EXPECT(201, "", "POST", "/apis/example.org/v1/namespaces/default/f1s",
           "{\"metadata\":{\"name\":\"y\"}}");
    assert_int_equal(change_create(&change, object).status.code, 404);
    assert_null(object_store_find(store, type, "default", "y"));
    resource_type_release(type);
    world_end(&world);
}

static void definitions_are_limited(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    for (uint32_t i = 0; i < RESOURCE_DEFINITIONS_MOST; i++)
        EXPECT(201, "", "POST", DEFINITIONS, definition(&world, i, ""));
    EXPECT(403, "at most 1024 definitions", "POST", DEFINITIONS, definition(&world, 9999, ""));
    EXPECT(200, "", "DELETE", DEFINITIONS "/f7s.example.org", "");
    EXPECT(201, "", "POST", DEFINITIONS, definition(&world, 9999, ""));
    world_end(&world);
}

/* Owners that go last, among more objects than one slice of a pass. */
static void many_objects_are_collected(void **state)
{
    (void)state;
    struct world world;
    world_start(&world);
    world.server.settings.no_collector = false;
    EXPECT(201, "", "POST", CMS, cm(&world, "owner", "", "x"));
    for (uint32_t i = 0; i < 1200; i++)
        EXPECT(201, "", "POST", CMS,
               cm(&world, arena_printf(&world.arena, "c%u", i),
                  i % 2 ? ",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
                          "\"name\":\"owner\",\"uid\":\"00000000-0000-4000-8000-000000000005\"}]"
                        : "",
                  "x"));
    EXPECT(200, "foregroundDeletion", "DELETE", CMS "/owner?propagationPolicy=Foreground", "");
    assert_true(collect_garbage(&world.server));
    EXPECT(200, "foregroundDeletion", "GET", CMS "/owner", "");
    assert_true(collect_garbage(&world.server));
    EXPECT(404, "", "GET", CMS "/owner", "");
    EXPECT(404, "", "GET", CMS "/c1199", "");
    EXPECT(200, "", "GET", CMS "/c1198", "");
    assert_false(collect_garbage(&world.server));
    world_end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_limited),
        cmocka_unit_test(operations_are_limited),
        cmocka_unit_test(work_of_operations_is_limited),
        cmocka_unit_test(long_lists_are_merged),
        cmocka_unit_test(work_of_equal_items_is_limited),
        cmocka_unit_test(equal_items_are_removed_together),
        cmocka_unit_test(patched_objects_are_limited),
        cmocka_unit_test(history_is_limited_by_its_size),
        cmocka_unit_test(history_counts_what_was_there_before),
        cmocka_unit_test(pieces_of_lists_fit_their_room),
        cmocka_unit_test(pieces_of_watches_fit_their_room),
        cmocka_unit_test(silent_watches_hold_no_room),
        cmocka_unit_test(a_full_store_allows_deletions),
        cmocka_unit_test(changed_definitions_are_freed),
        cmocka_unit_test(places_of_definitions_are_reused),
        cmocka_unit_test(types_without_place_are_not_written),
        cmocka_unit_test(definitions_are_limited),
        cmocka_unit_test(many_objects_are_collected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
