/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/session_ranks.h"

#include "base/hash.h"
#include "cli/verify_again.h"
#include "verify/made_from.h"

#include <string.h>

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
        {"--fix", options->fix},
        {"--learn-scale", options->learn_scale != NULL},
        {"--modular-first", options->modular_first},
        {"--shard", options->shard != NULL},
        {"--spill", options->spill != NULL},
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

static void add_text(uint64_t *hash, const char *text)
{
    *hash = hash_bytes_seeded(text, strlen(text), *hash);
}

/* False, after a complaint, if a file is there for one rank only. */
static bool add_file(struct session *session, const char *name, uint64_t *hash)
{
    uint64_t content;
    if (!name)
        return true;
    if (!input_file_hash(&session->memory, name, &content)) {
        session_say(session, "%s: every rank has to read it: give manifests as files", name);
        return false;
    }
    add_text(hash, name);
    *hash = hash_bytes_seeded(&content, sizeof(content), *hash);
    return true;
}

static uint64_t hash_arguments(uint64_t hash, struct string_list arguments)
{
    for (uint32_t i = 0; i < arguments.count; i++)
        add_text(&hash, arguments.items[i]);
    return hash;
}

static bool identify(struct session *session, const struct verify_plan *plans, uint32_t count,
                     struct rank_input *input)
{
    const struct string_list arguments = verify_again_shard_arguments(session);
    uint64_t files;
    if (!input_file_hash(&session->memory, "/proc/self/exe", &files))
        files = 0;
    input->question = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct made_from made = verify_again_describe(session, &plans[i], i);
        input->question = hash_arguments(input->question, made.arguments);
        if (!add_file(session, plans[i].unit->file, &files))
            return false;
        for (uint32_t f = 0; f < made.file_count; f++)
            if (!add_file(session, made.files[f].name, &files))
                return false;
    }
    input->identity = hash_arguments(files, arguments);
    input->question = hash_word(input->question ^ files);
    return true;
}

bool ranks_accept_plans(struct session *session, const struct verify_plan *plans, uint32_t count)
{
    for (uint32_t i = 0; session->ranks && i < count; i++)
        for (uint32_t g = 0; g < plans[i].scope.group_count; g++) {
            if (!plans[i].scope.groups[g].open)
                continue;
            session_say(session, "%s: the group %s needs a maximum of nodes here",
                        plans[i].unit->name, plans[i].scope.groups[g].name);
            return false;
        }
    return !session->ranks || identify(session, plans, count, session->ranks->input);
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
