/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom record`: what a cluster does, written down for `replay --observed`. */
#include "base/clock.h"
#include "cli/interrupt.h"
#include "cli/limit_options.h"
#include "cli/session.h"
#include "manifest/manifest.h"
#include "recording/record.h"
#include "recording/recording.h"
#include "recording/watch_cluster.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

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
};

struct recorder {
    struct session *session;
    struct manifest_reader *reader;
    struct sightings sightings;
    struct problems problems;
    struct text manifests; /* what does not change: priority classes */
};

/* PriorityClasses are no part of a run; they stand beside it. */
static void see(void *context, const char *document, size_t length, double time)
{
    struct recorder *recorder = context;
    const struct document *parsed = manifest_reader_parse_json(
        recorder->reader, &recorder->session->arena, (struct place){"kubectl", 1, 1}, document,
        length, &recorder->problems);
    if (!parsed)
        return;
    const struct value *object = value_find(&parsed->root, "object");
    const char *kind = value_find_string(object ? object : &parsed->root, "kind");
    if (kind && strcmp(kind, "PriorityClass") == 0) {
        struct json_out json;
        text_append_string(&recorder->manifests, "---\n");
        json_out_init(&json, &recorder->manifests, 0);
        value_write_json(&json, NULL, object ? object : &parsed->root);
        text_append_char(&recorder->manifests, '\n');
        return;
    }
    record_watch_event(&recorder->session->arena, &parsed->root, time, &recorder->sightings,
                       &recorder->problems);
}

static bool write_file(struct session *session, const char *path, const struct text *text)
{
    FILE *file = fopen(path, "we");
    const bool good = file && fwrite(text_content(text), 1, text->length, file) == text->length;
    if ((file && fclose(file) != 0) || !good) {
        session_say(session, "record: %s cannot be written: %s", path, strerror(errno));
        return false;
    }
    return true;
}

/* The number after the last run that is there. */
static uint32_t next_run(struct session *session, const char *folder)
{
    struct run_numbers runs = {0};
    struct problems none;
    problems_init(&none, &session->arena);
    return recording_list(&session->arena, folder, &runs, &none) ? runs.items[runs.count - 1] + 1
                                                                 : 1;
}

static bool read_whole(struct session *session, const char *path, struct text *text)
{
    FILE *file = fopen(path, "re");
    char bytes[65536];
    size_t count = 0;
    while (file && (count = fread(bytes, 1, sizeof(bytes), file)) > 0)
        text_append(text, bytes, count);
    const bool good = file && !ferror(file);
    if (!good)
        session_say(session, "record: %s cannot be read: %s", path, strerror(errno));
    if (file)
        fclose(file);
    return good;
}

static bool write_deeds(struct recorder *recorder, int64_t start, struct text *text)
{
    struct session *session = recorder->session;
    const char *path = session->options.audit_log;
    struct text audit;
    if (!path) {
        record_infer_deeds(&session->arena, &recorder->sightings, text);
        return true;
    }
    text_init(&audit, &session->memory);
    const bool good =
        read_whole(session, path, &audit) &&
        record_audit_deeds(&session->arena, recorder->reader, path, text_content(&audit),
                           audit.length, start, &recorder->sightings, text, &recorder->problems);
    text_release(&audit);
    return good;
}

static bool write_recording(struct recorder *recorder, const char *folder, int64_t start)
{
    struct session *session = recorder->session;
    const uint32_t run = next_run(session, folder);
    struct text watch;
    struct text deeds;
    text_init(&watch, &session->memory);
    text_init(&deeds, &session->memory);
    record_sort(&recorder->sightings, start);
    record_write_watch(&session->arena, &recorder->sightings, &watch);
    const char *path = arena_printf(&session->arena, "%s/run-%u", folder, run);
    const bool good =
        write_deeds(recorder, start, &deeds) &&
        write_file(session, arena_printf(&session->arena, "%s.jsonl", path), &watch) &&
        write_file(session, arena_printf(&session->arena, "%s.actions.jsonl", path), &deeds) &&
        (recorder->manifests.length == 0 ||
         write_file(session, arena_printf(&session->arena, "%s/manifests.yaml", folder),
                    &recorder->manifests));
    if (good)
        session_say(session, "record: run %u of %s has %u versions of objects", run, folder,
                    recorder->sightings.count);
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

int cmd_record(struct session *session)
{
    const struct options *options = &session->options;
    struct recorder recorder = {.session = session};
    problems_init(&recorder.problems, &session->arena);
    const uint64_t most_ms = limit_read_timeout(options->timeout, &recorder.problems);
    session_complain(session, &recorder.problems);
    if (recorder.problems.errors || !session->line.operands.count) {
        if (!recorder.problems.errors)
            session_say(session, "record: expected a folder, found nothing");
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    const char *folder = session->line.operands.items[0];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        session_say(session, "record: %s cannot be made: %s", folder, strerror(errno));
        return EXIT_INPUT;
    }
    recorder.reader = manifest_reader_create(&session->memory);
    text_init(&recorder.manifests, &session->memory);
    const struct watch_order order = {
        .kubectl = options->kubectl,
        .namespace = options->name_space,
        .kinds = kinds,
        .kind_count = sizeof(kinds) / sizeof(*kinds),
        .milliseconds = most_ms > INT64_MAX ? INT64_MAX : (int64_t)most_ms,
        .interrupted = interrupt_listen(),
    };
    const int64_t start = instant_now();
    bool good = watch_cluster(&session->arena, &order, see, &recorder, &recorder.problems);
    good = good && recorder.problems.errors == 0 && write_recording(&recorder, folder, start);
    session_complain(session, &recorder.problems);
    text_release(&recorder.manifests);
    manifest_reader_free(recorder.reader);
    return good && recorder.problems.errors == 0 ? EXIT_HOLDS : EXIT_INPUT;
}
