/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/examine.h"

#include "base/clock.h"
#include "base/limit.h"

void slo_examine(struct arena *arena, struct memory *memory, struct slo_order *order,
                 struct slo_report *report)
{
    const int64_t started = clock_now_ns();
    report->answers = ARENA_ARRAY(arena, struct slo_answer, SLO_QUESTION_COUNT);
    for (int i = 0; i < SLO_QUESTION_COUNT; i++) {
        const int64_t begun = clock_now_ns();
        if (!order->questions[i])
            continue;
        struct slo_answer *answer = &report->answers[report->answer_count++];
        slo_ask(arena, report->service, (enum slo_question)i, &order->limits, memory, answer);
        limit_spend_ns(&order->limits.time_most_ms, clock_now_ns() - begun);
        limit_spend(&order->limits.states_most, answer->states);
    }
    if (order->finds) {
        struct slo_frontier *frontier = ARENA_NEW(arena, struct slo_frontier);
        slo_find(arena, report->service, order->find, &order->limits, memory, frontier);
        report->frontier = frontier;
    }
    report->seconds = (double)(clock_now_ns() - started) / 1e9;
    report->peak_bytes = clock_peak_bytes();
}

enum verdict slo_report_verdict(const struct slo_report *report)
{
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t i = 0; i < report->answer_count; i++)
        verdict = verdict_worse(verdict, report->answers[i].verdict);
    return verdict;
}

enum verdict slo_reports_verdict(const struct slo_reports *reports)
{
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t i = 0; i < reports->count; i++) {
        const struct slo_frontier *frontier = reports->items[i].frontier;
        verdict = verdict_worse(verdict, slo_report_verdict(&reports->items[i]));
        if (frontier && frontier->undecided)
            verdict = verdict_worse(verdict, VERDICT_UNDECIDED);
    }
    return verdict;
}
