/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/import/notes.h"

#include "base/hash.h"
#include "base/lines.h"
#include "manifest/limits.h"
#include "manifest/manifest.h"
#include "recording/audit_event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
struct thing_list notes_owners(struct note_collection *collection, const struct value *metadata,
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
    note->owners = notes_owners(collection, metadata, thing->namespace);
    take_names(collection, note, object);
}

/* ---- files ---- */

static bool add_document(struct note_collection *collection, const struct value *document,
                         struct problems *problems)
{
    const char *kind = value_find_string(document, "kind");
    const char *version = value_find_string(document, "apiVersion");
    const struct value *items = value_find(document, "items");
    if (kind && items && items->kind == VALUE_SEQUENCE) {
        bool good = true;
        VALUE_EACH_ITEM(items, item)
        good = add_document(collection, item, problems) && good;
        return good;
    }
    if (is_audit_event(document)) {
        notes_add_audit(collection, document);
        return true;
    }
    if (kind && strcmp(kind, "Event") == 0 && version &&
        (strcmp(version, "v1") == 0 || strncmp(version, "events.k8s.io/", 14) == 0)) {
        notes_add_event(collection, document);
        return true;
    }
    return notes_add_object(collection, document, problems);
}

static void skip_empty_lines(struct lines *lines, struct problems *problems, bool *more)
{
    *more = lines_next(lines, problems);
    while (*more && lines->text.length == 0)
        *more = lines_next(lines, problems);
}

/* A file of JSON lines: its first line that is not empty is a whole JSON value.
 * Otherwise it is a manifest, of which a line by itself means nothing. */
static bool is_json_line(const struct lines *lines, struct memory *memory)
{
    struct manifest_reader *reader = manifest_reader_create(memory);
    struct arena scratch;
    struct problems ignored;
    arena_init(&scratch, memory);
    problems_init(&ignored, &scratch);
    const struct document *document =
        manifest_reader_parse_json(reader, &scratch, (struct place){lines->path, 1, 1},
                                   text_content(&lines->text), lines->text.length, &ignored);
    const bool answer = document && document->root.kind == VALUE_MAPPING;
    arena_release(&scratch);
    manifest_reader_free(reader);
    return answer;
}

static bool read_json_lines(struct note_collection *collection, struct lines *lines,
                            struct problems *problems)
{
    struct memory *memory = collection->arena->memory;
    struct manifest_reader *reader = manifest_reader_create(memory);
    struct arena scratch;
    arena_init(&scratch, memory);
    const struct arena_mark empty = arena_mark(&scratch);
    bool good = true;
    bool more = true;
    while (good && more) {
        const struct document *document = manifest_reader_parse_json(
            reader, &scratch, (struct place){lines->path, lines->number, 1},
            text_content(&lines->text), lines->text.length, problems);
        good = document && add_document(collection, &document->root, problems);
        collection->lines++;
        arena_rewind(&scratch, empty);
        skip_empty_lines(lines, problems, &more);
    }
    arena_release(&scratch);
    manifest_reader_free(reader);
    return good;
}

static bool read_manifests(struct note_collection *collection, struct lines *lines,
                           struct problems *problems)
{
    struct arena scratch;
    struct documents documents = {0};
    struct text whole;
    const uint32_t before = problems->count;
    arena_init(&scratch, collection->arena->memory);
    text_init(&whole, collection->arena->memory);
    for (uint32_t i = 1; i < lines->number; i++)
        text_append_char(&whole, '\n'); /* places count them */
    do {
        text_append(&whole, text_content(&lines->text), lines->text.length);
        text_append_char(&whole, '\n');
    } while (whole.length <= INPUT_BYTES_MOST && lines_next(lines, problems));
    if (whole.length > INPUT_BYTES_MOST)
        problem_error(problems, (struct place){lines->path, 0, 0}, NULL,
                      "larger than %u MiB, the most that is read of a manifest",
                      (unsigned)(INPUT_BYTES_MOST >> 20));
    bool good = whole.length <= INPUT_BYTES_MOST &&
                manifest_parse(&scratch, lines->path, text_content(&whole), whole.length,
                               &documents, problems);
    for (uint32_t i = 0; i < documents.count; i++)
        good = add_document(collection, &documents.items[i].root, problems) && good;
    /* Problems outlive the documents that they are about. */
    for (uint32_t i = before; i < problems->count; i++)
        if (problems->items[i].place.file)
            problems->items[i].place.file =
                arena_strdup(problems->arena, problems->items[i].place.file);
    text_release(&whole);
    arena_release(&scratch);
    return good;
}

static bool read_file(struct note_collection *collection, const char *path,
                      struct problems *problems)
{
    struct lines lines;
    struct memory *memory = collection->arena->memory;
    const uint32_t errors = problems->errors;
    bool more = false;
    bool good = lines_open(&lines, memory, path, problems);
    if (good)
        skip_empty_lines(&lines, problems, &more);
    if (more)
        good = is_json_line(&lines, memory) ? read_json_lines(collection, &lines, problems)
                                            : read_manifests(collection, &lines, problems);
    lines_close(&lines);
    return good && problems->errors == errors;
}

bool notes_read(struct note_collection *collection, const char *path, struct problems *problems)
{
    struct stat status;
    if (strcmp(path, "-") != 0) {
        if (stat(path, &status) != 0) {
            problem_error(problems, (struct place){path, 0, 0}, NULL, "cannot be read: %s",
                          strerror(errno));
            return false;
        }
        if (S_ISDIR(status.st_mode))
            return notes_read_recording(collection, path, problems);
    }
    return read_file(collection, path, problems);
}
