/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command_examples.h"

#include "base/vec.h"

const struct command_example command_examples[] = {
#define EXAMPLE(command, line, what) {COMMAND_##command, line, what},
#include "cli/examples.def"
#undef EXAMPLE
    {COMMAND_NONE, NULL, NULL},
};

static const struct command_group_row grouped[] = {
#define GROUP(heading)  {heading, COMMAND_NONE},
#define MEMBER(command) {NULL, COMMAND_##command},
#include "cli/command_groups.def"
#undef GROUP
#undef MEMBER
};

static bool is_grouped(enum command_index command)
{
    for (size_t i = 0; i < sizeof(grouped) / sizeof(*grouped); i++)
        if (grouped[i].command == command)
            return true;
    return false;
}

struct command_group_rows command_groups(struct arena *arena)
{
    struct command_group_rows rows = {0};
    bool more = false;
    for (size_t i = 0; i < sizeof(grouped) / sizeof(*grouped); i++)
        VEC_PUSH(arena, &rows, grouped[i]);
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        if (is_grouped((enum command_index)i))
            continue;
        if (!more)
            VEC_PUSH(arena, &rows, ((struct command_group_row){"Further commands", COMMAND_NONE}));
        more = true;
        VEC_PUSH(arena, &rows, ((struct command_group_row){NULL, (enum command_index)i}));
    }
    return rows;
}
