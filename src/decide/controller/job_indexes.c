/* SPDX-License-Identifier: Apache-2.0 */
/* Follows pkg/controller/job/indexed_job_utils.go, broken input included. */
#include "decide/controller/job_indexes.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A whole number as Go's Atoi takes it: a sign, then digits only. */
static bool parse_number(const char *text, size_t length, int64_t *number)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    if (at == length || length > 20)
        return false;
    char digits[24];
    memcpy(digits, text, length);
    digits[length] = '\0';
    for (; at < length; at++)
        if (digits[at] < '0' || digits[at] > '9')
            return false;
    errno = 0;
    *number = strtoll(digits, NULL, 10);
    return errno == 0;
}

struct job_indexes job_indexes_parse(struct arena *arena, const char *text, int64_t completions)
{
    struct job_indexes indexes = {0};
    if (!text || !*text)
        return indexes;
    for (const char *part = text; part;) {
        const char *comma = strchr(part, ',');
        const size_t length = comma ? (size_t)(comma - part) : strlen(part);
        const char *dash = memchr(part, '-', length);
        const size_t first_length = dash ? (size_t)(dash - part) : length;
        struct job_interval interval = {0};
        bool good = parse_number(part, first_length, &interval.first);
        if (good && interval.first >= completions)
            break;
        interval.last = interval.first;
        if (good && dash) {
            const char *rest = dash + 1;
            const size_t left = length - first_length - 1;
            const char *second = memchr(rest, '-', left);
            good = parse_number(rest, second ? (size_t)(second - rest) : left, &interval.last);
            if (interval.last >= completions)
                interval.last = completions - 1;
        }
        if (good && indexes.count > 0 &&
            indexes.items[indexes.count - 1].last == interval.first - 1)
            indexes.items[indexes.count - 1].last = interval.last;
        else if (good)
            VEC_PUSH(arena, &indexes, interval);
        part = comma ? comma + 1 : NULL;
    }
    return indexes;
}

const char *job_indexes_format(struct arena *arena, const struct job_indexes *indexes)
{
    const char *text = "";
    for (uint32_t i = 0; i < indexes->count; i++) {
        const struct job_interval interval = indexes->items[i];
        text = arena_printf(arena, "%s%s%lld", text, i ? "," : "", (long long)interval.first);
        if (interval.last > interval.first)
            text = arena_printf(arena, "%s%s%lld", text,
                                interval.last == interval.first + 1 ? "," : "-",
                                (long long)interval.last);
    }
    return text;
}

bool job_indexes_has(const struct job_indexes *indexes, int64_t index)
{
    for (uint32_t i = 0; i < indexes->count; i++)
        if (indexes->items[i].last >= index)
            return indexes->items[i].first <= index;
    return false;
}

int64_t job_indexes_total(const struct job_indexes *indexes)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < indexes->count; i++)
        total += indexes->items[i].last - indexes->items[i].first + 1;
    return total;
}

static void append(struct arena *arena, struct job_indexes *indexes, struct job_interval interval)
{
    struct job_interval *last = indexes->count ? &indexes->items[indexes->count - 1] : NULL;
    if (!last || interval.first > last->last + 1)
        VEC_PUSH(arena, indexes, interval);
    else if (last->last < interval.last)
        last->last = interval.last;
}

struct job_indexes job_indexes_with(struct arena *arena, const struct job_indexes *indexes,
                                    const int64_t *numbers, uint32_t number_count)
{
    struct job_indexes result = {0};
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < indexes->count || j < number_count) {
        const bool old =
            j == number_count || (i < indexes->count && indexes->items[i].first < numbers[j]);
        const struct job_interval single = {old ? 0 : numbers[j], old ? 0 : numbers[j]};
        append(arena, &result, old ? indexes->items[i] : single);
        if (old)
            i++;
        else
            j++;
    }
    return result;
}

int64_t job_indexes_common(const struct job_indexes *left, const struct job_indexes *right)
{
    int64_t common = 0;
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < left->count && j < right->count) {
        const struct job_interval a = left->items[i];
        const struct job_interval b = right->items[j];
        const int64_t first = a.first > b.first ? a.first : b.first;
        const int64_t last = a.last < b.last ? a.last : b.last;
        common += last >= first ? last - first + 1 : 0;
        i += a.last <= b.last;
        j += b.last <= a.last;
    }
    return common;
}

struct job_indexes job_indexes_merge(struct arena *arena, const struct job_indexes *left,
                                     const struct job_indexes *right)
{
    struct job_indexes result = {0};
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < left->count || j < right->count) {
        const bool first =
            j == right->count || (i < left->count && left->items[i].first < right->items[j].first);
        append(arena, &result, first ? left->items[i++] : right->items[j++]);
    }
    return result;
}

static int compare_numbers(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

uint32_t job_sort_numbers(int64_t *numbers, uint32_t count)
{
    if (count == 0)
        return 0;
    qsort(numbers, count, sizeof(*numbers), compare_numbers);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++)
        if (numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}
