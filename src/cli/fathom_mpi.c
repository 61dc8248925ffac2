/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fathom-mpi: `fathom verify` in which several processes explore each setup together.
 *
 *     mpirun -np 4 fathom-mpi verify check.yaml
 *
 * Rank 0 is the program as ever: it reads, explores setup after setup, tells counterexamples and
 * reports. The other ranks read the same files and then wait for requests; they print nothing.
 */
#include "base/vec.h"
#include "cli/program.h"
#include "cli/rank_requests.h"
#include "ranks/link_mpi.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: mpirun -np N fathom-mpi verify [options] FILE...\n"
    "\n"
    "Verifies as `fathom verify --no-modular` does, with the same report and exit code, but N\n"
    "processes (ranks), on one machine or on several, explore each setup together. Each has\n"
    "its own part of the states, so what needs too much memory for one machine may fit.\n"
    "All of them need the same files under the same names, and the same build.\n"
    "\n"
    "The options are those of `fathom verify`; --memory is of each rank. Not available here:\n"
    "--checkpoint, --resume, --shard, --spill, --fix, --learn-scale, --modular-first, manifests\n"
    "without a Check, groups of nodes without a maximum.\n"
    "\n"
    "  --stats    at the end, on standard error: what each rank did and sent\n"
    "  --help     this text\n"
    "  --version  the version\n"
    "\n"
    "Exit codes are those of fathom (0 holds, 1 violated, 2 bad input, 3 undecided). If a rank is\n"
    "killed, rank 0 reports what is undecided, and mpirun exits with the code of the killed "
    "rank.\n";

/* The arguments without those that are of fathom-mpi alone; NULL: there is nothing to run. */
static const char *const *read_arguments(struct session *session, const char *const *given,
                                         bool *wants_help, bool *wants_statistics)
{
    VEC(const char *) left = {0};
    for (; *given; given++) {
        if (strcmp(*given, "--stats") == 0)
            *wants_statistics = true;
        else if (strcmp(*given, "--help") == 0 || strcmp(*given, "-h") == 0)
            *wants_help = true;
        else
            VEC_PUSH(&session->arena, &left, *given);
    }
    const uint32_t count = left.count;
    VEC_PUSH(&session->arena, &left, NULL);
    if (*wants_help)
        return NULL;
    if (count == 0 ||
        (strcmp(left.items[0], "verify") != 0 && strcmp(left.items[0], "--version") != 0)) {
        session_say(session, "expected: mpirun -np N fathom-mpi verify FILE...");
        return NULL;
    }
    return left.items;
}

static int run(struct session *session, const char *const *arguments, bool *wants_statistics)
{
    bool wants_help = false;
    arguments = read_arguments(session, arguments, &wants_help, wants_statistics);
    if (arguments)
        return program_finish_output(session, program_main(session, arguments));
    if (wants_help)
        fputs(help, stdout);
    return wants_help ? EXIT_HOLDS : EXIT_INPUT;
}

int main(int argc, char **argv)
{
    static const char *const none[] = {NULL};
    struct session session = {.program = "fathom-mpi"};
    struct link link;
    bool wants_statistics = false;
    if (!link_mpi_begin(&link, &argc, &argv)) {
        fputs("fathom-mpi: MPI cannot be used\n", stderr);
        return EXIT_INPUT;
    }
    struct rank_requests requests = {.link = &link};
    const struct explorer explorer = {rank_requests_explore, &requests};
    const struct session_ranks ranks = {link.rank == 0 ? &explorer : NULL, rank_requests_serve,
                                        &requests, &requests.identity};
    session.ranks = &ranks;
    session.silent = link.rank != 0;
    if (session.silent && !freopen("/dev/null", "w", stdout))
        link_mpi_abort(EXIT_INPUT);
    memory_init(&session.memory, SIZE_MAX);
    arena_init(&session.arena, &session.memory);
    int code = run(&session, argc > 0 ? (const char *const *)argv + 1 : none, &wants_statistics);
    rank_requests_end(&requests, wants_statistics);
    /* mpirun gives the code of a rank that fails; the verdict is rank 0's to tell. */
    if (link.rank != 0)
        code = EXIT_HOLDS;
    arena_release(&session.arena);
    link_mpi_end(&link);
    if (link.broken) {
        fflush(NULL);
        _exit(code);
    }
    return code;
}
