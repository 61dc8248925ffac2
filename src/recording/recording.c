/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/recording.h"

#include "base/lines.h"
#include "base/saturating.h"
#include "object/time.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare_numbers(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

bool recording_list(struct arena *arena, const char *folder, struct run_numbers *runs,
                    struct problems *problems)
{
    DIR *directory = opendir(folder);
    if (!directory) {
        problem_error(problems, (struct place){folder, 0, 0}, NULL, "cannot be read: %s",
                      strerror(errno));
        return false;
    }
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        unsigned number = 0;
        int length = 0;
        if (sscanf(entry->d_name, "run-%u%n", &number, &length) == 1 &&
            (strcmp(entry->d_name + length, ".actions.jsonl") == 0 ||
             strcmp(entry->d_name + length, ".actions.jsonl.gz") == 0))
            VEC_PUSH(arena, runs, number);
    }
    closedir(directory);
    if (runs->count == 0)
        problem_error(problems, (struct place){folder, 0, 0}, NULL,
                      "expected recorded runs (run-1.actions.jsonl, run-1.jsonl), found none");
    else
        qsort(runs->items, runs->count, sizeof(*runs->items), compare_numbers);
    return runs->count > 0;
}

/* The file, or its compressed form; NULL if neither is there. */
static const char *find_file(struct arena *arena, const char *folder, const char *name)
{
    const char *plain = arena_printf(arena, "%s/%s", folder, name);
    const char *packed = arena_printf(arena, "%s.gz", plain);
    if (access(plain, R_OK) == 0)
        return plain;
    return access(packed, R_OK) == 0 ? packed : NULL;
}

typedef bool (*visit_line)(struct recording *recording, const struct value *line,
                           struct problems *problems);

static bool each_line(struct recording *recording, struct manifest_reader *reader, const char *path,
                      visit_line visit, struct problems *problems)
{
    struct lines lines;
    bool good = lines_open(&lines, recording->arena->memory, path, problems);
    const uint32_t errors = problems->errors;
    while (good && lines_next(&lines, problems)) {
        const struct place start = {path, lines.number, 1};
        const struct document *document =
            manifest_reader_parse_json(reader, recording->arena, start, text_content(&lines.text),
                                       lines.text.length, problems);
        good = document && document->root.kind == VALUE_MAPPING &&
               visit(recording, &document->root, problems);
        if (document && document->root.kind != VALUE_MAPPING)
            value_expected(problems, &document->root, NULL, "a mapping");
    }
    lines_close(&lines);
    return good && problems->errors == errors;
}

static int64_t integer_of(const struct value *line, const char *key, int64_t otherwise)
{
    int64_t number = otherwise;
    value_read_integer(value_find(line, key), &number);
    return number;
}

static double number_of(const struct value *line, const char *key)
{
    double number = 0;
    value_read_number(value_find(line, key), &number);
    return number;
}

static struct thing *thing_named(struct recording *recording, const char *kind,
                                 const char *namespace, const char *name)
{
    struct thing *thing = recording_find(recording, kind, namespace, name);
    if (thing)
        return thing;
    thing = ARENA_NEW(recording->arena, struct thing);
    *thing = (struct thing){.kind = kind, .namespace = namespace, .name = name};
    const char *key =
        arena_printf(recording->arena, "%s/%s/%s", kind, namespace ? namespace : "", name);
    map_put(&recording->index, key)->value = thing;
    VEC_PUSH(recording->arena, &recording->things, thing);
    return thing;
}

static bool add_version(struct recording *recording, const struct value *line,
                        struct problems *problems)
{
    const char *kind = value_find_string(line, "kind");
    const char *name = value_find_string(line, "name");
    const char *type = value_find_string(line, "type");
    const int64_t rv = integer_of(line, "rv", -1);
    if (!type && !kind)
        return true; /* a remark of the recorder */
    if (!kind || !name || !type || rv < 0) {
        value_expected(problems, line, NULL, "a watch event with rv, type, kind and name");
        return false;
    }
    if (strcmp(kind, "Event") == 0)
        return true;
    struct thing *thing = thing_named(recording, kind, value_find_string(line, "namespace"), name);
    const struct version version = {
        .rv = rv,
        .time = number_of(line, "t"),
        .gone = strcmp(type, "DELETED") == 0,
        .line = line,
        .thing = thing,
    };
    if (thing->versions.count > 0 && thing->versions.items[thing->versions.count - 1].rv >= rv) {
        value_expected(problems, value_find(line, "rv"), "rv", "a later version");
        return false;
    }
    VEC_PUSH(recording->arena, &thing->versions, version);
    return true;
}

static bool add_deed(struct recording *recording, const struct value *line,
                     struct problems *problems)
{
    const char *actor = value_find_string(line, "actor");
    const char *action = value_find_string(line, "action");
    const char *object = value_find_string(line, "object");
    if (!actor || !action) {
        value_expected(problems, line, NULL, "an action with actor, action and object");
        return false;
    }
    const char *slash = object ? strchr(object, '/') : NULL;
    const char *namespace = value_find_string(line, "namespace");
    bool noop = false;
    value_read_boolean(value_find(line, "noop"), &noop);
    const struct deed deed = {
        .rv = integer_of(line, "rv", -1),
        .time = number_of(line, "t"),
        .actor = actor,
        .action = action,
        .kind = slash ? arena_strndup(recording->arena, object, (size_t)(slash - object)) : "",
        .namespace = namespace ? namespace : "default",
        .name = slash    ? slash + 1
                : object ? object
                         : "",
        .code = integer_of(line, "code", 0),
        .noop = noop,
        .line = line,
    };
    if (strcmp(deed.name, "nodes ready") == 0)
        recording->ready_time = deed.time;
    VEC_PUSH(recording->arena, &recording->deeds, deed);
    return true;
}

static bool add_answer(struct recording *recording, const struct value *line,
                       struct problems *problems)
{
    (void)problems;
    const struct metrics_answer answer = {number_of(line, "t"), line};
    VEC_PUSH(recording->arena, &recording->answers, answer);
    return true;
}

static int compare_versions(const void *left, const void *right)
{
    const struct version *a = *(struct version *const *)left;
    const struct version *b = *(struct version *const *)right;
    return a->rv < b->rv ? -1 : a->rv > b->rv;
}

static void order_versions(struct recording *recording)
{
    for (uint32_t t = 0; t < recording->things.count; t++)
        for (uint32_t v = 0; v < recording->things.items[t]->versions.count; v++)
            VEC_PUSH(recording->arena, &recording->order,
                     &recording->things.items[t]->versions.items[v]);
    if (recording->order.count > 0)
        qsort(recording->order.items, recording->order.count, sizeof(*recording->order.items),
              compare_versions);
}

/* Recordings count seconds from their own beginning. Where lines carry dates, of
 * whole objects or of starts, they tell when that was: nothing is made or starts
 * later than it is seen. Otherwise any date will do. */
static void find_epoch(struct recording *recording)
{
    int64_t latest = INT64_MIN;
    for (uint32_t i = 0; i < recording->order.count; i++) {
        const struct version *version = recording->order.items[i];
        const struct value *metadata = value_find(value_find(version->line, "object"), "metadata");
        const char *const dates[] = {
            value_find_string(metadata, "creationTimestamp"),
            value_find_string(version->line, "startTime"),
            value_find_string(value_find(version->line, "status"), "startTime"),
        };
        for (size_t d = 0; d < sizeof(dates) / sizeof(*dates); d++) {
            int64_t instant = 0;
            if (!dates[d] || !time_parse(dates[d], &instant, NULL))
                continue;
            instant = saturating_subtract(
                instant, saturating_from_double(version->time * (double)NANOSECONDS_PER_SECOND));
            latest = instant > latest ? instant : latest;
        }
    }
    recording->epoch = latest > INT64_MIN ? latest : INT64_C(1704067200) * NANOSECONDS_PER_SECOND;
}

/* A file with one document, which need not be there. */
static bool read_beside(struct arena *arena, const char *path, const struct value **document,
                        struct problems *problems)
{
    const char *const paths[] = {path};
    struct documents documents = {0};
    if (access(path, R_OK) != 0)
        return true;
    if (!manifest_load(arena, &(struct manifest_paths){.items = paths, .count = 1}, &documents,
                       problems))
        return false;
    if (documents.count > 0) {
        struct value *root = ARENA_NEW(arena, struct value);
        *root = documents.items[0].root;
        *document = root;
    }
    return true;
}

bool recording_read(struct arena *arena, struct manifest_reader *reader, const char *folder,
                    uint32_t run, struct recording *recording, struct problems *problems)
{
    *recording = (struct recording){
        .arena = arena,
        .name = arena_printf(arena, "%s/run-%u", folder, run),
    };
    map_init(&recording->index, arena);
    const char *manifests = arena_printf(arena, "%s/manifests.yaml", folder);
    const char *const paths[] = {manifests};
    const char *watch = find_file(arena, folder, arena_printf(arena, "run-%u.jsonl", run));
    const char *actions =
        find_file(arena, folder, arena_printf(arena, "run-%u.actions.jsonl", run));
    const char *metrics =
        find_file(arena, folder, arena_printf(arena, "run-%u.metrics.jsonl", run));
    if (!watch || !actions) {
        problem_error(problems, (struct place){folder, 0, 0}, NULL,
                      "expected run-%u.jsonl and run-%u.actions.jsonl, plain or compressed", run,
                      run);
        return false;
    }
    if (access(manifests, R_OK) == 0 &&
        !manifest_load(arena, &(struct manifest_paths){.items = paths, .count = 1},
                       &recording->manifests, problems))
        return false;
    if (!read_beside(arena, arena_printf(arena, "%s/scenario.json", folder), &recording->scenario,
                     problems) ||
        !read_beside(arena, arena_printf(arena, "%s.version.json", recording->name),
                     &recording->version, problems) ||
        !each_line(recording, reader, watch, add_version, problems) ||
        !each_line(recording, reader, actions, add_deed, problems) ||
        (metrics && !each_line(recording, reader, metrics, add_answer, problems)))
        return false;
    order_versions(recording);
    find_epoch(recording);
    return true;
}

struct thing *recording_find(const struct recording *recording, const char *kind,
                             const char *namespace, const char *name)
{
    struct thing *thing =
        map_get(&recording->index,
                arena_printf(recording->arena, "%s/%s/%s", kind, namespace ? namespace : "", name));
    return thing;
}

struct version *thing_at(const struct thing *thing, int64_t rv)
{
    uint32_t low = 0;
    uint32_t high = thing->versions.count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (thing->versions.items[middle].rv <= rv)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || thing->versions.items[low - 1].gone)
        return NULL;
    return &thing->versions.items[low - 1];
}

/* The image of a template's first container. */
static const char *image_of(const struct value *manifest)
{
    const struct value *spec = value_find(value_find(manifest, "spec"), "template");
    const struct value *containers = value_find(value_find(spec, "spec"), "containers");
    return containers && containers->kind == VALUE_SEQUENCE && containers->count > 0
               ? value_find_string(&containers->items[0], "image")
               : NULL;
}

const struct value *recording_manifest(const struct recording *recording, const char *kind,
                                       const char *name, const char *image)
{
    const struct value *first = NULL;
    for (uint32_t i = 0; i < recording->manifests.count; i++) {
        const struct value *root = &recording->manifests.items[i].root;
        const char *its_kind = value_find_string(root, "kind");
        const char *its_name = value_find_string(value_find(root, "metadata"), "name");
        if (!its_kind || !its_name || strcmp(its_kind, kind) != 0 || strcmp(its_name, name) != 0)
            continue;
        const char *its_image = image_of(root);
        first = first ? first : root;
        if (!image || (its_image && strcmp(its_image, image) == 0))
            return root;
    }
    return first;
}

int64_t recording_instant(const struct recording *recording, double seconds)
{
    return saturating_add(
        recording->epoch,
        saturating_multiply(saturating_from_double(round(seconds * 1e3)), 1000000));
}

uint32_t versions_before(const struct recording *recording, int64_t rv)
{
    uint32_t low = 0;
    uint32_t high = recording->order.count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (recording->order.items[middle]->rv < rv)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
