/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a Check: what may happen to a cluster from outside. events.def lists them. */
#include "object/check_event.h"

#include "object/check_library.h"
#include "object/check_node_groups.h"
#include "object/check_values.h"
#include "object/json_schema.h"
#include "object/names.h"

#include <string.h>

#define ZONE_LABEL "topology.kubernetes.io/zone"

/* ---- levels of CPU ---- */

/* A plain decimal number in front of the percent sign. */
static bool read_percentage(struct arena *arena, const char *text, struct quantity *value)
{
    const size_t length = strlen(text);
    if (length < 2 || text[length - 1] != '%' || strspn(text, "0123456789.") != length - 1 ||
        text[0] == '.')
        return false;
    return quantity_parse(arena_strndup(arena, text, length - 1), value, NULL);
}

static void decode_level(struct reading *reading, const struct path *path,
                         const struct value *value, struct cpu_level *target)
{
    const char *text = NULL;
    struct cpu_level level = {.percent = true};
    if (value_read_string(value, &text) && strchr(text, '%') != NULL) {
        if (read_percentage(reading->arena, text, &level.value))
            *target = level;
        else
            reading_expected(reading, path, value, "a percentage such as 80%");
        return;
    }
    level.percent = false;
    quantity_decode(reading, path, value, &level.value);
    if (level.value.nanos < 0)
        reading_expected(reading, path, value, "a percentage such as 80% or a quantity");
    else
        *target = level;
}

static void encode_level(struct arena *scratch, struct json_out *json, const char *key,
                         struct cpu_level level)
{
    const char *text = quantity_format_text(scratch, level.value);
    if (!level.percent) {
        json_string(json, key, text);
        return;
    }
    /* 12500m percent would not be read again. */
    const int64_t milli = quantity_milli_value(level.value);
    if (milli % 1000 == 0)
        text = arena_printf(scratch, "%lld%%", (long long)(milli / 1000));
    else
        text = arena_printf(scratch, "%lld.%03lld%%", (long long)(milli / 1000),
                            (long long)(milli % 1000));
    json_string(json, key, text);
}

static void decode_step_cpu(struct reading *reading, const struct path *path,
                            const struct value *value, void *base)
{
    decode_level(reading, path, value, &((struct cpu_step *)base)->cpu);
}

static void encode_step_cpu(struct arena *scratch, struct json_out *json, const char *key,
                            const void *base)
{
    encode_level(scratch, json, key, ((const struct cpu_step *)base)->cpu);
}

static const struct field_hook step_cpu_hook = {
    .decode = decode_step_cpu, .encode = encode_step_cpu, .shape = SHAPE_CPU_LEVEL};

static const struct field step_fields[] = {
    FIELD_DURATION("after", cpu_step, after_ns, 0),
    {.name = "cpu", .type = FIELD_TYPE_HOOK, .flags = FIELD_REQUIRED, .hook = &step_cpu_hook},
};
static const struct schema step_schema = SCHEMA_STRICT(cpu_step, step_fields);

/* ---- parameters ---- */

static void decode_above_cpu(struct reading *reading, const struct path *path,
                             const struct value *value, void *base)
{
    decode_level(reading, path, value, &((struct check_event *)base)->above_cpu);
}

static void encode_above_cpu(struct arena *scratch, struct json_out *json, const char *key,
                             const void *base)
{
    encode_level(scratch, json, key, ((const struct check_event *)base)->above_cpu);
}

static void decode_after(struct reading *reading, const struct path *path,
                         const struct value *value, void *base)
{
    const char *text = NULL;
    if (value_read_string(value, &text) && strcmp(text, "settled") == 0)
        ((struct check_event *)base)->after_settled = true;
    else
        reading_expected(reading, path, value, "settled");
}

static void encode_after(struct arena *scratch, struct json_out *json, const char *key,
                         const void *base)
{
    (void)scratch;
    if (((const struct check_event *)base)->after_settled)
        json_string(json, key, "settled");
}

/* A list of which the checker chooses one must have something to choose from. */
static bool choices_expected(struct reading *reading, const struct path *path,
                             const struct value *value)
{
    if (!sequence_expected(reading, path, value))
        return false;
    if (value->count == 0)
        reading_error(reading, path, "expected at least one item, found none");
    return value->count > 0;
}

static void decode_levels(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    struct check_event *event = base;
    if (!choices_expected(reading, path, value))
        return;
    event->levels = ARENA_ARRAY(reading->arena, struct cpu_level, value->count);
    event->level_count = value->count;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        decode_level(reading, &item, &value->items[i], &event->levels[i]);
    }
}

static void encode_levels(struct arena *scratch, struct json_out *json, const char *key,
                          const void *base)
{
    const struct check_event *event = base;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < event->level_count; i++)
        encode_level(scratch, json, NULL, event->levels[i]);
    json_array_end(json);
}

static void decode_totals(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    struct check_event *event = base;
    if (!choices_expected(reading, path, value))
        return;
    event->totals = ARENA_ARRAY(reading->arena, struct quantity, value->count);
    event->total_count = value->count;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        quantity_decode(reading, &item, &value->items[i], &event->totals[i]);
        if (event->totals[i].nanos < 0)
            reading_expected(reading, &item, &value->items[i], "a quantity of at least 0");
    }
}

static void encode_totals(struct arena *scratch, struct json_out *json, const char *key,
                          const void *base)
{
    const struct check_event *event = base;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < event->total_count; i++)
        json_string(json, NULL, quantity_format_text(scratch, event->totals[i]));
    json_array_end(json);
}

static void decode_initial(struct reading *reading, const struct path *path,
                           const struct value *value, void *base)
{
    struct check_event *event = base;
    event->initial = ARENA_NEW(reading->arena, struct quantity);
    quantity_decode(reading, path, value, event->initial);
    if (event->initial->nanos < 0)
        reading_expected(reading, path, value, "a quantity of at least 0");
}

static void encode_initial(struct arena *scratch, struct json_out *json, const char *key,
                           const void *base)
{
    const struct check_event *event = base;
    if (event->initial)
        json_string(json, key, quantity_format_text(scratch, *event->initial));
}

static void decode_to(struct reading *reading, const struct path *path, const struct value *value,
                      void *base)
{
    struct check_event *event = base;
    if (!choices_expected(reading, path, value))
        return;
    event->to = ARENA_ARRAY(reading->arena, int32_t, value->count);
    event->to_count = value->count;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        int64_t number;
        if (value_read_integer(&value->items[i], &number) && number >= 0 && number <= INT32_MAX)
            event->to[i] = (int32_t)number;
        else
            reading_expected(reading, &item, &value->items[i], "a number of at least 0");
    }
}

static void encode_to(struct arena *scratch, struct json_out *json, const char *key,
                      const void *base)
{
    const struct check_event *event = base;
    (void)scratch;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < event->to_count; i++)
        json_integer(json, NULL, event->to[i]);
    json_array_end(json);
}

static void decode_object(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    object_name_decode(reading, path, value, &((struct check_event *)base)->object);
}

static void encode_object(struct arena *scratch, struct json_out *json, const char *key,
                          const void *base)
{
    object_name_encode(scratch, json, key, &((const struct check_event *)base)->object);
}

static const struct field_hook above_cpu_hook = {
    .decode = decode_above_cpu, .encode = encode_above_cpu, .shape = SHAPE_CPU_LEVEL};
static const struct field_hook after_hook = {
    .decode = decode_after, .encode = encode_after, .shape = "{\"const\":\"settled\"}"};
static const struct field_hook initial_hook = {
    .decode = decode_initial, .encode = encode_initial, .shape = SHAPE_QUANTITY};
static const struct field_hook levels_hook = {
    .decode = decode_levels, .encode = encode_levels, .shape = SHAPE_LIST_OF(SHAPE_CPU_LEVEL)};
static const struct field_hook totals_hook = {
    .decode = decode_totals, .encode = encode_totals, .shape = SHAPE_LIST_OF(SHAPE_QUANTITY)};
static const struct field_hook to_hook = {
    .decode = decode_to,
    .encode = encode_to,
    .shape = SHAPE_LIST_OF("{\"type\":\"integer\",\"minimum\":0}")};
static const struct field_hook object_hook = {
    .decode = decode_object, .encode = encode_object, .shape = SHAPE_OBJECT_NAME};

static const struct enum_name side_names[] = {
    {"clients", PARTITION_CLIENTS},
    {"controlPlane", PARTITION_CONTROL_PLANE},
    {"both", PARTITION_BOTH},
    {0},
};

static const struct enum_name pressure_names[] = {
    {"MemoryPressure", PRESSURE_MEMORY},
    {"DiskPressure", PRESSURE_DISK},
    {"PIDPressure", PRESSURE_PID},
    {0},
};

static const struct field event_fields[] = {
    FIELD_HOOK("aboveCpu", above_cpu_hook),
    FIELD_HOOK("after", after_hook),
    FIELD_INT32("atMost", check_event, at_most, 0, 1, INT32_MAX, 1),
    FIELD_INT32("concurrent", check_event, concurrent, 0, 1, INT32_MAX, 1),
    FIELD_ENUM("condition", check_event, condition, 0, pressure_names, PRESSURE_MEMORY),
    FIELD_BOOLEAN("drain", check_event, drain, true),
    FIELD_DURATION("every", check_event, every_ns, 0),
    FIELD_ENUM("from", check_event, from, 0, side_names, PARTITION_CLIENTS),
    FIELD_STRING("group", check_event, group, 0),
    FIELD_HOOK("initial", initial_hook),
    FIELD_HOOK("levels", levels_hook),
    FIELD_STRINGS("manifests", check_event, manifests, 0),
    FIELD_STRING("node", check_event, node, 0),
    FIELD_HOOK("object", object_hook),
    FIELD_LIST("pattern", check_event, pattern, pattern_count, 0, step_schema),
    FIELD_BOOLEAN("recovers", check_event, recovers, false),
    FIELD_BOOLEAN("repeats", check_event, repeats, false),
    FIELD_HOOK("to", to_hook),
    FIELD_STRING("topologyKey", check_event, topology_key, 0),
    FIELD_HOOK("total", totals_hook),
    FIELD_STRING("when", check_event, when, 0),
    FIELD_HOOK("workload", object_hook),
    FIELD_STRING("zone", check_event, zone, 0),
};
static const struct schema event_schema = SCHEMA_STRICT(check_event, event_fields);

/* ---- the library ---- */

/* Short names for the parameters, so that events.def reads well. */
enum {
    NONE = EVENT_PARAMETER_NONE,
    ABOVE_CPU = EVENT_PARAMETER_ABOVE_CPU,
    AFTER = EVENT_PARAMETER_AFTER,
    AT_MOST = EVENT_PARAMETER_AT_MOST,
    CONCURRENT = EVENT_PARAMETER_CONCURRENT,
    CONDITION = EVENT_PARAMETER_CONDITION,
    DRAIN = EVENT_PARAMETER_DRAIN,
    EVERY = EVENT_PARAMETER_EVERY,
    FROM = EVENT_PARAMETER_FROM,
    GROUP = EVENT_PARAMETER_GROUP,
    INITIAL = EVENT_PARAMETER_INITIAL,
    LEVELS = EVENT_PARAMETER_LEVELS,
    MANIFESTS = EVENT_PARAMETER_MANIFESTS,
    NODE = EVENT_PARAMETER_NODE,
    OBJECT = EVENT_PARAMETER_OBJECT,
    PATTERN = EVENT_PARAMETER_PATTERN,
    RECOVERS = EVENT_PARAMETER_RECOVERS,
    REPEATS = EVENT_PARAMETER_REPEATS,
    TO = EVENT_PARAMETER_TO,
    TOPOLOGY_KEY = EVENT_PARAMETER_TOPOLOGY_KEY,
    TOTAL = EVENT_PARAMETER_TOTAL,
    WHEN = EVENT_PARAMETER_WHEN,
    WORKLOAD = EVENT_PARAMETER_WORKLOAD,
    ZONE = EVENT_PARAMETER_ZONE,
};

/* The same for the facts. */
enum {
    NO_FACT = EVENT_FACT_NO_FACT,
    USAGE = EVENT_FACT_USAGE,
    ZONAL = EVENT_FACT_ZONAL,
    DRAINS = EVENT_FACT_DRAINS,
    PANICS = EVENT_FACT_PANICS,
    PROVISIONS = EVENT_FACT_PROVISIONS,
};

static const struct library_entry entries[] = {
#define EVENT(constant, descriptor, name, takes, needs, facts, clocks) \
    [constant] = {name, takes, needs},
#include "object/events.def"
#undef EVENT
};

static const unsigned facts_of[] = {
#define EVENT(constant, descriptor, name, takes, needs, facts, clocks) [constant] = facts,
#include "object/events.def"
#undef EVENT
};

static const char *const clocks_of[] = {
#define EVENT(constant, descriptor, name, takes, needs, facts, clocks) [constant] = clocks,
#include "object/events.def"
#undef EVENT
};

static const struct library_parameter parameters[] = {
    {"aboveCpu", ABOVE_CPU},
    {"after", AFTER},
    {"atMost", AT_MOST},
    {"concurrent", CONCURRENT},
    {"condition", CONDITION},
    {"drain", DRAIN},
    {"every", EVERY},
    {"from", FROM},
    {"group", GROUP},
    {"initial", INITIAL},
    {"levels", LEVELS},
    {"manifests", MANIFESTS},
    {"node", NODE},
    {"object", OBJECT},
    {"pattern", PATTERN},
    {"recovers", RECOVERS},
    {"repeats", REPEATS},
    {"to", TO},
    {"topologyKey", TOPOLOGY_KEY},
    {"total", TOTAL},
    {"when", WHEN},
    {"workload", WORKLOAD},
    {"zone", ZONE},
};

const struct library check_event_library = {
    .what = "event",
    .entries = entries,
    .entry_count = EVENT_KIND_COUNT,
    .parameters = parameters,
    .parameter_count = sizeof(parameters) / sizeof(parameters[0]),
    .schema = &event_schema,
};

const char *event_kind_name(enum event_kind kind)
{
    return entries[kind].name;
}

bool event_kind_has(enum event_kind kind, enum event_fact fact)
{
    return (facts_of[kind] & fact) != 0;
}

const char *event_kind_needs_clocks(enum event_kind kind)
{
    return clocks_of[kind];
}

static void decode_events(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    struct check *check = base;
    if (!sequence_expected(reading, path, value))
        return;
    check->event_count = 0;
    check->events = ARENA_ARRAY(reading->arena, struct check_event, value->count);
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        struct check_event *event = &check->events[check->event_count];
        uint32_t entry = 0;
        schema_init(&event_schema, event);
        if (!library_decode(reading, &item, &value->items[i], &check_event_library, &entry, event))
            continue;
        event->kind = (enum event_kind)entry;
        event->place = value_place(&value->items[i]);
        if (event->topology_key == NULL &&
            (event_kind_has(event->kind, EVENT_FACT_ZONAL) || event->zone != NULL))
            event->topology_key = ZONE_LABEL;
        check->event_count++;
    }
}

static void encode_events(struct arena *scratch, struct json_out *json, const char *key,
                          const void *base)
{
    const struct check *check = base;
    if (check->event_count == 0)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < check->event_count; i++)
        library_encode(scratch, json, &check_event_library, check->events[i].kind,
                       &check->events[i]);
    json_array_end(json);
}

const struct field_hook check_events_hook = {
    .decode = decode_events, .encode = encode_events, .library = &check_event_library};

/* ---- validation ---- */

static void validate_pattern(struct reading *reading, const struct path *event_path,
                             const struct check_event *event)
{
    const struct path pattern = path_field(event_path, "pattern");
    for (uint32_t i = 0; i < event->pattern_count; i++) {
        const struct path item = path_item(&pattern, i);
        const struct path after = path_field(&item, "after");
        if (event->pattern[i].after_ns < 0)
            reading_error(reading, &after, "expected a duration of at least 0s");
        else if (i > 0 && event->pattern[i].after_ns <= event->pattern[i - 1].after_ns)
            reading_error(reading, &after, "expected a later time than that of the step before");
    }
}

/* A pattern that repeats is a load. A load is the CPU of all pods together, so it cannot be a
 * percentage of a request. */
static void validate_waves(struct reading *reading, const struct path *event_path,
                           const struct check_event *event)
{
    const struct path pattern = path_field(event_path, "pattern");
    const struct path every = path_field(event_path, "every");
    if (event->pattern_count > 0 && event->pattern[0].after_ns != 0)
        reading_error(reading, &pattern, "expected a first step after 0s");
    for (uint32_t i = 0; i < event->pattern_count; i++) {
        const struct path item = path_item(&pattern, i);
        const struct path cpu = path_field(&item, "cpu");
        if (event->pattern[i].cpu.percent)
            reading_error(reading, &cpu, "expected an amount such as 400m for all pods together");
        if (event->every_ns <= event->pattern[i].after_ns)
            reading_error(reading, &every, "expected a longer time than that of the last step");
    }
}

static void validate_event(struct reading *reading, const struct path *path,
                           const struct check *check, const struct check_event *event)
{
    const struct path group = path_field(path, "group");
    const struct path key = path_field(path, "topologyKey");
    const struct path manifests = path_field(path, "manifests");
    const struct path pattern = path_field(path, "pattern");
    const struct library_entry *entry = &entries[event->kind];
    group_name_validate(reading, &group, check, event->group);
    if (entry->needs & MANIFESTS && event->manifests.count == 0)
        reading_error(reading, &manifests, "expected at least one item, found none");
    if (entry->needs & PATTERN && event->pattern_count == 0)
        reading_error(reading, &pattern, "expected at least one item, found none");
    qualified_name_validate(reading, &key, event->topology_key);
    validate_pattern(reading, path, event);
    if (entry->takes & EVERY)
        validate_waves(reading, path, event);
    if (event->group != NULL && event->node != NULL)
        reading_error(reading, path, "expected group or node, found both");
    if (event->recovers && event->repeats)
        reading_error(reading, path, "expected recovers or repeats, found both");
    if (event->topology_key != NULL && (event->group != NULL || event->node != NULL))
        reading_error(reading, path, "expected a node, a group or a zone, found two of them");
    if (entry->takes & OBJECT && event->recovers && strcmp(event->object.kind, "Node") != 0 &&
        strcmp(event->object.kind, "CronJob") != 0)
        reading_error(reading, path, "expected recovers with a Node only, found it with a %s",
                      event->object.kind);
    if (event->repeats && event->at_most > 1)
        reading_error(reading, path, "expected atMost or repeats, found both");
    if (event->repeats && event->when != NULL)
        reading_error(reading, path, "expected when or repeats, found both");
}

/* Nothing is validated if an event could not be read: it was left out, so the
 * indices would not match. */
void check_events_validate(struct reading *reading, const struct path *path,
                           const struct check *check)
{
    const struct value *list = path_value(reading->root, path);
    if (list == NULL || list->count != check->event_count)
        return;
    for (uint32_t i = 0; i < check->event_count; i++) {
        const struct path item = path_item(path, i);
        validate_event(reading, &item, check, &check->events[i]);
    }
}
