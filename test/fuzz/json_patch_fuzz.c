/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any patch of any object: an object in JSON, and after a line of "~" a patch, applied in all three
 * ways. There is a result, or a reason; the result is JSON that reads back as itself; and the work
 * stays within what a patch may do while the store is locked.
 */
#include "harness.h"

#include "apiserver/patch.h"
#include "manifest/manifest.h"

#include <string.h>

static const struct value *read_patch(struct manifest_reader *reader, struct arena *arena,
                                      const char *bytes, size_t count)
{
    struct problems problems;
    problems_init(&problems, arena);
    const struct document *document = manifest_reader_parse_json(
        reader, arena, (struct place){"patch", 1, 1}, bytes, count, &problems);
    return document ? &document->root : NULL;
}

static const struct datum *read_object(struct arena *arena, const char *bytes, size_t count)
{
    struct problems problems;
    problems_init(&problems, arena);
    const struct datum *object =
        datum_read(arena, DATUM_REAL, (struct place){"object", 1, 1}, bytes, count, &problems);
    return problems.errors ? NULL : object;
}

static void require_readable(struct arena *arena, const struct datum *object)
{
    struct text text;
    text_init(&text, arena->memory);
    datum_write(&text, DATUM_REAL, object);
    const struct datum *again = read_object(arena, text_content(&text), text.length);
    FUZZ_REQUIRE(again && datum_equal(object, patch_plain(arena, again)));
    text_release(&text);
}

static void apply(struct arena *arena, const struct datum *object, const struct value *patch)
{
    const struct datum *(*const ways[])(struct patching *, const struct datum *,
                                        const struct value *) = {patch_json, patch_merge,
                                                                 patch_strategic};
    object = patch_plain(arena, object);
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        struct patching patching = patching_begin(arena, "Pod");
        const size_t before = atomic_load(&arena->memory->used_bytes);
        const struct datum *changed = ways[i](&patching, object, patch);
        FUZZ_REQUIRE(changed || patching.why);
        FUZZ_REQUIRE(atomic_load(&arena->memory->used_bytes) - before < (size_t)512 << 20);
        if (changed)
            require_readable(arena, changed);
    }
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    const char *end = memmem(bytes, count, "\n~\n", 3);
    if (!end)
        return;
    const size_t first = (size_t)(end - bytes);
    struct manifest_reader *reader = manifest_reader_create(arena->memory); /* has the keys */
    const struct datum *object = read_object(arena, bytes, first);
    const struct value *patch = read_patch(reader, arena, end + 3, count - first - 3);
    if (object && object->kind == DATUM_OBJECT && patch)
        apply(arena, object, patch);
    manifest_reader_free(reader);
}
