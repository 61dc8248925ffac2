/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom slo` by the clock: processor time of
 *   - all published rows, in one process (the published tool reports 177 s);
 *   - the same NGINX rows without the abstraction that its author needed
 *     (QL_Max 1666 in place of 50).
 * Each is run several times; the least counts. Run from the source tree, or with
 * FATHOM_SOURCE_ROOT set.
 */
#include "base/clock.h"
#include "slo/published_rows.h"
#include "slo/questions.h"

#include <inttypes.h>
#include <stdlib.h>

struct workload {
    const char *name;
    enum published_model model;
    int64_t queue_limit; /* 0: as published */
    uint32_t rounds;
};

struct total {
    uint32_t rows, agree;
    uint64_t states, transitions;
};

static const char *source_root(void)
{
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    return root ? root : ".";
}

static struct total run(const struct workload *workload, struct memory *memory)
{
    struct total total = {0};
    struct arena arena;
    struct problems problems;
    struct published_row row;
    struct slo_limits limits;
    arena_init(&arena, memory);
    problems_init(&problems, &arena);
    slo_limits_init(&limits);
    FILE *file = published_rows_open(source_root(), workload->model);
    while (published_row_read(file, workload->model, &row)) {
        struct slo_service service;
        if (workload->queue_limit > 0)
            row.parameters.queue_limit = workload->queue_limit;
        if (!published_service(&arena, workload->model, &row.parameters, (struct place){0},
                               &service, &problems))
            bug("a published row does not fit together");
        const struct slo_verdict found = slo_judge(&service, false, &limits, memory);
        total.rows++;
        total.agree += (found.verdict == VERDICT_HOLDS) == row.predicted;
        total.states += found.states;
        total.transitions += found.transitions;
    }
    fclose(file);
    arena_release(&arena);
    return total;
}

int main(void)
{
    static const struct workload workloads[] = {
        {"NGINX, 132 rows", PUBLISHED_NGINX, 0, 10},
        {"Node.js, 228 rows", PUBLISHED_NODEJS, 0, 10},
        {"NGINX without divisor", PUBLISHED_NGINX, 1000000, 1},
    };
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    printf("%-24s %9s %10s %12s %12s\n", "", "agree", "CPU ms", "states", "transitions");
    for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++) {
        struct total total = {0};
        int64_t least = INT64_MAX;
        for (uint32_t round = 0; round < workloads[i].rounds; round++) {
            const int64_t started = clock_cpu_ns();
            total = run(&workloads[i], &memory);
            const int64_t taken = clock_cpu_ns() - started;
            least = taken < least ? taken : least;
        }
        printf("%-24s %4u/%-4u %10.1f %12" PRIu64 " %12" PRIu64 "\n", workloads[i].name,
               total.agree, total.rows, (double)least / 1e6, total.states, total.transitions);
    }
    return 0;
}
