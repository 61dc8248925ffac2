/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random models through the engine and through the naive one, thousands of
 * them; any difference is shown with the seed, shrunk as far as it goes.
 *
 *     cross                    seeds 1 to 1000
 *     cross FIRST COUNT        other seeds
 *     cross SEED               one of them
 *
 * Each check runs in a child process, so that a crash or a bug() of the engine
 * is a difference like any other.
 */
#include "naive/compare.h"
#include "naive/random_processes.h"
#include "naive/random_system.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Everything that one model must agree in. True if it does; else the
 * differences are printed unless `quiet`. */
static bool agrees(const struct model *model, bool quiet)
{
    struct memory memory;
    struct arena arena;
    struct text differences;
    struct comparison comparison;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    text_init(&differences, &memory);
    comparison_init(&comparison, &arena, model, &differences);
    compare_exact(&comparison);
    compare_first_violation(&comparison);
    compare_lossy(&comparison, EXPLORE_HASH_COMPACT);
    compare_lossy(&comparison, EXPLORE_BITSTATE);
    const bool same = differences.length == 0;
    if (!quiet)
        fputs(text_content(&differences), stdout);
    text_release(&differences);
    arena_release(&arena);
    if (atomic_load(&memory.used_bytes) != 0) {
        if (!quiet)
            printf("%zu bytes were not released\n", (size_t)atomic_load(&memory.used_bytes));
        return false;
    }
    return same;
}

static bool system_fails(struct random_system *system)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        _exit(agrees(random_system_model(system), true) ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status != 0;
}

/* ---- shrinking: strike out what the difference does not need ---- */

static bool try_without_edge(struct random_system *system, struct random_system *smaller,
                             uint32_t i)
{
    *smaller = *system;
    smaller->edge_count--;
    memmove(&smaller->edges[i], &smaller->edges[i + 1],
            (smaller->edge_count - i) * sizeof(*smaller->edges));
    return system_fails(smaller);
}

static bool try_without_property(struct random_system *system, struct random_system *smaller,
                                 uint32_t i)
{
    if (system->property_count == 1)
        return false;
    *smaller = *system;
    smaller->property_count--;
    memmove(&smaller->properties[i], &smaller->properties[i + 1],
            (smaller->property_count - i) * sizeof(*smaller->properties));
    return system_fails(smaller);
}

static bool try_plainer_state(struct random_system *system, struct random_system *smaller,
                              uint32_t i)
{
    if (system->states[i].atoms == 0 && system->states[i].enabled == 0)
        return false;
    *smaller = *system;
    smaller->states[i].atoms = smaller->states[i].enabled = 0;
    return system_fails(smaller);
}

static void shrink(struct random_system *system)
{
    static struct random_system smaller;
    for (uint32_t i = system->property_count; i-- > 0;)
        if (try_without_property(system, &smaller, i))
            *system = smaller;
    for (bool shrunk = true; shrunk;) {
        shrunk = false;
        for (uint32_t i = system->edge_count; i-- > 0;) {
            if (try_without_edge(system, &smaller, i)) {
                *system = smaller;
                shrunk = true;
            }
        }
    }
    for (uint32_t i = 0; i < system->state_count; i++)
        if (try_plainer_state(system, &smaller, i))
            *system = smaller;
}

/* ---- seeds ---- */

static void show(struct text *text)
{
    fputs(text_content(text), stdout);
    text_release(text);
}

static bool seed_agrees(uint64_t seed, bool quiet)
{
    static struct random_system system;
    static struct random_processes processes;
    random_system_draw(&system, seed);
    random_processes_draw(&processes, seed);
    return agrees(random_system_model(&system), quiet) &&
           agrees(random_processes_model(&processes), quiet);
}

static void explain(uint64_t seed)
{
    static struct random_system system;
    struct memory memory;
    struct text text;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    random_system_draw(&system, seed);
    if (system_fails(&system)) {
        shrink(&system);
        random_system_describe(&system, &text);
    } else {
        static struct random_processes processes;
        random_processes_draw(&processes, seed);
        random_processes_describe(&processes, &text);
    }
    show(&text);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (system_fails(&system))
            agrees(random_system_model(&system), false);
        else
            seed_agrees(seed, false);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* Runs seeds from `*seed` to `end` in a child, which leaves the one it is at in
 * `*seed`. True if all agree. */
static bool run_seeds(uint64_t *seed, uint64_t end)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        for (; *seed < end; ++*seed)
            if (!seed_agrees(*seed, true))
                _exit(1);
        /* Not _exit: the leak checker of a sanitizer build looks at the end. */
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0;
}

int main(int argc, char **argv)
{
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? 1 : 1000;
    enum { FAILURES_MOST = 5 };
    uint64_t *seed =
        mmap(NULL, sizeof(*seed), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seed == MAP_FAILED)
        return 2;
    uint64_t failed = 0;
    printf("seeds %" PRIu64 " to %" PRIu64 "\n", first, first + count - 1);
    *seed = first;
    while (*seed < first + count && failed < FAILURES_MOST && !run_seeds(seed, first + count)) {
        if (*seed >= first + count) {
            printf("the child failed at its end\n");
            failed++;
            break;
        }
        printf("seed %" PRIu64 " differs; replay with: cross %" PRIu64 "\n", *seed, *seed);
        explain(*seed);
        failed++;
        ++*seed;
    }
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", *seed - first - failed, failed);
    munmap(seed, sizeof(*seed));
    return failed > 0;
}
