/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any line of `fathom decide NAME --batch`: the name, and after a space the scenario. It is
 * answered with one JSON value, or refused with a problem.
 */
#include "harness.h"

#include "decide/decider.h"
#include "manifest/manifest.h"

#include <string.h>

static void answer(struct arena *arena, const struct decider *decider, const struct value *scenario)
{
    const struct features features = features_of_version(FEATURES_MINOR_FIRST);
    struct problems problems;
    struct text text;
    struct json_out json;
    problems_init(&problems, arena);
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    json_object_begin(&json, NULL);
    const bool good = decider->decide_scenario(arena, scenario, &features, &json, &problems);
    if (good)
        json_object_end(&json);
    FUZZ_REQUIRE(good || problems.errors);
    text_release(&text);
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    const char *space = memchr(bytes, ' ', count);
    const size_t length = space ? (size_t)(space - bytes) : 0;
    const struct decider *decider = decider_find(arena_strndup(arena, bytes, length));
    struct problems problems;
    if (!decider)
        return;
    problems_init(&problems, arena);
    struct manifest_reader *reader = manifest_reader_create(arena->memory); /* has the keys */
    const struct document *document = manifest_reader_parse_json(
        reader, arena, (struct place){"line", 1, 1}, space + 1, count - length - 1, &problems);
    if (document && document->root.kind == VALUE_MAPPING && !problems.errors)
        answer(arena, decider, &document->root);
    manifest_reader_free(reader);
}
