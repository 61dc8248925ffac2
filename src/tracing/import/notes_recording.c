/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notes from the recordings of a folder (recording/recording.h). Watch events tell
 * every version of every object, actions who wrote it.
 */
#include "tracing/import/notes_recording.h"

#include "recording/recording.h"
#include "tracing/import/notes_object.h"

#include <stdlib.h>
#include <string.h>

static int64_t nanoseconds(double seconds)
{
    return seconds > -4e9 && seconds < 4e9 ? (int64_t)(seconds * 1e9) : 0;
}

/* A line has either the whole object or single fields of it. */
static void take_version(struct note_collection *collection, struct note *note,
                         const struct version *version)
{
    const struct value *object = value_find(version->line, "object");
    const struct value *owner = value_find(version->line, "owner");
    const char *node = value_find_string(version->line, "nodeName");
    note->version = version->rv;
    if (object) {
        notes_take_object(collection, note, object);
    } else {
        note->whole = true;
        value_read_integer(value_find(version->line, "generation"), &note->generation);
        value_read_integer(value_find(value_find(version->line, "status"), "observedGeneration"),
                           &note->observed);
        note->bound = node != NULL;
        note->terminating = value_find(version->line, "deleting") != NULL;
        if (owner && owner->kind == VALUE_SEQUENCE && owner->count == 2 &&
            owner->items[0].kind == VALUE_STRING && owner->items[1].kind == VALUE_STRING)
            note->owners = notes_one_thing(collection, notes_thing(collection, owner->items[0].text,
                                                                   version->thing->namespace,
                                                                   owner->items[1].text));
        if (node)
            note->named = notes_one_thing(collection, notes_thing(collection, "Node", "", node));
    }
    note->version = version->rv;
    note->deletes = version->gone;
}

static const struct version *version_of(const struct recording *recording, const struct deed *deed)
{
    const struct thing *thing = recording_find(recording, deed->kind, deed->namespace, deed->name);
    if (!thing)
        thing = recording_find(recording, deed->kind, NULL, deed->name);
    for (uint32_t i = 0; thing && i < thing->versions.count; i++)
        if (thing->versions.items[i].rv == deed->rv)
            return &thing->versions.items[i];
    return NULL;
}

static void add_deed(struct note_collection *collection, const struct recording *recording,
                     const struct deed *deed, uint32_t number)
{
    const struct version *version = deed->rv >= 0 ? version_of(recording, deed) : NULL;
    struct note note = {
        .start_ns = nanoseconds(deed->time),
        .end_ns = nanoseconds(deed->time),
        .version_read = NOTE_NONE,
        .version = NOTE_NONE,
        .generation = NOTE_NONE,
        .observed = NOTE_NONE,
        .actor = notes_intern(collection, deed->actor),
        .action = notes_intern(collection, deed->action),
        .code = (uint16_t)deed->code,
        .kind = deed->code >= 400            ? NOTE_REFUSED
                : deed->noop || deed->rv < 0 ? NOTE_NOTHING
                                             : NOTE_WRITE,
        .source = SOURCE_RECORDING,
        .user = strcmp(deed->actor, "user") == 0,
        .creates = strcmp(deed->action, "create") == 0,
    };
    const char *namespace = version ? version->thing->namespace : deed->namespace;
    if (strcmp(deed->kind, "Node") == 0)
    namespace = NULL;
    note.thing = notes_thing(collection, deed->kind, namespace, deed->name);
    note.id = notes_id("recording", recording->name, arena_printf(collection->arena, "%u", number));
    if (version)
        take_version(collection, &note, version);
    else if (deed->rv >= 0)
        note.version = deed->rv;
    if (note.kind == NOTE_WRITE &&
        (strcmp(deed->action, "delete") == 0 || strcmp(deed->action, "evict") == 0))
        note.deletes = true;
    VEC_PUSH(collection->arena, &collection->notes, note);
}

/* Only the status changes without a new generation, of what has generations. */
static bool leaves_spec(const struct version *version)
{
    int64_t before = NOTE_NONE;
    int64_t after = NOTE_NONE;
    value_read_integer(value_find(version[-1].line, "generation"), &before);
    value_read_integer(value_find(version->line, "generation"), &after);
    return after != NOTE_NONE && before == after;
}

/* Versions whose writer was not recorded: statuses, mostly. */
static void add_version(struct note_collection *collection, const struct recording *recording,
                        const struct version *version)
{
    struct note note = {
        .start_ns = nanoseconds(version->time),
        .end_ns = nanoseconds(version->time),
        .version_read = NOTE_NONE,
        .generation = NOTE_NONE,
        .observed = NOTE_NONE,
        .actor = notes_intern(collection, "unknown"),
        .action = notes_intern(collection, version->gone ? "delete" : "update"),
        .kind = NOTE_WRITE,
        .source = SOURCE_RECORDING,
        .thing = notes_thing(collection, version->thing->kind, version->thing->namespace,
                             version->thing->name),
        .id = notes_id("version", recording->name,
                       arena_printf(collection->arena, "%lld", (long long)version->rv)),
    };
    const struct thing *thing = version->thing;
    note.creates = &thing->versions.items[0] == version ||
                   (version > thing->versions.items && version[-1].gone);
    take_version(collection, &note, version);
    if (note.creates) {
        note.action = notes_intern(collection, "create");
    } else if (!version->gone && leaves_spec(version)) {
        note.actor = notes_intern(collection, notes_controller_of(thing->kind));
        note.action = notes_intern(collection, "status");
    }
    VEC_PUSH(collection->arena, &collection->notes, note);
}

static int compare_versions(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

static bool read_run(struct note_collection *collection, struct manifest_reader *reader,
                     const char *folder, uint32_t run, struct problems *problems)
{
    struct arena scratch;
    struct recording recording;
    VEC(int64_t) written = {0};
    arena_init(&scratch, collection->arena->memory);
    const bool good = recording_read(&scratch, reader, folder, run, &recording, problems);
    for (uint32_t i = 0; good && i < recording.deeds.count; i++) {
        const struct deed *deed = &recording.deeds.items[i];
        if (!*deed->kind || strcmp(deed->actor, "script") == 0 ||
            strncmp(deed->action, "event:", 6) == 0)
            continue;
        if (deed->rv >= 0)
            VEC_PUSH(&scratch, &written, deed->rv);
        add_deed(collection, &recording, deed, i);
    }
    if (written.count > 1)
        qsort(written.items, written.count, sizeof(*written.items), compare_versions);
    for (uint32_t i = 0; good && i < recording.order.count; i++) {
        const struct version *version = recording.order.items[i];
        if (written.count == 0 || !bsearch(&version->rv, written.items, written.count,
                                           sizeof(*written.items), compare_versions))
            add_version(collection, &recording, version);
    }
    arena_release(&scratch);
    return good;
}

/* Runs share names and resource versions, so that only one can be taken. */
bool notes_read_recording(struct note_collection *collection, const char *path,
                          struct problems *problems)
{
    struct run_numbers runs = {0};
    if (!recording_list(collection->arena, path, &runs, problems))
        return false;
    if (collection->run == 0 && runs.count > 1) {
        problem_error(problems, (struct place){path, 0, 0}, NULL,
                      "expected one recorded run, found %u: --run says which", runs.count);
        return false;
    }
    struct manifest_reader *reader = manifest_reader_create(collection->arena->memory);
    const bool good = read_run(collection, reader, path,
                               collection->run ? collection->run : runs.items[0], problems);
    manifest_reader_free(reader);
    return good;
}
