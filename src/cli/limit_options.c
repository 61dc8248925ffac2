/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/limit_options.h"

#include "cli/watchdog.h"
#include "object/quantity.h"
#include "object/time.h"

#include <inttypes.h>
#include <unistd.h>

static void expect(struct problems *problems, const char *option, const char *wanted,
                   const char *found)
{
    problem_error(problems, (struct place){0}, option, "expected %s, found \"%s\"", wanted, found);
}

static size_t memory_of_machine(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (size_t)pages / 4 * 3 * (size_t)bytes : 0;
}

uint64_t limit_read_size(const char *option, const char *text, struct problems *problems)
{
    struct quantity quantity;
    if (!text)
        return 0;
    if (quantity_parse(text, &quantity, NULL) && quantity_value(quantity) > 0)
        return (uint64_t)quantity_value(quantity);
    expect(problems, option, "a size such as 500Mi or 8Gi", text);
    return 0;
}

int64_t limit_read_duration(const char *option, const char *text, struct problems *problems)
{
    int64_t duration = 0;
    if (!text)
        return 0;
    if (duration_parse(text, &duration, NULL) && duration > 0)
        return duration;
    expect(problems, option, "a time such as 90s or 5m", text);
    return 0;
}

uint64_t limit_read_timeout(const char *text, struct problems *problems)
{
    const int64_t duration = limit_read_duration("--timeout", text, problems);
    return duration ? ((uint64_t)duration + 999999) / 1000000 : UINT64_MAX;
}

struct run_limits limits_read(const struct options *options, struct problems *problems)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct run_limits limits = {
        .states_most = options->max_states ? options->max_states : UINT64_MAX,
        .threads =
            options->jobs ? (uint32_t)options->jobs : (uint32_t)(processors > 0 ? processors : 1),
    };
    limits.memory_bytes = options->memory
                              ? (size_t)limit_read_size("--memory", options->memory, problems)
                              : memory_of_machine();
    limits.time_most_ms = limit_read_timeout(options->timeout, problems);
    return limits;
}

void limits_keep_memory(struct session *session, const struct run_limits *limits)
{
    if (limits->memory_bytes == 0)
        return;
    session->memory.limit_bytes = limits->memory_bytes;
    session->memory.may_overdraw = true;
}

bool limits_spill(struct session *session, struct problems *problems)
{
    struct spill *spill = &session->spill;
    if (!session->options.spill)
        return true;
    *spill = (struct spill){.folder = session->options.spill};
    const int file = spill_open(spill);
    if (file < 0) {
        problem_error(problems, (struct place){0}, "--spill", "%s: no file can be made there: %s",
                      spill->folder, spill_error(spill));
        return false;
    }
    spill_close(spill, file, 0);
    session->memory.spill = spill;
    return true;
}

static bool knows(const struct session *session, enum option_index option)
{
    return option_table[option].commands >> session->line.command & 1;
}

/* A command that explores tells what is known when a limit is reached, and has time for that; what
 * other commands have begun is of no use. */
bool limits_watch(const struct session *session, struct problems *problems)
{
    const struct options *options = &session->options;
    if (!knows(session, OPTION_INDEX_memory))
        return true;
    const struct run_limits limits = limits_read(options, problems);
    /* These read them again, and complain of all options together. */
    const bool explores = knows(session, OPTION_INDEX_max_states);
    const bool reads = explores || knows(session, OPTION_INDEX_max_pods);
    if (problems->errors == 0)
        watchdog_start(&(struct watchdog_limits){
            .time_most_ms = limits.time_most_ms,
            .memory_bytes = limits.memory_bytes,
            .timeout = options->timeout,
            .memory = options->memory,
            .spills = options->spill != NULL,
            .tells = explores,
        });
    return problems->errors == 0 || reads;
}

static const char *option_reached(struct session *session, enum explore_reason reason)
{
    const struct options *options = &session->options;
    if (reason == EXPLORE_TIME && options->timeout)
        return arena_printf(&session->arena, " (--timeout %s)", options->timeout);
    if (reason == EXPLORE_STATES && options->max_states)
        return arena_printf(&session->arena, " (--max-states %" PRIu64 ")", options->max_states);
    const char *refused = spill_error(&session->spill);
    if (reason == EXPLORE_MEMORY && refused)
        return arena_printf(&session->arena, " (--spill %s: %s)", options->spill, refused);
    if (reason == EXPLORE_MEMORY && options->memory)
        return arena_printf(&session->arena, " (--memory %s)", options->memory);
    return "";
}

struct string_list limits_reached(struct session *session, enum explore_reason reason)
{
    if (reason == EXPLORE_DECIDED)
        return (struct string_list){0};
    const char **item = ARENA_NEW(&session->arena, const char *);
    *item = arena_printf(&session->arena, "%s%s", explore_reason_text(reason),
                         option_reached(session, reason));
    return (struct string_list){item, 1};
}
