/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends are synchronous (MPI_Issend): one is complete when its receiver has begun to take it in,
 * so the batches that are not complete are those that a receiver has still to deal with. Every
 * wait is a loop of tests, in which signals are noticed and the processor is left to others.
 */
#include "ranks/link_mpi.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH_WORDS = 8192, CREDITS = 4, TAG_RECORDS = 1, TAG_END = 2 };

struct batch {
    uint32_t *words;
    size_t used, room;
    MPI_Request request;
    bool on_its_way;
};

/* One receiver: the batch that is filled, and those on their way. */
struct channel {
    struct batch filling;
    struct batch sent[CREDITS];
};

struct link_internal {
    struct channel *channels;
    uint32_t *taken; /* what was received last */
    size_t taken_room;
    uint32_t ends; /* ranks that have sent all of this phase */
    bool receiving;
    uint32_t idle; /* tests in a row that had no result */
    uint64_t delay_us_most, delay_seed;
};

static void fail(const char *what)
{
    fprintf(stderr, "fathom-mpi: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 70);
    abort();
}

static void make_room(uint32_t **words, size_t *room, size_t wanted)
{
    if (wanted <= *room)
        return;
    const size_t larger = wanted + wanted / 2;
    uint32_t *moved = realloc(*words, larger * sizeof(uint32_t));
    if (!moved) {
        fail("there is no memory for messages");
        return;
    }
    *words = moved;
    *room = larger;
}

/* For tests: before a batch goes out it waits for a time that differs from batch to batch. */
static void delay(struct link_internal *internal)
{
    if (internal->delay_us_most == 0)
        return;
    internal->delay_seed = internal->delay_seed * UINT64_C(6364136223846793005) + 1442695041;
    const uint64_t us = (internal->delay_seed >> 33) % (internal->delay_us_most + 1);
    nanosleep(&(struct timespec){.tv_sec = (time_t)(us / 1000000),
                                 .tv_nsec = (long)(us % 1000000) * 1000},
              NULL);
}

static bool is_broken(struct link *link)
{
    if (!link->broken && link->interrupted && atomic_load(link->interrupted))
        link->broken = true;
    return link->broken;
}

/* Nothing was there: others may need the processor. */
static void rest_a_little(struct link_internal *internal)
{
    enum { PATIENCE = 64 };
    if (++internal->idle < PATIENCE)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void take_in(struct link *link, uint32_t from, size_t words)
{
    const uint32_t *at = link->internal->taken, *end = at + words;
    while (at < end) {
        link->receive(link->receiver, from, at + 1, at[0]);
        at += at[0] + 1;
    }
}

/* True if something was there. */
static bool receive_one(struct link *link)
{
    struct link_internal *internal = link->internal;
    MPI_Message message;
    MPI_Status status;
    int there = 0, count = 0;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message, &status);
    if (!there)
        return false;
    internal->idle = 0;
    MPI_Get_count(&status, MPI_UINT32_T, &count);
    make_room(&internal->taken, &internal->taken_room, (size_t)count + 1);
    MPI_Mrecv(internal->taken, count, MPI_UINT32_T, &message, &status);
    if (status.MPI_TAG == TAG_END) {
        internal->ends++;
        return true;
    }
    internal->receiving = true;
    take_in(link, (uint32_t)status.MPI_SOURCE, (size_t)count);
    internal->receiving = false;
    return true;
}

void link_poll(struct link *link)
{
    while (!is_broken(link) && link->count > 1 && receive_one(link))
        ;
}

/* A place for a batch on its way; NULL: there is none now. */
static struct batch *free_batch(struct channel *channel)
{
    for (uint32_t i = 0; i < CREDITS; i++) {
        struct batch *batch = &channel->sent[i];
        int done = 1;
        if (batch->on_its_way)
            MPI_Test(&batch->request, &done, MPI_STATUS_IGNORE);
        if (!done)
            continue;
        batch->on_its_way = false;
        return batch;
    }
    return NULL;
}

static void flush(struct link *link, uint32_t to)
{
    struct channel *channel = &link->internal->channels[to];
    struct batch *free = NULL;
    if (channel->filling.used == 0)
        return;
    while (!is_broken(link) && !(free = free_batch(channel)))
        if (!receive_one(link))
            rest_a_little(link->internal);
    if (!free) {
        channel->filling.used = 0;
        return;
    }
    link->internal->idle = 0;
    delay(link->internal);
    const struct batch empty = *free;
    *free = channel->filling;
    channel->filling = empty;
    channel->filling.used = 0;
    MPI_Issend(free->words, (int)free->used, MPI_UINT32_T, (int)to, TAG_RECORDS, MPI_COMM_WORLD,
               &free->request);
    free->on_its_way = true;
    link->bytes_sent += free->used * sizeof(uint32_t);
    link->batches_sent++;
}

void link_send(struct link *link, uint32_t to, const uint32_t *record, uint32_t words)
{
    struct batch *filling = &link->internal->channels[to].filling;
    if (link->internal->receiving)
        fail("a record is sent while others are taken in");
    make_room(&filling->words, &filling->room, filling->used + words + 1);
    filling->words[filling->used] = words;
    memcpy(filling->words + filling->used + 1, record, words * sizeof(uint32_t));
    filling->used += words + 1;
    if (filling->used >= BATCH_WORDS)
        flush(link, to);
}

static bool is_sending(struct link *link)
{
    for (uint32_t to = 0; to < link->count; to++)
        for (uint32_t i = 0; i < CREDITS; i++) {
            struct batch *batch = &link->internal->channels[to].sent[i];
            int done = 1;
            if (batch->on_its_way)
                MPI_Test(&batch->request, &done, MPI_STATUS_IGNORE);
            if (!done)
                return true;
            batch->on_its_way = false;
        }
    return false;
}

static bool wait_for(struct link *link, MPI_Request *request)
{
    int done = 0;
    link->internal->idle = 0;
    for (;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done)
            return true;
        if (is_broken(link))
            return false;
        rest_a_little(link->internal);
    }
}

bool link_close_phase(struct link *link)
{
    struct link_internal *internal = link->internal;
    if (link->count == 1)
        return !is_broken(link);
    for (uint32_t i = 1; i < link->count && !is_broken(link); i++) {
        const uint32_t to = (link->rank + i) % link->count;
        flush(link, to);
        if (!is_broken(link))
            MPI_Send(NULL, 0, MPI_UINT32_T, (int)to, TAG_END, MPI_COMM_WORLD);
    }
    while (!is_broken(link) && (internal->ends < link->count - 1 || is_sending(link)))
        if (!receive_one(link))
            rest_a_little(internal);
    if (link->broken)
        return false;
    /* A faster rank must not begin the next phase while another has to end this one. */
    internal->ends = 0;
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    return wait_for(link, &request);
}

bool link_reduce(struct link *link, enum link_operation operation, uint64_t *numbers,
                 uint32_t count)
{
    const MPI_Op operations[] = {
        [LINK_SUM] = MPI_SUM, [LINK_LEAST] = MPI_MIN, [LINK_MOST] = MPI_MAX, [LINK_OR] = MPI_BOR};
    if (is_broken(link))
        return false;
    if (link->count == 1)
        return true;
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, operations[operation],
                   MPI_COMM_WORLD, &request);
    return wait_for(link, &request);
}

bool link_share(struct link *link, uint32_t root, void *bytes, uint32_t count)
{
    if (is_broken(link))
        return false;
    if (link->count == 1)
        return true;
    MPI_Request request;
    MPI_Ibcast(bytes, (int)count, MPI_BYTE, (int)root, MPI_COMM_WORLD, &request);
    return wait_for(link, &request);
}

bool link_mpi_begin(struct link *link, int *argc, char ***argv)
{
    int provided = 0, rank = 0, count = 0;
    const char *delay_us = getenv("FATHOM_MPI_DELAY_US");
    /* Reading from the memory of a rank that was killed would end this one, too. */
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    /* Setups are explored by a thread of their own, while no other calls MPI. */
    if (MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
        return false;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    *link = (struct link){.rank = (uint32_t)rank, .count = (uint32_t)count};
    link->internal = calloc(1, sizeof(*link->internal));
    struct channel *channels = calloc((size_t)count, sizeof(*channels));
    if (!link->internal || !channels) {
        free(channels);
        return false;
    }
    link->internal->channels = channels;
    link->internal->delay_us_most = delay_us ? strtoull(delay_us, NULL, 10) : 0;
    link->internal->delay_seed = (uint64_t)rank + 1;
    return true;
}

static void free_channel(struct channel *channel)
{
    free(channel->filling.words);
    for (uint32_t i = 0; i < CREDITS; i++)
        free(channel->sent[i].words);
}

void link_mpi_end(struct link *link)
{
    if (link->broken)
        return;
    MPI_Finalize();
    for (uint32_t to = 0; to < link->count; to++)
        free_channel(&link->internal->channels[to]);
    free(link->internal->channels);
    free(link->internal->taken);
    free(link->internal);
}

void link_mpi_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}
