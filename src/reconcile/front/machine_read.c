/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a machine from the check, and reports what is wrong with it. */
#include "base/vec.h"
#include "object/schema.h"
#include "reconcile/front/machine_parts.h"

#include <string.h>

/* --- What the fields are -------------------------------------------------------- */

#define HOOK_KEEP(function, tag, member)                                   \
    static void function(struct reading *reading, const struct path *path, \
                         const struct value *value, void *base)            \
    {                                                                      \
        (void)reading;                                                     \
        (void)path;                                                        \
        ((struct tag *)base)->member = value;                              \
    }                                                                      \
    static const struct field_hook function##_hook = {function, NULL, NULL}

HOOK_KEEP(keep_template, machine_resource, template);
HOOK_KEEP(keep_update, machine_resource, update);
HOOK_KEEP(keep_remember, machine_resource, remember);
HOOK_KEEP(keep_status, machine, status_template);

static void decode_minimum(struct reading *reading, const struct path *path,
                           const struct value *value, void *base)
{
    struct machine *machine = base;
    if (!mapping_expected(reading, path, value))
        return;
    machine->minimums = ARENA_ARRAY(reading->arena, struct machine_minimum, value->count + 1);
    VALUE_EACH_MEMBER(value, member)
    {
        struct path field = path_field(path, member->key);
        struct machine_minimum *minimum = &machine->minimums[machine->minimum_count];
        if (!value_read_integer(&member->value, &minimum->least))
            reading_expected(reading, &field, &member->value, "a whole number");
        else if (!datum_path_is_well_formed(member->key))
            reading_error(reading, &field, "expected a path of the custom resource");
        minimum->path = member->key;
        machine->minimum_count++;
    }
}

static const struct field_hook minimum_hook = {decode_minimum, NULL, NULL};

static const struct enum_name found_names[] = {
    {"update", FOUND_UPDATE}, {"keep", FOUND_KEEP}, {"done", FOUND_DONE}, {NULL, 0}};
static const struct enum_name missing_names[] = {
    {"create", MISSING_CREATE}, {"error", MISSING_ERROR}, {NULL, 0}};

static const struct field resource_fields[] = {
    FIELD_ENUM("found", machine_resource, found, 0, found_names, FOUND_UPDATE),
    FIELD_STRING("kind", machine_resource, kind, FIELD_REQUIRED),
    FIELD_ENUM("missing", machine_resource, missing, 0, missing_names, MISSING_CREATE),
    FIELD_STRING("name", machine_resource, name, FIELD_REQUIRED),
    FIELD_BOOLEAN("ownedOnly", machine_resource, owned_only, false),
    FIELD_HOOK("remember", keep_remember_hook),
    FIELD_HOOK("template", keep_template_hook),
    FIELD_HOOK("update", keep_update_hook),
};
static const struct schema resource_schema = SCHEMA_STRICT(machine_resource, resource_fields);

static const struct field machine_fields[] = {
    FIELD_STRINGS("immutable", machine, immutable, 0),
    FIELD_HOOK("minimum", minimum_hook),
    FIELD_STRING("name", machine, name, 0),
    FIELD_LIST("resources", machine, resources, resource_count, FIELD_REQUIRED, resource_schema),
    FIELD_HOOK("status", keep_status_hook),
};
static const struct schema machine_schema = SCHEMA_STRICT(machine, machine_fields);

/* --- From resources to parts ------------------------------------------------------- */

struct names {
    VEC(const char *) names;
};

static const char *const *read_update(struct reading *reading, const struct path *path,
                                      const struct value *update)
{
    if (value_is_null(update) || !sequence_expected(reading, path, update))
        return NULL;
    const char **paths = ARENA_ARRAY(reading->arena, const char *, update->count + 1);
    for (uint32_t i = 0; i < update->count; i++) {
        struct path item = path_item(path, i);
        if (update->items[i].kind != VALUE_STRING)
            reading_expected(reading, &item, &update->items[i], "a path of the template");
        else if (!datum_path_is_well_formed(update->items[i].text))
            reading_error(reading, &item, "expected a path of the template, found \"%s\"",
                          update->items[i].text);
        paths[i] = update->items[i].text;
    }
    return paths;
}

static const struct fathom_memo *read_remember(struct reading *reading, const struct path *path,
                                               const struct value *remember, struct names *names)
{
    if (value_is_null(remember) || !mapping_expected(reading, path, remember))
        return NULL;
    struct fathom_memo *memos =
        ARENA_ARRAY(reading->arena, struct fathom_memo, remember->count + 1);
    struct fathom_memo *memo = memos;
    VALUE_EACH_MEMBER(remember, member)
    {
        struct path field = path_field(path, member->key);
        *memo = (struct fathom_memo){member->key, member->value.text};
        if (member->value.kind != VALUE_STRING)
            reading_expected(reading, &field, &member->value, "a path of the object");
        else if (!datum_path_is_well_formed(memo->path))
            reading_error(reading, &field, "expected a path of the object, found \"%s\"",
                          memo->path);
        if (strcmp(memo->name, "at") == 0 || strcmp(memo->name, "part") == 0 ||
            strpbrk(memo->name, ".[]\"{} "))
            reading_error(reading, &field,
                          "expected a plain word other than \"at\" and \"part\" as a name");
        VEC_PUSH(reading->arena, &names->names, memo->name);
        memo++;
    }
    return memos;
}

static void read_form(struct reading *reading, const struct path *path, const struct value *value,
                      const struct names *names, const struct datum **form)
{
    const struct template_names remembered = {names->names.items, names->names.count};
    uint32_t before = reading->problems->errors;
    if (!mapping_expected(reading, path, value))
        return;
    machine_template_validate(reading, path, value, &remembered);
    if (reading->problems->errors == before)
        *form = datum_of_value(reading->arena, value, reading->problems);
}

static void read_part(struct reading *reading, const struct path *path,
                      struct machine_resource *resource, struct names *names,
                      struct fathom_part *part)
{
    const struct template_names remembered = {names->names.items, names->names.count};
    struct path name = path_field(path, "name");
    struct path form = path_field(path, "template");
    struct path update = path_field(path, "update");
    struct path remember = path_field(path, "remember");
    if (resource->name)
        template_text_validate(reading, &name, resource->name, &remembered);
    if (!value_is_null(resource->template))
        read_form(reading, &form, resource->template, names, &resource->form);
    else if (resource->missing == MISSING_CREATE || resource->found == FOUND_UPDATE)
        reading_missing(reading, &form);
    *part = (struct fathom_part){
        .kind = resource->kind,
        .named = machine_part_name,
        .make = resource->form ? machine_part_make : NULL,
        .updated = read_update(reading, &update, resource->update),
        .owned_only = resource->owned_only,
        .never_created = resource->missing == MISSING_ERROR,
        .never_updated = resource->found == FOUND_KEEP,
        .enough = resource->found == FOUND_DONE,
        .remember = read_remember(reading, &remember, resource->remember, names),
        .context = resource,
    };
}

/* What stands behind {name}, if that is all that the name depends on; NULL otherwise. */
static const char *suffix_of(const struct machine_resource *resource)
{
    static const char start[] = "{name}";
    if (!resource->name || strncmp(resource->name, start, strlen(start)) != 0)
        return NULL;
    const char *suffix = resource->name + strlen(start);
    return strpbrk(suffix, "{}") ? NULL : suffix;
}

/* If one suffix ends in another, two custom resources can want the same object: with
 * "{name}" and "{name}-nodes", those named a-nodes and a. */
static void warn_of_collision(struct reading *reading, const struct path *path,
                              const struct machine_resource *one,
                              const struct machine_resource *other)
{
    const char *shorter = suffix_of(one);
    const char *longer = suffix_of(other);
    if (!shorter || !longer || !one->kind || !other->kind || strcmp(one->kind, other->kind) != 0)
        return;
    size_t surplus = strlen(longer) - strlen(shorter);
    if (strlen(longer) <= strlen(shorter) || strcmp(longer + surplus, shorter) != 0)
        return;
    struct path name = path_field(path, "name");
    reading_warning(reading, &name,
                    "the %s \"%s\" of a custom resource x%.*s is the %s \"%s\" of a custom "
                    "resource x: they would fight for it",
                    one->kind, one->name, (int)surplus, longer, other->kind, other->name);
}

static void read_parts(struct reading *reading, const struct path *path, struct machine *machine)
{
    struct names names = {0};
    struct path resources = path_field(path, "resources");
    struct path status = path_field(path, "status");
    struct fathom_part *parts =
        ARENA_ARRAY(reading->arena, struct fathom_part, machine->resource_count + 1);
    for (uint32_t i = 0; i < machine->resource_count; i++) {
        struct path item = path_item(&resources, i);
        read_part(reading, &item, &machine->resources[i], &names, &parts[i]);
        for (uint32_t k = 0; k < machine->resource_count; k++)
            warn_of_collision(reading, &item, &machine->resources[i], &machine->resources[k]);
    }
    machine->parts.items = parts;
    machine->parts.count = (int)machine->resource_count;
    if (!value_is_null(machine->status_template)) {
        read_form(reading, &status, machine->status_template, &names, &machine->status);
        machine->parts.status = machine_status_make;
    }
    struct path immutable = path_field(path, "immutable");
    for (uint32_t i = 0; i < machine->immutable.count; i++) {
        struct path item = path_item(&immutable, i);
        if (!datum_path_is_well_formed(machine->immutable.items[i]))
            reading_error(reading, &item, "expected a path of the custom resource, found \"%s\"",
                          machine->immutable.items[i]);
    }
}

bool machine_read(struct reading *reading, const struct path *path, const struct value *value,
                  struct controller_plugin *plugin)
{
    uint32_t before = reading->problems->errors;
    struct machine *machine = schema_new(reading->arena, &machine_schema);
    schema_decode(reading, path, &machine_schema, value, machine);
    read_parts(reading, path, machine);
    if (reading->problems->errors > before)
        return false;
    struct fathom_controller *table =
        arena_copy(reading->arena, &machine_table, sizeof machine_table);
    if (machine->name)
        table->name = machine->name;
    plugin->table = table;
    plugin->machine = machine;
    return true;
}
