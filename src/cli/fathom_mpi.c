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
#include "object/time.h"
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
    "--shard, --spill, --fix, --learn-scale, --modular-first, manifests without a Check, groups "
    "of\n"
    "nodes without a maximum.\n"
    "\n"
    "  --checkpoint FILE           each rank saves what it has of the setup in hand from time to\n"
    "                              time, as FILE.RANK-of-N.a and .b; as many ranks go on from "
    "there\n"
    "                              with --resume FILE, after a limit, Ctrl-C, or a lost rank\n"
    "  --checkpoint-every DURATION at least so long from one time to the next (10m)\n"
    "  --stats                     at the end, on standard error: what each rank did and sent\n"
    "  --help                      this text\n"
    "  --version                   the version\n"
    "\n"
    "Exit codes are those of fathom (0 holds, 1 violated, 2 bad input, 3 undecided). If a rank is\n"
    "killed, rank 0 reports what is undecided, and mpirun exits with the code of the killed "
    "rank.\n";

/* What is of fathom-mpi alone. */
struct own_options {
    bool help, statistics;
    uint64_t checkpoint_interval_ms;
};

/* The value of "--name VALUE" or "--name=VALUE", and whether it is that option. */
static bool value_of(const char *name, const char *const **given, const char **value)
{
    const size_t length = strlen(name);
    if (strncmp(**given, name, length) != 0 || !strchr("=", (**given)[length]))
        return false;
    if ((**given)[length] == '=')
        *value = **given + length + 1;
    else if ((*given)[1])
        *value = *++*given;
    else
        *value = "";
    return true;
}

/* False, after a complaint, if it is none. */
static bool read_interval(struct session *session, const char *text, uint64_t *interval_ms)
{
    const char *why = NULL;
    int64_t interval_ns;
    if (duration_parse(text, &interval_ns, &why) && interval_ns >= 0) {
        *interval_ms = (uint64_t)interval_ns / 1000000;
        return true;
    }
    session_say(session, "--checkpoint-every: expected a duration such as 10m, found '%s'", text);
    return false;
}

/* The arguments without those that are of fathom-mpi alone; NULL: there is nothing to run. */
static const char *const *read_arguments(struct session *session, const char *const *given,
                                         struct own_options *own)
{
    VEC(const char *) left = {0};
    const char *interval;
    for (; *given; given++) {
        if (strcmp(*given, "--stats") == 0)
            own->statistics = true;
        else if (strcmp(*given, "--help") == 0 || strcmp(*given, "-h") == 0)
            own->help = true;
        else if (!value_of("--checkpoint-every", &given, &interval))
            VEC_PUSH(&session->arena, &left, *given);
        else if (!read_interval(session, interval, &own->checkpoint_interval_ms))
            return NULL;
    }
    const uint32_t count = left.count;
    VEC_PUSH(&session->arena, &left, NULL);
    if (own->help)
        return NULL;
    if (count == 0 ||
        (strcmp(left.items[0], "verify") != 0 && strcmp(left.items[0], "--version") != 0)) {
        session_say(session, "expected: mpirun -np N fathom-mpi verify FILE...");
        return NULL;
    }
    return left.items;
}

static int run(struct session *session, const char *const *arguments,
               struct rank_requests *requests, struct own_options *own)
{
    arguments = read_arguments(session, arguments, own);
    requests->checkpoint_interval_ms = own->checkpoint_interval_ms;
    if (arguments)
        return program_finish_output(session, program_main(session, arguments));
    if (own->help)
        fputs(help, stdout);
    return own->help ? EXIT_HOLDS : EXIT_INPUT;
}

int main(int argc, char **argv)
{
    static const char *const none[] = {NULL};
    struct session session = {.program = "fathom-mpi"};
    struct link link;
    struct own_options own = {.checkpoint_interval_ms = UINT64_C(600000)};
    if (!link_mpi_begin(&link, &argc, &argv)) {
        fputs("fathom-mpi: MPI cannot be used\n", stderr);
        return EXIT_INPUT;
    }
    struct rank_requests requests = {.link = &link, .session = &session};
    const struct explorer explorer = {rank_requests_explore, &requests};
    const struct session_ranks ranks = {link.rank == 0 ? &explorer : NULL, rank_requests_serve,
                                        &requests, &requests.input};
    session.ranks = &ranks;
    session.silent = link.rank != 0;
    if (session.silent && !freopen("/dev/null", "w", stdout))
        link_mpi_abort(EXIT_INPUT);
    memory_init(&session.memory, SIZE_MAX);
    arena_init(&session.arena, &session.memory);
    int code = run(&session, argc > 0 ? (const char *const *)argv + 1 : none, &requests, &own);
    rank_requests_end(&requests, own.statistics);
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
