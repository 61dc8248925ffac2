/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/library/sender.h"

#include "tracing/library/http_post.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BATCH_RECORDS = 1024,
    BATCH_BYTES = 1 << 20,
    RETRY_FIRST_MS = 50,
    RETRY_MOST_MS = 5000,
};

struct item {
    char *json;
    size_t length;
    enum sender_kind kind;
};

struct sender {
    struct http_post *http;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;  /* the thread: there is something to do */
    pthread_cond_t moved; /* who waits for it: something was done */
    struct item *ring;
    uint32_t ring_size;
    uint32_t first;
    uint32_t count;
    size_t bytes;
    size_t bytes_most;
    uint32_t in_flight;
    uint64_t put_count;  /* accepted into the ring since the start */
    uint64_t done_count; /* of these: sent, refused or given up */
    struct fathom_trace_counts counts;
    bool stopping; /* no more retries once the queue's owner has waited enough */
    bool given_up;
    bool ended;
    /* The thread's own. */
    struct item *batch;
    char *body;
    size_t body_size;
};

static struct timespec after(uint32_t timeout_ms)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += timeout_ms / 1000;
    time.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* As many as wait, the oldest first, up to a batch. The lock is held. */
static uint32_t take_batch(struct sender *sender)
{
    uint32_t taken = 0;
    size_t bytes = 0;
    while (sender->count && taken < BATCH_RECORDS && bytes < BATCH_BYTES) {
        const struct item item = sender->ring[sender->first];
        sender->first = (sender->first + 1) % sender->ring_size;
        sender->count--;
        sender->bytes -= item.length;
        bytes += item.length;
        sender->batch[taken++] = item;
    }
    sender->in_flight = taken;
    return taken;
}

static char *append(char *end, const char *bytes, size_t length)
{
    memcpy(end, bytes, length);
    return end + length;
}

/* {"mergelogs":[...],"spans":[...]}; 0 when memory is exhausted. */
static size_t write_body(struct sender *sender, uint32_t count)
{
    size_t wanted = 64 + count;
    for (uint32_t i = 0; i < count; i++)
        wanted += sender->batch[i].length;
    if (wanted > sender->body_size) {
        char *body = realloc(sender->body, wanted);
        if (!body)
            return 0;
        sender->body = body;
        sender->body_size = wanted;
    }
    char *end = sender->body;
    for (int kind = SENDER_MERGELOG; kind <= SENDER_SPAN; kind++) {
        bool first = true;
        const char *opening = kind == SENDER_MERGELOG ? "{\"mergelogs\":[" : "],\"spans\":[";
        end = append(end, opening, strlen(opening));
        for (uint32_t i = 0; i < count; i++) {
            if ((int)sender->batch[i].kind != kind)
                continue;
            if (!first)
                *end++ = ',';
            first = false;
            end = append(end, sender->batch[i].json, sender->batch[i].length);
        }
    }
    end = append(end, "]}", 2);
    return (size_t)(end - sender->body);
}

static bool worth_repeating(int status)
{
    return status <= 0 || status == 408 || status == 429 || status >= 500;
}

/* Waits before the next attempt; false if the sender gives up. */
static bool wait_to_retry(struct sender *sender, uint32_t *delay_ms)
{
    const struct timespec until = after(*delay_ms);
    *delay_ms = *delay_ms * 2 < RETRY_MOST_MS ? *delay_ms * 2 : RETRY_MOST_MS;
    pthread_mutex_lock(&sender->lock);
    sender->counts.failures++;
    int waited = 0;
    const bool was_stopping = sender->stopping;
    while (!sender->given_up && sender->stopping == was_stopping && waited != ETIMEDOUT)
        waited = pthread_cond_timedwait(&sender->wake, &sender->lock, &until);
    const bool go_on = !sender->given_up;
    pthread_mutex_unlock(&sender->lock);
    return go_on;
}

/* Until the server has taken or refused it, or the sender gives up. */
static void send_batch(struct sender *sender, uint32_t count)
{
    const size_t length = write_body(sender, count);
    uint32_t delay_ms = RETRY_FIRST_MS;
    char answer[256];
    int status = 0;
    while (length) {
        status = http_post_send(sender->http, sender->body, length, answer, sizeof(answer));
        if (!worth_repeating(status) || !wait_to_retry(sender, &delay_ms))
            break;
    }
    unsigned accepted = 0;
    if (status == 200 && sscanf(answer, "{\"accepted\":%u", &accepted) == 1 && accepted > count)
        accepted = count;
    pthread_mutex_lock(&sender->lock);
    sender->counts.sent += accepted;
    if (!length || worth_repeating(status))
        sender->counts.dropped += count;
    else
        sender->counts.refused += count - accepted;
    sender->done_count += count;
    sender->in_flight = 0;
    pthread_cond_broadcast(&sender->moved);
    pthread_mutex_unlock(&sender->lock);
    for (uint32_t i = 0; i < count; i++)
        free(sender->batch[i].json);
}

static void *run(void *context)
{
    struct sender *sender = context;
    for (;;) {
        pthread_mutex_lock(&sender->lock);
        while (!sender->count && !sender->stopping)
            pthread_cond_wait(&sender->wake, &sender->lock);
        const uint32_t count = sender->given_up ? 0 : take_batch(sender);
        pthread_mutex_unlock(&sender->lock);
        if (!count)
            break;
        send_batch(sender, count);
    }
    pthread_mutex_lock(&sender->lock);
    sender->ended = true;
    pthread_cond_broadcast(&sender->moved);
    pthread_mutex_unlock(&sender->lock);
    return NULL;
}

static void release(struct sender *sender)
{
    http_post_free(sender->http);
    free(sender->ring);
    free(sender->batch);
    free(sender->body);
    free(sender);
}

static bool start_thread(struct sender *sender)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&sender->lock, NULL);
    pthread_cond_init(&sender->wake, &monotonic);
    pthread_cond_init(&sender->moved, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return pthread_create(&sender->thread, NULL, run, sender) == 0;
}

struct sender *sender_create(const struct fathom_trace_options *options, const char **why)
{
    struct sender *sender = calloc(1, sizeof(*sender));
    if (!sender)
        return NULL;
    sender->ring_size = options->queue_records;
    sender->bytes_most = options->queue_bytes;
    sender->ring = calloc(sender->ring_size, sizeof(*sender->ring));
    sender->batch = calloc(BATCH_RECORDS, sizeof(*sender->batch));
    sender->http = http_post_create(options->server, "/api/v1/records", options->token,
                                    options->send_timeout_ms, why);
    if (sender->ring && sender->batch && sender->http && start_thread(sender))
        return sender;
    release(sender);
    return NULL;
}

void sender_put(struct sender *sender, enum sender_kind kind, char *json, size_t length)
{
    pthread_mutex_lock(&sender->lock);
    const bool room = json && sender->count < sender->ring_size &&
                      sender->bytes + length <= sender->bytes_most && !sender->stopping;
    if (room) {
        sender->ring[(sender->first + sender->count) % sender->ring_size] =
            (struct item){json, length, kind};
        sender->bytes += length;
        sender->put_count++;
        if (sender->count++ == 0)
            pthread_cond_signal(&sender->wake);
    } else {
        sender->counts.dropped++;
    }
    pthread_mutex_unlock(&sender->lock);
    if (!room)
        free(json);
}

bool sender_flush(struct sender *sender, uint32_t timeout_ms)
{
    const struct timespec until = after(timeout_ms);
    pthread_mutex_lock(&sender->lock);
    const uint64_t wanted = sender->put_count;
    int waited = 0;
    while (sender->done_count < wanted && waited != ETIMEDOUT)
        waited = pthread_cond_timedwait(&sender->moved, &sender->lock, &until);
    const bool done = sender->done_count >= wanted;
    pthread_mutex_unlock(&sender->lock);
    return done;
}

struct fathom_trace_counts sender_counts(struct sender *sender)
{
    pthread_mutex_lock(&sender->lock);
    struct fathom_trace_counts counts = sender->counts;
    counts.waiting = (uint64_t)sender->count + sender->in_flight;
    pthread_mutex_unlock(&sender->lock);
    return counts;
}

void sender_free(struct sender *sender, uint32_t timeout_ms)
{
    if (!sender)
        return;
    const struct timespec until = after(timeout_ms);
    pthread_mutex_lock(&sender->lock);
    sender->stopping = true;
    pthread_cond_signal(&sender->wake);
    int waited = 0;
    while (!sender->ended && waited != ETIMEDOUT)
        waited = pthread_cond_timedwait(&sender->moved, &sender->lock, &until);
    sender->given_up = true;
    pthread_cond_signal(&sender->wake);
    pthread_mutex_unlock(&sender->lock);
    http_post_cancel(sender->http);
    pthread_join(sender->thread, NULL);
    while (sender->count) {
        free(sender->ring[sender->first].json);
        sender->first = (sender->first + 1) % sender->ring_size;
        sender->count--;
    }
    pthread_cond_destroy(&sender->wake);
    pthread_cond_destroy(&sender->moved);
    pthread_mutex_destroy(&sender->lock);
    release(sender);
}
