/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress_line.h"

#include "cli/terminal.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Fewer setups, or less time, measure nothing. */
enum { SETUPS_LEAST = 20 };
static const double seconds_least = 0.5;
/* Growth beyond this is a moment's accident. */
static const double power_most = 8;

double progress_seconds_left(const struct progress_sample *samples, uint32_t count,
                             uint64_t setups_total)
{
    if (count == 0)
        return -1;
    const struct progress_sample now = samples[count - 1];
    struct progress_sample half = {0, 0};
    for (uint32_t i = 0; i < count && samples[i].setups <= now.setups / 2; i++)
        half = samples[i];
    if (now.setups < SETUPS_LEAST || now.seconds < seconds_least || half.setups == 0 ||
        half.seconds <= 0)
        return -1;
    double power = log(now.seconds / half.seconds) / log((double)now.setups / (double)half.setups);
    if (power < 1)
        power = 1;
    if (power > power_most)
        power = power_most;
    return now.seconds * (pow((double)setups_total / (double)now.setups, power) - 1);
}

static void add_sample(struct progress_line *line, const struct verify_progress *progress)
{
    if (line->sample_count > 0 &&
        line->samples[line->sample_count - 1].setups == progress->setups_done)
        line->sample_count--;
    if (line->sample_count == PROGRESS_SAMPLES) {
        for (uint32_t i = 0; i < PROGRESS_SAMPLES / 2; i++)
            line->samples[i] = line->samples[2 * i + 1];
        line->sample_count = PROGRESS_SAMPLES / 2;
    }
    line->samples[line->sample_count++] =
        (struct progress_sample){progress->setups_done, progress->seconds};
}

/* "about 40 s left", in numbers that do not pretend; "" if nothing can be said. */
static void write_time_left(double seconds, char *words, size_t size)
{
    *words = '\0';
    if (seconds < 0)
        return;
    if (seconds < 100)
        snprintf(words, size, ", about %.0f s left", ceil(seconds));
    else if (seconds < 100 * 60)
        snprintf(words, size, ", about %.0f min left", ceil(seconds / 60));
    else if (seconds < 100.0 * 3600)
        snprintf(words, size, ", about %.0f h left", ceil(seconds / 3600));
    else
        snprintf(words, size, ", days left");
}

/* ---- fitting into a line ---- */

static size_t fitting_length(const struct progress_piece *pieces, uint32_t count, int weight)
{
    size_t length = 0;
    for (uint32_t i = 0; i < count; i++)
        length += pieces[i].weight >= weight ? strlen(pieces[i].words) : 0;
    return length;
}

void progress_fit(const struct progress_piece *pieces, uint32_t count, size_t room, char *line,
                  size_t size)
{
    int weight = 0;
    size_t length = 0;
    *line = '\0';
    while (weight < PROGRESS_WEIGHT_MOST && fitting_length(pieces, count, weight) > room)
        weight++;
    for (uint32_t i = 0; i < count && length < size; i++)
        if (pieces[i].weight >= weight)
            length += (size_t)snprintf(line + length, size - length, "%s", pieces[i].words);
    if (room < size)
        line[room] = '\0';
}

/* What a signal or the watchdog has to wipe away: the program may end at any moment. */
static atomic_bool line_stands;

static void tell(struct progress_line *line, const struct progress_piece *pieces, uint32_t count)
{
    char fitted[512];
    const size_t room =
        line->to_terminal ? terminal_columns(STDERR_FILENO) - 1 : sizeof(fitted) - 1;
    progress_fit(pieces, count, room, fitted, sizeof(fitted));
    atomic_store(&line_stands, line->to_terminal);
    fprintf(stderr, line->to_terminal ? "\r%s\033[K" : "%s\n", fitted);
    fflush(stderr);
    line->open = line->to_terminal;
}

void progress_line_show(void *context, const struct verify_progress *progress)
{
    struct progress_line *line = context;
    const double interval = line->to_terminal ? 0.1 : 1.0;
    char setups[96];
    char states[48];
    char scale[64];
    char seconds[32];
    char left[48];
    add_sample(line, progress);
    if (line->told_at > 0 && progress->seconds < line->told_at + interval)
        return;
    line->told_at = progress->seconds;
    snprintf(setups, sizeof(setups), "fathom: %s%" PRIu64 " of %" PRIu64 " setups",
             line->trial ? "trial: " : "", progress->setups_done, progress->setups_total);
    snprintf(states, sizeof(states), ", %" PRIu64 " states", progress->states);
    snprintf(scale, sizeof(scale), ", now %d nodes and %d pods", progress->nodes, progress->pods);
    snprintf(seconds, sizeof(seconds), ", %.1f s", progress->seconds);
    write_time_left(
        progress_seconds_left(line->samples, line->sample_count, progress->setups_total), left,
        sizeof(left));
    const struct progress_piece pieces[] = {
        {setups, PROGRESS_WEIGHT_MOST},    {states, 4}, {scale, 0}, {seconds, 3}, {left, 2},
        {*left ? " if all holds" : "", 1},
    };
    tell(line, pieces, sizeof(pieces) / sizeof(*pieces));
}

/* ---- workload by workload ---- */

/* "holds (3 intents)", "violated: converges; holds (2 intents)", "open: converges" */
static void print_verdicts(const struct progress_line *line, const struct parts *parts,
                           const struct decided_part *part)
{
    const uint64_t lists[] = {part->violated, part_open(part) & ~parts->violated};
    static const char *const words[] = {"violated", "open"};
    const char *separator = "";
    for (uint32_t l = 0; l < 2; l++) {
        bool first = true;
        for (uint32_t i = 0; i < line->plan->intents.count; i++)
            if (lists[l] >> i & 1) {
                fprintf(stderr, "%s%s%s", first ? separator : ", ", first ? words[l] : "",
                        first ? ": " : "");
                fputs(intent_kind_name(line->plan->intents.items[i].kind), stderr);
                first = false;
                separator = "; ";
            }
    }
    uint32_t holds = 0;
    for (uint32_t i = 0; i < line->plan->intents.count; i++)
        holds += (uint32_t)(part_holds(part) >> i & 1);
    if (holds > 0)
        fprintf(stderr, "%sholds (%u intent%s)", separator, holds, holds == 1 ? "" : "s");
}

static void print_part(const struct progress_line *line, const struct part_news *news)
{
    const struct decided_part *part = &news->parts->items[news->part];
    struct arena names;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    arena_init(&names, &memory);
    fprintf(stderr, "fathom: [%u/%u] %s  ", news->decided, news->total,
            report_part_name(&names, news->scope, part));
    print_verdicts(line, news->parts, part);
    if (part->like != UINT32_MAX)
        fprintf(stderr, ", like %s\n",
                report_part_name(&names, news->scope, &news->parts->items[part->like]));
    else if (part->sibling != UINT32_MAX && part->states == 0)
        fprintf(stderr, ", together with %s\n",
                report_part_name(&names, news->scope, &news->parts->items[part->sibling]));
    else
        fprintf(stderr, ", %" PRIu64 " states\n", part->states);
    arena_release(&names);
}

void progress_line_part(void *context, const struct part_news *news)
{
    struct progress_line *line = context;
    static const double worth_telling = 1.0;
    if (news->seconds < worth_telling && (!line->always || news->setups_total > 1))
        return;
    progress_line_end(line);
    if (news->kind == PARTS_RETRACTED)
        fprintf(stderr,
                "fathom: [%u/%u] what holds for the workloads by themselves does not count: they "
                "are not independent\n",
                news->decided, news->total);
    else
        print_part(line, news);
    fflush(stderr);
}

void progress_line_end(struct progress_line *line)
{
    if (line->open)
        fputs("\r\033[K", stderr);
    line->open = false;
    atomic_store(&line_stands, false);
}

void progress_line_wipe(void)
{
    static const char wipe[] = "\r\033[K";
    if (atomic_exchange(&line_stands, false) && write(STDERR_FILENO, wipe, sizeof(wipe) - 1) < 0)
        return;
}

void progress_line_search(void *context, const struct explore_progress *progress)
{
    struct progress_line *line = context;
    char states[48];
    char depth[32];
    char frontier[48];
    char rate[48];
    char memory[32];
    snprintf(states, sizeof(states), "fathom: %" PRIu64 " states", progress->states);
    snprintf(depth, sizeof(depth), ", depth %u", (unsigned)progress->depth);
    snprintf(frontier, sizeof(frontier), ", %" PRIu64 " to go in it", progress->frontier);
    snprintf(rate, sizeof(rate), ", %.0f states/s", progress->states_per_second);
    snprintf(memory, sizeof(memory), ", %.0f MiB", (double)progress->memory_bytes / 1048576);
    const struct progress_piece pieces[] = {
        {states, PROGRESS_WEIGHT_MOST}, {depth, 4}, {frontier, 1}, {rate, 2}, {memory, 3},
    };
    tell(line, pieces, sizeof(pieces) / sizeof(*pieces));
}

bool progress_to_terminal(void)
{
    return terminal_overwrites(STDERR_FILENO);
}

bool progress_is_wanted(const struct session *session, struct problems *problems)
{
    const char *word = session->options.progress;
    if (strcmp(word, "always") == 0)
        return true;
    if (strcmp(word, "auto") == 0)
        return progress_to_terminal() && !session->options.quiet;
    if (strcmp(word, "never") != 0)
        problem_error(problems, (struct place){0}, "--progress",
                      "expected auto, always or never, found \"%s\"", word);
    return false;
}
