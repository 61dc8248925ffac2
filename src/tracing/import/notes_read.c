/* SPDX-License-Identifier: Apache-2.0 */
/* Which reader a file, a line or an object of a list is for. */
#include "tracing/import/notes_read.h"

#include "base/lines.h"
#include "manifest/limits.h"
#include "manifest/manifest.h"
#include "recording/audit_event.h"
#include "tracing/import/notes_audit.h"
#include "tracing/import/notes_object.h"
#include "tracing/import/notes_recording.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

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
    if (collection->bytes_most > 0)
        lines.bytes_most = collection->bytes_most;
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
