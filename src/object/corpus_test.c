/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every object of the conformance corpora (test/data/conformance: scenarios
 * recorded from Kubernetes' own controllers) is read without an error and
 * without an unknown field, and reading, writing, reading, writing gives the
 * same text twice.
 */
#include "manifest/manifest.h"
#include "object/kind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

struct corpus {
    struct memory memory;
    struct arena arena; /* of one line */
    struct problems problems;
    struct manifest_reader *reader;
    struct text first;
    struct text second;
    const char *line_name;
    uint32_t read[OBJECT_KIND_COUNT];
};

static void fail_with_problems(struct corpus *corpus, const struct path *path)
{
    for (uint32_t i = 0; i < corpus->problems.count; i++)
        print_message("%s\n", problem_format(&corpus->arena, &corpus->problems.items[i]));
    fail_msg("%s: %s", corpus->line_name, path_text(&corpus->arena, path));
}

/* Reads the object and writes it. */
static enum object_kind read_and_write(struct corpus *corpus, const struct value *root,
                                       const struct path *path, struct text *text)
{
    struct object object;
    struct json_out json;
    if (!object_decode_at(&corpus->arena, root, path, OBJECT_OTHER, NULL, &object,
                          &corpus->problems))
        fail_with_problems(corpus, path);
    if (object.kind == OBJECT_OTHER)
        return OBJECT_OTHER;
    for (uint32_t i = 0; i < corpus->problems.count; i++)
        if (strstr(corpus->problems.items[i].message, "unknown field"))
            fail_with_problems(corpus, path);
    text_reset(text);
    json_out_init(&json, text, 0);
    object_encode(&corpus->arena, &json, NULL, &object);
    return object.kind;
}

static void check_object(struct corpus *corpus, const struct value *root, const struct path *path)
{
    const struct place start = {.file = "written", .line = 1, .column = 1};
    const enum object_kind kind = read_and_write(corpus, root, path, &corpus->first);
    corpus->read[kind]++;
    if (kind == OBJECT_OTHER)
        return;
    const struct document *again =
        manifest_reader_parse_json(corpus->reader, &corpus->arena, start, corpus->first.content,
                                   corpus->first.length, &corpus->problems);
    assert_non_null(again);
    read_and_write(corpus, &again->root, &path_root, &corpus->second);
    assert_string_equal(corpus->first.content, corpus->second.content);
}

/* Objects are what has both an apiVersion and a kind; none is inside another. */
static void check_tree(struct corpus *corpus, const struct value *root, const struct value *value,
                       const struct path *path)
{
    if (value->kind == VALUE_MAPPING && value_find(value, "apiVersion") &&
        value_find(value, "kind")) {
        check_object(corpus, root, path);
    } else if (value->kind == VALUE_MAPPING) {
        VALUE_EACH_MEMBER(value, member)
        {
            const struct path field = path_field(path, member->key);
            if (strcmp(member->key, "result") != 0)
                check_tree(corpus, root, &member->value, &field);
        }
    } else if (value->kind == VALUE_SEQUENCE) {
        for (uint32_t i = 0; i < value->count; i++) {
            const struct path item = path_item(path, i);
            check_tree(corpus, root, &value->items[i], &item);
        }
    }
}

static void check_line(struct corpus *corpus, const char *file, uint32_t number, const char *line,
                       size_t length)
{
    const struct arena_mark mark = arena_mark(&corpus->arena);
    const struct place start = {.file = file, .line = number, .column = 1};
    problems_init(&corpus->problems, &corpus->arena);
    corpus->line_name = arena_printf(&corpus->arena, "%s:%u", file, number);
    const struct document *document = manifest_reader_parse_json(
        corpus->reader, &corpus->arena, start, line, length, &corpus->problems);
    if (document)
        check_tree(corpus, &document->root, &document->root, &path_root);
    else
        fail_with_problems(corpus, &path_root);
    arena_rewind(&corpus->arena, mark);
}

/* Every line, but for sanitizers, under which it would take minutes. */
#ifdef __SANITIZE_ADDRESS__
enum { STRIDE = 10 };
#else
enum { STRIDE = 1 };
#endif

static void check_file(struct corpus *corpus, const char *name)
{
    enum { LINE_BYTES_MOST = 4 << 20 };
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    char *line = malloc(LINE_BYTES_MOST);
    char path[4096];
    assert_non_null(root);
    assert_non_null(line);
    snprintf(path, sizeof(path), "%s/test/data/conformance/%s", root, name);
    gzFile file = gzopen(path, "rb");
    assert_non_null(file);
    uint32_t number = 0;
    while (gzgets(file, line, LINE_BYTES_MOST)) {
        if (number++ % STRIDE == 0)
            check_line(corpus, name, number, line, strlen(line));
    }
    assert_true(number > 0);
    gzclose(file);
    free(line);
}

static void corpora_are_read_and_written_back(void **state)
{
    (void)state;
    static const char *const files[] = {
        "daemonset-v1.26-open.jsonl.gz",     "deployment-v1.26-open.jsonl.gz",
        "desched-v0.27.1-open.jsonl.gz",     "desched-v0.28.1-open.jsonl.gz",
        "hpa-v1.26-open.jsonl.gz",           "job-v1.26-open.jsonl.gz",
        "nodelifecycle-v1.26-open.jsonl.gz", "pdb-v1.26-open.jsonl.gz",
        "replicaset-v1.26-open.jsonl.gz",    "sched-v1.26-open.jsonl.gz",
        "statefulset-v1.26-open.jsonl.gz",   "sched-v1.33-open.jsonl.gz",
        "sched-v1.36-open.jsonl.gz",
    };
    static const enum object_kind present[] = {
        OBJECT_NODE,
        OBJECT_POD,
        OBJECT_NAMESPACE,
        OBJECT_SERVICE,
        OBJECT_DEPLOYMENT,
        OBJECT_REPLICA_SET,
        OBJECT_REPLICATION_CONTROLLER,
        OBJECT_STATEFUL_SET,
        OBJECT_DAEMON_SET,
        OBJECT_JOB,
        OBJECT_HORIZONTAL_POD_AUTOSCALER,
        OBJECT_POD_METRICS,
        OBJECT_POD_DISRUPTION_BUDGET,
        OBJECT_PRIORITY_CLASS,
        OBJECT_PERSISTENT_VOLUME,
        OBJECT_PERSISTENT_VOLUME_CLAIM,
        OBJECT_STORAGE_CLASS,
        OBJECT_DESCHEDULER_POLICY,
    };
    static struct corpus corpus;
    memory_init(&corpus.memory, SIZE_MAX);
    arena_init(&corpus.arena, &corpus.memory);
    text_init(&corpus.first, &corpus.memory);
    text_init(&corpus.second, &corpus.memory);
    corpus.reader = manifest_reader_create(&corpus.memory);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        check_file(&corpus, files[i]);
    for (size_t i = 0; i < sizeof(present) / sizeof(present[0]); i++)
        assert_true(corpus.read[present[i]] > 0);
    assert_int_equal(corpus.read[OBJECT_OTHER], 0);
    manifest_reader_free(corpus.reader);
    text_release(&corpus.first);
    text_release(&corpus.second);
    arena_release(&corpus.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(corpora_are_read_and_written_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
