/* SPDX-License-Identifier: Apache-2.0 */
/* The `scale` sub-resource of StatefulSets: their replicas, as an object of its own. */
#include "apiserver/handle_scale.h"

#include <string.h>

bool scale_is_served(const struct resource_type *type)
{
    return strcmp(type->kind, "StatefulSet") == 0 && !type->rules->custom;
}

/* "app=web,tier=a" */
static const struct datum *selector_text(struct arena *arena, const struct datum *object)
{
    const struct datum *labels = datum_at(object, "spec.selector.matchLabels");
    const char *text = "";
    for (uint32_t i = 0; labels && labels->kind == DATUM_OBJECT && i < labels->count; i++)
        text = arena_printf(arena, "%s%s%s=%s", text, *text ? "," : "", labels->members[i].key,
                            datum_text(labels->members[i].value, ""));
    return *text ? datum_string(arena, text) : NULL;
}

const struct datum *scale_of(struct arena *arena, const struct datum *object)
{
    static const char *const kept[] = {"metadata.name", "metadata.namespace", "metadata.uid",
                                       "metadata.resourceVersion", "metadata.creationTimestamp"};
    const struct datum *scale =
        datum_with(arena, NULL, "apiVersion", datum_string(arena, "autoscaling/v1"));
    scale = datum_with(arena, scale, "kind", datum_string(arena, "Scale"));
    for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
        scale = datum_with(arena, scale, kept[i], datum_at(object, kept[i]));
    /* What is not said is one. */
    scale = datum_with(arena, scale, "spec.replicas",
                       datum_integer(arena, datum_number(datum_at(object, "spec.replicas"), 1)));
    scale = datum_with(arena, scale, "status.replicas",
                       datum_integer(arena, datum_number(datum_at(object, "status.replicas"), 0)));
    return datum_with(arena, scale, "status.selector", selector_text(arena, object));
}

/* The stored object with the replicas, and on the condition, of the scale. */
static const struct datum *scaled(struct arena *arena, const struct datum *stored,
                                  const struct datum *scale)
{
    const struct datum *replicas = datum_at(scale, "spec.replicas");
    stored =
        datum_with(arena, stored, "spec.replicas", replicas ? replicas : datum_integer(arena, 0));
    return datum_with(arena, stored, "metadata.resourceVersion",
                      datum_at(scale, "metadata.resourceVersion"));
}

/* Called with the lock held. */
struct change_result scale_update(const struct call *call, const struct change *change,
                                  const struct datum *scale)
{
    const struct datum *stored = change_stored(change);
    const char *kind = datum_text(datum_member(scale, "kind"), "Scale");
    const char *name = datum_text(datum_at(scale, "metadata.name"), "");
    if (!stored)
        return (struct change_result){
            .refused = true,
            .status = status_of_error(call->arena, call->type, change->name, API_NOT_FOUND, "")};
    if (strcmp(kind, "Scale") != 0 || strcmp(name, change->name) != 0)
        return (struct change_result){
            .refused = true,
            .status = status_bad_request("the object provided is not the Scale of this name")};
    return change_update(change, API_UPDATE, scaled(call->arena, stored, scale));
}

bool call_is_scale(const struct call *call)
{
    return strcmp(call->target.sub_resource, "scale") == 0;
}

void call_respond_scale(const struct call *call, const struct datum *object)
{
    call->response->status = 200;
    call->response->content_type = "application/json";
    datum_write(&call->response->body, DATUM_REAL, scale_of(call->arena, object));
    text_append_char(&call->response->body, '\n');
}
