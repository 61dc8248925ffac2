/* SPDX-License-Identifier: Apache-2.0 */
/* The report that people read: the verdict, and what happened second by second. */
#include "report/formats.h"
#include "report/slo_report.h"
#include "slo/threshold.h"

#include <inttypes.h>

static const char *describe_load(struct arena *arena, const struct slo_load *load)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < load->positions; i++)
        least = load->rates[i] < least ? load->rates[i] : least;
    const uint32_t peak = slo_load_peak(load);
    const char *text =
        least == peak
            ? arena_printf(arena, "0 to %u requests a second", peak)
            : arena_printf(arena, "0 to %u requests a second, at times 0 to %u", peak, least);
    if (load->rise != UINT32_MAX)
        text = arena_printf(arena, "%s, at most %u more than the second before", text, load->rise);
    if (load->fall != UINT32_MAX)
        text = arena_printf(arena, "%s, at most %u fewer than the second before", text, load->fall);
    return text;
}

const char *slo_describe_service(struct arena *arena, const struct slo_service *service)
{
    static const char *const sharing[] = {
        [SLO_EVEN] = "in equal shares",
        [SLO_ROUND_ROBIN_PUBLISHED] = "in turn",
        [SLO_ROUND_ROBIN] = "in turn",
        [SLO_LEAST_LOADED] = "to the shortest queue",
    };
    return arena_printf(
        arena,
        "  %u to %u pods, %u at first; a pod handles %u requests a second, %u may wait at it; a "
        "new one serves %u s after it was asked for\n  load: %s, %s; autoscaler: %s\n",
        service->pods_min, service->pods_max, service->pods_initial, service->handled,
        service->queue_most, service->startup + 1, describe_load(arena, &service->load),
        sharing[service->balancing],
        service->rule == SLO_QUEUE_THRESHOLD
            ? arena_printf(arena,
                           "every %u s, one pod more if %u wait at the last, one fewer if at most "
                           "%u wait at the first",
                           service->interval, service->up, service->down)
            : "HorizontalPodAutoscaler");
}

/* ---- the table ---- */

/* Seconds first..last (from 0) that go on in the same way are one row. */
static uint32_t row_end(const struct slo_timeline *timeline, uint32_t first)
{
    uint32_t last = first;
    const struct slo_second *begin = &timeline->seconds[first];
    const uint64_t lasting = SLO_MARK_VIOLATED;
    if (begin->decision || (begin->marks & ~lasting))
        return first;
    while (last + 1 < timeline->count && last + 1 != timeline->loop_from) {
        const struct slo_second *next = &timeline->seconds[last + 1];
        if (next->decision || next->marks != begin->marks || next->requests != begin->requests ||
            next->serving != begin->serving)
            break;
        last++;
    }
    return last;
}

/* "12 8 8 0", equal ones together: "12 8x2 0". Those beyond what is allowed are
 * marked. */
static const char *queues_text(struct arena *arena, const struct slo_service *service,
                               const struct slo_second *second)
{
    enum { SHOWN_MOST = 8 };
    const char *text = "";
    uint32_t shown = 0;
    for (uint32_t i = 0; i < second->queue_count;) {
        uint32_t count = 1;
        while (i + count < second->queue_count && second->queue[i + count] == second->queue[i])
            count++;
        if (shown++ == SHOWN_MOST)
            return arena_printf(arena, "%s ...", text);
        text = arena_printf(arena, "%s%s%u%s", text, i ? " " : "", second->queue[i],
                            second->queue[i] > service->queue_most ? "!" : "");
        if (count > 1)
            text = arena_printf(arena, "%sx%u", text, count);
        i += count;
    }
    return text;
}

static const char *remark_of(struct arena *arena, const struct slo_second *second)
{
    const char *remark = second->decision ? second->decision : "";
    if (second->utilization >= 0)
        remark = arena_printf(arena, "sees %d %%, %s", second->utilization, remark);
    if (second->marks & SLO_MARK_STARTED)
        remark =
            arena_printf(arena, "%s%s%s", remark, *remark ? "; " : "",
                         second->serving_after > second->serving + 1 ? "pods begin to serve"
                                                                     : "a pod begins to serve");
    if (second->marks & SLO_MARK_REFUSED)
        remark = arena_printf(arena, "%s%sthe requests are refused", remark, *remark ? "; " : "");
    if (second->marks & SLO_MARK_VIOLATED)
        remark = arena_printf(arena, "%s%sthe objective is broken", *remark ? remark : "",
                              *remark ? "; " : "");
    return remark;
}

static void write_table(struct arena *arena, const struct slo_service *service,
                        const struct slo_timeline *timeline, struct text *text)
{
    text_printf(text, "    %11s %9s %5s  %-28s %s\n", "second", "requests", "pods", "queues",
                "what happens");
    for (uint32_t first = 0; first < timeline->count;) {
        const uint32_t last = row_end(timeline, first);
        const struct slo_second *begin = &timeline->seconds[first];
        const struct slo_second *end = &timeline->seconds[last];
        if (timeline->loops && first == timeline->loop_from)
            text_append_string(text, "    --- from here on for ever ---\n");
        const char *number = first == last ? arena_printf(arena, "%u", first + 1)
                                           : arena_printf(arena, "%u-%u", first + 1, last + 1);
        const char *queues = queues_text(arena, service, begin);
        if (first != last)
            queues = arena_printf(arena, "%s .. %s", queues, queues_text(arena, service, end));
        const char *remark = remark_of(arena, end);
        text_printf(text, "    %11s %9u %5u  ", number, begin->requests, begin->serving);
        if (*remark)
            text_printf(text, "%-28s %s\n", queues, remark);
        else
            text_printf(text, "%s\n", queues);
        first = last + 1;
    }
}

/* ---- the whole ---- */

static void write_answer(const struct writer_context *how, const struct slo_report *report,
                         const struct slo_answer *answer, struct text *text)
{
    struct arena *arena = how->arena;
    static const char *const words[] = {"HOLDS", "VIOLATED", "UNDECIDED", "HOLDS PROBABLY"};
    text_printf(text, "%s  %s: %s\n", words[answer->verdict], slo_question_name(answer->question),
                answer->verdict == VERDICT_VIOLATED ? slo_question_violated(answer->question)
                                                    : slo_question_text(answer->question));
    if (answer->verdict == VERDICT_UNDECIDED)
        text_printf(text, "  %s\n", slo_reason_text(answer->reason));
    if (answer->note)
        text_printf(text, "  Note: %s\n", answer->note);
    if (answer->timeline.count == 0)
        return;
    const struct slo_timeline *timeline = &answer->timeline;
    if (answer->question == SLO_OBJECTIVE)
        text_printf(text, "  %s, in second %u:\n",
                    answer->shortest ? "The shortest traffic that breaks it"
                                     : "Traffic that breaks it (there may be shorter)",
                    timeline->count);
    text_append_char(text, '\n');
    write_table(arena, report->service, timeline, text);
    text_append_char(text, '\n');
    slo_write_picture(arena, report->service, timeline, how->ascii, text);
}

static void write_frontier(struct arena *arena, const struct slo_frontier *frontier,
                           struct text *text)
{
    static const char *const words[] = {"holds", "violated", "undecided", "holds probably"};
    text_printf(text, "\nFOUND  %s\n\n", slo_frontier_text(arena, frontier));
    text_printf(text, "    %12s  %-10s %s\n", frontier->parameter, "verdict", "broken in second");
    for (uint32_t i = 0; i < frontier->count; i++) {
        const struct slo_probe *probe = &frontier->items[i];
        text_printf(text, "    %12" PRIu64 "  ", probe->value);
        if (probe->verdict.second > 0)
            text_printf(text, "%-10s %u\n", words[probe->verdict.verdict], probe->verdict.second);
        else
            text_printf(text, "%s\n", words[probe->verdict.verdict]);
    }
}

static void write_report(const struct writer_context *how, const struct slo_report *report,
                         struct text *text)
{
    struct arena *arena = how->arena;
    text_printf(text, "%s\n%s", report->name, slo_describe_service(arena, report->service));
    for (uint32_t i = 0; i < report->notes.count; i++)
        text_printf(text, "  %s\n", report->notes.items[i]);
    for (uint32_t i = 0; i < report->answer_count; i++) {
        text_append_char(text, '\n');
        write_answer(how, report, &report->answers[i], text);
    }
    if (report->frontier)
        write_frontier(arena, report->frontier, text);
    uint64_t states = 0;
    for (uint32_t i = 0; i < report->answer_count; i++)
        states += report->answers[i].states;
    for (uint32_t i = 0; report->frontier && i < report->frontier->count; i++)
        states += report->frontier->items[i].verdict.states;
    text_printf(text, "\nLooked at %" PRIu64 " states.\n", states);
}

void slo_write_text(const struct writer_context *how, const struct slo_reports *reports,
                    struct text *text)
{
    for (uint32_t i = 0; i < reports->count; i++) {
        if (i > 0)
            text_append_char(text, '\n');
        write_report(how, &reports->items[i], text);
    }
}
