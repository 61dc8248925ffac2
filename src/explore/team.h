/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A team of threads that do the same job together, again and again.
 *
 * The caller is member 0. The others are started by the first job that wants
 * them, so that runs which stay small never start a thread; if the machine
 * refuses threads, the team is smaller and the work still done.
 */
#ifndef FATHOM_EXPLORE_TEAM_H
#define FATHOM_EXPLORE_TEAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { TEAM_MEMBERS_MOST = 256 };

typedef void team_job(void *context, uint32_t member);

struct team {
    uint32_t wanted;  /* members, the caller included */
    uint32_t members; /* running, the caller included */
    bool started;
    pthread_t threads[TEAM_MEMBERS_MOST];
    struct team_seat {
        struct team *team;
        uint32_t member;
    } seats[TEAM_MEMBERS_MOST];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t job_number;
    uint32_t active; /* members that take part in the job */
    uint32_t busy;
    bool ending;
    team_job *job;
    void *context;
};

void team_init(struct team *team, uint32_t members);
void team_release(struct team *team);

/* Runs `job` once on each of the first so many members and waits for them. */
void team_run(struct team *team, uint32_t members, team_job *job, void *context);

#endif
