/* SPDX-License-Identifier: Apache-2.0 */
#include "report/told_report.h"

#include "decide/features.h"
#include "manifest/manifest.h"

#include <string.h>

struct report_reading {
    struct arena *arena;
    struct problems *problems;
};

/* ---- members that must be there ---- */

static const struct value *need(const struct report_reading *reading, const struct value *object,
                                const char *key, enum value_kind kind)
{
    const struct value *value = value_find(object, key);
    if (value && value->kind == kind)
        return value;
    if (value)
        value_expected(reading->problems, value, key, value_kind_name(kind));
    else
        problem_error(reading->problems, value_place(object), key, "expected %s, found nothing",
                      value_kind_name(kind));
    return NULL;
}

static const char *need_string(const struct report_reading *reading, const struct value *object,
                               const char *key)
{
    const struct value *value = need(reading, object, key, VALUE_STRING);
    return value ? value->text : "";
}

static uint32_t need_number(const struct report_reading *reading, const struct value *value,
                            const char *path, uint32_t most)
{
    int64_t number = 0;
    if (!value_read_integer(value, &number) || number < 0 || number > most) {
        value_expected(reading->problems, value, path,
                       arena_printf(reading->arena, "a number from 0 to %u", most));
        return 0;
    }
    return (uint32_t)number;
}

static void need_numbers(const struct report_reading *reading, const struct value *object,
                         const char *key, uint32_t most, struct told_numbers *numbers)
{
    const struct value *list = need(reading, object, key, VALUE_SEQUENCE);
    for (uint32_t i = 0; list && i < list->count; i++)
        VEC_PUSH(reading->arena, numbers, need_number(reading, &list->items[i], key, most));
}

/* ---- the parts of a report ---- */

static void read_step(const struct report_reading *reading, const struct value *value,
                      uint32_t number, struct told_step *step)
{
    const struct value *why = value_find(value, "why");
    const struct value *choice = need(reading, value, "choice", VALUE_INTEGER);
    *step = (struct told_step){
        .actor = need_string(reading, value, "actor"),
        .action = need_string(reading, value, "action"),
        .object = need_string(reading, value, "object"),
        .detail = need_string(reading, value, "detail"),
    };
    for (uint32_t i = 0; why && why->kind == VALUE_SEQUENCE && i < why->count; i++)
        if (why->items[i].kind == VALUE_STRING)
            VEC_PUSH(reading->arena, &step->why, why->items[i].text);
    /* A step goes back to earlier ones. */
    need_numbers(reading, value, "causes", number, &step->causes);
    step->choice = choice ? need_number(reading, choice, "choice", UINT32_MAX - 1) : 0;
    const struct value *outside = value_find(value, "outside");
    if (outside)
        (void)value_read_boolean(outside, &step->outside);
}

static void read_place(const struct report_reading *reading, const struct value *place,
                       struct told_violation *violation)
{
    const char *file = value_find_string(place, "file");
    const char *path = value_find_string(place, "path");
    const char *note = value_find_string(place, "note");
    const struct value *line = value_find(place, "line");
    const struct value *column = value_find(place, "column");
    int64_t numbers[2];
    if (file && path && line && column && value_read_integer(line, &numbers[0]) &&
        value_read_integer(column, &numbers[1]))
        VEC_PUSH(reading->arena, &violation->places,
                 arena_printf(reading->arena, "%s:%lld:%lld: %s%s%s", file, (long long)numbers[0],
                              (long long)numbers[1], path, note ? ": " : "", note ? note : ""));
}

static void read_violation(const struct report_reading *reading, const struct value *value,
                           struct told_violation *violation)
{
    const struct value *trace = need(reading, value, "trace", VALUE_SEQUENCE);
    const struct value *loop = value_find(value, "loop");
    const struct value *rests = value_find(value, "rests");
    const struct value *begin = value_find(value, "begin");
    const struct value *related = value_find(value, "related");
    const uint32_t steps = trace ? trace->count : 0;
    violation->label = need_string(reading, value, "label");
    violation->scale = need(reading, value, "scale", VALUE_MAPPING);
    for (uint32_t i = 0; i < steps; i++) {
        struct told_step step = {0};
        if (trace->items[i].kind != VALUE_MAPPING)
            value_expected(reading->problems, &trace->items[i], "trace", "a step");
        else
            read_step(reading, &trace->items[i], i, &step);
        VEC_PUSH(reading->arena, &violation->steps, step);
    }
    need_numbers(reading, value, "causes", steps, &violation->causes);
    need_numbers(reading, value, "judged", 63, &violation->judged);
    if (loop && loop->kind == VALUE_MAPPING) {
        const struct value *from = need(reading, loop, "from", VALUE_INTEGER);
        const uint32_t first = from ? need_number(reading, from, "loop.from", steps) : 0;
        violation->loops = true;
        violation->loop_from = first > 0 ? first - 1 : 0;
    }
    if (begin)
        violation->begin = need_number(reading, begin, "begin", UINT32_MAX - 1);
    if (rests && value_read_boolean(rests, &violation->rests) && violation->rests)
        violation->loops = true;
    if (value_find(value, "source"))
        read_place(reading, value_find(value, "source"), violation);
    for (uint32_t i = 0; related && related->kind == VALUE_SEQUENCE && i < related->count; i++)
        read_place(reading, &related->items[i], violation);
}

/* The report that the intents of this unit are in: of manifests without a Check every question is
 * one of its own. */
static struct told_report *report_of(const struct report_reading *reading,
                                     struct told_reports *reports, uint32_t first,
                                     const struct value *intent)
{
    struct told_report *whole = &reports->items.items[first];
    const char *question = value_find_string(intent, "question");
    const struct value *number = value_find(intent, "unit");
    if (!question || !number)
        return whole;
    const uint32_t unit = need_number(reading, number, "unit", UINT32_MAX - 1);
    for (uint32_t i = first; i < reports->items.count; i++)
        if (reports->items.items[i].unit == unit &&
            strcmp(reports->items.items[i].check, question) == 0)
            return &reports->items.items[i];
    const struct told_report added = {
        .check = question, .input = whole->input, .features = whole->features, .unit = unit};
    VEC_PUSH(reading->arena, &reports->items, added);
    return &reports->items.items[reports->items.count - 1];
}

/* Reports that do not tell it are from when 1.26 was the default. */
static struct features features_told(const struct report_reading *reading,
                                     const struct value *value)
{
    const char *text = value_find_string(value, "kubernetesVersion");
    struct features features = features_of_version(FEATURES_MINOR_FIRST);
    if (text && !features_of_text(text, &features))
        value_expected(reading->problems, value_find(value, "kubernetesVersion"),
                       "kubernetesVersion", "a version from " FEATURES_RANGE);
    return features;
}

static void read_report(const struct report_reading *reading, const struct value *value,
                        struct told_reports *reports)
{
    struct told_report whole = {.check = need_string(reading, value, "check")};
    const struct value *intents = need(reading, value, "intents", VALUE_SEQUENCE);
    const char *kind = value_find_string(value, "checkKind");
    const uint32_t first = reports->items.count;
    whole.of_controller = kind && strcmp(kind, "ControllerCheck") == 0;
    if (!whole.of_controller) {
        whole.input = need(reading, value, "input", VALUE_MAPPING);
        whole.features = features_told(reading, value);
        const struct value *unit = value_find(whole.input, "unit");
        whole.unit = unit ? need_number(reading, unit, "unit", UINT32_MAX - 1) : 0;
    }
    VEC_PUSH(reading->arena, &reports->items, whole);
    for (uint32_t i = 0; intents && i < intents->count; i++) {
        const struct value *intent = &intents->items[i];
        const char *verdict = value_find_string(intent, "verdict");
        struct told_report *report = report_of(reading, reports, first, intent);
        struct told_violation violation = {.number = report->intents++};
        if (!verdict || strcmp(verdict, "violated") != 0)
            continue;
        /* An intent in the user's own words has a name of its own beside its kind. */
        const bool own = value_find_string(intent, "expression") != NULL;
        const struct value *name = need(reading, intent, "name", VALUE_STRING);
        const struct value *stated = own ? need(reading, intent, "kind", VALUE_STRING) : name;
        violation.name = name ? name->text : "";
        if (report->of_controller)
            violation.meaning = need_string(reading, intent, "meaning");
        else if (stated && !intent_kind_find(stated->text, &violation.kind))
            value_expected(reading->problems, stated, own ? "kind" : "name",
                           "the name of an intent");
        /* Where a run is asked for and there is none, there is nothing to explain or replay. */
        if (own && violation.kind == INTENT_REACHABLE)
            continue;
        read_violation(reading, intent, &violation);
        VEC_PUSH(reading->arena, &report->violations, violation);
    }
}

static bool is_report(const struct value *value)
{
    const char *version = value_find_string(value, "apiVersion");
    const char *found = value_find_string(value, "kind");
    return version && found && strcmp(version, "fathom/v1") == 0 && strcmp(found, "Report") == 0;
}

bool told_report_read(struct arena *arena, const char *path, struct told_reports *reports,
                      struct problems *problems)
{
    const struct report_reading reading = {arena, problems};
    const uint32_t errors = problems->errors;
    struct documents documents = {0};
    const struct manifest_paths paths = {.items = &path, .count = 1};
    *reports = (struct told_reports){0};
    const bool loaded = manifest_load(arena, &paths, &documents, problems);
    /* The items of a list come as documents of their own. */
    for (uint32_t i = 0; loaded && i < documents.count; i++)
        if (is_report(&documents.items[i].root))
            read_report(&reading, &documents.items[i].root, reports);
        else
            problem_error(problems, value_place(&documents.items[i].root), NULL,
                          "expected a report (apiVersion: fathom/v1, kind: Report; fathom verify "
                          "-o json writes it)");
    if (loaded && documents.count == 0)
        problem_error(problems, (struct place){.file = path}, NULL,
                      "expected a report, found nothing");
    return problems->errors == errors;
}

static bool is_wanted(const struct string_list *wanted, const struct told_violation *violation)
{
    for (uint32_t i = 0; i < wanted->count; i++)
        if (strcmp(wanted->items[i], violation->label) == 0 ||
            strcmp(wanted->items[i], violation->name) == 0)
            return true;
    return wanted->count == 0;
}

bool told_report_select(struct told_reports *reports, const struct string_list *wanted)
{
    uint32_t all = 0;
    uint32_t left = 0;
    for (uint32_t r = 0; r < reports->items.count; r++) {
        struct told_report *report = &reports->items.items[r];
        uint32_t kept = 0;
        all += report->violations.count;
        for (uint32_t i = 0; i < report->violations.count; i++)
            if (is_wanted(wanted, &report->violations.items[i]))
                report->violations.items[kept++] = report->violations.items[i];
        report->violations.count = kept;
        left += kept;
    }
    return left > 0 || all == 0;
}
