/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a verification is, on standard error.
 *
 * Setups grow, and what they cost grows faster. So the time left is not taken
 * from the mean so far but from how the time has grown with the number of
 * setups done: as a power of it, measured between half of them and now. It is
 * told only once there is something to measure, and with its condition: a
 * violation ends the search earlier.
 */
#ifndef FATHOM_CLI_PROGRESS_LINE_H
#define FATHOM_CLI_PROGRESS_LINE_H

#include "cli/session.h"
#include "verify/plan.h"
#include "verify/verify.h"

enum { PROGRESS_SAMPLES = 256 };

struct progress_sample {
    uint64_t setups;
    double seconds;
};

struct progress_line {
    bool to_terminal;               /* the line may be overwritten */
    bool trial;                     /* it is about a trial, not about the verification */
    bool always;                    /* asked for with --progress always */
    const struct verify_plan *plan; /* of the verification, for the names of its intents */
    double told_at;
    bool open;                                        /* a line without its end stands there */
    struct progress_sample samples[PROGRESS_SAMPLES]; /* in order; thinned out when full */
    uint32_t sample_count;
};

/* --progress: is it told? False, too, with a problem, for a word that is not known. */
bool progress_is_wanted(const struct session *session, struct problems *problems);

/* May the line be overwritten? */
bool progress_to_terminal(void);

/* For judge_options.progress, of one search; the context is a struct progress_line. */
void progress_line_search(void *context, const struct explore_progress *progress);

/* For verify_options.progress; the context is a struct progress_line. */
void progress_line_show(void *context, const struct verify_progress *progress);
/* For verify_options.part_progress; likewise. A line for each component of workloads that is
 * decided (verify/modular.h). It stays. What takes less than a second gets none, unless it is asked
 * for and there is one setup: nobody reads the lines of a thousand small ones. */
void progress_line_part(void *context, const struct part_news *news);
/* Wipes the line away, if there is one. */
void progress_line_end(struct progress_line *line);
/* So too, for signals and other threads: whatever line there is, the program ends now. */
void progress_line_wipe(void);

/* A part of the line; those that weigh least are left out first where the terminal is narrow. */
struct progress_piece {
    const char *words;
    int weight;
};

enum { PROGRESS_WEIGHT_MOST = 5 }; /* such a piece is never left out, but may be cut */

/* The pieces that fit into so many columns, in their order. A line that is wider than the terminal
 * cannot be written over. */
void progress_fit(const struct progress_piece *pieces, uint32_t count, size_t room, char *line,
                  size_t size);

/* Negative: nothing can be said yet. */
double progress_seconds_left(const struct progress_sample *samples, uint32_t count,
                             uint64_t setups_total);

#endif
