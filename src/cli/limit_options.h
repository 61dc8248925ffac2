/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limits of a run as written on the command line (--timeout, --memory, --max-states,
 * --jobs), as numbers. What is wrong becomes a problem without a place. base/limit.h spends
 * them.
 */
#ifndef FATHOM_CLI_LIMIT_OPTIONS_H
#define FATHOM_CLI_LIMIT_OPTIONS_H

#include "cli/session.h"
#include "object/meta.h"

struct run_limits {
    size_t memory_bytes;   /* three quarters of the machine's if not given; 0: not known */
    uint64_t time_most_ms; /* UINT64_MAX: not given; so for the states */
    uint64_t states_most;
    uint32_t threads; /* as many as there are processors if not given */
};

struct run_limits limits_read(const struct options *options, struct problems *problems);

/* The memory of the whole process: what is above it is refused, and ends a search. */
void limits_keep_memory(struct session *session, const struct run_limits *limits);

/* --spill: what is above it goes to files in that folder first. False, with a problem, if no file
 * can be made there. */
bool limits_spill(struct session *session, struct problems *problems);

/* Sees to it that the limits of the command, if it has any, hold in every phase, also in those that
 * do not ask (watchdog.h). False, with problems, if they are wrong. Once in a process. */
bool limits_watch(const struct session *session, struct problems *problems);

/* Why a run ended early, with the option that says so: "the time limit was reached (--timeout 5s)".
 * Empty if it did not. */
struct string_list limits_reached(struct session *session, enum explore_reason reason);

/* A size (500Mi) or a duration (72h) of the option of that name; NULL: not given, 0. */
uint64_t limit_read_size(const char *option, const char *text, struct problems *problems);
int64_t limit_read_duration(const char *option, const char *text, struct problems *problems);
/* --timeout; without it UINT64_MAX. */
uint64_t limit_read_timeout(const char *text, struct problems *problems);

#endif
