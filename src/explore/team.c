/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs are numbered; a member sleeps until there is one that it has not done. */
#include "explore/team.h"

#include <assert.h>

void team_init(struct team *team, uint32_t members)
{
    assert(members >= 1);
    team->wanted = members < TEAM_MEMBERS_MOST ? members : TEAM_MEMBERS_MOST;
    team->members = 1;
    team->started = false;
    team->job_number = 0;
    team->busy = 0;
    team->ending = false;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->changed, NULL);
}

static void *member_run(void *argument)
{
    const struct team_seat *seat = argument;
    struct team *team = seat->team;
    uint64_t done = 0;
    pthread_mutex_lock(&team->mutex);
    for (;;) {
        while (!team->ending && team->job_number == done)
            pthread_cond_wait(&team->changed, &team->mutex);
        if (team->ending)
            break;
        done = team->job_number;
        if (seat->member >= team->active)
            continue;
        pthread_mutex_unlock(&team->mutex);
        team->job(team->context, seat->member);
        pthread_mutex_lock(&team->mutex);
        if (--team->busy == 0)
            pthread_cond_broadcast(&team->changed);
    }
    pthread_mutex_unlock(&team->mutex);
    return NULL;
}

static void team_start(struct team *team)
{
    team->started = true;
    while (team->members < team->wanted) {
        const uint32_t member = team->members;
        team->seats[member] = (struct team_seat){team, member};
        if (pthread_create(&team->threads[member], NULL, member_run, &team->seats[member]) != 0)
            return;
        team->members++;
    }
}

void team_run(struct team *team, uint32_t members, team_job *job, void *context)
{
    assert(members >= 1);
    if (!team->started)
        team_start(team);
    pthread_mutex_lock(&team->mutex);
    assert(team->busy == 0);
    team->job = job;
    team->context = context;
    team->active = members < team->members ? members : team->members;
    team->busy = team->active - 1;
    team->job_number++;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->mutex);
    job(context, 0);
    pthread_mutex_lock(&team->mutex);
    while (team->busy > 0)
        pthread_cond_wait(&team->changed, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

void team_release(struct team *team)
{
    pthread_mutex_lock(&team->mutex);
    team->ending = true;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->mutex);
    for (uint32_t member = 1; member < team->members; member++)
        pthread_join(team->threads[member], NULL);
    pthread_mutex_destroy(&team->mutex);
    pthread_cond_destroy(&team->changed);
}
