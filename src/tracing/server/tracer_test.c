/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libfathom-trace and the server together: what a tracer sends arrives, from
 * many threads; and a tracer whose server is not there, hangs or refuses goes on
 * without waiting, and counts what is lost.
 */
#include "tracing/server/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    struct memory memory;
    struct arena arena;
    struct trace_server *server;
};

static void start(struct fixture *fixture, const char *token)
{
    const char *error = NULL;
    const struct server_options options = {
        .listen = "127.0.0.1:0",
        .token = token,
        .body_most = 1 << 20,
        .connections_most = 64,
    };
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    fixture->server = trace_server_start(&fixture->memory, &options, &fixture->arena, &error);
    if (!fixture->server)
        fail_msg("%s", error);
}

static void stop(struct fixture *fixture)
{
    trace_server_stop(fixture->server);
    arena_release(&fixture->arena);
    assert_int_equal(fixture->memory.used_bytes, 0);
}

static struct fathom_tracer *tracer_to(const char *server, const char *token, uint32_t records)
{
    struct fathom_trace_options options;
    char why[128] = "";
    fathom_trace_options_init(&options);
    options.service = "test-controller \"quoted\"\n";
    options.server = server;
    options.token = token;
    options.finish_timeout_ms = 50;
    if (records)
        options.queue_records = records;
    struct fathom_tracer *tracer = fathom_tracer_create(&options, why, sizeof(why));
    if (!tracer)
        fail_msg("%s", why);
    return tracer;
}

/* What the server says to a GET, with the head. */
static char *ask(const char *address, const char *path)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)strtoul(strrchr(address, ':') + 1, NULL, 10));
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(client, (const struct sockaddr *)&to, sizeof(to)), 0);
    char request[256];
    const int length =
        snprintf(request, sizeof(request),
                 "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
    assert_int_equal(send(client, request, (size_t)length, 0), length);
    const size_t most = 4 << 20;
    char *answer = test_malloc(most);
    size_t read = 0;
    ssize_t came = 0;
    while ((came = recv(client, answer + read, most - 1 - read, 0)) > 0)
        read += (size_t)came;
    answer[read] = '\0';
    close(client);
    return answer;
}

static unsigned occurrences(const char *text, const char *word)
{
    unsigned count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        count++;
    return count;
}

static void what_is_told_arrives(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, NULL);
    const char *address = trace_server_address(fixture.server);
    struct fathom_tracer *tracer = tracer_to(address, NULL, 0);
    struct fathom_trace_context contexts[2];
    struct fathom_trace_context merged;
    fathom_trace_root(tracer, &contexts[0]);
    fathom_trace_root(tracer, &contexts[1]);
    assert_int_equal(fathom_trace_merge(tracer, contexts, 2, &merged), FATHOM_TRACE_NEW);
    struct fathom_span *span = fathom_span_start(tracer, &merged, "sync \xff\xc3\xa4\\");
    struct fathom_span *child = fathom_span_child(span, "update");
    fathom_span_object(child, "Deployment/default/web", "7", NULL);
    struct fathom_trace_annotations written;
    fathom_trace_inject(&merged, child, &written);
    assert_int_equal(written.count, 3);
    fathom_span_end(child);
    fathom_span_end(span);
    assert_true(fathom_tracer_flush(tracer, 10000));
    const struct fathom_trace_counts counts = fathom_tracer_counts(tracer);
    assert_int_equal(counts.sent, 5);
    assert_int_equal(counts.dropped + counts.refused + counts.waiting, 0);
    char path[128];
    char cpid[FATHOM_TRACE_ID_TEXT];
    fathom_trace_id_format(&contexts[0].id, cpid);
    snprintf(path, sizeof(path), "/api/v1/cpids/%s/spans", cpid);
    char *spans = ask(address, path);
    assert_int_equal(occurrences(spans, "\"spanId\""), 2);
    assert_int_equal(occurrences(spans, "\"service\":\"test-controller \\\"quoted\\\"\\n\""), 2);
    assert_int_equal(occurrences(spans, "\"name\":\"sync ?\xc3\xa4\\\\\""), 1);
    assert_int_equal(occurrences(spans, "\"object\":\"Deployment/default/web\""), 1);
    assert_int_equal(occurrences(spans, "\"resourceVersionRead\":\"7\""), 1);
    assert_int_equal(occurrences(spans, "\"parentId\":\"\""), 1);
    test_free(spans);
    fathom_tracer_free(tracer);
    stop(&fixture);
}

enum { THREADS = 8, RECONCILES = 200 };

static void *reconcile_often(void *context)
{
    struct fathom_tracer *tracer = context;
    for (int i = 0; i < RECONCILES; i++) {
        struct fathom_trace_context root;
        fathom_trace_root(tracer, &root);
        struct fathom_span *span = fathom_span_start(tracer, &root, "sync");
        fathom_span_end(fathom_span_child(span, "get"));
        fathom_span_end(span);
    }
    return NULL;
}

static void threads_share_a_tracer(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, "token");
    struct fathom_tracer *tracer = tracer_to(trace_server_address(fixture.server), "token", 0);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, reconcile_often, tracer), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_true(fathom_tracer_flush(tracer, 20000));
    assert_int_equal(fathom_tracer_counts(tracer).sent, 3 * THREADS * RECONCILES);
    fathom_tracer_free(tracer);
    /* Without the token nothing is taken, and all is counted. */
    tracer = tracer_to(trace_server_address(fixture.server), NULL, 0);
    reconcile_often(tracer);
    assert_true(fathom_tracer_flush(tracer, 20000));
    assert_int_equal(fathom_tracer_counts(tracer).refused, 3 * RECONCILES);
    fathom_tracer_free(tracer);
    stop(&fixture);
}

/* A socket that takes connections and never answers; or none at all. */
static int silent_server(bool listening, char *address, size_t size)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(at);
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(server, (const struct sockaddr *)&at, sizeof(at)), 0);
    if (listening)
        assert_int_equal(listen(server, 4), 0);
    getsockname(server, (struct sockaddr *)&at, &length);
    snprintf(address, size, "http://127.0.0.1:%u/prefix/", ntohs(at.sin_port));
    return server;
}

/* How often this thread gave the processor away to wait for something. */
static long waits_so_far(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

/* Whoever makes records does not wait, be the machine as busy as it likes; and the end of a
 * tracer comes though nobody answers (otherwise the test would run out of its time). */
static void nobody_waits_for_a_server_that_is_not_there(void **state)
{
    (void)state;
    for (int listening = 0; listening < 2; listening++) {
        char address[64];
        const int server = silent_server(listening, address, sizeof(address));
        struct fathom_tracer *tracer = tracer_to(address, NULL, 100);
        const long waits = waits_so_far();
        struct fathom_trace_context context;
        for (int i = 0; i < 5000; i++)
            fathom_trace_root(tracer, &context);
        assert_true(waits_so_far() - waits < 1000);
        const struct fathom_trace_counts counts = fathom_tracer_counts(tracer);
        assert_int_equal(counts.sent, 0);
        assert_int_equal(counts.dropped + counts.waiting, 5000);
        assert_true(counts.waiting >= 100 && counts.waiting <= 1100);
        assert_false(fathom_tracer_flush(tracer, 20));
        fathom_tracer_free(tracer);
        close(server);
    }
}

/* The server comes later: what waited is sent. */
static void what_waits_is_sent_later(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, NULL);
    char address[64];
    snprintf(address, sizeof(address), "%s", trace_server_address(fixture.server));
    stop(&fixture);
    struct fathom_tracer *tracer = tracer_to(address, NULL, 0);
    struct fathom_trace_context context;
    fathom_trace_root(tracer, &context);
    while (!fathom_tracer_counts(tracer).failures)
        fathom_tracer_flush(tracer, 5);
    memory_init(&fixture.memory, SIZE_MAX);
    arena_init(&fixture.arena, &fixture.memory);
    const char *error = NULL;
    const struct server_options options = {
        .listen = address + strlen("http://"), .body_most = 1 << 20, .connections_most = 64};
    fixture.server = trace_server_start(&fixture.memory, &options, &fixture.arena, &error);
    assert_non_null(fixture.server);
    assert_true(fathom_tracer_flush(tracer, 20000));
    assert_int_equal(fathom_tracer_counts(tracer).sent, 1);
    fathom_tracer_free(tracer);
    stop(&fixture);
}

static void wrong_options_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *service;
        const char *server;
        const char *token;
        uint32_t ancestors;
        const char *why;
    } cases[] = {
        {NULL, NULL, NULL, 8, "service: expected the name of the controller"},
        {"x", "127.0.0.1:7788", NULL, 8, "server: expected http://HOST[:PORT][/PREFIX]"},
        {"x", "https://trace", NULL, 8, "server: expected http://HOST[:PORT][/PREFIX]"},
        {"x", "http://", NULL, 8, "server: expected http://HOST[:PORT][/PREFIX]"},
        {"x", "http://trace:port", NULL, 8, "server: expected http://HOST[:PORT][/PREFIX]"},
        {"x", "http://trace\r\nX: y", NULL, 8, "server: expected http://HOST[:PORT][/PREFIX]"},
        {"x", "http://trace", "to\nken", 8, "token: expected visible ASCII characters"},
        {"x", NULL, NULL, 65, "ancestors_most: expected at most 64"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fathom_trace_options options;
        char why[128] = "";
        fathom_trace_options_init(&options);
        options.service = cases[i].service;
        options.server = cases[i].server;
        options.token = cases[i].token;
        options.rules.ancestors_most = cases[i].ancestors;
        assert_null(fathom_tracer_create(&options, why, sizeof(why)));
        assert_string_equal(why, cases[i].why);
    }
}

/* Tracing can be left out: nothing breaks, contexts are merged all the same. */
static void without_a_tracer_nothing_is_told(void **state)
{
    (void)state;
    struct fathom_trace_context contexts[2] = {{.id = fathom_trace_id_new()},
                                               {.id = fathom_trace_id_new()}};
    struct fathom_trace_context merged;
    assert_int_equal(fathom_trace_merge(NULL, contexts, 2, &merged), FATHOM_TRACE_NEW);
    assert_int_equal(merged.ancestor_count, 2);
    assert_null(fathom_span_start(NULL, &merged, "sync"));
    fathom_span_object(NULL, "x", NULL, NULL);
    fathom_span_end(fathom_span_child(NULL, "x"));
    fathom_tracer_free(NULL);
    struct fathom_trace_context root;
    fathom_trace_root(NULL, &root);
    assert_true(fathom_trace_id_is_none(&root.id));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_told_arrives),
        cmocka_unit_test(threads_share_a_tracer),
        cmocka_unit_test(nobody_waits_for_a_server_that_is_not_there),
        cmocka_unit_test(what_waits_is_sent_later),
        cmocka_unit_test(wrong_options_are_told),
        cmocka_unit_test(without_a_tracer_nothing_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
