/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/session_ranks.h"

void ranks_settle_options(struct session *session)
{
    struct options *options = &session->options;
    if (!session->ranks)
        return;
    options->no_modular = true;
    options->jobs = 1;
}

bool ranks_accept_options(const struct session *session)
{
    const struct options *options = &session->options;
    const struct {
        const char *name;
        bool given;
    } refused[] = {
        {"--checkpoint", options->checkpoint != NULL},
        {"--fix", options->fix},
        {"--learn-scale", options->learn_scale != NULL},
        {"--modular-first", options->modular_first},
        {"--resume", options->resume != NULL},
        {"--shard", options->shard != NULL},
    };
    for (size_t i = 0; session->ranks && i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (!refused[i].given)
            continue;
        session_say(session, "%s: is for a process by itself: use fathom verify", refused[i].name);
        return false;
    }
    return true;
}

bool ranks_accept_input(const struct session *session, bool asks_questions)
{
    if (session->ranks && asks_questions)
        session_say(session, "a Check is needed here; fathom init writes one");
    return !session->ranks || !asks_questions;
}

bool ranks_accept_plans(const struct session *session, const struct verify_plan *plans,
                        uint32_t count)
{
    for (uint32_t i = 0; session->ranks && i < count; i++)
        for (uint32_t g = 0; g < plans[i].scope.group_count; g++) {
            if (!plans[i].scope.groups[g].open)
                continue;
            session_say(session, "%s: the group %s needs a maximum of nodes here",
                        plans[i].unit->name, plans[i].scope.groups[g].name);
            return false;
        }
    return true;
}

bool ranks_serve(struct session *session, struct verify_settings *settings,
                 const struct verify_plan *plans)
{
    const struct session_ranks *ranks = session->ranks;
    if (!ranks)
        return false;
    settings->run.explorer = ranks->explorer;
    if (!ranks->explorer)
        ranks->serve(ranks->context, session, settings, plans);
    return !ranks->explorer;
}
