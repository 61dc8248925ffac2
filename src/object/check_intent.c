/* SPDX-License-Identifier: Apache-2.0 */
/* The intents of a Check: what must hold. intents.def lists them. */
#include "object/check_intent.h"

#include "manifest/manifest.h"
#include "object/check_expression.h"
#include "object/check_library.h"
#include "object/check_values.h"
#include "object/json_schema.h"
#include "object/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

static void decode_max_ratio(struct reading *reading, const struct path *path,
                             const struct value *value, void *base)
{
    number_decode(reading, path, value, 1, &((struct check_intent *)base)->max_ratio);
}

static void encode_max_ratio(struct arena *scratch, struct json_out *json, const char *key,
                             const void *base)
{
    (void)scratch;
    json_number(json, key, ((const struct check_intent *)base)->max_ratio);
}

/* "desired" or "desired-2": so many fewer than the spec asks for. */
static bool read_desired(const char *text, int32_t *offset)
{
    static const char word[] = "desired";
    const size_t length = sizeof(word) - 1;
    if (strncmp(text, word, length) != 0)
        return false;
    if (text[length] == '\0') {
        *offset = 0;
        return true;
    }
    const char *digits = text + length + 1;
    if (text[length] != '-' || !*digits || digits[strspn(digits, "0123456789")] ||
        strlen(digits) > 6)
        return false;
    *offset = -(int32_t)strtol(digits, NULL, 10);
    return true;
}

static void decode_bound(struct reading *reading, const struct path *path,
                         const struct value *value, void *base)
{
    struct check_intent *intent = base;
    const char *text = NULL;
    int64_t number = 0;
    if (value_read_integer(value, &number) && number >= 0 && number <= INT32_MAX) {
        intent->bound = REPLICAS_NUMBER;
        intent->value = (int32_t)number;
    } else if (value_read_string(value, &text) && read_desired(text, &intent->value)) {
        intent->bound = REPLICAS_DESIRED;
    } else if (text != NULL && strcmp(text, "min") == 0) {
        intent->bound = REPLICAS_MIN;
    } else {
        reading_expected(reading, path, value, "a number of at least 0, desired, desired-N or min");
    }
}

static void encode_bound(struct arena *scratch, struct json_out *json, const char *key,
                         const void *base)
{
    const struct check_intent *intent = base;
    if (intent->bound == REPLICAS_NUMBER)
        json_integer(json, key, intent->value);
    else if (intent->bound == REPLICAS_MIN)
        json_string(json, key, "min");
    else
        json_string(json, key,
                    intent->value ? arena_printf(scratch, "desired%d", intent->value) : "desired");
}

static void decode_workload(struct reading *reading, const struct path *path,
                            const struct value *value, void *base)
{
    object_name_decode(reading, path, value, &((struct check_intent *)base)->workload);
}

static void encode_workload(struct arena *scratch, struct json_out *json, const char *key,
                            const void *base)
{
    object_name_encode(scratch, json, key, &((const struct check_intent *)base)->workload);
}

static const struct field_hook max_ratio_hook = {.decode = decode_max_ratio,
                                                 .encode = encode_max_ratio,
                                                 .shape = "{\"type\":\"number\",\"minimum\":1}"};
static const struct field_hook bound_hook = {
    .decode = decode_bound,
    .encode = encode_bound,
    .shape = "{\"anyOf\":[{\"type\":\"integer\",\"minimum\":0},{\"type\":\"string\",\"pattern\":\"^"
             "(min|desired(-[0-9]{1,6})?)$\"}]}"};
static const struct field_hook workload_hook = {
    .decode = decode_workload, .encode = encode_workload, .shape = SHAPE_OBJECT_NAME};

static const struct enum_name mode_names[] = {
    {"always", INTENT_MODE_ALWAYS},
    {"eventually", INTENT_MODE_EVENTUALLY},
    {0},
};

static const struct enum_name when_names[] = {
    {"settled", INTENT_WHEN_SETTLED},
    {"always", INTENT_WHEN_ALWAYS},
    {0},
};

static const struct field intent_fields[] = {
    FIELD_DURATION("after", check_intent, after_ns, 0),
    FIELD_STRING("condition", check_intent, condition, 0),
    FIELD_STRING("expression", check_intent, expression, 0),
    FIELD_BOOLEAN("finished", check_intent, finished, false),
    FIELD_STRING("group", check_intent, group, 0),
    FIELD_BOOLEAN("loop", check_intent, loop, false),
    FIELD_HOOK("maxRatio", max_ratio_hook),
    FIELD_INT32("maxSkew", check_intent, max_skew, 0, 0, INT32_MAX, 1),
    FIELD_ENUM("mode", check_intent, mode, 0, mode_names, INTENT_MODE_ALWAYS),
    FIELD_LABELS("nodeSelector", check_intent, node_selector),
    FIELD_INT32("swing", check_intent, swing, 0, 1, INT32_MAX, 1),
    FIELD_STRING("title", check_intent, title, 0),
    FIELD_STRING("to", check_intent, to, 0),
    FIELD_STRING("topologyKey", check_intent, topology_key, 0),
    FIELD_HOOK("value", bound_hook),
    FIELD_ENUM("when", check_intent, when, 0, when_names, INTENT_WHEN_SETTLED),
    FIELD_DURATION("within", check_intent, within_ns, 0),
    FIELD_HOOK("workload", workload_hook),
};
static const struct schema intent_schema = SCHEMA_STRICT(check_intent, intent_fields);

/* ---- the library ---- */

/* Short names for the parameters, so that intents.def reads well. */
enum {
    NONE = INTENT_PARAMETER_NONE,
#define PARAMETER(constant, name, same) constant = INTENT_PARAMETER_##constant,
#include "object/intent_parameters.def"
#undef PARAMETER
};

/* Every intent can be limited to a workload. */
static const struct library_entry entries[] = {
#define INTENT(constant, class, name, takes, needs, violated) \
    [constant] = {name, (takes) | WORKLOAD, needs},
#include "object/intents.def"
#undef INTENT
};

static const struct library_parameter parameters[] = {
#define PARAMETER(constant, name, same) {name, constant},
#include "object/intent_parameters.def"
#undef PARAMETER
};

const struct library check_intent_library = {
    .what = "intent",
    .entries = entries,
    .entry_count = INTENT_KIND_COUNT,
    .parameters = parameters,
    .parameter_count = sizeof(parameters) / sizeof(parameters[0]),
    .schema = &intent_schema,
    .shape = CHECK_EXPRESSION_SHAPE,
};

const char *intent_kind_name(enum intent_kind kind)
{
    return entries[kind].name;
}

bool intent_kind_find(const char *name, enum intent_kind *kind)
{
    for (uint32_t i = 0; i < INTENT_KIND_COUNT; i++)
        if (strcmp(entries[i].name, name) == 0) {
            *kind = (enum intent_kind)i;
            return true;
        }
    return false;
}

unsigned intent_kind_takes(enum intent_kind kind)
{
    return entries[kind].takes;
}

bool check_intent_same(const struct check_intent *left, const struct check_intent *right)
{
#define SAME(member)                    (left->member == right->member)
#define PARAMETER(constant, name, same) same &&
    return
#include "object/intent_parameters.def"
        SAME(kind);
#undef PARAMETER
#undef SAME
}

static bool decode_intent(struct reading *reading, const struct path *path,
                          const struct value *value, struct check_intent *intent)
{
    const struct path key = path_field(path, "topologyKey");
    uint32_t entry = 0;
    schema_init(&intent_schema, intent);
    intent->place = value_place(value);
    if (check_expression_is(value, &intent->kind)) {
        const bool read = check_expression_decode(reading, path, value, intent->kind, intent);
        check_expression_validate(reading, path, intent);
        return read;
    }
    if (!library_decode(reading, path, value, &check_intent_library, &entry, intent))
        return false;
    intent->kind = (enum intent_kind)entry;
    check_expression_validate(reading, path, intent);
    qualified_name_validate(reading, &key, intent->topology_key);
    return true;
}

static void decode_intents(struct reading *reading, const struct path *path,
                           const struct value *value, void *base)
{
    struct check *check = base;
    if (!sequence_expected(reading, path, value))
        return;
    check->intent_count = 0;
    check->intents = ARENA_ARRAY(reading->arena, struct check_intent, value->count);
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        if (decode_intent(reading, &item, &value->items[i], &check->intents[check->intent_count]))
            check->intent_count++;
    }
}

static void encode_intents(struct arena *scratch, struct json_out *json, const char *key,
                           const void *base)
{
    const struct check *check = base;
    if (check->intent_count == 0)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < check->intent_count; i++)
        library_encode(scratch, json, &check_intent_library, check->intents[i].kind,
                       &check->intents[i]);
    json_array_end(json);
}

const struct field_hook check_intents_hook = {
    .decode = decode_intents, .encode = encode_intents, .library = &check_intent_library};

/* ---- the command line ---- */

/* The end of one KEY=VALUE: a comma that is not in braces, brackets or double quotes. */
static size_t option_length(const char *text)
{
    int depth = 0;
    bool quoted = false;
    size_t length = 0;
    for (; text[length] != '\0' && (text[length] != ',' || depth > 0 || quoted); length++) {
        if (text[length] == '"')
            quoted = !quoted;
        else if (quoted)
            length += text[length] == '\\' && text[length + 1] != '\0';
        else if (text[length] == '{' || text[length] == '[')
            depth++;
        else if (text[length] == '}' || text[length] == ']')
            depth--;
    }
    return length;
}

/* NAME=KEY=VALUE,... as the YAML that a check would have; NULL if it is not of
 * this form. {name: NAME, ...} is such YAML already. */
static const char *option_yaml(struct arena *arena, const char *text)
{
    if (*text == '{')
        return text;
    const size_t name_length = strcspn(text, "=");
    char *yaml = arena_printf(arena, "{name: %.*s", (int)name_length, text);
    text += name_length;
    while (*text != '\0') {
        text++;
        const size_t length = option_length(text);
        const size_t key_length = strcspn(text, "=");
        if (key_length == 0 || key_length >= length)
            return NULL;
        yaml = arena_printf(arena, "%s, %.*s: %.*s", yaml, (int)key_length, text,
                            (int)(length - key_length - 1), text + key_length + 1);
        text += length;
    }
    return arena_printf(arena, "%s}", yaml);
}

static bool parse_yaml(struct arena *arena, const char *yaml, struct check_intent *intent,
                       struct problems *problems)
{
    struct documents documents = {0};
    struct reading reading;
    if (!manifest_parse(arena, "--intent", yaml, strlen(yaml), &documents, problems) ||
        documents.count != 1)
        return false;
    reading_init(&reading, arena, &documents.items[0].root, problems);
    return decode_intent(&reading, &path_root, &documents.items[0].root, intent) &&
           problems->errors == 0;
}

bool intent_parse_option(struct arena *arena, const char *text, struct check_intent *intent,
                         struct problems *problems)
{
    const struct place nowhere = {0};
    struct problems found;
    problems_init(&found, arena);
    *intent = (struct check_intent){0};
    const char *yaml = option_yaml(arena, text);
    if (yaml != NULL && parse_yaml(arena, yaml, intent, &found)) {
        intent->place = nowhere;
        return true;
    }
    for (uint32_t i = 0; i < found.count; i++)
        problem_error(problems, nowhere, found.items[i].path, "--intent %s: %s", text,
                      found.items[i].message);
    if (found.count == 0)
        problem_error(problems, nowhere, NULL,
                      "--intent: expected NAME or NAME=KEY=VALUE,..., found \"%s\"", text);
    return false;
}
