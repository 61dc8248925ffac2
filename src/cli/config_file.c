/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/config_file.h"

#include "base/suggest.h"
#include "manifest/manifest.h"
#include "verify/questions.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static const char usual_name[] = ".fathom.yaml";

struct config_reading {
    struct arena *arena;
    enum command_index command;
    const struct options *given; /* on the command line */
    struct config_file *config;
    struct problems *problems;
};

/* ---- names ---- */

/* "node failure" is written "node-failure". */
static bool is_question(const char *name, enum question_topic kind)
{
    const char *question = question_name(kind);
    for (; *name && *question; name++, question++)
        if (*name != *question && !(*name == '-' && *question == ' '))
            return false;
    return *name == *question;
}

bool exception_intent_is_known(const char *name)
{
    for (int i = 0; i < INTENT_KIND_COUNT; i++)
        if (strcmp(intent_kind_name((enum intent_kind)i), name) == 0)
            return true;
    for (int i = 0; i < QUESTION_COUNT; i++)
        if (is_question(name, (enum question_topic)i))
            return true;
    return false;
}

const char *exception_intent_nearest(const char *name)
{
    struct suggestion suggestion = {.word = name};
    for (int i = 0; i < INTENT_KIND_COUNT; i++)
        suggestion_offer(&suggestion, intent_kind_name((enum intent_kind)i));
    for (int i = 0; i < QUESTION_COUNT; i++)
        suggestion_offer(&suggestion, question_name((enum question_topic)i));
    return suggestion.nearest;
}

/* ---- options ---- */

static const struct option *find_option(const char *name, enum command_index command)
{
    const struct option *found = NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strcmp(option_table[i].name, name) == 0 &&
            (!found || option_table[i].commands >> command & 1))
            found = &option_table[i];
    return found;
}

/* Lists of the command line replace those of the file; of other options the last one counts. */
static bool is_overridden(const struct config_reading *reading, const struct option *option)
{
    const void *member = (const char *)reading->given + option->offset;
    if (option->kind == OPTION_LIST)
        return ((const struct option_list *)member)->count > 0;
    if (option->kind == OPTION_OUTPUT)
        return ((const struct output_list *)member)->count > 0;
    return false;
}

static const char *scalar_text(struct arena *arena, const struct value *value)
{
    const char *text = NULL;
    bool truth = false;
    int64_t number = 0;
    if (value_read_string(value, &text))
        return text;
    if (value_read_boolean(value, &truth))
        return truth ? "true" : "false";
    if (value_read_integer(value, &number))
        return arena_printf(arena, "%" PRId64, number);
    return NULL;
}

static void add_argument(struct config_reading *reading, const char *name,
                         const struct value *value, const char *path)
{
    const char *text = scalar_text(reading->arena, value);
    if (text)
        VEC_PUSH(reading->arena, &reading->config->arguments,
                 arena_printf(reading->arena, "--%s=%s", name, text));
    else
        value_expected(reading->problems, value, path, "a value as on the command line");
}

static void read_option(struct config_reading *reading, const struct member *member)
{
    const struct option *option = find_option(member->key, reading->command);
    const char *path = arena_printf(reading->arena, "options.%s", member->key);
    if (!option || strcmp(member->key, "config") == 0) {
        struct suggestion suggestion = {.word = member->key};
        for (size_t i = 0; i < OPTION_COUNT; i++)
            suggestion_offer(&suggestion, option_table[i].name);
        problem_error(reading->problems, value_place(&member->value), path, "unknown option%s%s%s",
                      suggestion.nearest ? "; did you mean " : "",
                      suggestion.nearest ? suggestion.nearest : "", suggestion.nearest ? "?" : "");
        return;
    }
    if (!(option->commands >> reading->command & 1) || is_overridden(reading, option))
        return;
    if (member->value.kind != VALUE_SEQUENCE) {
        add_argument(reading, member->key, &member->value, path);
        return;
    }
    VALUE_EACH_ITEM(&member->value, item)
    {
        add_argument(reading, member->key, item, path);
    }
}

static void read_options(struct config_reading *reading, const struct value *options)
{
    if (options->kind != VALUE_MAPPING) {
        value_expected(reading->problems, options, "options", "a mapping");
        return;
    }
    VALUE_EACH_MEMBER(options, member)
    {
        read_option(reading, member);
    }
}

/* ---- intents and events ---- */

/* An intent as in a Check, which may be one in the user's own words, as text. */
static const char *mapping_text(struct arena *arena, const struct value *mapping)
{
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    value_write_json(&json, NULL, mapping);
    return text_keep(&text, arena);
}

static void read_intents(struct config_reading *reading, const struct value *intents)
{
    if (intents->kind != VALUE_SEQUENCE) {
        value_expected(reading->problems, intents, "intents", "a list");
        return;
    }
    if (reading->given->intent.count > 0 ||
        !(find_option("intent", reading->command)->commands >> reading->command & 1))
        return;
    VALUE_EACH_ITEM(intents, item)
    {
        if (item->kind == VALUE_MAPPING)
            VEC_PUSH(
                reading->arena, &reading->config->arguments,
                arena_printf(reading->arena, "--intent=%s", mapping_text(reading->arena, item)));
        else
            add_argument(reading, "intent", item, "intents");
    }
}

static void read_events(struct config_reading *reading, const struct value *events)
{
    const char *list = NULL;
    if (events->kind != VALUE_SEQUENCE) {
        value_expected(reading->problems, events, "events", "a list");
        return;
    }
    VALUE_EACH_ITEM(events, item)
    {
        const char *text = NULL;
        if (value_read_string(item, &text))
            list = list ? arena_printf(reading->arena, "%s,%s", list, text) : text;
        else
            value_expected(reading->problems, item, "events", "a question, such as drain");
    }
    if (list && !reading->given->event)
        VEC_PUSH(reading->arena, &reading->config->arguments,
                 arena_printf(reading->arena, "--event=%s", list));
}

/* ---- severities and exceptions ---- */

static void read_severities(struct config_reading *reading, const struct value *severities)
{
    if (severities->kind != VALUE_MAPPING) {
        value_expected(reading->problems, severities, "severities", "a mapping");
        return;
    }
    VALUE_EACH_MEMBER(severities, member)
    {
        const char *path = arena_printf(reading->arena, "severities.%s", member->key);
        const char *text = NULL;
        enum severity severity = SEVERITY_ERROR;
        enum intent_kind kind;
        if (!intent_kind_find(member->key, &kind))
            problem_error(reading->problems, value_place(&member->value), path,
                          "expected the name of an intent");
        else if (!value_read_string(&member->value, &text) || !severity_find(text, &severity))
            value_expected(reading->problems, &member->value, path, "error, warning or note");
        else
            reading->config->severities.of[kind] = severity;
    }
}

static const char *member_text(struct config_reading *reading, const struct value *mapping,
                               const char *key, bool required)
{
    const struct value *value = value_find(mapping, key);
    const char *text = NULL;
    const char *path = arena_printf(reading->arena, "exceptions.%s", key);
    if (value && !value_read_string(value, &text))
        value_expected(reading->problems, value, path, "a string");
    else if (required && (!text || !*text))
        problem_error(reading->problems, value_place(mapping), path, "required, but missing");
    return text;
}

static void read_exception(struct config_reading *reading, const struct value *item)
{
    if (item->kind != VALUE_MAPPING) {
        value_expected(reading->problems, item, "exceptions", "a mapping");
        return;
    }
    VALUE_EACH_MEMBER(item, member)
    {
        if (strcmp(member->key, "intent") != 0 && strcmp(member->key, "workload") != 0 &&
            strcmp(member->key, "reason") != 0)
            problem_error(reading->problems, value_place(&member->value), member->key,
                          "unknown field of an exception (there are intent, workload and reason)");
    }
    const struct exception exception = {
        .intent = member_text(reading, item, "intent", true),
        .workload = member_text(reading, item, "workload", false),
        .reason = member_text(reading, item, "reason", true),
        .by = arena_printf(reading->arena, "%s:%u", value_place(item).file, value_place(item).line),
    };
    if (exception.intent && !exception_intent_is_known(exception.intent)) {
        const char *nearest = exception_intent_nearest(exception.intent);
        problem_error(reading->problems, value_place(item), "exceptions.intent",
                      "unknown intent \"%s\"%s%s%s", exception.intent,
                      nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
    }
    VEC_PUSH(reading->arena, &reading->config->exceptions, exception);
}

static void read_exceptions(struct config_reading *reading, const struct value *exceptions)
{
    if (exceptions->kind != VALUE_SEQUENCE) {
        value_expected(reading->problems, exceptions, "exceptions", "a list");
        return;
    }
    VALUE_EACH_ITEM(exceptions, item)
    {
        read_exception(reading, item);
    }
}

/* ---- the file ---- */

static const struct {
    const char *name;
    void (*read)(struct config_reading *reading, const struct value *value); /* NULL: not needed */
} members[] = {
    {"apiVersion", NULL},
    {"kind", NULL},
    {"options", read_options},
    {"intents", read_intents},
    {"events", read_events},
    {"severities", read_severities},
    {"exceptions", read_exceptions},
};

static void read_member(struct config_reading *reading, const struct member *member)
{
    struct suggestion suggestion = {.word = member->key};
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
        suggestion_offer(&suggestion, members[i].name);
        if (strcmp(members[i].name, member->key) != 0)
            continue;
        if (members[i].read)
            members[i].read(reading, &member->value);
        return;
    }
    problem_error(reading->problems, value_place(&member->value), member->key,
                  "unknown field%s%s%s", suggestion.nearest ? ", did you mean \"" : "",
                  suggestion.nearest ? suggestion.nearest : "", suggestion.nearest ? "\"?" : "");
}

static void read_document(struct config_reading *reading, const struct value *root)
{
    const char *version = value_find_string(root, "apiVersion");
    const char *kind = value_find_string(root, "kind");
    if (root->kind != VALUE_MAPPING || !version || strcmp(version, "fathom/v1") != 0 || !kind ||
        strcmp(kind, "Config") != 0) {
        problem_error(reading->problems, value_place(root), NULL,
                      "expected a configuration (apiVersion: fathom/v1, kind: Config)");
        return;
    }
    VALUE_EACH_MEMBER(root, member)
    {
        read_member(reading, member);
    }
}

bool config_file_read(struct session *session, struct config_file *config,
                      struct problems *problems)
{
    const char *path = session->options.config ? session->options.config : usual_name;
    const struct manifest_paths paths = {.items = &path, .count = 1};
    const uint32_t errors = problems->errors;
    struct documents documents = {0};
    struct config_reading reading = {
        .arena = &session->arena,
        .command = session->line.command,
        .given = &session->options,
        .config = config,
        .problems = problems,
    };
    *config = (struct config_file){.severities = severities_usual()};
    if (session->options.no_config || (!session->options.config && access(path, F_OK) != 0))
        return true;
    if (manifest_load(&session->arena, &paths, &documents, problems))
        for (uint32_t i = 0; i < documents.count; i++)
            read_document(&reading, &documents.items[i].root);
    return problems->errors == errors;
}
