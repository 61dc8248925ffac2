/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/glimpse.h"

#include "object/admission.h"
#include "recording/follow_internal.h"

#include <string.h>

int64_t outlook_rv(const struct outlook *outlook, const char *kind)
{
    for (uint32_t i = 0; i < outlook->count; i++)
        if (strcmp(outlook->behind[i].kind, kind) == 0)
            return outlook->behind[i].rv;
    return outlook->rv;
}

static struct version *foreseen(const struct foresight *foresight, const struct thing *thing)
{
    for (uint32_t i = 0; foresight && i < foresight->count; i++)
        if (foresight->items[i]->thing == thing)
            return foresight->items[i];
    return NULL;
}

/* Deciders that need the time take the latest instant among the objects. */
static void add_clock(struct follower *follower, struct objects *objects, double now)
{
    struct arena *arena = &follower->scratch;
    struct object_meta *meta = ARENA_NEW(arena, struct object_meta);
    *meta = (struct object_meta){.name = "now",
                                 .namespace = "",
                                 .creation_time = recording_instant(follower->recording, now),
                                 .deletion_time = TIME_NONE};
    const struct object clock = {.kind = OBJECT_OTHER, .kind_name = "Clock", .meta = meta};
    objects_put(arena, objects, &clock);
}

bool glimpse_at(struct follower *follower, const struct outlook *outlook, double now,
                const struct foresight *foresight, struct glimpse *glimpse)
{
    const struct recording *recording = follower->recording;
    *glimpse = (struct glimpse){.follower = follower, .outlook = *outlook, .now = now};
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        struct version *version = foreseen(foresight, thing);
        if (!version)
            version = thing_at(thing, outlook_rv(outlook, thing->kind));
        if (!version)
            continue;
        const struct object *object = restore_object(&follower->restorer, version);
        if (object)
            objects_put(&follower->scratch, &glimpse->objects, object);
        else if (follower->problems->errors > 0)
            return false;
    }
    for (uint32_t i = 0; i < follower->unchanging.count; i++)
        objects_put(&follower->scratch, &glimpse->objects, &follower->unchanging.items[i]);
    objects_add_namespaces(&follower->scratch, &glimpse->objects);
    add_clock(follower, &glimpse->objects, now);
    return true;
}

bool is_of_namespace(const struct follower *follower, const struct object_meta *meta)
{
    return !meta->namespace || !*meta->namespace || !follower->namespace ||
           strcmp(meta->namespace, follower->namespace) == 0;
}

const struct object *glimpse_find(const struct glimpse *glimpse, enum object_kind kind,
                                  const char *name)
{
    for (uint32_t i = 0; i < glimpse->objects.count; i++)
        if (glimpse->objects.items[i].kind == kind &&
            strcmp(glimpse->objects.items[i].meta->name, name) == 0 &&
            is_of_namespace(glimpse->follower, glimpse->objects.items[i].meta))
            return &glimpse->objects.items[i];
    return NULL;
}
