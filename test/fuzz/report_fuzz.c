/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any file as a report: it is refused with a problem, or its violations have names and its numbers
 * point at steps that are there.
 */
#include "harness.h"

#include "report/told_report.h"

#include <sys/mman.h>
#include <unistd.h>

static void require_steps(const struct told_violation *violation)
{
    const uint32_t steps = violation->steps.count;
    FUZZ_REQUIRE(violation->name);
    FUZZ_REQUIRE(!violation->loops || violation->rests || violation->loop_from <= steps);
    for (uint32_t s = 0; s < steps; s++)
        for (uint32_t c = 0; c < violation->steps.items[s].causes.count; c++)
            FUZZ_REQUIRE(violation->steps.items[s].causes.items[c] <= steps);
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    struct told_reports reports = {0};
    struct problems problems;
    const int file = memfd_create("report", 0);
    FUZZ_REQUIRE(file >= 0 && write(file, bytes, count) == (ssize_t)count);
    problems_init(&problems, arena);
    const char *path = arena_printf(arena, "/proc/self/fd/%d", file);
    const bool good = told_report_read(arena, path, &reports, &problems);
    close(file);
    FUZZ_REQUIRE(good || problems.errors);
    for (uint32_t r = 0; good && r < reports.items.count; r++)
        for (uint32_t v = 0; v < reports.items.items[r].violations.count; v++)
            require_steps(&reports.items.items[r].violations.items[v]);
}
