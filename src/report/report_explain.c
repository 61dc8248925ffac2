/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output of `fathom explain`: from a violation back to its causes.
 *
 * A counterexample tells what happened in its order; here only the steps are
 * told that the violation needed, the last one first, each with what made it
 * possible and the steps it goes back to.
 */
#include "report/formats.h"
#include "report/report.h"
#include "report/told_report.h"

#include <stdio.h>
#include <string.h>

/* By number of the step, from 1: is it in the slice? */
static bool *find_slice(struct arena *arena, const struct told_violation *violation)
{
    const uint32_t count = violation->steps.count;
    bool *slice = ARENA_ARRAY(arena, bool, count + 1);
    for (uint32_t i = 0; i < violation->causes.count; i++)
        slice[violation->causes.items[i]] = true;
    /* Causes come before their effects, so one pass from the end finds all. */
    for (uint32_t number = count; number > 0; number--)
        for (uint32_t c = 0; slice[number] && c < violation->steps.items[number - 1].causes.count;
             c++)
            slice[violation->steps.items[number - 1].causes.items[c]] = true;
    return slice;
}

static const char *number_list(struct arena *arena, const struct told_numbers *numbers)
{
    const char *list = "";
    uint32_t listed = 0;
    uint32_t all = 0;
    for (uint32_t i = 0; i < numbers->count; i++)
        all += numbers->items[i] > 0;
    for (uint32_t i = 0; i < numbers->count; i++) {
        if (numbers->items[i] == 0)
            continue;
        const char *before = listed == 0 ? "" : listed + 1 == all ? " and " : ", ";
        list = arena_printf(arena, "%s%s%u", list, before, numbers->items[i]);
        listed++;
    }
    return all == 0 ? "" : arena_printf(arena, "step%s %s", all == 1 ? "" : "s", list);
}

static void write_step(struct arena *arena, const struct told_violation *violation, uint32_t number,
                       struct text *text)
{
    const struct told_step *step = &violation->steps.items[number - 1];
    const char *causes = number_list(arena, &step->causes);
    text_printf(text, "%4u. %s%s\n", number, step->outside ? "event: " : "", step->detail);
    for (uint32_t i = 0; i < step->why.count; i++)
        text_printf(text, "          %s\n", step->why.items[i]);
    if (*causes)
        text_printf(text, "        needs %s\n", causes);
    else if (!step->outside)
        text_append_string(text, "        possible from the beginning\n");
}

static void write_violation(struct arena *arena, const struct told_report *report,
                            const struct told_violation *violation, struct text *text)
{
    const bool *slice = find_slice(arena, violation);
    const bool goes_round = violation->loops && !violation->rests;
    uint32_t left_out = 0;
    text_printf(text, "Check %s: %s is violated: %s\n", report->check, violation->label,
                violation->meaning ? violation->meaning : report_intent_violated(violation->kind));
    text_printf(
        text, "This shows in %s%s; back from there:\n\n",
        violation->causes.count > 0 ? number_list(arena, &violation->causes) : "the initial state",
        goes_round ? arena_printf(arena, ", of the steps from %u to %u that repeat for ever",
                                  violation->loop_from + 1, violation->steps.count)
        : violation->rests ? ", after which nothing moves any more"
                           : "");
    for (uint32_t number = violation->steps.count; number > 0; number--) {
        if (slice[number])
            write_step(arena, violation, number, text);
        left_out += !slice[number];
    }
    text_append_string(text, "\nIt goes back to:\n");
    for (uint32_t number = 1; number <= violation->steps.count; number++)
        if (slice[number] && violation->steps.items[number - 1].outside)
            text_printf(text, "  step %u, an event: %s\n", number,
                        violation->steps.items[number - 1].detail);
    if (slice[0])
        text_printf(text, "  %s\n",
                    report->of_controller ? "the controller and its environment as they are"
                                          : "the cluster and the manifests as they are given");
    for (uint32_t i = 0; i < violation->places.count; i++)
        text_printf(text, "  %s\n", violation->places.items[i]);
    if (left_out > 0)
        text_printf(text, "%u of the %u steps of the counterexample %s no part in it\n", left_out,
                    violation->steps.count, left_out == 1 ? "has" : "have");
}

static void write_numbers(struct json_out *json, const char *key,
                          const struct told_numbers *numbers)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < numbers->count; i++)
        json_unsigned(json, NULL, numbers->items[i]);
    json_array_end(json);
}

static void violation_json(struct arena *arena, const struct told_report *report,
                           const struct told_violation *violation, struct json_out *json)
{
    const bool *slice = find_slice(arena, violation);
    json_object_begin(json, NULL);
    json_string(json, "check", report->check);
    json_string(json, "intent", violation->label);
    write_numbers(json, "causes", &violation->causes);
    json_array_begin(json, "chain");
    for (uint32_t number = violation->steps.count; number > 0; number--) {
        const struct told_step *step = &violation->steps.items[number - 1];
        if (!slice[number])
            continue;
        json_object_begin(json, NULL);
        json_unsigned(json, "step", number);
        json_string(json, "detail", step->detail);
        json_boolean(json, "outside", step->outside);
        json_array_begin(json, "why");
        for (uint32_t i = 0; i < step->why.count; i++)
            json_string(json, NULL, step->why.items[i]);
        json_array_end(json);
        write_numbers(json, "causes", &step->causes);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

void explain_write_text(const struct writer_context *how, const struct told_reports *reports,
                        struct text *text)
{
    bool first = true;
    for (uint32_t r = 0; r < reports->items.count; r++)
        for (uint32_t i = 0; i < reports->items.items[r].violations.count; i++) {
            const struct told_report *report = &reports->items.items[r];
            if (!first)
                text_append_string(text, "\n\n");
            first = false;
            write_violation(how->arena, report, &report->violations.items[i], text);
        }
    if (first)
        text_append_string(text, "The report has no violation to explain\n");
}

void explain_write_json(const struct writer_context *how, const struct told_reports *reports,
                        struct text *text)
{
    struct json_out json;
    json_out_init(&json, text, 2);
    json_array_begin(&json, NULL);
    for (uint32_t r = 0; r < reports->items.count; r++)
        for (uint32_t i = 0; i < reports->items.items[r].violations.count; i++) {
            const struct told_report *report = &reports->items.items[r];
            violation_json(how->arena, report, &report->violations.items[i], &json);
        }
    json_array_end(&json);
    text_append_char(text, '\n');
}
