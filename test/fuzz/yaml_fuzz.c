/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a manifest. Either there is a problem, with a place, or there
 * are documents; their JSON, read again as JSON and as YAML, gives the same
 * documents; the memory used is in proportion to the input.
 */
#include "harness.h"

#include "base/text.h"
#include "manifest/manifest.h"

#include <string.h>

/* Characters that end a line in YAML, but not in JSON. */
static bool has_other_line_breaks(const char *text)
{
    return strstr(text, "\xC2\x85") || strstr(text, "\xE2\x80\xA8") || strstr(text, "\xE2\x80\xA9");
}

static void require_same_as_json(struct arena *arena, const struct value *root, const char *json)
{
    struct problems problems;
    problems_init(&problems, arena);
    struct manifest_reader *reader = manifest_reader_create(arena->memory);
    const struct place start = {.file = "json", .line = 1, .column = 1};
    const struct document *again =
        manifest_reader_parse_json(reader, arena, start, json, strlen(json), &problems);
    FUZZ_REQUIRE(again);
    FUZZ_REQUIRE(value_equal(root, &again->root));
    manifest_reader_free(reader);
}

/* YAML 1.1 cannot read all JSON (long keys, some characters), nor can a list
 * be read without being taken apart; but what it reads must be the same. */
static void require_same_as_yaml(struct arena *arena, const struct value *root, const char *json)
{
    struct problems problems;
    struct documents documents = {0};
    problems_init(&problems, arena);
    const char *yaml = arena_printf(arena, "--- %s\n", json);
    if (has_other_line_breaks(json) ||
        !manifest_parse(arena, "yaml", yaml, strlen(yaml), &documents, &problems))
        return;
    if (documents.count == 1)
        FUZZ_REQUIRE(value_equal(root, &documents.items[0].root));
}

static void require_round_trip(struct arena *arena, const struct value *root)
{
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    value_write_json(&json, NULL, root);
    require_same_as_json(arena, root, text_content(&text));
    require_same_as_yaml(arena, root, text_content(&text));
    text_release(&text);
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    struct problems problems;
    struct documents documents = {0};
    problems_init(&problems, arena);
    const bool good = manifest_parse(arena, "fuzz", bytes, count, &documents, &problems);
    FUZZ_REQUIRE(good == (problems.errors == 0));
    FUZZ_REQUIRE(arena->memory->peak_bytes < (1 << 20) + 400 * count);
    for (uint32_t i = 0; i < problems.count; i++)
        FUZZ_REQUIRE(problems.items[i].place.file && problems.items[i].message[0]);
    for (uint32_t i = 0; good && i < documents.count && i < 8; i++)
        require_round_trip(arena, &documents.items[i].root);
}
