/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timeline as a picture of characters: a line each for requests, the longest
 * queue and the pods, time to the right. A column is one second, or several
 * where there are more than fit: then the greatest of them.
 */
#include "report/slo_report.h"
#include "slo/threshold.h"

enum { COLUMNS_MOST = 64, LEVELS = 8 };

uint32_t slo_longest_queue(const struct slo_second *second)
{
    uint32_t longest = 0;
    for (uint32_t i = 0; i < second->queue_count; i++)
        longest = second->queue[i] > longest ? second->queue[i] : longest;
    return longest;
}

static const char *const blocks[LEVELS + 1] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const ascii_blocks[LEVELS + 1] = {" ", ".", ":", "-", "=", "+", "*", "%", "#"};

struct column {
    uint32_t requests, queue, serving;
    uint64_t marks;
};

static uint32_t greatest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static struct column column_of(const struct slo_timeline *timeline, uint32_t first, uint32_t last)
{
    struct column column = {0};
    for (uint32_t i = first; i < last; i++) {
        const struct slo_second *second = &timeline->seconds[i];
        column.requests = greatest(column.requests, second->requests);
        column.queue = greatest(column.queue, slo_longest_queue(second));
        column.serving = greatest(column.serving, second->serving);
        column.marks |= second->marks;
    }
    return column;
}

static uint32_t level_of(uint32_t value, uint32_t top)
{
    if (value == 0 || top == 0)
        return 0;
    const uint32_t level = (uint32_t)(((uint64_t)value * LEVELS + top - 1) / top);
    return level < LEVELS ? level : LEVELS;
}

static char sign_of(uint64_t marks)
{
    if (marks & SLO_MARK_VIOLATED)
        return '!';
    if ((marks & (SLO_MARK_ASKED | SLO_MARK_DROPPED)) == (SLO_MARK_ASKED | SLO_MARK_DROPPED))
        return '*';
    return marks & SLO_MARK_ASKED ? '+' : marks & SLO_MARK_DROPPED ? '-' : ' ';
}

void slo_write_picture(struct arena *arena, const struct slo_service *service,
                       const struct slo_timeline *timeline, bool ascii, struct text *text)
{
    const char *const *drawn = ascii ? ascii_blocks : blocks;
    const uint32_t each = (timeline->count + COLUMNS_MOST - 1) / COLUMNS_MOST;
    const uint32_t count = each ? (timeline->count + each - 1) / each : 0;
    struct column *columns = ARENA_ARRAY(arena, struct column, count + 1U);
    struct column top = {.queue = service->queue_most, .serving = service->pods_max};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t last = (i + 1) * each;
        columns[i] = column_of(timeline, i * each, last < timeline->count ? last : timeline->count);
        top.requests = greatest(top.requests, columns[i].requests);
        top.queue = greatest(top.queue, columns[i].queue);
        top.serving = greatest(top.serving, columns[i].serving);
    }
    text_append_string(text, "    requests |");
    for (uint32_t i = 0; i < count; i++)
        text_append_string(text, drawn[level_of(columns[i].requests, top.requests)]);
    text_printf(text, "| top %u a second\n    queue    |", top.requests);
    for (uint32_t i = 0; i < count; i++)
        text_append_string(text, drawn[level_of(columns[i].queue, top.queue)]);
    text_printf(text, "| top %u, allowed %u\n    pods     |", top.queue, service->queue_most);
    for (uint32_t i = 0; i < count; i++)
        text_append_string(text, drawn[level_of(columns[i].serving, top.serving)]);
    text_printf(text, "| top %u\n             |", top.serving);
    for (uint32_t i = 0; i < count; i++)
        text_append_char(text, sign_of(columns[i].marks));
    text_printf(text, "| + asks for pods, - drops some, ! broken; %u s a column\n", each);
}
