/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shard_option.h"

#include <stdlib.h>
#include <string.h>

static const struct place command_line = {0};

/* A number from `least` to `most` that ends there; 0 is never one of them unless `least` is 0. */
static bool read_number(const char *text, const char *end, uint32_t least, uint32_t most,
                        uint32_t *number)
{
    uint64_t read = 0;
    if (text == end)
        return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9')
            return false;
        read = read * 10 + (uint64_t)(*text - '0');
        if (read > most)
            return false;
    }
    *number = (uint32_t)read;
    return read >= least;
}

/* The number from the environment, from 0; false, with a problem, if there is none. */
static bool read_environment(uint32_t count, uint32_t *number, struct problems *problems)
{
    const char *job = getenv("JOB_COMPLETION_INDEX");
    const char *task = getenv("SLURM_ARRAY_TASK_ID");
    const char *found = task ? task : job;
    const uint32_t least = task ? 1 : 0;
    if (!job == !task) {
        problem_error(
            problems, command_line, "--shard",
            "auto: expected JOB_COMPLETION_INDEX or SLURM_ARRAY_TASK_ID in the environment, "
            "found %s",
            job ? "both" : "neither");
        return false;
    }
    if (!read_number(found, found + strlen(found), least, count - 1 + least, number)) {
        problem_error(problems, command_line, "--shard",
                      "auto/%u: expected %s from %u to %u, found \"%s\"", count,
                      task ? "SLURM_ARRAY_TASK_ID" : "JOB_COMPLETION_INDEX", least,
                      count - 1 + least, found);
        return false;
    }
    *number -= least;
    return true;
}

struct shard shard_option_read(const char *text, struct problems *problems)
{
    const char *slash = text ? strchr(text, '/') : NULL;
    struct shard shard = {0};
    if (!text)
        return shard;
    if (!slash || !read_number(slash + 1, slash + strlen(slash), 1, SHARDS_MOST, &shard.count)) {
        problem_error(problems, command_line, "--shard",
                      "expected I/N or auto/N, such as 1/8, found \"%s\"", text);
        return (struct shard){0};
    }
    if (slash - text == 4 && strncmp(text, "auto", 4) == 0)
        return read_environment(shard.count, &shard.number, problems) ? shard : (struct shard){0};
    if (!read_number(text, slash, 1, shard.count, &shard.number)) {
        problem_error(problems, command_line, "--shard",
                      "expected a number from 1 to %u before the slash, found \"%s\"", shard.count,
                      text);
        return (struct shard){0};
    }
    shard.number--;
    return shard;
}
