/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/limit_options.h"

#include "object/quantity.h"
#include "object/time.h"

#include <unistd.h>

static void expect(struct problems *problems, const char *option, const char *wanted,
                   const char *found)
{
    problem_error(problems, (struct place){0}, option, "expected %s, found \"%s\"", wanted, found);
}

static size_t memory_of_machine(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (size_t)pages / 4 * 3 * (size_t)bytes : 0;
}

uint64_t limit_read_size(const char *option, const char *text, struct problems *problems)
{
    struct quantity quantity;
    if (!text)
        return 0;
    if (quantity_parse(text, &quantity, NULL) && quantity_value(quantity) > 0)
        return (uint64_t)quantity_value(quantity);
    expect(problems, option, "a size such as 500Mi or 8Gi", text);
    return 0;
}

int64_t limit_read_duration(const char *option, const char *text, struct problems *problems)
{
    int64_t duration = 0;
    if (!text)
        return 0;
    if (duration_parse(text, &duration, NULL) && duration > 0)
        return duration;
    expect(problems, option, "a time such as 90s or 5m", text);
    return 0;
}

void limit_read_memory(const char *text, size_t *bytes, struct problems *problems)
{
    *bytes = text ? (size_t)limit_read_size("--memory", text, problems) : memory_of_machine();
}

void limit_read_timeout(const char *text, uint64_t *most_ms, struct problems *problems)
{
    const int64_t duration = limit_read_duration("--timeout", text, problems);
    *most_ms = duration ? (uint64_t)(duration + 999999) / 1000000 : UINT64_MAX;
}
