/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/as_check_parts.h"

#include <stdio.h>
#include <string.h>

void convert_add(struct converter *converter, sentences *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct text text;
    text_init(&text, converter->arena->memory);
    text_vprintf(&text, format, arguments);
    va_end(arguments);
    VEC_PUSH(converter->arena, list, text_keep(&text, converter->arena));
    text_release(&text);
}

bool is_workload(const struct version *version)
{
    static const char *const kinds[] = {"Deployment",  "ReplicaSet", "ReplicationController",
                                        "StatefulSet", "DaemonSet",  "Job"};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (strcmp(version->thing->kind, kinds[i]) == 0)
            return value_is_null(value_find(version->line, "owner"));
    return false;
}

struct version *converter_first(const struct converter *converter, const struct thing *thing)
{
    struct version *then = thing_at(thing, converter->beginning);
    if (then || thing->versions.count == 0)
        return then;
    return thing->versions.items[0].gone ? NULL : &thing->versions.items[0];
}

const struct deed *converter_deed(const struct converter *converter, int64_t rv)
{
    const struct recording *recording = converter->recording;
    for (uint32_t i = 0; i < recording->deeds.count; i++)
        if (recording->deeds.items[i].rv == rv && !recording->deeds.items[i].code &&
            !recording->deeds.items[i].noop)
            return &recording->deeds.items[i];
    return NULL;
}

int64_t converter_commit(const struct converter *converter, const struct deed *deed)
{
    while (deed > converter->recording->deeds.items && deed->rv < 0)
        deed--;
    return deed->rv;
}

bool written_by(const struct deed *deed, const char *actor)
{
    return deed && strcmp(deed->actor, actor) == 0;
}

const struct thing *converter_owner(const struct converter *converter,
                                    const struct version *version)
{
    const struct value *owner = value_find(version->line, "owner");
    const char *kind = line_item(owner, 0);
    const char *name = line_item(owner, 1);
    const struct thing *thing =
        kind && name ? recording_find(converter->recording, kind, version->thing->namespace, name)
                     : NULL;
    if (!thing || thing->versions.count == 0)
        return NULL;
    const struct thing *above = converter_owner(converter, &thing->versions.items[0]);
    return above ? above : thing;
}

const char *converter_name(const struct converter *converter, const struct thing *thing)
{
    return arena_printf(converter->arena, "%s/%s/%s", thing->kind,
                        thing->namespace ? thing->namespace : "default", thing->name);
}

double converter_end(const struct converter *converter)
{
    const struct recording *recording = converter->recording;
    const uint32_t count = recording->deeds.count;
    const double written = count ? recording->deeds.items[count - 1].time : 0;
    const double seen =
        recording->order.count ? recording->order.items[recording->order.count - 1]->time : 0;
    return written > seen ? written : seen;
}
