/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the runtime: how it finds its server, when rounds are due, and one
 * round of a controller against the API server in memory, over a socket. */
#include "apiserver/http_server.h"
#include "base/clock.h"
#include "runtime/kubeconfig.h"
#include "runtime/round.h"
#include "runtime/work_queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    char folder[64];
};

static void set_up(struct fixture *fixture)
{
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    problems_init(&fixture->problems, &fixture->arena);
    snprintf(fixture->folder, sizeof(fixture->folder), "/tmp/fathom-runtime-test-XXXXXX");
    assert_non_null(mkdtemp(fixture->folder));
}

static void tear_down(struct fixture *fixture)
{
    arena_release(&fixture->arena);
    assert_int_equal(fixture->memory.used_bytes, 0);
    rmdir(fixture->folder);
}

static const char *write_file(struct fixture *fixture, const char *name, const char *content)
{
    const char *path = arena_printf(&fixture->arena, "%s/%s", fixture->folder, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
    return path;
}

/* --- kubeconfig --- */

#define CONTEXT                                          \
    "apiVersion: v1\nkind: Config\ncurrent-context: c\n" \
    "contexts: [{name: c, context: {cluster: k, user: u, namespace: n1}}]\n"

static void access_is_read(void **state)
{
    (void)state;
    struct fixture fixture;
    struct kube_access access;
    set_up(&fixture);
    const char *file = write_file(&fixture, "config",
                                  CONTEXT "clusters: [{name: k, cluster: {server: 'https://h:1/', "
                                          "certificate-authority-data: Zm9v}}]\n"
                                          "users: [{name: u, user: {token: t, tokenFile: tok, "
                                          "client-certificate: config, client-key-data: YmFy}}]\n");
    const struct kube_access_request request = {.kubeconfig = file};
    assert_true(kube_access_find(&fixture.arena, &request, &access, &fixture.problems));
    assert_string_equal(access.server, "https://h:1");
    assert_string_equal(access.name_space, "n1");
    assert_string_equal(access.authority.content, "foo");
    assert_int_equal(access.authority.length, 3);
    assert_string_equal(access.certificate.file, file);
    assert_string_equal(access.key.content, "bar");
    assert_string_equal(access.token, "t");
    assert_string_equal(access.token_file, arena_printf(&fixture.arena, "%s/tok", fixture.folder));
    assert_false(access.insecure);
    unlink(file);
    tear_down(&fixture);
}

static void access_that_cannot_be(void **state)
{
    (void)state;
    static const struct {
        const char *content;
        const char *message;
    } cases[] = {
        {"apiVersion: v1\nkind: Config\n", "no current context"},
        {"apiVersion: v1\nkind: Config\ncurrent-context: x\n", "no context \"x\""},
        {CONTEXT, "no cluster"},
        {CONTEXT "clusters: [{name: k, cluster: {server: h}}]\n", "expected http://"},
        {CONTEXT "clusters: [{name: k, cluster: {server: 'http://h'}}]\n", "no user"},
        {CONTEXT "clusters: [{name: k, cluster: {server: 'http://h', "
                 "certificate-authority-data: '-'}}]\nusers: [{name: u, user: {}}]\n",
         "expected base64"},
        {CONTEXT "clusters: [{name: k, cluster: {server: 'http://h', proxy-url: x}}]\n"
                 "users: [{name: u, user: {}}]\n",
         "proxies"},
        {CONTEXT "clusters: [{name: k, cluster: {server: 'http://h'}}]\n"
                 "users: [{name: u, user: {exec: {command: x}}}]\n",
         "are not run"},
        {CONTEXT "clusters: [{name: k, cluster: {server: 'http://h'}}]\n"
                 "users: [{name: u, user: {client-key: absent}}]\n",
         "cannot be read"},
        {"{", "expected"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fixture fixture;
        struct kube_access access;
        set_up(&fixture);
        const struct kube_access_request request = {
            .kubeconfig = write_file(&fixture, "config", cases[i].content)};
        assert_false(kube_access_find(&fixture.arena, &request, &access, &fixture.problems));
        const char *said = problem_format(&fixture.arena, &fixture.problems.items[0]);
        if (!strstr(said, cases[i].message))
            assert_string_equal(said, cases[i].message);
        unlink(request.kubeconfig);
        tear_down(&fixture);
    }
}

static void pods_find_their_own_access(void **state)
{
    (void)state;
    struct fixture fixture;
    struct kube_access access;
    set_up(&fixture);
    const char *token = write_file(&fixture, "token", "secret\n");
    setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1);
    setenv("KUBERNETES_SERVICE_PORT", "6443", 1);
    setenv("HOME", fixture.folder, 1);
    unsetenv("KUBECONFIG");
    const struct kube_access_request request = {.service_account = fixture.folder};
    assert_true(kube_access_find(&fixture.arena, &request, &access, &fixture.problems));
    assert_string_equal(access.server, "https://[fd00::1]:6443");
    assert_string_equal(access.token_file, token);
    unsetenv("KUBERNETES_SERVICE_HOST");
    assert_false(kube_access_find(&fixture.arena, &request, &access, &fixture.problems));
    unlink(token);
    tear_down(&fixture);
}

/* --- The queue --- */

static void rounds_come_when_they_are_due(void **state)
{
    (void)state;
    const int64_t ms = 1000000;
    struct memory memory;
    struct work_queue queue;
    int64_t next = 0;
    memory_init(&memory, SIZE_MAX);
    work_queue_init(&queue, &memory);
    const struct object_key a = {"Foo", "n", "a"};
    const struct object_key b = {"Foo", "n", "b"};
    assert_null(work_queue_next(&queue, 0, &next));
    assert_true(next == INT64_MAX);
    work_queue_add(&queue, &a, 1);
    work_queue_add(&queue, &b, 2);
    work_queue_add(&queue, &a, 3); /* is there already */
    struct work_item *item = work_queue_next(&queue, 5, &next);
    assert_string_equal(item->key.name, "a");
    work_queue_failed(item, 5);
    item = work_queue_next(&queue, 6, &next);
    assert_string_equal(item->key.name, "b");
    work_queue_done(item, 6, 100 * ms);
    assert_null(work_queue_next(&queue, 7, &next));
    assert_true(next == 5 + 5 * ms);
    /* A change does not shorten a back-off, which doubles. */
    work_queue_add(&queue, &a, 8);
    assert_null(work_queue_next(&queue, 9, &next));
    item = work_queue_next(&queue, 100 * ms + 6, &next);
    assert_string_equal(item->key.name, "a"); /* due before b */
    work_queue_failed(item, 20 * ms);
    assert_true(item->due_ns == 30 * ms);
    item = work_queue_next(&queue, 30 * ms, &next);
    for (int i = 0; i < 30; i++)
        work_queue_failed(item, 0);
    assert_true(item->due_ns == 1000000 * ms);
    item = work_queue_next(&queue, 100 * ms + 6, &next);
    assert_string_equal(item->key.name, "b");
    work_queue_forget(&queue, item);
    /* A change while the round runs is not forgotten. */
    item = work_queue_next(&queue, INT64_MAX - 1, &next);
    work_queue_add(&queue, &item->key, 100);
    work_queue_done(item, 200, 100 * ms);
    assert_true(item->due_ns == 200);
    assert_int_equal(item->failures, 0);
    work_queue_add(&queue, &(struct object_key){"Foo", "n", "c"}, 1);
    assert_int_equal(queue.count, 2); /* in the place of b */
    work_queue_release(&queue);
    assert_int_equal(memory.used_bytes, 0);
}

/* --- Rounds --- */

/* A controller that asks one thing after another, and keeps what it was told in its
 * memory: the requests are a list of verbs. */
struct script {
    const struct api_request *requests;
    uint32_t count;
    char heard[256];
};

static bool script_init(const struct controller *controller, struct arena *arena,
                        const struct datum **local, struct problems *problems)
{
    (void)controller;
    (void)problems;
    *local = datum_integer(arena, 0);
    return true;
}

static bool script_step(const struct controller *controller, struct arena *arena,
                        const struct datum *custom_resource,
                        const struct controller_response *response, const struct datum *local,
                        struct controller_answer *answer, struct problems *problems)
{
    (void)custom_resource;
    (void)problems;
    struct script *script = controller->context;
    const int64_t at = datum_number(local, 0);
    if (response) {
        const size_t used = strlen(script->heard);
        const struct datum *content = response->content;
        const unsigned count = content && content->kind == DATUM_LIST ? content->count : 0;
        snprintf(script->heard + used, sizeof(script->heard) - used, "%s%s ",
                 api_error_name(response->error), count ? "+" : "");
    }
    *answer = (struct controller_answer){.local = datum_integer(arena, at + 1)};
    if (at < script->count) {
        answer->has_request = true;
        answer->request = script->requests[at];
    }
    return true;
}

static bool script_status(const struct controller *controller, struct arena *arena,
                          const struct datum *local, bool *done, bool *error,
                          struct problems *problems)
{
    (void)arena;
    (void)problems;
    const struct script *script = controller->context;
    *done = datum_number(local, 0) > script->count;
    *error = false;
    return true;
}

static const struct datum *read_object(struct fixture *fixture, const char *text)
{
    const struct datum *object =
        datum_read(&fixture->arena, DATUM_REAL, (struct place){"response", 1, 1}, text,
                   strlen(text), &fixture->problems);
    assert_non_null(object);
    return object;
}

static void requests_become_verbs_and_errors_names(void **state)
{
    (void)state;
    struct fixture fixture;
    struct apiserver server;
    const char *why = "";
    set_up(&fixture);
    const struct apiserver_settings settings = {
        .store = {.first_version = 5, .first_uid = 3, .history = 16}, .no_collector = true};
    const struct http_server_settings http_settings = {.address = "127.0.0.1",
                                                       .connections_most = 8};
    apiserver_start(&server, &settings);
    struct http_server *http = http_server_start(&server, &http_settings, &why);
    assert_non_null(http);
    const struct kube_access access = {
        .server = arena_printf(&fixture.arena, "http://127.0.0.1:%u", http_server_port(http))};
    struct kube_client *client = kube_client_create(&fixture.memory, &access, NULL, -1, &why);
    assert_non_null(client);
    struct kube_resources resources = {.arena = &fixture.arena};
    struct kube_reply failure;
    assert_true(kube_resources_discover(&resources, client, &failure));
    assert_string_equal(kube_resource_find(&resources, "StatefulSet", NULL)->api_version,
                        "apps/v1");

    const struct object_key key = {"ConfigMap", "default", "a"};
    const struct object_key pods = {"Pod", "default", ""};
    const struct object_key maps = {"ConfigMap", "default", ""};
    const struct object_key strange = {"Strange", "default", "a"};
    const struct datum *made = read_object(
        &fixture, "{\"metadata\":{\"name\":\"a\",\"namespace\":\"default\",\"ownerReferences\":[{"
                  "\"kind\":\"ConfigMap\",\"name\":\"a\",\"uid\":\"x\"}]},\"data\":{\"v\":\"1\"}}");
    const struct datum *stale =
        read_object(&fixture, "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}}");
    const struct datum *other = read_object(&fixture, "{\"metadata\":{\"name\":\"b\"}}");
    const struct datum *bad = read_object(&fixture, "{\"metadata\":{\"name\":\"A b\"}}");
    const struct api_request requests[] = {
        {.verb = API_GET, .key = key},
        {.verb = API_LIST, .key = maps},
        {.verb = API_CREATE, .key = key, .object = made},
        {.verb = API_CREATE, .key = key, .object = made},
        {.verb = API_LIST, .key = maps},
        {.verb = API_LIST, .key = pods},
        {.verb = API_UPDATE, .key = key, .object = stale},
        {.verb = API_UPDATE, .key = key, .object = other},
        {.verb = API_CREATE, .key = maps, .object = bad},
        {.verb = API_GET, .key = strange},
        {.verb = API_UPDATE, .key = key},
        {.verb = API_DELETE, .key = key, .version_precondition = datum_version(&fixture.arena, 1)},
        {.verb = API_DELETE, .key = key},
        {.verb = API_DELETE, .key = key},
    };
    struct script script = {requests, sizeof(requests) / sizeof(*requests), ""};
    const struct controller controller = {
        .name = "script",
        .context = &script,
        .init = script_init,
        .step = script_step,
        .status = script_status,
    };
    struct reconciler reconciler = {
        .memory = &fixture.memory,
        .controller = &controller,
        .client = client,
        .resources = &resources,
    };
    arena_init(&reconciler.external_arena, &fixture.memory);
    const struct object_key default_space = {"Namespace", "", "default"};
    struct round_result result =
        reconcile_round(&reconciler, &fixture.arena, &default_space, &fixture.problems);
    assert_int_equal(result.end, ROUND_DONE);
    assert_string_equal(script.heard,
                        "NotFound Ok Ok AlreadyExists Ok+ Ok Conflict BadRequest Invalid NotFound "
                        "BadRequest Conflict Ok NotFound ");
    assert_int_equal(result.writes, 2);
    assert_int_equal(reconciler.touched_count, 3);
    const struct object_key nobody = {"Namespace", "", "nobody"};
    result = reconcile_round(&reconciler, &fixture.arena, &nobody, &fixture.problems);
    assert_int_equal(result.end, ROUND_GONE);
    /* Calls to the application are answered by a model only if that is wanted. */
    const struct api_request call = {.verb = API_EXTERNAL, .object = made};
    script = (struct script){&call, 1, ""};
    result = reconcile_round(&reconciler, &fixture.arena, &default_space, &fixture.problems);
    assert_int_equal(result.end, ROUND_BROKEN);
    assert_int_equal(fixture.problems.errors, 1);
    http_server_stop(http);
    apiserver_free(&server);
    /* Nobody is there any more. */
    result = reconcile_round(&reconciler, &fixture.arena, &default_space, &fixture.problems);
    assert_int_equal(result.end, ROUND_ERROR);
    kube_client_free(client);
    tear_down(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(access_is_read),
        cmocka_unit_test(access_that_cannot_be),
        cmocka_unit_test(pods_find_their_own_access),
        cmocka_unit_test(rounds_come_when_they_are_due),
        cmocka_unit_test(requests_become_verbs_and_errors_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
