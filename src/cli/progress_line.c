/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress_line.h"

#include "report/report.h"

#include <inttypes.h>
#include <math.h>
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

/* "about 40 s left", in numbers that do not pretend. */
static void print_time_left(double seconds)
{
    if (seconds < 0)
        return;
    if (seconds < 100)
        fprintf(stderr, ", about %.0f s left if all holds", ceil(seconds));
    else if (seconds < 100 * 60)
        fprintf(stderr, ", about %.0f min left if all holds", ceil(seconds / 60));
    else if (seconds < 100.0 * 3600)
        fprintf(stderr, ", about %.0f h left if all holds", ceil(seconds / 3600));
    else
        fputs(", days left if all holds", stderr);
}

void progress_line_show(void *context, const struct verify_progress *progress)
{
    struct progress_line *line = context;
    const double interval = line->to_terminal ? 0.1 : 1.0;
    add_sample(line, progress);
    if (line->told_at > 0 && progress->seconds < line->told_at + interval)
        return;
    line->told_at = progress->seconds;
    fprintf(stderr,
            "%sfathom: %s%" PRIu64 " of %" PRIu64 " setups, %" PRIu64
            " states, now %d nodes and %d pods, %.1f s",
            line->to_terminal ? "\r" : "", line->trial ? "trial: " : "", progress->setups_done,
            progress->setups_total, progress->states, progress->nodes, progress->pods,
            progress->seconds);
    print_time_left(
        progress_seconds_left(line->samples, line->sample_count, progress->setups_total));
    fputs(line->to_terminal ? "\033[K" : "\n", stderr);
    fflush(stderr);
    line->open = line->to_terminal;
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
}

void progress_line_search(void *context, const struct explore_progress *progress)
{
    struct progress_line *line = context;
    fprintf(stderr,
            "%s%" PRIu64 " states, depth %u, %" PRIu64 " to go in it, %.0f states/s, %.0f MiB%s",
            line->to_terminal ? "\r\033[K" : "", progress->states, (unsigned)progress->depth,
            progress->frontier, progress->states_per_second,
            (double)progress->memory_bytes / 1048576, line->to_terminal ? "" : "\n");
    fflush(stderr);
    line->open = line->to_terminal;
}

bool progress_to_terminal(void)
{
    return isatty(STDERR_FILENO);
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
