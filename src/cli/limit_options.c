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

void limit_read_memory(const char *text, size_t *bytes, struct problems *problems)
{
    struct quantity quantity;
    *bytes = memory_of_machine();
    if (!text)
        return;
    if (!quantity_parse(text, &quantity, NULL) || quantity_value(quantity) <= 0)
        expect(problems, "--memory", "a size such as 500Mi or 8Gi", text);
    else
        *bytes = (size_t)quantity_value(quantity);
}

void limit_read_timeout(const char *text, uint64_t *most_ms, struct problems *problems)
{
    int64_t duration = 0;
    *most_ms = UINT64_MAX;
    if (!text)
        return;
    if (!duration_parse(text, &duration, NULL) || duration <= 0)
        expect(problems, "--timeout", "a time such as 90s or 5m", text);
    else
        *most_ms = (uint64_t)(duration + 999999) / 1000000;
}
