/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_followed.h"

#include "base/json_out.h"
#include "report/formats.h"
#include "report/report.h"

#include <string.h>

enum { STOPS_SHOWN = 3 };

static enum verdict verdict_of(const struct follow_result *result)
{
    if (result->stops.count > result->undecided || result->end == FOLLOW_END_RESTLESS)
        return VERDICT_VIOLATED;
    return result->undecided > 0 ? VERDICT_UNDECIDED : VERDICT_HOLDS;
}

enum verdict followed_verdict(const struct followed_report *report)
{
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t i = 0; i < report->count; i++)
        verdict = verdict_worse(verdict, verdict_of(&report->items[i].result));
    return verdict;
}

static const char *verdict_text(enum verdict verdict)
{
    if (verdict == VERDICT_HOLDS)
        return "followed";
    return verdict == VERDICT_VIOLATED ? "NOT followed" : "undecided";
}

static double longest_lag(const struct follow_result *result)
{
    double most = 0;
    for (uint32_t i = 0; i < result->counts.count; i++)
        most = result->counts.items[i].lag_most > most ? result->counts.items[i].lag_most : most;
    return most;
}

static const char *end_of(const struct follow_result *result)
{
    switch (result->end) {
    case FOLLOW_END_RESTS: return "settled";
    case FOLLOW_END_RESTLESS: return "not settled in the model";
    case FOLLOW_END_LOOPS: return "goes round";
    default: return "still busy";
    }
}

static void write_stop(struct text *text, const struct follow_stop *stop)
{
    const struct deed *deed = stop->deed;
    const char *node = stop->node;
    text_printf(text, "  at %.3f s, resource version %lld: %s: %s %s/%s%s%s\n", deed->time,
                (long long)deed->rv, deed->actor, deed->action, deed->kind, deed->name,
                node ? " on " : "", node ? node : "");
    text_printf(text, "    %s%s\n", *stop->would ? stop->would : "the model knows no such step",
                stop->undecided ? " (not every view was looked at)" : "");
}

static void write_counts(struct text *text, const struct follow_result *result)
{
    for (uint32_t i = 0; i < result->counts.count; i++) {
        const struct follow_count *count = &result->counts.items[i];
        if (count->judged)
            text_printf(text, "  %6u of %-6u %s: %s %s (views up to %.2f s old)\n", count->followed,
                        count->total, count->actor, count->action, count->kind, count->lag_most);
    }
}

void followed_write_text(const struct writer_context *how, const struct followed_report *report,
                         struct text *text)
{
    struct arena *arena = how->arena;
    const bool verbose = how->verbose;
    uint32_t followed = 0;
    uint64_t writes = 0;
    for (uint32_t i = 0; i < report->count; i++) {
        const struct followed_run *run = &report->items[i];
        const struct follow_result *result = &run->result;
        const enum verdict verdict = verdict_of(result);
        followed += verdict == VERDICT_HOLDS;
        writes += result->judged;
        text_printf(text, "%-28s run %-3u %s: %u of %u writes, %s\n", run->folder, run->number,
                    verdict_text(verdict), result->followed, result->judged, end_of(result));
        for (uint32_t s = 0; s < result->stops.count && s < STOPS_SHOWN; s++)
            write_stop(text, &result->stops.items[s]);
        if (result->stops.count > STOPS_SHOWN)
            text_printf(text, "  ... and %s more\n",
                        count_words(arena, result->stops.count - STOPS_SHOWN, "write"));
        if (result->end == FOLLOW_END_RESTLESS)
            text_printf(text, "  at the end the model would go on with %s\n", result->restless);
        if (result->end == FOLLOW_END_LOOPS)
            text_printf(text, "  at %.3f s it is as it was at %.3f s, with %s replaced\n",
                        result->loop.to, result->loop.from,
                        count_words(arena, result->loop.replaced, "pod"));
        if (result->cut > 0)
            text_printf(text, "  %s after the watch had ended could not be judged\n",
                        count_words(arena, result->cut, "request"));
        if (verbose) {
            text_printf(text, "  by the rules of Kubernetes 1.%d\n", result->minor);
            write_counts(text, result);
        }
    }
    text_printf(text, "%u of %s followed, %llu writes of controllers judged.\n", followed,
                count_words(arena, report->count, "run"), (unsigned long long)writes);
}

static void write_stop_json(struct json_out *json, const struct follow_stop *stop)
{
    json_object_begin(json, NULL);
    json_number(json, "time", stop->deed->time);
    json_integer(json, "resourceVersion", stop->deed->rv);
    json_string(json, "actor", stop->deed->actor);
    json_string(json, "action", stop->deed->action);
    json_string(json, "kind", stop->deed->kind);
    json_string(json, "name", stop->deed->name);
    json_string(json, "model", stop->would);
    json_object_end(json);
}

static void write_run_json(struct arena *arena, struct json_out *json,
                           const struct followed_run *run)
{
    const struct follow_result *result = &run->result;
    json_object_begin(json, NULL);
    json_string(json, "recording", run->folder);
    json_unsigned(json, "run", run->number);
    json_string(json, "kubernetesVersion", arena_printf(arena, "1.%d", result->minor));
    json_boolean(json, "followed", verdict_of(result) == VERDICT_HOLDS);
    json_unsigned(json, "undecided", result->undecided);
    json_unsigned(json, "writes", result->judged);
    json_unsigned(json, "writesFollowed", result->followed);
    json_unsigned(json, "writesNotJudged", result->unjudged + result->cut);
    json_string(json, "end", end_of(result));
    if (result->end == FOLLOW_END_LOOPS) {
        json_object_begin(json, "loop");
        json_number(json, "from", result->loop.from);
        json_number(json, "to", result->loop.to);
        json_unsigned(json, "podsReplaced", result->loop.replaced);
        json_object_end(json);
    }
    json_number(json, "longestLagSeconds", longest_lag(result));
    json_array_begin(json, "notFollowed");
    for (uint32_t i = 0; i < result->stops.count; i++)
        write_stop_json(json, &result->stops.items[i]);
    json_array_end(json);
    json_array_begin(json, "writesBy");
    for (uint32_t i = 0; i < result->counts.count; i++) {
        const struct follow_count *count = &result->counts.items[i];
        if (!count->judged)
            continue;
        json_object_begin(json, NULL);
        json_string(json, "actor", count->actor);
        json_string(json, "action", count->action);
        json_string(json, "kind", count->kind);
        json_unsigned(json, "writes", count->total);
        json_unsigned(json, "followed", count->followed);
        json_number(json, "longestLagSeconds", count->lag_most);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

void followed_write_json(const struct writer_context *how, const struct followed_report *report,
                         struct text *text)
{
    struct json_out json;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "ObservedReport");
    json_boolean(&json, "followed", followed_verdict(report) == VERDICT_HOLDS);
    json_array_begin(&json, "runs");
    for (uint32_t i = 0; i < report->count; i++)
        write_run_json(how->arena, &json, &report->items[i]);
    json_array_end(&json);
    json_object_end(&json);
    text_append_char(text, '\n');
}
