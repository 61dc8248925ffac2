/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning and the end of the program (program.c). */
#include "cli/program.h"

#include <signal.h>
#include <string.h>

/* kubectl finds its plugins by the name of their file. */
static const char *program_name(const char *invoked_as)
{
    const char *slash = invoked_as ? strrchr(invoked_as, '/') : NULL;
    const char *name = slash ? slash + 1 : invoked_as;
    return name && strncmp(name, "kubectl-", strlen("kubectl-")) == 0 ? "kubectl fathom" : "fathom";
}

int main(int argc, char **argv)
{
    struct session session = {.program = program_name(argc > 0 ? argv[0] : NULL)};
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error, not the end */
    memory_init(&session.memory, SIZE_MAX);
    arena_init(&session.arena, &session.memory);
    static const char *const none[] = {NULL};
    int code = program_main(&session, argc > 0 ? (const char *const *)argv + 1 : none);
    code = program_finish_output(&session, code);
    arena_release(&session.arena);
    return code;
}
