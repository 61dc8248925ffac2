/* SPDX-License-Identifier: Apache-2.0 */
#include "object/json_schema.h"

#include "base/vec.h"
#include "object/check_library.h"
#include "object/kind.h"
#include "object/kind_names.h"

#include <string.h>

static const char draft[] = "http://json-schema.org/draft-07/schema#";

/* A table that is written below `definitions`, once, however many fields refer to it. */
struct definition {
    const struct schema *schema;
    const char *name;
};

struct schema_writer {
    struct arena *arena;
    struct json_out json;
    VEC(struct definition) definitions;
};

static const char *definition_name(struct schema_writer *writer, const struct schema *schema,
                                   const char *wanted)
{
    for (uint32_t i = 0; i < writer->definitions.count; i++)
        if (writer->definitions.items[i].schema == schema)
            return writer->definitions.items[i].name;
    VEC_PUSH(writer->arena, &writer->definitions, ((struct definition){schema, wanted}));
    return wanted;
}

static void write_reference(struct schema_writer *writer, const char *key, const char *name)
{
    json_object_begin(&writer->json, key);
    json_string(&writer->json, "$ref", arena_printf(writer->arena, "#/definitions/%s", name));
    json_object_end(&writer->json);
}

/* ---- types ---- */

/* Null counts as absent. */
static void write_type(struct json_out *json, const char *type)
{
    json_array_begin(json, "type");
    json_string(json, NULL, type);
    json_string(json, NULL, "null");
    json_array_end(json);
}

static void write_integer(struct json_out *json, const struct field *field)
{
    write_type(json, "integer");
    json_integer(json, "minimum", field->low);
    json_integer(json, "maximum", field->high);
}

static void write_enum(struct json_out *json, const struct field *field)
{
    json_array_begin(json, "enum");
    for (const struct enum_name *row = field->names; row->name; row++)
        json_string(json, NULL, row->name);
    if (!(field->flags & FIELD_REQUIRED)) {
        json_string(json, NULL, "");
        json_null(json, NULL);
    }
    json_array_end(json);
}

/* An alternative to what is read: nothing. */
static void write_null(struct json_out *json)
{
    json_object_begin(json, NULL);
    json_string(json, "type", "null");
    json_object_end(json);
}

static void write_table(struct schema_writer *writer, const struct schema *schema,
                        const char *wanted)
{
    json_array_begin(&writer->json, "anyOf");
    write_reference(writer, NULL, definition_name(writer, schema, wanted));
    write_null(&writer->json);
    json_array_end(&writer->json);
}

static void write_list(struct schema_writer *writer, const struct field *field, const char *wanted)
{
    write_type(&writer->json, "array");
    write_reference(writer, "items", definition_name(writer, field->schema, wanted));
    if (field->flags & FIELD_REQUIRED)
        json_unsigned(&writer->json, "minItems", 1);
}

static void write_items(struct json_out *json, const char *key, const char *type)
{
    json_object_begin(json, key);
    write_type(json, type);
    json_object_end(json);
}

/* ---- libraries: a name, and the parameters that it takes ---- */

static void write_entry(struct json_out *json, const struct library *library,
                        const struct library_entry *entry)
{
    json_object_begin(json, NULL);
    json_raw(json, "if", "{\"required\":[\"name\"]}");
    json_object_begin(json, "then");
    json_object_begin(json, "if");
    json_object_begin(json, "properties");
    json_object_begin(json, "name");
    json_string(json, "const", entry->name);
    json_object_end(json);
    json_object_end(json);
    json_object_end(json);
    json_object_begin(json, "then");
    json_object_begin(json, "propertyNames");
    json_array_begin(json, "enum");
    json_string(json, NULL, "name");
    for (uint32_t i = 0; i < library->parameter_count; i++)
        if (entry->takes & library->parameters[i].bit)
            json_string(json, NULL, library->parameters[i].name);
    json_array_end(json);
    json_object_end(json);
    json_array_begin(json, "required");
    for (uint32_t i = 0; i < library->parameter_count; i++)
        if (entry->needs & library->parameters[i].bit)
            json_string(json, NULL, library->parameters[i].name);
    json_array_end(json);
    json_object_end(json);
    json_object_end(json);
    json_object_end(json);
}

static void write_properties(struct schema_writer *writer, const struct schema *schema,
                             const char *name);

static void write_library(struct schema_writer *writer, const struct library *library,
                          const char *name)
{
    struct json_out *json = &writer->json;
    write_type(json, "array");
    json_object_begin(json, "items");
    if (library->shape) {
        json_array_begin(json, "anyOf");
        json_raw(json, NULL, library->shape);
        json_object_begin(json, NULL);
    }
    json_string(json, "type", "object");
    json_raw(json, "required", "[\"name\"]");
    json_object_begin(json, "properties");
    json_object_begin(json, "name");
    json_array_begin(json, "enum");
    for (uint32_t i = 0; i < library->entry_count; i++)
        json_string(json, NULL, library->entries[i].name);
    json_array_end(json);
    json_object_end(json);
    write_properties(writer, library->schema, name);
    json_object_end(json);
    json_boolean(json, "additionalProperties", false);
    json_array_begin(json, "allOf");
    for (uint32_t i = 0; i < library->entry_count; i++)
        write_entry(json, library, &library->entries[i]);
    json_array_end(json);
    json_object_end(json);
    if (library->shape) {
        json_array_end(json);
        json_object_end(json);
    }
}

/* ---- fields ---- */

/* Every version of the kind; what is inside another object need not have a name. */
static void write_kind_inside(struct schema_writer *writer, const struct kind_type *kind,
                              const char *wanted)
{
    json_array_begin(&writer->json, "anyOf");
    for (const struct kind_version *version = kind->versions; version->api_version; version++)
        write_reference(
            writer, NULL,
            definition_name(writer, version->schema,
                            version == kind->versions
                                ? wanted
                                : arena_printf(writer->arena, "%s-%s", wanted,
                                               strrchr(version->api_version, '/') + 1)));
    write_null(&writer->json);
    json_array_end(&writer->json);
}

static void write_hook(struct schema_writer *writer, const struct field_hook *hook,
                       const char *wanted)
{
    struct json_out *json = &writer->json;
    if (hook->library) {
        write_library(writer, hook->library, wanted);
    } else if (hook->schema) {
        write_table(writer, hook->schema, wanted);
    } else if (hook->kind) {
        write_kind_inside(writer, hook->kind, wanted);
    } else if (hook->shape) {
        json_array_begin(json, "anyOf");
        json_raw(json, NULL, hook->shape);
        write_null(json);
        json_array_end(json);
    }
}

static void write_field(struct schema_writer *writer, const struct field *field, const char *name)
{
    struct json_out *json = &writer->json;
    json_object_begin(json, field->name);
    switch (field->type) {
    case FIELD_TYPE_STRING:
        write_type(json, "string");
        if (field->flags & FIELD_REQUIRED)
            json_unsigned(json, "minLength", 1);
        break;
    case FIELD_TYPE_INSTANT: write_type(json, "string"); break;
    case FIELD_TYPE_BOOLEAN:
    case FIELD_TYPE_TRISTATE: write_type(json, "boolean"); break;
    case FIELD_TYPE_INT32:
    case FIELD_TYPE_INT64:
    case FIELD_TYPE_OPTIONAL_INT: write_integer(json, field); break;
    case FIELD_TYPE_DOUBLE: write_type(json, "number"); break;
    case FIELD_TYPE_QUANTITY:
    case FIELD_TYPE_QUANTITY_POINTER:
        json_raw(json, "anyOf", "[" SHAPE_QUANTITY ",{\"type\":\"null\"}]");
        break;
    case FIELD_TYPE_RESOURCES:
        write_type(json, "object");
        json_raw(json, "additionalProperties",
                 "{\"anyOf\":[" SHAPE_QUANTITY ",{\"type\":\"null\"}]}");
        break;
    case FIELD_TYPE_LABELS:
        write_type(json, "object");
        write_items(json, "additionalProperties", "string");
        break;
    case FIELD_TYPE_STRINGS:
        write_type(json, "array");
        write_items(json, "items", "string");
        if (field->flags & FIELD_REQUIRED)
            json_unsigned(json, "minItems", 1);
        break;
    case FIELD_TYPE_ENUM: write_enum(json, field); break;
    case FIELD_TYPE_DURATION:
        write_type(json, "string");
        json_string(
            json, "pattern",
            "^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|\xc2\xb5s|\xce\xbcs|ms|s|m|h))+)$");
        break;
    case FIELD_TYPE_INT_OR_PERCENT:
        json_raw(json, "anyOf",
                 "[{\"type\":\"integer\",\"minimum\":0,\"maximum\":2147483647},{\"type\":"
                 "\"string\",\"pattern\":\"^[0-9]{1,9}%$\"},{\"type\":\"null\"}]");
        break;
    case FIELD_TYPE_STRUCT:
    case FIELD_TYPE_POINTER: write_table(writer, field->schema, name); break;
    case FIELD_TYPE_LIST: write_list(writer, field, name); break;
    case FIELD_TYPE_HOOK: write_hook(writer, field->hook, name); break;
    case FIELD_TYPE_NOT_MODELLED: json_string(json, "description", field->why); break;
    case FIELD_TYPE_REFUSED:
        json_string(json, "description", field->why);
        json_raw(json, "not", "{}");
        break;
    }
    json_object_end(json);
}

static void write_properties(struct schema_writer *writer, const struct schema *schema,
                             const char *name)
{
    for (uint32_t i = 0; i < schema->field_count; i++)
        write_field(writer, &schema->fields[i],
                    arena_printf(writer->arena, "%s.%s", name, schema->fields[i].name));
    for (const char *const *unused = schema->unused; unused && *unused; unused++) {
        bool known = false;
        for (uint32_t i = 0; i < schema->field_count && !known; i++)
            known = strcmp(schema->fields[i].name, *unused) == 0;
        if (!known)
            json_raw(&writer->json, *unused, "{}");
    }
}

static void write_definition(struct schema_writer *writer, struct definition definition)
{
    struct json_out *json = &writer->json;
    const struct schema *schema = definition.schema;
    json_object_begin(json, definition.name);
    json_string(json, "type", "object");
    json_array_begin(json, "required");
    for (uint32_t i = 0; i < schema->field_count; i++)
        if (schema->fields[i].flags & FIELD_REQUIRED)
            json_string(json, NULL, schema->fields[i].name);
    json_array_end(json);
    json_object_begin(json, "properties");
    write_properties(writer, schema, definition.name);
    json_object_end(json);
    if (schema->strict)
        json_boolean(json, "additionalProperties", false);
    json_object_end(json);
}

/* Definitions that others need are found while these are written. */
static void write_definitions(struct schema_writer *writer, const struct json_schema_text *more)
{
    json_object_begin(&writer->json, "definitions");
    json_raw(&writer->json, "quantity",
             "{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"string\",\"pattern\":\"^[-+]?([0-9]+("
             "\\\\.[0-9]*)?|\\\\.[0-9]+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][-+]?[0-9]+)?$\"}]}");
    for (uint32_t i = 0; i < writer->definitions.count; i++)
        write_definition(writer, writer->definitions.items[i]);
    for (; more && more->kind; more++)
        json_raw(&writer->json, more->kind, more->schema);
    json_object_end(&writer->json);
}

/* ---- documents ---- */

/* An object of a cluster has a name, or what one is made from. */
static void write_document(struct schema_writer *writer, const char *kind,
                           const struct kind_type *type, const struct kind_version *version)
{
    struct json_out *json = &writer->json;
    const char *name = version == type->versions
                           ? kind
                           : arena_printf(writer->arena, "%s-%s", kind,
                                          strrchr(version->api_version, '/')
                                              ? strrchr(version->api_version, '/') + 1
                                              : version->api_version);
    json_array_begin(json, "allOf");
    write_reference(writer, NULL, definition_name(writer, version->schema, name));
    if (!type->nameless)
        json_raw(json, NULL,
                 "{\"required\":[\"metadata\"],\"properties\":{\"metadata\":{\"type\":\"object\","
                 "\"anyOf\":[{\"required\":[\"name\"]},{\"required\":[\"generateName\"]}]}}}");
    json_array_end(json);
}

static void write_choice(struct schema_writer *writer, enum object_kind kind)
{
    struct json_out *json = &writer->json;
    const struct kind_type *type = kind_type_find(kind);
    for (const struct kind_version *version = type->versions; version->api_version; version++) {
        json_object_begin(json, NULL);
        json_raw(json, "if",
                 arena_printf(writer->arena,
                              "{\"properties\":{\"kind\":{\"const\":\"%s\"},\"apiVersion\":{"
                              "\"const\":\"%s\"}},\"required\":[\"kind\",\"apiVersion\"]}",
                              object_kind_name(kind), version->api_version));
        json_object_begin(json, "then");
        write_document(writer, object_kind_name(kind), type, version);
        json_object_end(json);
        json_object_end(json);
    }
}

/* Kinds of our own have no other versions. */
static void write_own_version(struct schema_writer *writer, const char *kind)
{
    json_raw(&writer->json, NULL,
             arena_printf(writer->arena,
                          "{\"if\":{\"properties\":{\"kind\":{\"const\":\"%s\"}},\"required\":["
                          "\"kind\"]},\"then\":{\"properties\":{\"apiVersion\":{\"const\":"
                          "\"fathom/v1\"}}}}",
                          kind));
}

static void write_choices(struct schema_writer *writer, const struct json_schema_text *more)
{
    for (int kind = 0; kind < OBJECT_KIND_COUNT; kind++) {
        if (!kind_type_find((enum object_kind)kind))
            continue;
        write_choice(writer, (enum object_kind)kind);
        if (kind == OBJECT_CHECK || kind == OBJECT_SERVICE_OBJECTIVE)
            write_own_version(writer, object_kind_name((enum object_kind)kind));
    }
    for (; more && more->kind; more++) {
        write_own_version(writer, more->kind);
        json_raw(&writer->json, NULL,
                 arena_printf(writer->arena,
                              "{\"if\":{\"properties\":{\"kind\":{\"const\":\"%s\"}},\"required\":["
                              "\"kind\"]},\"then\":{\"$ref\":\"#/definitions/%s\"}}",
                              more->kind, more->kind));
    }
}

static void begin(struct schema_writer *writer, struct arena *arena, const char *title,
                  struct text *text)
{
    *writer = (struct schema_writer){.arena = arena};
    json_out_init(&writer->json, text, 1);
    json_object_begin(&writer->json, NULL);
    json_string(&writer->json, "$schema", draft);
    json_string(&writer->json, "title", title);
    json_string(&writer->json, "type", "object");
    json_raw(&writer->json, "required", "[\"apiVersion\",\"kind\"]");
}

static void end(struct schema_writer *writer, const struct json_schema_text *more,
                struct text *text)
{
    json_array_end(&writer->json);
    write_definitions(writer, more);
    json_object_end(&writer->json);
    text_append_char(text, '\n');
}

void json_schema_write_all(struct arena *arena, const struct json_schema_text *more,
                           struct text *text)
{
    struct schema_writer writer;
    begin(&writer, arena, "What Fathom reads", text);
    json_raw(&writer.json, "properties",
             "{\"kind\":{\"type\":\"string\"},\"apiVersion\":{\"type\":\"string\"}}");
    json_array_begin(&writer.json, "allOf");
    write_choices(&writer, more);
    end(&writer, more, text);
}

void json_schema_write(struct arena *arena, enum object_kind kind, struct text *text)
{
    struct schema_writer writer;
    begin(&writer, arena, object_kind_name(kind), text);
    json_object_begin(&writer.json, "properties");
    json_object_begin(&writer.json, "kind");
    json_string(&writer.json, "const", object_kind_name(kind));
    json_object_end(&writer.json);
    json_object_begin(&writer.json, "apiVersion");
    json_array_begin(&writer.json, "enum");
    for (const struct kind_version *version = kind_type_find(kind)->versions; version->api_version;
         version++)
        json_string(&writer.json, NULL, version->api_version);
    json_array_end(&writer.json);
    json_object_end(&writer.json);
    json_object_end(&writer.json);
    json_array_begin(&writer.json, "allOf");
    write_choice(&writer, kind);
    end(&writer, NULL, text);
}
