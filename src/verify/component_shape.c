/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text is all objects of the component as JSON, the sizes of its workloads and the events that
 * are about it. The names of its workloads are replaced where they are names: in metadata, labels,
 * selectors and images. Who puts another name in their place gets the other component, so both have
 * the same runs. That is so only if the name means nothing by itself, and nothing outside of the
 * component knows it. So a component has no shape if one of its names is found anywhere else, in a
 * node, or in an object that all components have.
 */
#include "verify/component_shape.h"
#include "verify/shape_text.h"

#include "base/text.h"
#include "base/vec.h"
#include "decide/controller/deployment/template_signature.h"
#include "manifest/document.h"
#include "object/object.h"

#include <inttypes.h>
#include <string.h>

/* Templates that are equal for who applies them have one number. */
struct templates {
    VEC(const char *) signatures;
};

static uint32_t template_number(struct arena *arena, struct templates *templates,
                                const struct object *object)
{
    const char *signature = template_signature(arena, workload_template_source(object));
    for (uint32_t i = 0; i < templates->signatures.count; i++)
        if (strcmp(templates->signatures.items[i], signature) == 0)
            return i;
    VEC_PUSH(arena, &templates->signatures, signature);
    return templates->signatures.count - 1;
}

/* What a manifest leaves out is not the same as what it writes, to who applies it. Of templates it
 * only matters whether they are equal. */
static void write_source(struct arena *arena, struct text *text, const struct object *object,
                         struct templates *templates)
{
    const struct value *spec = value_find(&object->source->root, "spec");
    struct json_out json;
    if (!spec || spec->kind != VALUE_MAPPING)
        return;
    text_printf(text, "\n%u", template_number(arena, templates, object));
    VALUE_EACH_MEMBER(spec, member)
    {
        if (strcmp(member->key, "template") == 0)
            continue;
        text_append_char(text, '\n');
        json_out_init(&json, text, 0);
        json_object_begin(&json, NULL);
        value_write_json(&json, member->key, &member->value);
        json_object_end(&json);
    }
}

static void write_object(struct arena *arena, struct text *text, const struct object *object,
                         struct templates *templates)
{
    struct json_out json;
    json_out_init(&json, text, 0);
    object_encode(arena, &json, NULL, object);
    if (object->source && workload_template(object))
        write_source(arena, text, object, templates);
    text_append_char(text, '\n');
}

/* The nodes, and the objects that every component has. */
static void write_common(struct arena *arena, struct text *text, const struct scope *scope,
                         const struct scope_part *part)
{
    struct templates templates = {0};
    for (uint32_t g = 0; g < scope->group_count; g++) {
        const struct node *node = scope->groups[g].node;
        write_object(arena, text,
                     &(struct object){.kind = OBJECT_NODE,
                                      .api_version = "v1",
                                      .kind_name = "Node",
                                      .meta = (struct object_meta *)&node->meta,
                                      .as.node = (struct node *)node},
                     &templates);
    }
    for (uint32_t i = 0; i < part->scope.objects->count; i++) {
        const struct object *object = &part->scope.objects->items[i];
        if (object->kind != OBJECT_OTHER && object->kind != OBJECT_CHECK &&
            object->kind != OBJECT_NODE && !scope_part_owns(part, object))
            write_object(arena, text, object, &templates);
    }
}

static void write_own(struct arena *arena, struct text *text, const struct scope_part *part,
                      const struct setup *setup)
{
    struct templates templates = {0};
    for (uint32_t i = 0; i < part->scope.objects->count; i++) {
        const struct object *object = &part->scope.objects->items[i];
        if (object->kind != OBJECT_OTHER && object->kind != OBJECT_CHECK &&
            object->kind != OBJECT_NODE && scope_part_owns(part, object))
            write_object(arena, text, object, &templates);
    }
    for (uint32_t w = 0; w < part->scope.workload_count; w++)
        text_printf(text, "%d %d %d %d %" PRId64 "\n", setup->replicas[w], setup->autoscaler_min[w],
                    setup->autoscaler_max[w], part->scope.workloads[w].comes_later,
                    part->scope.workloads[w].load_milli);
    for (uint32_t e = 0; e < part->check.event_count; e++) {
        const struct objects *applied = &part->scope.applied[e];
        text_printf(text, "event %u\n", part->events[e]);
        for (uint32_t i = 0; i < applied->count; i++)
            write_object(arena, text, &applied->items[i], &templates);
    }
}

const char *component_shape(struct arena *arena, const struct scope *scope,
                            const struct scope_part *part, const struct setup *setup,
                            enum shape_detail detail)
{
    struct text common;
    struct text own;
    const char *shape = NULL;
    /* Where pods are is not in the text. */
    if (scope->pod_count > 0)
        return NULL;
    text_init(&common, arena->memory);
    text_init(&own, arena->memory);
    write_common(arena, &common, scope, part);
    write_own(arena, &own, part, setup);
    if (!shape_names_are_in_the_way(text_content(&common), part))
        shape = shape_text(arena, text_content(&own), part, detail);
    text_release(&common);
    text_release(&own);
    return shape;
}
