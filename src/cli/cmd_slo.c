/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom slo`: an autoscaled service against its objective, for every traffic. */
#include "cli/decide_batch.h"
#include "cli/limit_options.h"
#include "slo/batch.h"

/* ---- --batch ---- */

struct lines {
    struct slo_limits limits;
    bool undecided;
};

static bool answer_line(void *context, struct arena *arena, const struct value *scenario,
                        struct json_out *json, struct problems *problems)
{
    struct lines *lines = context;
    enum verdict verdict = VERDICT_UNDECIDED;
    const bool good = slo_answer_line(arena, scenario, &lines->limits, &verdict, json, problems);
    lines->undecided |= good && verdict == VERDICT_UNDECIDED;
    return good;
}

static int run_batch(struct session *session, const struct slo_limits *limits)
{
    const struct options *options = &session->options;
    struct lines lines = {.limits = *limits};
    if (session->line.operands.count)
        session_say(session, "slo: --batch reads standard input: expected no ServiceObjective");
    else if (options->output.count)
        session_say(session, "slo: --batch answers in JSON lines: expected no -o");
    else if (batch_run(session, "slo", answer_line, &lines, stdin, stdout))
        return lines.undecided ? EXIT_UNDECIDED : EXIT_HOLDS;
    return EXIT_INPUT;
}

/* ---- the command ---- */

static void read_limits(struct session *session, struct slo_limits *limits,
                        struct problems *problems)
{
    const struct options *options = &session->options;
    size_t bytes = SIZE_MAX;
    slo_limits_init(limits);
    limit_read_memory(options->memory, &bytes, problems);
    limit_read_timeout(options->timeout, &limits->time_most_ms, problems);
    if (options->max_states)
        limits->states_most = options->max_states;
    if (bytes > 0) {
        session->memory.limit_bytes = bytes;
        session->memory.may_overdraw = true;
    }
}

int cmd_slo(struct session *session)
{
    struct slo_limits limits;
    struct problems problems;
    problems_init(&problems, &session->arena);
    read_limits(session, &limits, &problems);
    session_complain(session, &problems);
    if (problems.errors) {
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    if (session->options.batch)
        return run_batch(session, &limits);
    session_say(session, "slo: expected --batch");
    return EXIT_INPUT;
}
