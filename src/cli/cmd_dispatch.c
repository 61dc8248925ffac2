/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom dispatch`: a verification as the tasks of Kubernetes or Slurm.
 *
 * Its operands are the arguments of `fathom verify`. They are read as verify reads them, so that
 * what is wrong with them or with the manifests is said here and not by a hundred tasks.
 */
#include "base/vec.h"
#include "cli/config_file.h"
#include "cli/dispatch_print.h"
#include "cli/limit_options.h"
#include "cli/version.h"

#include <string.h>

enum { NAME_MOST = 52 };

static const struct place command_line = {0};

/* Objects and files are called by it. */
static bool is_label(const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || length > NAME_MOST || name[0] == '-' || name[length - 1] == '-')
        return false;
    return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

static void need_label(const char *option, const char *name, struct problems *problems)
{
    if (name && !is_label(name))
        problem_error(problems, command_line, option,
                      "expected at most %d small letters, digits and dashes, found \"%s\"",
                      NAME_MOST, name);
}

static struct dispatch_request read_request(const struct options *options,
                                            struct problems *problems)
{
    const struct dispatch_request request = {
        .kubernetes = options->kubernetes,
        .name = options->name,
        .image = options->image ? options->image : "fathom:" FATHOM_VERSION,
        .name_space = options->name_space,
        .claim = options->volume_claim,
        .shards = (uint32_t)options->shards,
        .cpus = (uint32_t)options->task_cpus,
        .memory_bytes = limit_read_size("--task-memory", options->task_memory, problems),
    };
    if (options->kubernetes == options->slurm)
        problem_error(problems, command_line, NULL, "expected --kubernetes or --slurm, found %s",
                      options->slurm ? "both" : "neither");
    if (!options->kubernetes && (options->volume_claim || options->image || options->name_space))
        problem_error(problems, command_line, NULL,
                      "--image, --namespace and --volume-claim are for --kubernetes");
    need_label("--name", options->name, problems);
    need_label("--namespace", options->name_space, problems);
    need_label("--volume-claim", options->volume_claim, problems);
    return request;
}

/* The command line becomes that of verify. */
static bool become_verify(struct session *session, struct problems *problems)
{
    const struct option_list own = session->line.operands;
    const struct option_rows rows = {option_table, OPTION_COUNT};
    struct config_file *config = ARENA_NEW(&session->arena, struct config_file);
    VEC(const char *) arguments = {0};
    VEC_PUSH(&session->arena, &arguments, "verify");
    session->options = (struct options){0};
    if (!config_file_read(session, config, problems))
        return false;
    for (uint32_t i = 0; i < config->arguments.count; i++)
        VEC_PUSH(&session->arena, &arguments, config->arguments.items[i]);
    for (uint32_t i = 0; i < own.count; i++)
        VEC_PUSH(&session->arena, &arguments, own.items[i]);
    VEC_PUSH(&session->arena, &arguments, NULL);
    session->line = (struct command_line){0};
    session->config = config;
    if (!options_read(&session->arena, rows, arguments.items, &session->options, &session->line,
                      problems))
        return false;
    const struct options *options = &session->options;
    if (options->shard || options->shard_notes || options->checkpoint || options->resume ||
        options->learn_scale)
        problem_error(
            problems, command_line, NULL,
            "--shard and --shard-notes are given by dispatch, and --checkpoint, --resume and "
            "--learn-scale are for a single process");
    return problems->errors == 0;
}

int cmd_dispatch(struct session *session)
{
    struct problems problems;
    problems_init(&problems, &session->arena);
    struct dispatch_request *request = ARENA_NEW(&session->arena, struct dispatch_request);
    *request = read_request(&session->options, &problems);
    if (problems.errors > 0)
        return session_refuse(session, &problems);
    if (!become_verify(session, &problems))
        return session_refuse(session, &problems);
    session->dispatch = request;
    return cmd_verify(session);
}
