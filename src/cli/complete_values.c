/* SPDX-License-Identifier: Apache-2.0 */
/* The values that options and operands may have: from the tables of the model, and from the files
 * that the command line names. */
#include "cli/complete.h"

#include "base/vec.h"
#include "cli/input.h"
#include "decide/decider.h"
#include "decide/features.h"
#include "object/check.h"
#include "report/report.h"
#include "slo/questions.h"
#include "verify/questions.h"

#include <ctype.h>
#include <string.h>

void candidates_add(struct arena *arena, struct completions *candidates, const char *word,
                    const char *meaning)
{
    for (uint32_t i = 0; i < candidates->count; i++)
        if (strcmp(candidates->items[i].word, word) == 0)
            return;
    VEC_PUSH(arena, candidates, ((struct completion){word, meaning}));
}

/* ---- from the tables ---- */

static void add_intents(struct arena *arena, struct completions *candidates)
{
    for (int i = 0; i < INTENT_KIND_COUNT; i++)
        candidates_add(
            arena, candidates, intent_kind_name((enum intent_kind)i),
            arena_printf(arena, "violated when %s", report_intent_violated((enum intent_kind)i)));
}

static void add_events(struct arena *arena, struct completions *candidates)
{
    for (int i = 0; i < EVENT_KIND_COUNT; i++)
        candidates_add(arena, candidates, event_kind_name((enum event_kind)i), "an event");
}

/* "drain,rollout": after a comma the rest is completed. */
static void add_questions(struct arena *arena, const char *begun, struct completions *candidates)
{
    const char *comma = strrchr(begun, ',');
    const char *head = comma ? arena_strndup(arena, begun, (size_t)(comma + 1 - begun)) : "";
    for (int i = QUESTION_START + 1; i < QUESTION_COUNT; i++) {
        char *name = arena_printf(arena, "%s%s", head, question_name((enum question_topic)i));
        for (char *c = name; *c; c++)
            *c = *c == ' ' ? '-' : *c;
        candidates_add(arena, candidates, name, question_words((enum question_topic)i));
    }
    if (!comma) {
        candidates_add(arena, candidates, "all", "all questions");
        candidates_add(arena, candidates, "none", "nothing happens");
    }
    candidates->directive |= COMPLETE_NO_SPACE;
}

static void add_versions(struct arena *arena, struct completions *candidates)
{
    enum { COUNT = FEATURES_MINOR_LAST - FEATURES_MINOR_FIRST + 1 };
    for (int i = 0; i < COUNT; i++)
        candidates_add(arena, candidates, arena_printf(arena, "1.%d", FEATURES_MINOR_LAST - i),
                       NULL);
}

static void add_gates(struct arena *arena, struct completions *candidates)
{
    static const char *const names[] = {
#define FEATURE(member, name, first, last, help) name,
#define PATCHED(member, minor, patch)
#include "decide/features.def"
#undef FEATURE
#undef PATCHED
    };
    struct features features = features_of_version(FEATURES_MINOR_LAST);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        /* Gates have upstream's names; other changes have names of ours, in small letters. */
        if (!isupper((unsigned char)names[i][0]) || !features_set(&features, names[i], true))
            continue;
        candidates_add(arena, candidates, arena_printf(arena, "%s=true", names[i]), NULL);
        candidates_add(arena, candidates, arena_printf(arena, "%s=false", names[i]), NULL);
    }
}

static void add_formats(struct arena *arena, enum command_index command,
                        struct completions *candidates)
{
    for (const struct format *format = format_table; format->name; format++)
        if (format->result == command_table[command].result)
            candidates_add(arena, candidates, format->name, format->what);
}

static void add_slo_questions(struct arena *arena, struct completions *candidates)
{
    for (int i = 0; i < SLO_QUESTION_COUNT; i++)
        candidates_add(arena, candidates, slo_question_name((enum slo_question)i),
                       slo_question_text((enum slo_question)i));
}

/* "exact|incremental|SIZE": the words that stand for themselves. */
static void add_alternatives(struct arena *arena, const char *value, struct completions *candidates)
{
    for (; strchr(value, '|') || candidates->count; value += strcspn(value, "|") + 1) {
        const size_t length = strcspn(value, "|");
        if (strspn(value, "abcdefghijklmnopqrstuvwxyz-") == length)
            candidates_add(arena, candidates, arena_strndup(arena, value, length), NULL);
        if (!value[length])
            break;
    }
}

/* ---- from files ---- */

/* Standard input is not a file to look into. */
static bool names_files(const struct session *session)
{
    const struct option_list *manifests = &session->options.filename;
    for (uint32_t i = 0; i < manifests->count; i++)
        if (strcmp(manifests->items[i], "-") == 0)
            return false;
    for (uint32_t i = 0; i < session->line.operands.count; i++)
        if (strcmp(session->line.operands.items[i], "-") == 0)
            return false;
    return manifests->count > 0 || session->line.operands.count > 0;
}

/* The objects of the files that are named; false if there are none. */
static bool read_files(struct session *session, struct input *input)
{
    if (!names_files(session))
        return false;
    session_read(session, &input_checks, input);
    return true;
}

static bool is_workload(enum object_kind kind)
{
    return kind == OBJECT_DEPLOYMENT || kind == OBJECT_STATEFUL_SET || kind == OBJECT_DAEMON_SET ||
           kind == OBJECT_JOB || kind == OBJECT_CRON_JOB || kind == OBJECT_REPLICA_SET ||
           kind == OBJECT_REPLICATION_CONTROLLER;
}

static const char *namespace_and_name(struct arena *arena, const struct object *object)
{
    const char *namespace = object->meta->namespace ? object->meta->namespace : "default";
    return arena_printf(arena, "%s/%s", namespace, object->meta->name);
}

/* The workloads of the files, with a text before and after each; or their pods, without their kind.
 */
static void add_objects(struct session *session, bool pods, const char *before, const char *after,
                        struct completions *candidates)
{
    struct arena *arena = &session->arena;
    struct input input;
    if (!read_files(session, &input))
        return;
    for (uint32_t u = 0; u < input.units.count; u++) {
        const struct objects *objects = &input.units.items[u].objects;
        for (uint32_t i = 0; i < objects->count; i++) {
            const struct object *object = &objects->items[i];
            const char *name = namespace_and_name(arena, object);
            if (pods && object->kind == OBJECT_POD)
                candidates_add(arena, candidates, name, NULL);
            else if (!pods && is_workload(object->kind))
                candidates_add(
                    arena, candidates,
                    arena_printf(arena, "%s%s/%s%s", before, object->kind_name, name, after), NULL);
        }
    }
}

static void add_workloads(struct session *session, const char *before, const char *after,
                          struct completions *candidates)
{
    add_objects(session, false, before, after, candidates);
}

static void add_pods(struct session *session, struct completions *candidates)
{
    add_objects(session, true, "", "", candidates);
}

/* "converges", or "converges=workload=" and a workload of the files. */
static void add_intent_values(struct session *session, const char *begun,
                              struct completions *candidates)
{
    static const char key[] = "workload=";
    const char *parameter = strstr(begun, key);
    if (!parameter) {
        add_intents(&session->arena, candidates);
        return;
    }
    const size_t length = (size_t)(parameter - begun) + sizeof(key) - 1;
    add_workloads(session, arena_strndup(&session->arena, begun, length), "", candidates);
}

static void add_setup(struct session *session, struct completions *candidates)
{
    candidates_add(&session->arena, candidates, "nodes=", "so many nodes");
    candidates_add(&session->arena, candidates, "pods=", "so many pods");
    add_workloads(session, "", "=", candidates);
    candidates->directive |= COMPLETE_NO_SPACE;
}

/* ---- options and operands ---- */

void complete_value(struct session *session, const struct option *option,
                    enum command_index command, const char *begun, struct completions *candidates)
{
    struct arena *arena = &session->arena;
    const char *name = option->name;
    if (option->kind == OPTION_OUTPUT) {
        if (strchr(begun, '='))
            candidates->directive = COMPLETE_FILES;
        else
            add_formats(arena, command, candidates);
    } else if (strcmp(name, "intent") == 0) {
        add_intent_values(session, begun, candidates);
    } else if (strcmp(name, "event") == 0) {
        add_questions(arena, begun, candidates);
    } else if (strcmp(name, "kubernetes-version") == 0) {
        add_versions(arena, candidates);
    } else if (strcmp(name, "feature-gates") == 0) {
        add_gates(arena, candidates);
    } else if (strcmp(name, "question") == 0) {
        add_slo_questions(arena, candidates);
    } else if (strcmp(name, "setup") == 0) {
        add_setup(session, candidates);
    } else if (strcmp(name, "pod") == 0) {
        add_pods(session, candidates);
    } else if (option->value) {
        add_alternatives(arena, option->value, candidates);
        if (strstr(option->value, "FILE") || strstr(option->value, "DIR") ||
            strstr(option->value, "FOLDER") || strstr(option->value, "PROGRAM"))
            candidates->directive = COMPLETE_FILES;
    }
}

static void add_kinds(struct arena *arena, struct completions *candidates)
{
    candidates_add(arena, candidates, "ControllerCheck", NULL);
    candidates_add(arena, candidates, "Report", NULL);
    for (int kind = OBJECT_OTHER + 1; kind < OBJECT_KIND_COUNT; kind++)
        candidates_add(arena, candidates, object_kind_name((enum object_kind)kind), NULL);
}

static void add_deciders(struct arena *arena, struct completions *candidates)
{
    for (const struct decider *const *decider = decider_registry; *decider; decider++)
        candidates_add(arena, candidates, (*decider)->name, (*decider)->summary);
}

static void add_words(struct arena *arena, const char *const *words, struct completions *candidates)
{
    for (; *words; words++)
        candidates_add(arena, candidates, *words, NULL);
}

static void add_help_topics(struct arena *arena, struct completions *candidates)
{
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        candidates_add(arena, candidates, command_table[i].name, command_table[i].summary);
    add_intents(arena, candidates);
    add_events(arena, candidates);
}

void complete_operand(struct session *session, enum command_index command,
                      struct completions *candidates)
{
    static const char *const shells[] = {"bash", "fish", "zsh", NULL};
    static const char *const trace_questions[] = {"related", "roots", "mergelogs", "spans", NULL};
    struct arena *arena = &session->arena;
    switch (command) {
    case COMMAND_COMPLETION: add_words(arena, shells, candidates); break;
    case COMMAND_DECIDE: add_deciders(arena, candidates); break;
    case COMMAND_HELP: add_help_topics(arena, candidates); break;
    case COMMAND_SCHEMA: add_kinds(arena, candidates); break;
    case COMMAND_TRACE_QUERY: add_words(arena, trace_questions, candidates); break;
    default:
        if (command_table[command].operands_most > 0)
            candidates->directive = COMPLETE_FILES;
        break;
    }
}
