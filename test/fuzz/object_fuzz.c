/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as objects. Whatever is read without an error is written, read
 * again without an error, and written the same; admission takes it, too.
 * "The same" is from the second time on: quantities may lose the form they were
 * given in (1.953125Ki, 2000, 2k).
 */
#include "harness.h"

#include "manifest/manifest.h"
#include "object/admission.h"

#include <string.h>

enum { OBJECTS_MOST = 8 }; /* the more, the slower */

static const char *write_object(struct arena *arena, const struct object *object)
{
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    object_encode(arena, &json, NULL, object);
    const char *written = arena_strdup(arena, text_content(&text));
    text_release(&text);
    return written;
}

/* Reads what was written, and writes it. */
static const char *write_again(struct arena *arena, struct manifest_reader *reader,
                               const char *written)
{
    const struct place start = {.file = "written", .line = 1, .column = 1};
    struct problems problems;
    struct objects again = {0};
    problems_init(&problems, arena);
    const struct document *document =
        manifest_reader_parse_json(reader, arena, start, written, strlen(written), &problems);
    FUZZ_REQUIRE(document);
    if (!objects_add(arena, &again, document, NULL, &problems))
        fprintf(stderr, "%s\n%s\n", written, problem_format(arena, &problems.items[0]));
    FUZZ_REQUIRE(again.count == 1);
    return write_object(arena, &again.items[0]);
}

static void require_round_trip(struct arena *arena, struct manifest_reader *reader,
                               const struct object *object)
{
    const char *first = write_again(arena, reader, write_object(arena, object));
    const char *second = write_again(arena, reader, first);
    if (strcmp(first, second) != 0)
        fprintf(stderr, "%s\n%s\n", first, second);
    FUZZ_REQUIRE(strcmp(first, second) == 0);
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    struct problems problems;
    struct documents documents = {0};
    struct objects objects = {0};
    problems_init(&problems, arena);
    const bool readable = manifest_parse(arena, "fuzz", bytes, count, &documents, &problems);
    const bool decoded = object_decode(arena, &documents, NULL, &objects, &problems);
    FUZZ_REQUIRE((readable && decoded) == (problems.errors == 0));
    for (uint32_t i = 0; i < problems.count; i++)
        FUZZ_REQUIRE(problems.items[i].place.file && problems.items[i].message[0]);

    struct manifest_reader *reader = manifest_reader_create(arena->memory);
    /* A text with a duplicate key has objects, but not ones to be written. */
    for (uint32_t i = 0; readable && i < objects.count && i < OBJECTS_MOST; i++)
        if (objects.items[i].kind != OBJECT_OTHER)
            require_round_trip(arena, reader, &objects.items[i]);
    objects_admit(arena, &objects, NULL, &problems);
    manifest_reader_free(reader);
}
