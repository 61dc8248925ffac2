/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verifications that a page has started: each is a process, with a thread that reads its progress.
 *
 * The last few are kept with their reports; when there is no room, the oldest that has ended goes.
 */
#ifndef FATHOM_UI_VERIFY_JOBS_H
#define FATHOM_UI_VERIFY_JOBS_H

#include "base/arena.h"
#include "base/json_out.h"

struct verify_jobs;

struct verify_jobs *verify_jobs_create(struct memory *memory, const char *program);
/* Ends those that run. */
void verify_jobs_free(struct verify_jobs *jobs);

/* Takes the folder, in which the manifests are, over; `arguments` ends with NULL. Gives the number
 * of the job; 0: too many are running, or it could not be started. */
uint32_t verify_jobs_start(struct verify_jobs *jobs, const char *folder,
                           const char *const *arguments);
/* Asks it to end with what it knows. False: there is no such job. */
bool verify_jobs_stop(struct verify_jobs *jobs, uint32_t number);
/* {"state", "progress", "messages", "exit"}. False: there is no such job. */
bool verify_jobs_tell(struct verify_jobs *jobs, uint32_t number, struct json_out *json);
/* A file that it has written. False: there is no such job, or it has not written it (yet). */
bool verify_jobs_read(struct verify_jobs *jobs, uint32_t number, const char *name,
                      struct text *text);

#endif
