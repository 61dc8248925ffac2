/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/record_cluster.h"

#include "base/input_file.h"
#include "base/lines.h"
#include "base/output_file.h"
#include "manifest/manifest.h"
#include "recording/record.h"
#include "recording/recording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* The last is asked for only if the version is not given. */
static const char *const kinds[] = {
    "nodes",
    "pods",
    "deployments",
    "replicasets",
    "statefulsets",
    "daemonsets",
    "jobs",
    "controllerrevisions",
    "horizontalpodautoscalers",
    "poddisruptionbudgets",
    "resourcequotas",
    "priorityclasses",
    "/version",
};

struct recorder {
    struct arena *arena;
    struct manifest_reader *reader;
    struct sightings sightings;
    struct problems *problems;
    struct text manifests; /* what does not change: priority classes */
    const char *version;   /* of the API server; NULL: not known */
};

/* The version and PriorityClasses are no part of a run; they stand beside it. */
static void see(void *context, const char *document, size_t length, double time)
{
    struct recorder *recorder = context;
    const struct document *parsed = manifest_reader_parse_json(
        recorder->reader, recorder->arena, (struct place){"kubectl", 1, 1}, document, length,
        recorder->problems);
    if (!parsed)
        return;
    const struct value *object = value_find(&parsed->root, "object");
    const char *version = value_find_string(&parsed->root, RECORDING_VERSION_KEY);
    if (version) {
        recorder->version = version;
        return;
    }
    const char *kind = value_find_string(object ? object : &parsed->root, "kind");
    if (kind && strcmp(kind, "PriorityClass") == 0) {
        struct json_out json;
        text_append_string(&recorder->manifests, "---\n");
        json_out_init(&json, &recorder->manifests, 0);
        value_write_json(&json, NULL, object ? object : &parsed->root);
        text_append_char(&recorder->manifests, '\n');
        return;
    }
    record_watch_event(recorder->arena, &parsed->root, time, &recorder->sightings,
                       recorder->problems);
}

static bool write_file(struct recorder *recorder, const char *path, const struct text *text)
{
    const char *why = output_file_write(path, text);
    if (why)
        problem_error(recorder->problems, (struct place){0}, NULL,
                      "record: %s cannot be written: %s", path, why);
    return !why;
}

/* The number after the last run that is there. */
static uint32_t next_run(struct arena *arena, const char *folder)
{
    struct run_numbers runs = {0};
    struct problems none;
    problems_init(&none, arena);
    return recording_list(arena, folder, &runs, &none) ? runs.items[runs.count - 1] + 1 : 1;
}

static bool read_whole(struct recorder *recorder, const char *path, struct text *text)
{
    const int descriptor = input_open(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    char bytes[65536];
    size_t count = 0;
    while (file && text->length <= LINES_BYTES_MOST &&
           (count = fread(bytes, 1, sizeof(bytes), file)) > 0)
        text_append(text, bytes, count);
    const bool good = file && !ferror(file) && text->length <= LINES_BYTES_MOST;
    if (text->length > LINES_BYTES_MOST)
        problem_error(recorder->problems, (struct place){.file = path}, NULL,
                      "larger than %u MiB, the most that is read",
                      (unsigned)(LINES_BYTES_MOST >> 20));
    else if (!good)
        problem_error(recorder->problems, (struct place){0}, NULL, "record: %s cannot be read: %s",
                      path, input_why(errno));
    if (file)
        fclose(file);
    return good;
}

static bool write_deeds(struct recorder *recorder, const char *path, int64_t start,
                        struct text *text)
{
    struct arena *arena = recorder->arena;
    struct text audit;
    if (!path) {
        record_infer_deeds(arena, &recorder->sightings, text);
        return true;
    }
    text_init(&audit, arena->memory);
    const bool good =
        read_whole(recorder, path, &audit) &&
        record_audit_deeds(arena, recorder->reader, path, text_content(&audit), audit.length, start,
                           &recorder->sightings, text, recorder->problems);
    text_release(&audit);
    return good;
}

/* As the API server tells it. */
static bool write_version(struct recorder *recorder, const char *path)
{
    struct text text;
    struct json_out json;
    if (!recorder->version)
        return true;
    text_init(&text, recorder->arena->memory);
    json_out_init(&json, &text, 0);
    json_object_begin(&json, NULL);
    json_string(&json, RECORDING_VERSION_KEY, recorder->version);
    json_object_end(&json);
    text_append_char(&text, '\n');
    const bool good = write_file(recorder, path, &text);
    text_release(&text);
    return good;
}

static bool write_recording(struct recorder *recorder, const struct record_order *order,
                            int64_t start, struct record_made *made)
{
    struct arena *arena = recorder->arena;
    const char *folder = order->folder;
    const uint32_t run = next_run(arena, folder);
    struct text watch;
    struct text deeds;
    text_init(&watch, arena->memory);
    text_init(&deeds, arena->memory);
    record_sort(&recorder->sightings, start);
    record_write_watch(arena, &recorder->sightings, &watch);
    const char *path = arena_printf(arena, "%s/run-%u", folder, run);
    const bool good = write_deeds(recorder, order->audit_log, start, &deeds) &&
                      write_version(recorder, arena_printf(arena, "%s.version.json", path)) &&
                      write_file(recorder, arena_printf(arena, "%s.actions.jsonl", path), &deeds) &&
                      (recorder->manifests.length == 0 ||
                       write_file(recorder, arena_printf(arena, "%s/manifests.yaml", folder),
                                  &recorder->manifests)) &&
                      /* The last: a run that has this file is whole. */
                      write_file(recorder, arena_printf(arena, "%s.jsonl", path), &watch);
    *made = (struct record_made){run, recorder->sightings.count};
    text_release(&watch);
    text_release(&deeds);
    return good;
}

static int64_t instant_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool record_cluster(struct arena *arena, const struct record_order *order, struct record_made *made,
                    struct problems *problems)
{
    struct recorder recorder = {.arena = arena, .problems = problems, .version = order->kubernetes};
    if (mkdir(order->folder, 0777) != 0 && errno != EEXIST) {
        problem_error(problems, (struct place){0}, NULL, "record: %s cannot be made: %s",
                      order->folder, strerror(errno));
        return false;
    }
    recorder.reader = manifest_reader_create(arena->memory);
    text_init(&recorder.manifests, arena->memory);
    const struct watch_order watching = {
        .kubectl = order->kubectl,
        .namespace = order->name_space,
        .kinds = kinds,
        .kind_count = sizeof(kinds) / sizeof(*kinds) - (order->kubernetes != NULL),
        .milliseconds = order->milliseconds,
        .interrupted = order->interrupted,
    };
    const int64_t start = instant_now();
    const bool good = watch_cluster(arena, &watching, see, &recorder, problems) &&
                      problems->errors == 0 && write_recording(&recorder, order, start, made);
    text_release(&recorder.manifests);
    manifest_reader_free(recorder.reader);
    return good && problems->errors == 0;
}
