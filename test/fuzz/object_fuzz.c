/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a manifest of objects. An object that is read, written as JSON
 * and read again is good again, and is written the same. */
#include "harness.h"

#include "manifest/manifest.h"
#include "object/object.h"

#include <string.h>

static bool decode(struct arena *arena, const char *bytes, size_t count, struct objects *objects)
{
    struct problems problems;
    struct documents *documents = ARENA_NEW(arena, struct documents);
    problems_init(&problems, arena);
    const bool good = manifest_parse(arena, "fuzz", bytes, count, documents, &problems) &&
                      object_decode(arena, documents, NULL, objects, &problems);
    FUZZ_REQUIRE(good == (problems.errors == 0));
    return good;
}

static const char *encode(struct arena *arena, const struct object *object)
{
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    object_encode(arena, &json, NULL, object);
    const char *encoded = arena_strdup(arena, text_content(&text));
    text_release(&text);
    return encoded;
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    struct objects objects = {0};
    decode(arena, bytes, count, &objects);
    for (uint32_t i = 0; i < objects.count && i < 4; i++) {
        if (objects.items[i].kind == OBJECT_OTHER)
            continue;
        const char *written = encode(arena, &objects.items[i]);
        struct objects again = {0};
        FUZZ_REQUIRE(decode(arena, written, strlen(written), &again));
        FUZZ_REQUIRE(again.count == 1);
        FUZZ_REQUIRE(strcmp(encode(arena, &again.items[0]), written) == 0);
    }
}
