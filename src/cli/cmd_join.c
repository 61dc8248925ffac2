/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom join`: the report of all shards of a verification.
 *
 * It is `fathom verify` with the arguments of the shards and the outcomes of their setups: what is
 * known is not explored, and all that comes after, down to the report, is the same code.
 */
#include "cli/joined_shards.h"

#include "base/vec.h"

#include <string.h>

static size_t member_bytes(enum option_kind kind)
{
    switch (kind) {
    case OPTION_FLAG: return sizeof(OPTION_TYPE_FLAG);
    case OPTION_TEXT: return sizeof(OPTION_TYPE_TEXT);
    case OPTION_LIST: return sizeof(OPTION_TYPE_LIST);
    case OPTION_NUMBER: return sizeof(OPTION_TYPE_NUMBER);
    default: return sizeof(OPTION_TYPE_OUTPUT);
    }
}

/* The command line becomes that of the shards, with this one's options of the report. */
static bool become_verify(struct session *session, const struct string_list *shared,
                          struct problems *problems)
{
    const struct options own = session->options;
    const struct option_rows rows = {option_table, OPTION_COUNT};
    VEC(const char *) arguments = {0};
    VEC_PUSH(&session->arena, &arguments, "verify");
    for (uint32_t i = 0; i < shared->count; i++)
        VEC_PUSH(&session->arena, &arguments, shared->items[i]);
    VEC_PUSH(&session->arena, &arguments, NULL);
    session->options = (struct options){0};
    if (!options_read(&session->arena, rows, arguments.items, &session->options, &session->line,
                      problems))
        return false;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].commands >> COMMAND_JOIN & 1)
            memcpy((char *)&session->options + option_table[i].offset,
                   (const char *)&own + option_table[i].offset, member_bytes(option_table[i].kind));
    return true;
}

int cmd_join(struct session *session)
{
    struct joined_shards *joined = ARENA_NEW(&session->arena, struct joined_shards);
    struct problems problems;
    problems_init(&problems, &session->arena);
    if (session->line.operands.count == 0) {
        session_say(session, "expected the reports of shards (SHARD.json...), found nothing");
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    if (!joined_shards_read(session, &session->line.operands, joined))
        return EXIT_INPUT;
    if (!become_verify(session, &joined->first->identity.arguments, &problems))
        return session_refuse(session, &problems);
    session->joined = joined;
    return cmd_verify(session);
}
