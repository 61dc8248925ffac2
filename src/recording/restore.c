/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/restore_parts.h"

#include <string.h>

void restorer_init(struct restorer *restorer, struct recording *recording,
                   struct manifest_reader *reader, struct problems *problems)
{
    *restorer = (struct restorer){recording, reader, problems, {0}};
    text_init(&restorer->text, recording->arena->memory);
}

void restorer_release(struct restorer *restorer)
{
    text_release(&restorer->text);
}

/* Is the kind restored? No decision depends on Events, and revisions are named elsewhere. */
static bool looked_at(const char *kind)
{
    return strcmp(kind, "ControllerRevision") != 0 && strcmp(kind, "Event") != 0;
}

static bool write_object(struct restorer *restorer, struct json_out *json,
                         const struct version *version)
{
    const char *kind = version->thing->kind;
    if (strcmp(kind, "Pod") == 0)
        return restore_pod(restorer, json, version);
    if (strcmp(kind, "Node") == 0)
        return restore_node(restorer, json, version);
    if (strcmp(kind, "ReplicaSet") == 0)
        return restore_replica_set(restorer, json, version);
    return restore_from_manifest(restorer, json, version);
}

static bool decode(struct restorer *restorer, struct version *version, const struct value *root)
{
    struct arena *arena = restorer->recording->arena;
    struct document *document = ARENA_NEW(arena, struct document);
    struct objects single = {0};
    document->root = *root;
    if (!objects_add(arena, &single, document, NULL, restorer->problems) || single.count == 0)
        return false;
    version->object = single.items[0];
    return true;
}

const struct value *restore_value(struct restorer *restorer, const struct version *version)
{
    const struct value *whole = value_find(version->line, "object");
    struct json_out json;
    if (!looked_at(version->thing->kind))
        return NULL;
    if (!value_is_null(whole))
        return whole;
    text_reset(&restorer->text);
    json_out_init(&json, &restorer->text, 0);
    json_object_begin(&json, NULL);
    if (!write_object(restorer, &json, version))
        return NULL;
    json_object_end(&json);
    const struct document *document = manifest_reader_parse_json(
        restorer->reader, restorer->recording->arena, value_place(version->line),
        text_content(&restorer->text), restorer->text.length, restorer->problems);
    return document ? &document->root : NULL;
}

const struct object *restore_object(struct restorer *restorer, struct version *version)
{
    if (!version->restored) {
        const struct value *root = restore_value(restorer, version);
        version->restored = true;
        version->broken = !root || !decode(restorer, version, root);
    }
    return version->broken ? NULL : &version->object;
}
