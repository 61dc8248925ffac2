/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/exceptions.h"

#include "report/told_report.h"

#include <string.h>

#define ANNOTATION "fathom.dev/ignore"

/* ---- annotations ---- */

/* Where the names end: " -- " or a long dash; NULL: nowhere. `*length` is that of the sign. */
static const char *find_reason(const char *text, size_t *length)
{
    static const char *const signs[] = {" \xe2\x80\x94 ", " -- ", ": "};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
        const char *found = strstr(text, signs[i]);
        if (found && (!first || found < first)) {
            first = found;
            *length = strlen(signs[i]);
        }
    }
    return first;
}

bool exceptions_parse(struct arena *arena, const char *text, const char *workload, const char *by,
                      struct exception_list *list, const char **wrong)
{
    size_t sign = 0;
    const char *end = find_reason(text, &sign);
    if (!end || !end[sign]) {
        *wrong = "expected names of intents and a reason, such as \"drainCompletes -- one replica "
                 "by design\"";
        return false;
    }
    for (const char *name = text; name < end; name += name < end) {
        name += strspn(name, " ,");
        const size_t length = strcspn(name, " ,:");
        const char *intent = arena_strndup(arena, name, length);
        if (!exception_intent_is_known(intent)) {
            const char *nearest = exception_intent_nearest(intent);
            *wrong = nearest ? arena_printf(arena, "unknown intent \"%s\", did you mean \"%s\"?",
                                            intent, nearest)
                             : arena_printf(arena, "unknown intent \"%s\"", intent);
            return false;
        }
        VEC_PUSH(arena, list,
                 ((struct exception){
                     .intent = intent, .workload = workload, .reason = end + sign, .by = by}));
        name += length;
    }
    return true;
}

static const char *name_of(struct arena *arena, const struct object *object)
{
    const struct object_name name = {object->kind_name, object->meta->namespace,
                                     object->meta->name};
    return object_name_format(arena, &name);
}

static bool is_known(const struct exception_list *list, const char *by)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].by, by) == 0)
            return true;
    return false;
}

static void read_annotations(struct session *session, const struct input *input,
                             struct exception_list *list)
{
    struct arena *arena = &session->arena;
    struct problems problems;
    problems_init(&problems, arena);
    for (uint32_t u = 0; u < input->units.count; u++) {
        const struct objects *objects = &input->units.items[u].objects;
        for (uint32_t i = 0; i < objects->count; i++) {
            const struct object *object = &objects->items[i];
            const char *text = labels_find(&object->meta->annotations, ANNOTATION);
            const char *wrong = NULL;
            if (!text)
                continue;
            const char *by =
                arena_printf(arena, "annotation of %s:%u", object->place.file, object->place.line);
            if (!is_known(list, by) &&
                !exceptions_parse(arena, text, name_of(arena, object), by, list, &wrong))
                problem_warning(&problems, object->place, "metadata.annotations[" ANNOTATION "]",
                                "%s", wrong);
        }
    }
    session_complain(session, &problems);
}

/* ---- matching ---- */

/* The workload that the intent is about, alone; NULL: it is about several. */
static const char *workload_of(struct arena *arena, const struct report *report,
                               const struct verify_result *result)
{
    if (result->intent->workload.name)
        return object_name_format(arena, &result->intent->workload);
    return report->scope->workload_count == 1 ? report->scope->workloads[0].name : NULL;
}

static bool same_name(const char *left, const char *right)
{
    for (; *left && *right; left++, right++)
        if (*left != *right && !(*left == '-' && *right == ' '))
            return false;
    return *left == *right;
}

static bool names_intent(const struct exception *exception, const struct report *report,
                         const struct verify_result *result)
{
    return strcmp(exception->intent, intent_kind_name(result->intent->kind)) == 0 ||
           (report->question && same_name(exception->intent, report->question));
}

static struct exception *find_exception(struct arena *arena, struct exception_list *list,
                                        const struct report *report,
                                        const struct verify_result *result)
{
    const char *workload = workload_of(arena, report, result);
    for (uint32_t i = 0; i < list->count; i++) {
        struct exception *exception = &list->items[i];
        if (names_intent(exception, report, result) &&
            (!exception->workload || (workload && strcmp(workload, exception->workload) == 0)))
            return exception;
    }
    return NULL;
}

/* The same steps: for an intent about several workloads, of which only one violation is known. */
static bool same_run(const struct told_violation *told, const struct verify_result *result)
{
    if (told->steps.count != result->step_count)
        return false;
    for (uint32_t i = 0; i < result->step_count; i++)
        if (strcmp(told->steps.items[i].detail, result->steps[i].told.detail) != 0)
            return false;
    return true;
}

static bool is_in_baseline(struct arena *arena, const struct told_reports *baseline,
                           const struct report *report, const struct verify_result *result)
{
    const char *label = report_intent_label(arena, result->intent);
    const bool alone = workload_of(arena, report, result) != NULL;
    for (uint32_t r = 0; r < baseline->items.count; r++) {
        const struct told_report *told = &baseline->items.items[r];
        if (!report->question && strcmp(told->check, report->check) != 0)
            continue;
        for (uint32_t v = 0; v < told->violations.count; v++)
            if (strcmp(told->violations.items[v].label, label) == 0 &&
                (alone || same_run(&told->violations.items[v], result)))
                return true;
    }
    return false;
}

static void accept_all(struct session *session, struct exception_list *list,
                       const struct told_reports *baseline, const struct reports *reports,
                       struct accepted *accepted)
{
    struct arena *arena = &session->arena;
    for (uint32_t r = 0; r < reports->count; r++)
        for (uint32_t i = 0; i < reports->items[r].found->result_count; i++) {
            const struct report *report = &reports->items[r];
            const struct verify_result *result = &report->found->results[i];
            if (result->verdict != VERDICT_VIOLATED)
                continue;
            struct exception *exception = find_exception(arena, list, report, result);
            struct accepted_violation item = {.report = r, .intent = i};
            if (exception) {
                exception->used = true;
                item.reason = exception->reason;
                item.by = exception->by;
            } else if (is_in_baseline(arena, baseline, report, result)) {
                item.reason = "known before";
                item.by = arena_printf(arena, "baseline %s", session->options.baseline);
            } else {
                continue;
            }
            VEC_PUSH(arena, accepted, item);
        }
}

static void list_unused(struct arena *arena, const struct exception_list *list,
                        struct accepted *accepted)
{
    VEC(const char *) unused = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        const struct exception *exception = &list->items[i];
        if (!exception->used)
            VEC_PUSH(arena, &unused,
                     arena_printf(arena, "%s%s%s (%s): no violation that it could accept",
                                  exception->intent, exception->workload ? " of " : "",
                                  exception->workload ? exception->workload : "", exception->by));
    }
    accepted->unused = (struct string_list){unused.items, unused.count};
}

/* ---- the run ---- */

/* The least severity that fails the run; SEVERITY_COUNT: any; false: the word is unknown. */
static bool read_fail_on(const char *word, int *gravest)
{
    enum severity severity;
    *gravest = -1;
    if (strcmp(word, "never") == 0)
        return true;
    if (!severity_find(word, &severity))
        return false;
    *gravest = (int)severity;
    return true;
}

static bool read_baseline(struct session *session, struct told_reports *baseline)
{
    struct problems problems;
    *baseline = (struct told_reports){0};
    if (!session->options.baseline)
        return true;
    problems_init(&problems, &session->arena);
    const bool good =
        told_report_read(&session->arena, session->options.baseline, baseline, &problems);
    session_complain(session, &problems);
    return good;
}

bool exceptions_accept_options(struct session *session)
{
    struct told_reports baseline;
    int gravest;
    if (!read_fail_on(session->options.fail_on, &gravest)) {
        session_say(session, "--fail-on: expected error, warning, note or never, found \"%s\"",
                    session->options.fail_on);
        return false;
    }
    return read_baseline(session, &baseline);
}

/* What fails the run: violations that are grave enough and that nobody has accepted. What is
 * undecided stays so. */
static enum verdict failing_verdict(const struct reports *reports, int gravest)
{
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t r = 0; r < reports->count; r++)
        for (uint32_t i = 0; i < reports->items[r].found->result_count; i++) {
            const struct verify_result *result = &reports->items[r].found->results[i];
            const bool counts = result->verdict != VERDICT_VIOLATED ||
                                ((int)reports->severities->of[result->intent->kind] <= gravest &&
                                 !accepted_find(reports->accepted, r, i));
            if (counts)
                verdict = verdict_worse(verdict, result->verdict);
        }
    return verdict;
}

int exceptions_report(struct session *session, const struct input *input, struct reports *reports)
{
    static const struct config_file none;
    const struct config_file *config = session->config ? session->config : &none;
    struct exception_list list = config->exceptions;
    struct accepted *accepted = ARENA_NEW(&session->arena, struct accepted);
    struct told_reports baseline;
    int gravest = SEVERITY_NOTE;
    *accepted = (struct accepted){0};
    read_fail_on(session->options.fail_on, &gravest);
    read_annotations(session, input, &list);
    if (!read_baseline(session, &baseline))
        return EXIT_INPUT;
    accept_all(session, &list, &baseline, reports, accepted);
    list_unused(&session->arena, &list, accepted);
    reports->severities = &config->severities;
    if (list.count > 0 || session->options.baseline)
        reports->accepted = accepted;
    /* A report without intents still has a verdict of its own. */
    const enum verdict all = reports_verdict(reports);
    const enum verdict failing = all == VERDICT_VIOLATED ? failing_verdict(reports, gravest) : all;
    return session_report(session, RESULT_VERIFICATION, reports, failing);
}
