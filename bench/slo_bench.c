/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom slo` by the clock: processor time of
 *   - all published rows, in one process (the published tool reports 177 s);
 *   - the same NGINX rows without the abstraction that its author needed
 *     (QL_Max 1666 in place of 50);
 *   - 35 to 50 pods and 10,000 requests a second under the real autoscaler, where
 *     it holds and where it does not.
 * Each is run several times; the least counts. Run from the source tree, or with
 * FATHOM_SOURCE_ROOT set.
 */
#include "processor_time.h"
#include "slo/hpa.h"
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

/* A pod handles 250 requests a second; two seconds is the objective. */
static void run_autoscaler(struct memory *memory, uint32_t pods_min)
{
    static uint32_t rate = 10000;
    static bool low = true;
    const struct slo_hpa hpa = {
        .features = features_of_version(26),
        .metric = {.source = METRIC_RESOURCE,
                   .target = HPA_TARGET_UTILIZATION,
                   .target_value = 60,
                   .cpu = true},
        .request = {NULL, 500},
        .busy_milli = 500,
        .sync_period = 15,
        .resolution = 15,
    };
    const struct slo_service service = {
        .rule = SLO_HORIZONTAL_POD_AUTOSCALER,
        .queue_most = 500,
        .handled = 250,
        .pods_initial = pods_min,
        .pods_min = pods_min,
        .pods_max = 50,
        .startup = 20,
        .balancing = SLO_ROUND_ROBIN,
        .load = {&rate, &low, 1, 0, UINT32_MAX, UINT32_MAX},
        .divisor = 1,
        .hpa = &hpa,
    };
    struct slo_limits limits;
    slo_limits_init(&limits);
    const int64_t started = processor_time_ns();
    const struct slo_verdict found = slo_judge(&service, false, &limits, memory);
    printf("%u to 50 pods: %-11s %9s %10.1f %12" PRIu64 " %12" PRIu64 "\n", pods_min,
           verdict_name(found.verdict), "", (double)(processor_time_ns() - started) / 1e6,
           found.states, found.transitions);
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
            const int64_t started = processor_time_ns();
            total = run(&workloads[i], &memory);
            const int64_t taken = processor_time_ns() - started;
            least = taken < least ? taken : least;
        }
        printf("%-24s %4u/%-4u %10.1f %12" PRIu64 " %12" PRIu64 "\n", workloads[i].name,
               total.agree, total.rows, (double)least / 1e6, total.states, total.transitions);
    }
    run_autoscaler(&memory, 35);
    run_autoscaler(&memory, 39);
    run_autoscaler(&memory, 40);
    run_autoscaler(&memory, 45);
    return 0;
}
