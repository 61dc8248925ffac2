/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/server/writer.h"

#include "base/clock.h"
#include "tracing/server/server_internal.h"

#include <stdlib.h>
#include <time.h>

enum { GROUP_RECORDS = 65536, RETAIN_SECONDS = 10 };

struct writer {
    struct trace_server *server;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct request *first;
    struct request **last;
    bool stopping;
};

/* What waits, up to the size of a transaction. The lock is held. */
static struct request *take_group(struct writer *writer)
{
    size_t records = 0;
    struct request *group = writer->first;
    struct request **end = &group;
    while (*end && records < GROUP_RECORDS) {
        records += (size_t)(*end)->batch.mergelogs.count + (*end)->batch.spans.count;
        end = &(*end)->next;
    }
    writer->first = *end;
    if (!writer->first)
        writer->last = &writer->first;
    *end = NULL;
    return group;
}

static void store_group(struct trace_server *server, struct request *group)
{
    const int64_t start_ns = clock_now_ns();
    enum store_outcome outcome = STORE_GOOD;
    pthread_mutex_lock(&server->store_lock);
    for (struct request *next = group; next && outcome == STORE_GOOD; next = next->next)
        outcome = trace_store_put(server->store, &next->arena, &next->batch, &next->put);
    if (outcome == STORE_GOOD)
        outcome = trace_store_commit(server->store);
    if (outcome != STORE_GOOD)
        LOG_WARNING(server->options.log, "store", "%s", trace_store_problem(server->store));
    pthread_mutex_unlock(&server->store_lock);
    METRIC_ADD(server, commits, outcome == STORE_GOOD);
    METRIC_ADD(server, commits_failed, outcome != STORE_GOOD);
    METRIC_ADD(server, commit_ns, (uint64_t)(clock_now_ns() - start_ns));
    while (group) {
        struct request *next = group->next; /* it may be gone once it goes on */
        group->outcome = outcome;
        intake_answer(group);
        server->http.resume_connection(group->connection);
        group = next;
    }
}

/* Before more is written, so that limits are kept however much comes; questions
 * may come in between. */
static void retain(struct trace_server *server)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const int64_t now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    bool more = true;
    while (more) {
        pthread_mutex_lock(&server->store_lock);
        more = trace_store_retain(server->store, now_ns);
        pthread_mutex_unlock(&server->store_lock);
    }
}

static void *run(void *context)
{
    struct writer *writer = context;
    retain(writer->server);
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += RETAIN_SECONDS;
        pthread_mutex_lock(&writer->lock);
        int waited = 0;
        while (!writer->first && !writer->stopping && !waited)
            waited = pthread_cond_timedwait(&writer->wake, &writer->lock, &until);
        struct request *group = take_group(writer);
        const bool end = !group && writer->stopping;
        pthread_mutex_unlock(&writer->lock);
        if (end)
            return NULL;
        if (group)
            store_group(writer->server, group);
        retain(writer->server);
    }
}

struct writer *writer_start(struct trace_server *server)
{
    struct writer *writer = calloc(1, sizeof(*writer));
    if (!writer)
        return NULL;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    writer->server = server;
    writer->last = &writer->first;
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&writer->thread, NULL, run, writer) == 0)
        return writer;
    free(writer);
    return NULL;
}

bool writer_submit(struct writer *writer, struct request *request)
{
    request->next = NULL;
    pthread_mutex_lock(&writer->lock);
    const bool taken = !writer->stopping;
    if (taken) {
        *writer->last = request;
        writer->last = &request->next;
        pthread_cond_signal(&writer->wake);
    }
    pthread_mutex_unlock(&writer->lock);
    return taken;
}

void writer_stop(struct writer *writer)
{
    if (!writer)
        return;
    pthread_mutex_lock(&writer->lock);
    writer->stopping = true;
    pthread_cond_signal(&writer->wake);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);
}

void writer_free(struct writer *writer)
{
    if (!writer)
        return;
    pthread_cond_destroy(&writer->wake);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}
