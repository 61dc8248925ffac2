/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/conformance.h"

#include "base/map.h"
#include "manifest/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PRINTED_MOST = 5 };

typedef bool same_text(const char *recorded, const char *found);

static bool equal_by(const struct value *recorded, const struct value *found, same_text *same);

static bool equal_mappings(const struct value *recorded, const struct value *found, same_text *same)
{
    if (recorded->count != found->count)
        return false;
    VALUE_EACH_MEMBER(recorded, member)
    {
        const struct value *other = value_find(found, member->key);
        if (!other || !equal_by(&member->value, other, same))
            return false;
    }
    return true;
}

static bool equal_by(const struct value *recorded, const struct value *found, same_text *same)
{
    if (!recorded || !found)
        return recorded == found;
    if (recorded->kind == VALUE_MAPPING && found->kind == VALUE_MAPPING)
        return equal_mappings(recorded, found, same);
    if (recorded->kind == VALUE_STRING && found->kind == VALUE_STRING && same)
        return same(recorded->text, found->text);
    if (recorded->kind != VALUE_SEQUENCE || found->kind != VALUE_SEQUENCE)
        return value_equal(recorded, found);
    if (recorded->count != found->count)
        return false;
    for (uint32_t i = 0; i < recorded->count; i++)
        if (!equal_by(&recorded->items[i], &found->items[i], same))
            return false;
    return true;
}

bool conformance_equal(const struct value *recorded, const struct value *found)
{
    return equal_by(recorded, found, NULL);
}

bool conformance_equal_texts(const struct value *recorded, const struct value *found,
                             bool (*same)(const char *recorded, const char *found))
{
    return equal_by(recorded, found, same);
}

bool conformance_equal_sets(const struct value *recorded, const struct value *found)
{
    if (!recorded || !found || recorded->count != found->count)
        return false;
    bool *used = calloc(found->count + 1, sizeof(*used));
    bool equal = used != NULL;
    for (uint32_t i = 0; i < recorded->count && equal; i++) {
        uint32_t j = 0;
        while (j < found->count &&
               (used[j] || !conformance_equal(&recorded->items[i], &found->items[j])))
            j++;
        equal = j < found->count;
        if (equal)
            used[j] = true;
    }
    free(used);
    return equal;
}

/* A whole line of a compressed file, NULL at its end. */
static const char *read_line(gzFile file, struct text *line)
{
    char part[65536];
    text_reset(line);
    while (gzgets(file, part, sizeof(part))) {
        text_append_string(line, part);
        if (line->length > 0 && line->content[line->length - 1] == '\n') {
            line->content[--line->length] = '\0';
            break;
        }
    }
    return line->length > 0 ? line->content : NULL;
}

/* How many records of one family agree. */
struct family {
    uint32_t records;
    uint32_t wrong;
};

struct run {
    const struct decider *decider;
    struct features features;
    bool (*same)(const struct value *recorded, const struct value *found);
    struct memory *memory;
    struct arena *arena; /* of the record at hand */
    struct manifest_reader *reader;
    struct text answer;
    struct conformance_count count;
    struct arena lasting; /* of the whole run */
    struct map families;
};

static struct family *family_of(struct run *run, const struct value *record)
{
    const char *name = value_find_string(record, "family");
    name = name ? name : "without a family";
    struct family *family = map_get(&run->families, name);
    if (!family) {
        family = ARENA_NEW(&run->lasting, struct family);
        map_put(&run->families, arena_strdup(&run->lasting, name))->value = family;
    }
    return family;
}

static void complain(struct run *run, const struct value *record, const char *what,
                     const struct problems *problems)
{
    const char *id = value_find_string(record, "id");
    family_of(run, record)->wrong++;
    if (run->count.wrong++ >= PRINTED_MOST)
        return;
    printf("%s: %s\n  found    %s\n", id ? id : "?", what, text_content(&run->answer));
    struct text recorded;
    struct json_out json;
    text_init(&recorded, run->memory);
    json_out_init(&json, &recorded, 0);
    value_write_json(&json, NULL, value_find(record, "result"));
    printf("  recorded %s\n", text_content(&recorded));
    text_release(&recorded);
    for (uint32_t i = 0; i < problems->count; i++)
        printf("  %s\n", problem_format(run->arena, &problems->items[i]));
}

static void check_record(void *context, struct arena *arena, const struct value *record)
{
    struct run *run = context;
    struct problems problems;
    struct json_out json;
    run->arena = arena;
    problems_init(&problems, arena);
    text_reset(&run->answer);
    json_out_init(&json, &run->answer, 0);
    run->count.records++;
    family_of(run, record)->records++;
    json_object_begin(&json, NULL);
    const bool decided =
        run->decider->decide_scenario(arena, record, &run->features, &json, &problems);
    if (!decided) {
        complain(run, record, "is refused", &problems);
        return;
    }
    json_object_end(&json);
    const struct place start = {.file = "answer", .line = run->count.records, .column = 1};
    const struct document *answer = manifest_reader_parse_json(
        run->reader, arena, start, text_content(&run->answer), run->answer.length, &problems);
    if (!answer)
        complain(run, record, "the answer is not JSON", &problems);
    else if (!run->same(value_find(record, "result"), value_find(&answer->root, "result")))
        complain(run, record, "differs", &problems);
}

void conformance_each(const char *file,
                      void (*visit)(void *context, struct arena *arena, const struct value *record),
                      void *context)
{
    struct memory memory;
    struct arena arena;
    struct text line;
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    text_init(&line, &memory);
    struct manifest_reader *reader = manifest_reader_create(&memory);
    const char *path = arena_printf(&arena, "%s/test/data/conformance/%s", root ? root : ".", file);
    gzFile stream = gzopen(path, "rb");
    if (!stream)
        bug("%s cannot be opened", path);
    const struct arena_mark mark = arena_mark(&arena);
    for (uint32_t number = 1; read_line(stream, &line); number++) {
        struct problems problems;
        problems_init(&problems, &arena);
        const struct place start = {.file = "record", .line = number, .column = 1};
        const struct document *document =
            manifest_reader_parse_json(reader, &arena, start, line.content, line.length, &problems);
        if (!document)
            bug("%s: %s", file, problem_format(&arena, &problems.items[0]));
        visit(context, &arena, &document->root);
        arena_rewind(&arena, mark);
    }
    gzclose(stream);
    manifest_reader_free(reader);
    text_release(&line);
    arena_release(&arena);
}

/* Of "hpa-v1.33-open.jsonl.gz", those of 1.33. */
static struct features features_of_file(const char *file)
{
    struct features features = features_of_version(FEATURES_MINOR_FIRST);
    const char *version = strstr(file, "-v1.");
    char text[8] = "";
    if (version && sscanf(version, "-%7[v.0-9]", text) == 1 && !features_of_text(text, &features))
        bug("%s is of a version that is not known", file);
    return features;
}

struct conformance_count conformance_run(const struct decider *decider, const char *file,
                                         bool (*same)(const struct value *recorded,
                                                      const struct value *found))
{
    struct memory memory;
    struct run run = {
        .decider = decider,
        .features = features_of_file(file),
        .same = same ? same : conformance_equal,
    };
    memory_init(&memory, SIZE_MAX);
    run.memory = &memory;
    arena_init(&run.lasting, &memory);
    map_init(&run.families, &run.lasting);
    text_init(&run.answer, &memory);
    run.reader = manifest_reader_create(&memory);
    conformance_each(file, check_record, &run);
    manifest_reader_free(run.reader);
    text_release(&run.answer);
    MAP_EACH (&run.families, entry) {
        const struct family *family = entry->value;
        printf("  %-28s %4u of %4u alike\n", entry->key, family->records - family->wrong,
               family->records);
    }
    arena_release(&run.lasting);
    printf("%s: %u records, %u wrong\n", file, run.count.records, run.count.wrong);
    return run.count;
}

bool conformance_versions(const struct decider *decider, const char *family, uint32_t first_records,
                          uint32_t records,
                          bool (*same)(const struct value *recorded, const struct value *found))
{
    static const int recorded[] = {26, 33, 34, 35, 36};
    bool alike = true;
    for (size_t i = 0; i < sizeof(recorded) / sizeof(*recorded); i++) {
        char file[64];
        snprintf(file, sizeof(file), "%s-v1.%d-open.jsonl.gz", family, recorded[i]);
        const struct conformance_count count = conformance_run(decider, file, same);
        alike = alike && count.wrong == 0 && count.records == (i == 0 ? first_records : records);
    }
    return alike;
}
