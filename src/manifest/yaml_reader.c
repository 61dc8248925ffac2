/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libyaml's events into the tree builder.
 *
 * Tags: `!!str`, `!!int`, `!!float`, `!!bool`, `!!null` and `!!timestamp` mean
 * what go-yaml takes them for; unknown tags are ignored, as there. Departure:
 * `!!binary` is refused (kubectl would decode the base64 text), because its
 * bytes need not be text.
 */
#include "manifest/text_reader.h"
#include "manifest/tree_problems.h"
#include "manifest/yaml_message.h"

#include <string.h>
#include <yaml.h>

static uint32_t line_of(const yaml_event_t *event)
{
    return (uint32_t)event->start_mark.line + 1;
}

static uint32_t column_of(const yaml_event_t *event)
{
    return (uint32_t)event->start_mark.column + 1;
}

static bool refuse_tag(struct tree_builder *builder, const struct tree_scalar *scalar,
                       const char *wanted)
{
    tree_builder_refuse(builder, scalar->line, scalar->column,
                        "the tag says %s, which the value is not", wanted);
    return false;
}

/* A scalar with one of YAML's own tags (the part after "tag:yaml.org,2002:"). */
static bool resolve_tagged(struct tree_builder *builder, const char *tag,
                           struct tree_scalar *scalar)
{
    const enum scalar_kind found = scalar_resolve(scalar->text, scalar->length);
    scalar->kind = found;
    if (strcmp(tag, "int") == 0)
        return found == SCALAR_INTEGER || refuse_tag(builder, scalar, "!!int");
    if (strcmp(tag, "bool") == 0)
        return found == SCALAR_TRUE || found == SCALAR_FALSE ||
               refuse_tag(builder, scalar, "!!bool");
    if (strcmp(tag, "null") == 0)
        return found == SCALAR_NULL || refuse_tag(builder, scalar, "!!null");
    if (strcmp(tag, "float") == 0)
        return found == SCALAR_INTEGER || found == SCALAR_FLOAT || found == SCALAR_NOT_FINITE ||
               refuse_tag(builder, scalar, "!!float");
    if (strcmp(tag, "binary") == 0) {
        tree_builder_refuse(builder, scalar->line, scalar->column,
                            "the tag !!binary is not supported");
        return false;
    }
    scalar->kind = SCALAR_STRING;
    return true;
}

static bool read_scalar(struct tree_builder *builder, const yaml_event_t *event)
{
    static const char own[] = "tag:yaml.org,2002:";
    const char *tag = (const char *)event->data.scalar.tag;
    struct tree_scalar scalar = {
        .kind = SCALAR_STRING,
        .text = (const char *)event->data.scalar.value,
        .length = event->data.scalar.length,
        .line = line_of(event),
        .column = column_of(event),
    };
    if (tag && strncmp(tag, own, strlen(own)) == 0) {
        if (!resolve_tagged(builder, tag + strlen(own), &scalar))
            return false;
    } else if (!tag && event->data.scalar.plain_implicit) {
        scalar.kind = scalar_resolve(scalar.text, scalar.length);
        scalar.is_merge = scalar.length == 2 && memcmp(scalar.text, "<<", 2) == 0;
    }
    return tree_builder_scalar(builder, &scalar);
}

static void add_root(struct tree_builder *builder, struct roots *roots)
{
    if (builder->root.kind != VALUE_NULL)
        VEC_PUSH(builder->arena, roots, builder->root);
}

static void read_anchor(struct tree_builder *builder, const yaml_char_t *anchor)
{
    if (anchor)
        tree_builder_anchor(builder, (const char *)anchor);
}

/* False if the text cannot be read on. */
static bool read_event(struct tree_builder *builder, const yaml_event_t *event, struct roots *roots)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT: tree_builder_start_document(builder); return true;
    case YAML_DOCUMENT_END_EVENT: add_root(builder, roots); return true;
    case YAML_SCALAR_EVENT:
        read_anchor(builder, event->data.scalar.anchor);
        return read_scalar(builder, event);
    case YAML_SEQUENCE_START_EVENT:
        read_anchor(builder, event->data.sequence_start.anchor);
        return tree_builder_begin(builder, VALUE_SEQUENCE, line_of(event), column_of(event));
    case YAML_MAPPING_START_EVENT:
        read_anchor(builder, event->data.mapping_start.anchor);
        return tree_builder_begin(builder, VALUE_MAPPING, line_of(event), column_of(event));
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return tree_builder_end(builder);
    case YAML_ALIAS_EVENT:
        return tree_builder_alias(builder, (const char *)event->data.alias.anchor, line_of(event),
                                  column_of(event));
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT: break;
    }
    return true;
}

bool yaml_read(struct tree_builder *builder, const char *bytes, size_t count, struct roots *roots)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        bug("libyaml has no memory");
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, count);
    bool more = true;
    while (more) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            yaml_report(builder, &parser, bytes, count);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT && read_event(builder, &event, roots);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return !builder->failed;
}
