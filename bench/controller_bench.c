/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom controller` by the clock: states a second of processor time, one thread,
 * for each ControllerCheck given, in both forms of states; without any, for the
 * examples. The time is that of the whole run: search, liveness, the controller's
 * answers (of which those of a program take time elsewhere: see what passed). Run from
 * the source tree, as build/controller_bench, so that plugins find their header.
 */
#include "base/clock.h"
#include "manifest/manifest.h"
#include "processor_time.h"
#include "reconcile/check_file.h"
#include "reconcile/judge.h"

#include <inttypes.h>
#include <stdio.h>

static void run(const struct controller_check *check, bool merge, struct memory *memory,
                struct arena *arena, struct problems *problems)
{
    struct environment_options options = check->options;
    struct judged_controller judged;
    const struct judge_options how = {
        .threads = 1, .states_most = UINT64_MAX, .time_most_ms = UINT64_MAX};
    options.renaming = merge ? RENAME_BY_PLACE : RENAME_BY_ORDER;
    options.keep_all = !merge;
    const int64_t started = processor_time_ns();
    const int64_t began = clock_now_ns();
    if (!judge_controller(memory, arena, &check->controller, &options, &how, &judged, problems))
        return;
    const double seconds = (double)(processor_time_ns() - started) / 1e9;
    const double passed = (double)(clock_now_ns() - began) / 1e9;
    printf("%-24s %-6s %-8s %8" PRIu64 " states %9" PRIu64 " transitions %6.2f s CPU (%6.2f s "
           "passed) %7.0f states/s %5" PRIu64 " questions\n",
           check->name, merge ? "merged" : "plain", verdict_name(judged.verdict),
           judged.statistics.states, judged.statistics.transitions, seconds, passed,
           (double)judged.statistics.states / seconds, judged.asked.questions);
}

static void run_file(const char *path)
{
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct documents documents = {0};
    const struct manifest_paths paths = {.items = &path, .count = 1};
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    manifest_load(&arena, &paths, &documents, &problems);
    for (uint32_t i = 0; i < documents.count; i++) {
        struct controller_check check = {0};
        if (controller_check_read(&arena, &documents.items[i].root, 0, &check, &problems)) {
            run(&check, false, &memory, &arena, &problems);
            run(&check, true, &memory, &arena, &problems);
        }
        controller_check_release(&check);
    }
    for (uint32_t i = 0; i < problems.count; i++)
        fprintf(stderr, "%s\n", problem_format(&arena, &problems.items[i]));
    arena_release(&arena);
}

int main(int count, char **arguments)
{
    static const char *const examples[] = {
        "examples/controller-machine/check.yaml",
        "examples/controller-fluentbit/config-python.yaml",
        "examples/controller-fluentbit/config-c.yaml",
        "examples/controller-fluentbit/check.yaml",
        "examples/controller-zookeeper/check.yaml",
        "examples/controller-rabbitmq/check.yaml",
        "examples/controller-rabbitmq/full.yaml",
    };
    for (int i = 1; i < count; i++)
        run_file(arguments[i]);
    for (size_t i = 0; count == 1 && i < sizeof(examples) / sizeof(examples[0]); i++)
        run_file(examples[i]);
    return 0;
}
