/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Manifests as JSON for adversary.py, one line a file or a random Check: Python can read
 * JSON without a package, and the random clusters are those of the twin.
 *
 *     write_checks FILE...                {"file": "...", "documents": [...]}
 *     write_checks --random FIRST COUNT   {"seed": N, "documents": [...], "applied": [...]}
 */
#include "manifest/manifest.h"
#include "twin/files.h"
#include "twin/random_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_documents(struct json_out *json, const char *key, const char *file,
                            const struct text *text, struct memory *memory)
{
    struct arena arena;
    struct documents documents = {0};
    struct problems problems;
    arena_init(&arena, memory);
    problems_init(&problems, &arena);
    if (!manifest_parse(&arena, file, text_content(text), text->length, &documents, &problems)) {
        fprintf(stderr, "write_checks: %s cannot be read\n", file);
        exit(2);
    }
    json_array_begin(json, key);
    for (uint32_t d = 0; d < documents.count; d++)
        value_write_json(json, NULL, &documents.items[d].root);
    json_array_end(json);
    arena_release(&arena);
}

static void write_file(struct json_out *json, const char *path, struct memory *memory)
{
    struct text text;
    text_init(&text, memory);
    read_text(path, &text);
    json_string(json, "file", path);
    write_documents(json, "documents", path, &text, memory);
    text_release(&text);
}

static void write_random(struct json_out *json, uint64_t seed, struct memory *memory)
{
    struct random_check made;
    random_check_make(&made, seed, UINT64_MAX);
    json_unsigned(json, "seed", seed);
    write_documents(json, "documents", "check.yaml", &made.check, memory);
    write_documents(json, "applied", APPLIED_FILE, &made.applied, memory);
    random_check_release(&made);
}

int main(int argc, char **argv)
{
    const bool random = argc == 4 && strcmp(argv[1], "--random") == 0;
    const uint64_t first = random ? strtoull(argv[2], NULL, 10) : 1;
    const uint64_t count = random ? strtoull(argv[3], NULL, 10) : (uint64_t)argc - 1;
    for (uint64_t i = 0; i < count; i++) {
        struct memory memory;
        struct text line;
        struct json_out json;
        memory_init(&memory, SIZE_MAX);
        text_init(&line, &memory);
        json_out_init(&json, &line, 0);
        json_object_begin(&json, NULL);
        if (random)
            write_random(&json, first + i, &memory);
        else
            write_file(&json, argv[1 + i], &memory);
        json_object_end(&json);
        puts(text_content(&line));
        text_release(&line);
    }
    return 0;
}
