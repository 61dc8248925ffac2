/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/import/notes.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

void note_collection_init(struct note_collection *collection, struct arena *arena)
{
    *collection = (struct note_collection){.arena = arena};
    map_init(&collection->names, arena);
    map_init(&collection->by_name, arena);
}

const char *notes_intern(struct note_collection *collection, const char *text)
{
    return text ? map_intern(&collection->names, text, strlen(text)) : NULL;
}

uint32_t notes_thing(struct note_collection *collection, const char *kind, const char *namespace,
                     const char *name)
{
    const struct arena_mark mark = arena_mark(collection->arena);
    char *key = arena_printf(collection->arena, "%s/%s/%s", kind, namespace ? namespace : "", name);
    const uintptr_t found = (uintptr_t)map_get(&collection->by_name, key);
    if (found) {
        arena_rewind(collection->arena, mark);
        return (uint32_t)(found - 1);
    }
    const struct known_thing thing = {
        .kind = notes_intern(collection, kind),
        .namespace = notes_intern(collection, namespace ? namespace : ""),
        .name = strrchr(key, '/') + 1,
    };
    VEC_PUSH(collection->arena, &collection->things, thing);
    map_put(&collection->by_name, key)->value = (void *)(uintptr_t)collection->things.count;
    return collection->things.count - 1;
}

/* A UUID of the texts' hash, with the bits of version 4, since readers of traces
 * look at those. */
struct fathom_trace_id notes_id(const char *domain, const char *first, const char *second)
{
    struct fathom_trace_id id;
    uint64_t seed = hash_bytes(domain, strlen(domain));
    for (int half = 0; half < 2; half++) {
        seed = hash_bytes_seeded(first, strlen(first), seed);
        seed = hash_bytes_seeded(second, strlen(second), seed + 1);
        for (int i = 0; i < 8; i++)
            id.bytes[half * 8 + i] = (uint8_t)(seed >> (8 * i));
    }
    id.bytes[6] = (uint8_t)((id.bytes[6] & 0x0f) | 0x40);
    id.bytes[8] = (uint8_t)((id.bytes[8] & 0x3f) | 0x80);
    return id;
}

struct thing_list notes_one_thing(struct note_collection *collection, uint32_t thing)
{
    return (struct thing_list){arena_copy(collection->arena, &thing, sizeof(thing)), 1};
}

/* Owners live in the same namespace, or in none: nodes own what stands for them. */
static struct thing_list owners_of(struct note_collection *collection, const struct value *metadata,
                                   const char *namespace)
{
    const struct value *references = value_find(metadata, "ownerReferences");
    if (!references || references->kind != VALUE_SEQUENCE || references->count == 0)
        return (struct thing_list){0};
    uint32_t *items = ARENA_ARRAY(collection->arena, uint32_t, references->count);
    uint32_t count = 0;
    VALUE_EACH_ITEM(references, reference)
    {
        const char *kind = value_find_string(reference, "kind");
        const char *name = value_find_string(reference, "name");
        if (!kind || !name)
            continue;
        const bool of_cluster = strcmp(kind, "Node") == 0 || strcmp(kind, "Namespace") == 0;
        items[count++] = notes_thing(collection, kind, of_cluster ? "" : namespace, name);
    }
    return (struct thing_list){items, count};
}

/* "key=value" lines, interned: templates make many objects with the same labels. */
static const char *take_labels(struct note_collection *collection, const struct value *labels)
{
    struct text text;
    if (!labels || labels->kind != VALUE_MAPPING || labels->count == 0)
        return NULL;
    text_init(&text, collection->arena->memory);
    VALUE_EACH_MEMBER(labels, member)
    if (member->value.kind == VALUE_STRING)
        text_printf(&text, "%s=%s\n", member->key, member->value.text);
    const char *interned = map_intern(&collection->names, text_content(&text), text.length);
    text_release(&text);
    return interned;
}

static void take_context(struct note_collection *collection, struct note *note,
                         const struct value *annotations)
{
    static const char *const keys[] = {FATHOM_TRACE_ANNOTATION_ID,
                                       FATHOM_TRACE_ANNOTATION_ANCESTORS,
                                       FATHOM_TRACE_ANNOTATION_TRACEPARENT};
    struct fathom_trace_annotation given[3];
    struct fathom_trace_context context;
    size_t count = 0;
    for (size_t i = 0; i < 3; i++) {
        const char *value = value_find_string(annotations, keys[i]);
        if (value)
            given[count++] = (struct fathom_trace_annotation){keys[i], value};
    }
    if (count == 0 || !fathom_trace_extract(given, count, &context))
        return;
    /* No room for ancestors that are not there. */
    const size_t bytes = offsetof(struct fathom_trace_context, ancestors) +
                         context.ancestor_count * sizeof(*context.ancestors);
    note->context = arena_copy(collection->arena, &context, bytes);
}

/* What an object names besides its owners: the node it runs on, what it scales,
 * the Service that it belongs to. */
static void take_names(struct note_collection *collection, struct note *note,
                       const struct value *object)
{
    const struct known_thing *thing = &collection->things.items[note->thing];
    const struct value *spec = value_find(object, "spec");
    const struct value *target = value_find(spec, "scaleTargetRef");
    const char *node = value_find_string(spec, "nodeName");
    const char *kind = value_find_string(target, "kind");
    const char *name = value_find_string(target, "name");
    const char *service = NULL;
    if (strcmp(thing->kind, "Endpoints") == 0)
        service = thing->name;
    else if (strcmp(thing->kind, "EndpointSlice") == 0)
        service = value_find_string(value_find(value_find(object, "metadata"), "labels"),
                                    "kubernetes.io/service-name");
    if (node)
        note->named = notes_one_thing(collection, notes_thing(collection, "Node", "", node));
    else if (kind && name)
        note->named =
            notes_one_thing(collection, notes_thing(collection, kind, thing->namespace, name));
    else if (service)
        note->named = notes_one_thing(
            collection, notes_thing(collection, "Service", thing->namespace, service));
}

static int64_t take_integer(const struct value *mapping, const char *key)
{
    int64_t number = NOTE_NONE;
    value_read_integer(value_find(mapping, key), &number);
    return number;
}

void notes_take_object(struct note_collection *collection, struct note *note,
                       const struct value *object)
{
    const struct value *metadata = value_find(object, "metadata");
    const struct value *spec = value_find(object, "spec");
    const struct value *selector = value_find(spec, "selector");
    const char *version = value_find_string(metadata, "resourceVersion");
    const char *uid = value_find_string(metadata, "uid");
    const char *labels = take_labels(collection, value_find(metadata, "labels"));
    struct known_thing *thing = &collection->things.items[note->thing];
    note->whole = true;
    if (version)
        note->version = strtoll(version, NULL, 10);
    if (uid)
        thing->uid = notes_intern(collection, uid);
    if (labels)
        thing->labels = labels;
    if (selector)
        thing->selector = take_labels(collection, value_find(selector, "matchLabels")
                                                      ? value_find(selector, "matchLabels")
                                                      : selector);
    note->generation = take_integer(metadata, "generation");
    note->observed = take_integer(value_find(object, "status"), "observedGeneration");
    note->bound = value_find_string(spec, "nodeName") != NULL;
    note->terminating = value_find_string(metadata, "deletionTimestamp") != NULL;
    take_context(collection, note, value_find(metadata, "annotations"));
    note->owners = owners_of(collection, metadata, thing->namespace);
    take_names(collection, note, object);
}
