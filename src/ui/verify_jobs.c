/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/verify_jobs.h"

#include "ui/program_call.h"
#include "ui/workspace.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_KEPT = 8, RUNNING_MOST = 2, LINE_BYTES_MOST = 4096, MESSAGE_BYTES_MOST = 1 << 20 };

struct verify_job {
    struct verify_jobs *jobs;
    uint32_t number; /* 0: the place is free */
    char *folder;
    struct program_call call;
    pthread_t reader;
    bool running;
    bool has_reader;
    int exit_code;
    char progress[LINE_BYTES_MOST];
    struct text messages; /* a line each */
};

struct verify_jobs {
    struct memory *memory;
    const char *program;
    pthread_mutex_t lock;
    uint32_t last_number;
    struct verify_job items[JOBS_KEPT];
};

struct verify_jobs *verify_jobs_create(struct memory *memory, const char *program)
{
    struct verify_jobs *jobs = memory_allocate(memory, sizeof(*jobs));
    memset(jobs, 0, sizeof(*jobs));
    jobs->memory = memory;
    jobs->program = program;
    pthread_mutex_init(&jobs->lock, NULL);
    return jobs;
}

/* ---- reading along ---- */

/* Lines of progress replace each other; others are kept. */
static void take_line(struct verify_job *job, const char *line)
{
    static const char talk[] = "fathom: ";
    const bool is_talk = strncmp(line, talk, sizeof(talk) - 1) == 0;
    const bool is_progress = is_talk && strstr(line, " setups, ");
    pthread_mutex_lock(&job->jobs->lock);
    if (is_progress)
        snprintf(job->progress, sizeof(job->progress), "%s", line + sizeof(talk) - 1);
    else if (job->messages.length < MESSAGE_BYTES_MOST)
        text_printf(&job->messages, "%s\n", line);
    pthread_mutex_unlock(&job->jobs->lock);
}

static void read_lines(struct verify_job *job)
{
    char line[LINE_BYTES_MOST];
    size_t length = 0;
    char byte;
    ssize_t count;
    while ((count = read(job->call.complaints, &byte, 1)) != 0) {
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            break;
        if (byte != '\n' && length + 1 < sizeof(line))
            line[length++] = byte;
        if (byte != '\n')
            continue;
        line[length] = '\0';
        length = 0;
        take_line(job, line);
    }
}

static void *follow_job(void *context)
{
    struct verify_job *job = context;
    siginfo_t end;
    read_lines(job);
    /* Its number stays its own until it is waited for, so nobody else is ended under the lock. */
    waitid(P_PID, (id_t)job->call.process, &end, WEXITED | WNOWAIT);
    pthread_mutex_lock(&job->jobs->lock);
    job->exit_code = program_call_wait(&job->call);
    job->running = false;
    pthread_mutex_unlock(&job->jobs->lock);
    return NULL;
}

/* ---- places ---- */

/* The job must have ended. */
static void clear_job(struct verify_job *job)
{
    if (job->number == 0)
        return;
    if (job->has_reader)
        pthread_join(job->reader, NULL);
    workspace_remove(job->folder);
    memory_release(job->jobs->memory, job->folder, strlen(job->folder) + 1);
    text_release(&job->messages);
    *job = (struct verify_job){.jobs = job->jobs};
}

/* A place for a new job: a free one, or that of the oldest that has ended. NULL: too many run. */
static struct verify_job *find_place(struct verify_jobs *jobs)
{
    struct verify_job *oldest = NULL;
    uint32_t running = 0;
    for (uint32_t i = 0; i < JOBS_KEPT; i++) {
        struct verify_job *job = &jobs->items[i];
        running += job->running;
        if (!job->running && (!oldest || job->number < oldest->number))
            oldest = job;
    }
    return running < RUNNING_MOST ? oldest : NULL;
}

static struct verify_job *find_job(struct verify_jobs *jobs, uint32_t number)
{
    for (uint32_t i = 0; i < JOBS_KEPT; i++)
        if (number > 0 && jobs->items[i].number == number)
            return &jobs->items[i];
    return NULL;
}

/* ---- what pages ask ---- */

uint32_t verify_jobs_start(struct verify_jobs *jobs, const char *folder,
                           const char *const *arguments)
{
    pthread_mutex_lock(&jobs->lock);
    struct verify_job *job = find_place(jobs);
    uint32_t number = 0;
    struct program_call call;
    if (job && program_call_start(&call, jobs->program, folder, arguments)) {
        clear_job(job);
        number = ++jobs->last_number;
        *job = (struct verify_job){
            .jobs = jobs, .number = number, .call = call, .running = true, .exit_code = -1};
        job->folder = memory_allocate(jobs->memory, strlen(folder) + 1);
        memcpy(job->folder, folder, strlen(folder) + 1);
        text_init(&job->messages, jobs->memory);
        job->has_reader = pthread_create(&job->reader, NULL, follow_job, job) == 0;
        if (!job->has_reader) {
            kill(-call.process, SIGKILL);
            job->exit_code = program_call_wait(&job->call);
            job->running = false;
        }
    }
    pthread_mutex_unlock(&jobs->lock);
    return number;
}

bool verify_jobs_stop(struct verify_jobs *jobs, uint32_t number)
{
    pthread_mutex_lock(&jobs->lock);
    const struct verify_job *job = find_job(jobs, number);
    if (job && job->running && job->call.process > 0)
        kill(job->call.process, SIGINT);
    pthread_mutex_unlock(&jobs->lock);
    return job != NULL;
}

bool verify_jobs_tell(struct verify_jobs *jobs, uint32_t number, struct json_out *json)
{
    pthread_mutex_lock(&jobs->lock);
    const struct verify_job *job = find_job(jobs, number);
    if (job) {
        json_object_begin(json, NULL);
        json_string(json, "state", job->running ? "running" : "done");
        json_string(json, "progress", job->progress);
        json_string(json, "messages", text_content(&job->messages));
        json_integer(json, "exit", job->exit_code);
        json_object_end(json);
    }
    pthread_mutex_unlock(&jobs->lock);
    return job != NULL;
}

bool verify_jobs_read(struct verify_jobs *jobs, uint32_t number, const char *name,
                      struct text *text)
{
    pthread_mutex_lock(&jobs->lock);
    const struct verify_job *job = find_job(jobs, number);
    const bool found =
        job && !job->running && workspace_read(job->folder, name, PROGRAM_ANSWER_BYTES_MOST, text);
    pthread_mutex_unlock(&jobs->lock);
    return found;
}

void verify_jobs_free(struct verify_jobs *jobs)
{
    pthread_mutex_lock(&jobs->lock);
    for (uint32_t i = 0; i < JOBS_KEPT; i++)
        if (jobs->items[i].running && jobs->items[i].call.process > 0)
            kill(-jobs->items[i].call.process, SIGKILL);
    pthread_mutex_unlock(&jobs->lock);
    for (uint32_t i = 0; i < JOBS_KEPT; i++)
        clear_job(&jobs->items[i]);
    pthread_mutex_destroy(&jobs->lock);
    memory_release(jobs->memory, jobs, sizeof(*jobs));
}
