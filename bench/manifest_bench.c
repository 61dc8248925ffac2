/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast manifests are read, decoded and validated, and in how much memory:
 * manifest_bench [PODS].
 *
 * The yardstick is a bare loop over libyaml's events of the same file, in the
 * same run. Every measurement has a process of its own, so that its peak of
 * memory is its own; the best of several rounds counts. Goals: at most 2.5
 * times the loop's time, at most 10 times the file's size.
 */
#include "generate_pods.h"

#include "manifest/manifest.h"
#include "object/object.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml.h>

enum { ROUNDS = 5, PODS_USUAL = 20000 };

struct measurement {
    double seconds;
    double peak_bytes;
};

static bool loop_over_events(const char *path)
{
    FILE *file = fopen(path, "rb");
    yaml_parser_t parser;
    if (!file || !yaml_parser_initialize(&parser))
        return false;
    yaml_parser_set_input_file(&parser, file);
    bool good = true;
    bool more = true;
    while (more) {
        yaml_event_t event;
        good = yaml_parser_parse(&parser, &event);
        more = good && event.type != YAML_STREAM_END_EVENT;
        if (good)
            yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    fclose(file);
    return good;
}

static bool load(const char *path, struct arena *arena, struct documents *documents)
{
    struct problems problems;
    problems_init(&problems, arena);
    const struct manifest_paths paths = {.items = &path, .count = 1};
    return manifest_load(arena, &paths, documents, &problems);
}

static bool read_tree(const char *path)
{
    struct memory memory;
    struct arena arena;
    struct documents documents = {0};
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    const bool good = load(path, &arena, &documents);
    arena_release(&arena);
    return good;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static bool read_objects(const char *path)
{
    struct memory memory;
    struct arena arena;
    struct documents documents = {0};
    struct objects objects = {0};
    struct problems problems;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    const bool good = load(path, &arena, &documents) &&
                      object_decode(&arena, &documents, NULL, &objects, &problems) &&
                      objects.count == documents.count;
    for (uint32_t i = 0; i < problems.count && i < 10; i++)
        fprintf(stderr, "%s\n", problem_format(&arena, &problems.items[i]));
    arena_release(&arena);
    return good;
}

/* Runs the work in a child process; exits when it fails. Processor time counts:
 * other work on the machine then matters less. */
static struct measurement measure_once(bool (*work)(const char *path), const char *path)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(work(path) ? 0 : 1);
    int status = 1;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
        fprintf(stderr, "manifest_bench: a measurement failed\n");
        exit(1);
    }
    return (struct measurement){
        .seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
        .peak_bytes = (double)usage.ru_maxrss * 1024,
    };
}

struct work {
    const char *name;
    bool (*run)(const char *path);
    const char *path;
    struct measurement best;
};

/* Round by round, so that a busy moment of the machine hits all alike. */
static void measure(struct work *works, size_t count)
{
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < count; i++) {
            const struct measurement once = measure_once(works[i].run, works[i].path);
            if (round == 0 || once.seconds < works[i].best.seconds)
                works[i].best = once;
        }
}

static double size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (double)status.st_size : 0;
}

static void report(const struct work *works, size_t count)
{
    printf("%-28s %9s %8s %8s %14s %14s\n", "", "MB", "s", "MB/s", "time / libyaml",
           "memory / file");
    for (size_t i = 0; i < count; i++) {
        const struct work *work = &works[i];
        const double bytes = size_of(work->path);
        printf("%-28s %9.1f %8.3f %8.1f %14.2f %14.2f\n", work->name, bytes / 1e6,
               work->best.seconds, bytes / 1e6 / work->best.seconds,
               work->best.seconds / works[0].best.seconds, work->best.peak_bytes / bytes);
    }
}

static bool write_pods(const char *path, uint32_t count)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    generate_pods(file, count);
    return fclose(file) == 0;
}

/* The pods once more, as JSON. */
static bool write_json(const char *from, const char *to)
{
    struct memory memory;
    struct arena arena;
    struct documents documents = {0};
    struct text text;
    struct json_out json;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    text_init(&text, &memory);
    json_out_init(&json, &text, 0);
    bool good = load(from, &arena, &documents);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "v1");
    json_array_begin(&json, "items");
    for (uint32_t i = 0; i < documents.count; i++)
        value_write_json(&json, NULL, &documents.items[i].root);
    json_array_end(&json);
    json_string(&json, "kind", "List");
    json_object_end(&json);
    FILE *file = fopen(to, "wb");
    good = good && file && fwrite(text.content, 1, text.length, file) == text.length;
    good = file && fclose(file) == 0 && good;
    text_release(&text);
    arena_release(&arena);
    return good;
}

int main(int argc, char **argv)
{
    const uint32_t pods = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : PODS_USUAL;
    char folder[] = "/tmp/fathom-bench-XXXXXX";
    if (pods == 0 || !mkdtemp(folder))
        return 2;
    char yaml[64];
    char json[64];
    snprintf(yaml, sizeof(yaml), "%s/pods.yaml", folder);
    snprintf(json, sizeof(json), "%s/pods.json", folder);
    /* In a process of its own: what a parent has used counts for its children. */
    const pid_t child = fork();
    if (child == 0)
        _exit(write_pods(yaml, pods) && write_json(yaml, json) ? 0 : 1);
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        return 1;
    struct work works[] = {
        {.name = "libyaml's events", .run = loop_over_events, .path = yaml},
        {.name = "tree", .run = read_tree, .path = yaml},
        {.name = "tree and objects", .run = read_objects, .path = yaml},
        {.name = "tree, from JSON", .run = read_tree, .path = json},
    };
    measure(works, sizeof(works) / sizeof(*works));
    report(works, sizeof(works) / sizeof(*works));
    unlink(yaml);
    unlink(json);
    rmdir(folder);
    return 0;
}
