/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as objects. Whatever is read without an error is written, read
 * again without an error, and written the same; admission takes it, too.
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

static void require_round_trip(struct arena *arena, struct manifest_reader *reader,
                               const struct object *object)
{
    const struct place start = {.file = "written", .line = 1, .column = 1};
    const char *first = write_object(arena, object);
    struct problems problems;
    struct objects again = {0};
    problems_init(&problems, arena);
    const struct document *document =
        manifest_reader_parse_json(reader, arena, start, first, strlen(first), &problems);
    FUZZ_REQUIRE(document);
    if (!objects_add(arena, &again, document, NULL, &problems))
        fprintf(stderr, "%s\n%s\n", first, problem_format(arena, &problems.items[0]));
    FUZZ_REQUIRE(again.count == 1);
    const char *second = write_object(arena, &again.items[0]);
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
    bool good = manifest_parse(arena, "fuzz", bytes, count, &documents, &problems);
    good &= object_decode(arena, &documents, NULL, &objects, &problems);
    FUZZ_REQUIRE(good == (problems.errors == 0));
    for (uint32_t i = 0; i < problems.count; i++)
        FUZZ_REQUIRE(problems.items[i].place.file && problems.items[i].message[0]);

    struct manifest_reader *reader = manifest_reader_create(arena->memory);
    for (uint32_t i = 0; i < objects.count && i < OBJECTS_MOST; i++)
        if (objects.items[i].kind != OBJECT_OTHER)
            require_round_trip(arena, reader, &objects.items[i]);
    objects_admit(arena, &objects, NULL, &problems);
    manifest_reader_free(reader);
}
