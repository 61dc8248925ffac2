/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recorded runs of real control planes (v1.26.15, v1.36.4) are behaviours of the
 * model, and runs in which one write was falsified are not.
 */
#include "recording/follow.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct totals {
    uint32_t runs;
    int minor;
    uint32_t judged;
    uint32_t followed;
    uint32_t rests;
    uint32_t restless;
    uint32_t loops;
    uint32_t undecided;
};

typedef void (*visit_run)(struct arena *arena, struct manifest_reader *reader, const char *folder,
                          uint32_t run, void *context);

/* The runs of 1.26 do not tell their version; those of 1.36 do. */
static const char runs_1_26[] = "runs";
static const char runs_1_36[] = "runs-1.36";

static void each_run(const char *runs_folder, visit_run visit, void *context)
{
    struct memory memory;
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    char path[4096];
    memory_init(&memory, SIZE_MAX);
    snprintf(path, sizeof(path), "%s/test/data/%s", root ? root : ".", runs_folder);
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, NULL, alphasort);
    assert_true(count > 2);
    for (int e = 0; e < count; e++) {
        if (entries[e]->d_name[0] != '.') {
            struct arena lists;
            struct problems problems;
            struct run_numbers runs = {0};
            arena_init(&lists, &memory);
            problems_init(&problems, &lists);
            const char *folder = arena_printf(&lists, "%s/%s", path, entries[e]->d_name);
            assert_true(recording_list(&lists, folder, &runs, &problems));
            for (uint32_t r = 0; r < runs.count; r++) {
                struct arena arena;
                struct manifest_reader *reader = manifest_reader_create(&memory);
                arena_init(&arena, &memory);
                visit(&arena, reader, folder, runs.items[r], context);
                manifest_reader_free(reader);
                arena_release(&arena);
            }
            arena_release(&lists);
        }
        free(entries[e]);
    }
    free(entries);
}

static void read_or_fail(struct arena *arena, struct manifest_reader *reader, const char *folder,
                         uint32_t run, struct recording *recording)
{
    struct problems problems;
    problems_init(&problems, arena);
    if (!recording_read(arena, reader, folder, run, recording, &problems))
        fail_msg("%s", problem_format(arena, &problems.items[0]));
}

static bool follow_by(int minor, struct recording *recording, struct manifest_reader *reader,
                      struct follow_result *result, struct problems *problems)
{
    const struct features features = features_of_version(minor);
    return follow_recording(recording, reader, &features, result, problems);
}

static bool follow(struct recording *recording, struct manifest_reader *reader,
                   struct follow_result *result, struct problems *problems)
{
    return follow_recording(recording, reader, NULL, result, problems);
}

static void follow_one(struct arena *arena, struct manifest_reader *reader, const char *folder,
                       uint32_t run, void *context)
{
    struct totals *totals = context;
    struct recording recording;
    struct follow_result result;
    struct problems problems;
    problems_init(&problems, arena);
    read_or_fail(arena, reader, folder, run, &recording);
    if (!follow(&recording, reader, &result, &problems))
        fail_msg("%s", problem_format(arena, &problems.items[0]));
    totals->runs++;
    totals->minor = result.minor;
    totals->judged += result.judged;
    totals->followed += result.followed;
    totals->rests += result.end == FOLLOW_END_RESTS;
    totals->restless += result.end == FOLLOW_END_RESTLESS;
    totals->loops += result.end == FOLLOW_END_LOOPS;
    totals->undecided += result.undecided;
    for (uint32_t i = 0; i < result.stops.count; i++)
        printf("%s rv %lld: %s %s %s/%s: %s\n", recording.name,
               (long long)result.stops.items[i].deed->rv, result.stops.items[i].deed->actor,
               result.stops.items[i].deed->action, result.stops.items[i].deed->kind,
               result.stops.items[i].deed->name, result.stops.items[i].would);
    if (result.end == FOLLOW_END_RESTLESS)
        printf("%s: the model would go on with %s\n", recording.name, result.restless);
}

static struct totals follow_all(const char *runs_folder)
{
    struct totals totals = {0};
    each_run(runs_folder, follow_one, &totals);
    printf("%s: %u runs, %u of %u writes followed; %u ends are rests of the model, %u loops\n",
           runs_folder, totals.runs, totals.followed, totals.judged, totals.rests, totals.loops);
    return totals;
}

/* Every write is one that the model could make, and every end a rest of it, a loop, or cut. */
static void expect_all(const char *runs_folder, struct totals expected)
{
    const struct totals totals = follow_all(runs_folder);
    assert_int_equal(totals.minor, expected.minor);
    assert_int_equal(totals.runs, expected.runs);
    assert_int_equal(totals.judged, expected.judged);
    assert_int_equal(totals.followed, totals.judged);
    assert_int_equal(totals.rests, expected.rests);
    assert_int_equal(totals.loops, expected.loops);
    assert_int_equal(totals.restless, 0);
    assert_int_equal(totals.undecided, 0);
}

static void test_all_runs_of_1_36_are_followed(void **state)
{
    (void)state;
    /* The loops: s25, s27 and s55 for ever, and r023 and r083; s42 has a quota. */
    expect_all(
        runs_1_36,
        (struct totals){.minor = 36, .runs = 309, .judged = 20002, .rests = 294, .loops = 12});
}

static void test_all_runs_are_followed(void **state)
{
    (void)state;
    /* The loops: s25, s27, s48, s49 and s55 for ever, all 34 of them, and r023 and r083. The
     * other runs that did not settle were only cut, or have a quota. */
    expect_all(
        runs_1_26,
        (struct totals){.minor = 26, .runs = 580, .judged = 36418, .rests = 527, .loops = 38});
}

/* A run that settled is no circle, even if it did not say that it settled. */
static void unsettle_one(struct arena *arena, struct manifest_reader *reader, const char *folder,
                         uint32_t run, void *context)
{
    struct totals *totals = context;
    struct recording recording;
    struct follow_result result;
    struct problems problems;
    bool settled = false;
    problems_init(&problems, arena);
    read_or_fail(arena, reader, folder, run, &recording);
    for (uint32_t i = 0; i < recording.deeds.count; i++) {
        struct deed *deed = &recording.deeds.items[i];
        const bool end = strcmp(deed->name, "end settled") == 0;
        settled = settled || end;
        deed->name = end ? "end" : deed->name;
        /* Nobody's writes are not judged, which saves time. */
        if (strcmp(deed->actor, "user") != 0 && strcmp(deed->actor, "script") != 0 &&
            strcmp(deed->kind, "Node") != 0)
            deed->actor = "nobody";
    }
    if (!settled)
        return;
    assert_true(follow(&recording, reader, &result, &problems));
    totals->runs++;
    totals->loops += result.end == FOLLOW_END_LOOPS;
    if (result.end == FOLLOW_END_LOOPS)
        printf("%s is at %.3f as it was at %.3f\n", recording.name, result.loop.to,
               result.loop.from);
}

static void test_settled_runs_are_no_circles(void **state)
{
    struct totals totals = {0};
    (void)state;
    each_run(runs_1_26, unsettle_one, &totals);
    assert_int_equal(totals.runs, 534);
    each_run(runs_1_36, unsettle_one, &totals);
    assert_int_equal(totals.loops, 0);
}

/* ---- runs written by hand, each for one rule ---- */

static void test_written_runs(void **state)
{
    static const struct {
        const char *name;
        int64_t stop; /* the first write that is not followed; 0: none */
        int minor;    /* by whose rules; 0: those that the recording tells */
    } rows[] = {
        /* A daemon's pod that is never bound is for a node on which its DaemonSet wants one, and
         * is deleted when that node does not want it any more, or never. */
        {"daemon-pod-waits", 0},
        {"daemon-pod-deleted-for-nothing", 109},
        {"daemon-makes-two", 108},
        /* A victim of preemption is seen as it was when the scheduler decided, and the pod that
         * waits as it is. */
        {"victim-ends-meanwhile", 0},
        {"preemption-by-old-view", 0},
        {"preemption-for-nothing", 108},
        /* Pods that started in one second are equally old. */
        {"victims-of-one-second", 0},
        {"victims-of-two-seconds", 108},
        /* Rules are those of a version. */
        {"ordinals-start-at-five", 104},
        {"ordinals-start-at-five", 0, 33},
        /* A Job goes by how its pods ended, and waits after a failure. */
        {"job-fails-by-policy", 0},
        {"job-fails-for-nothing", 111},
        {"job-retries-early", 111},
        {"job-retries-early", 0, 26},
        {"job-retries-late", 0},
        {"gates-taken-off", 0},
        {"gated-pod-is-bound", 104},
        {"gated-pod-is-bound", 0, 26},
    };
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct memory memory;
        struct arena arena;
        struct recording recording;
        struct follow_result result;
        struct problems problems;
        memory_init(&memory, SIZE_MAX);
        arena_init(&arena, &memory);
        problems_init(&problems, &arena);
        struct manifest_reader *reader = manifest_reader_create(&memory);
        read_or_fail(
            &arena, reader,
            arena_printf(&arena, "%s/test/data/written_runs/%s", root ? root : ".", rows[i].name),
            1, &recording);
        assert_true(rows[i].minor ? follow_by(rows[i].minor, &recording, reader, &result, &problems)
                                  : follow(&recording, reader, &result, &problems));
        const int64_t stop = result.stops.count > 0 ? result.stops.items[0].deed->rv : 0;
        if (stop != rows[i].stop)
            fail_msg("%s stops at %lld", rows[i].name, (long long)stop);
        manifest_reader_free(reader);
        arena_release(&arena);
    }
}

/* A mapping that is something else is a problem, and nothing worse. */
static void test_wrong_manifest_is_a_problem(void **state)
{
    struct memory memory;
    struct arena arena;
    struct recording recording;
    struct follow_result result;
    struct problems problems;
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    struct manifest_reader *reader = manifest_reader_create(&memory);
    read_or_fail(
        &arena, reader,
        arena_printf(&arena, "%s/test/data/written_runs/template-is-a-list", root ? root : "."), 1,
        &recording);
    assert_false(follow(&recording, reader, &result, &problems));
    assert_true(problems.errors > 0);
    manifest_reader_free(reader);
    arena_release(&arena);
}

/* ---- falsified runs ---- */

struct falsification {
    const char *actor;
    const char *action;
    /* The line of a falsified deed; NULL: this one is left alone. */
    const char *(*falsify)(struct arena *arena, const struct recording *recording,
                           const struct deed *deed);
    uint32_t each; /* one deed in so many is falsified, to save time */
    uint32_t seen;
    uint32_t tried;
    uint32_t noticed;
};

/* Another size than the one decided. */
static const char *scale_further(struct arena *arena, const struct recording *recording,
                                 const struct deed *deed)
{
    const struct value *change = value_find(value_find(deed->line, "change"), "replicas");
    int64_t replicas = 0;
    (void)recording;
    if (change && change->kind == VALUE_SEQUENCE && change->count == 2 &&
        value_read_integer(&change->items[1], &replicas))
        return arena_printf(arena, "{\"change\":{\"replicas\":[0,%lld]}}", (long long)replicas + 1);
    if (value_read_integer(value_find(deed->line, "replicas"), &replicas))
        return arena_printf(arena, "{\"replicas\":%lld}", (long long)replicas + 1);
    return NULL;
}

/* The node after the one that was chosen. */
static const char *bind_elsewhere(struct arena *arena, const struct recording *recording,
                                  const struct deed *deed)
{
    const char *node = value_find_string(deed->line, "node");
    const char *first = NULL;
    const char *next = NULL;
    bool passed = false;
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        if (strcmp(thing->kind, "Node") != 0)
            continue;
        first = first ? first : thing->name;
        next = passed && !next ? thing->name : next;
        passed = passed || (node && strcmp(thing->name, node) == 0);
    }
    next = next ? next : first;
    return node && next && strcmp(next, node) != 0 ? arena_printf(arena, "{\"node\":\"%s\"}", next)
                                                   : NULL;
}

static const char *count_one_more(struct arena *arena, const struct recording *recording,
                                  const struct deed *deed)
{
    const struct value *status = value_find(deed->line, "status");
    int64_t healthy = 0;
    int64_t desired = 0;
    int64_t expected = 0;
    (void)recording;
    value_read_integer(value_find(status, "currentHealthy"), &healthy);
    value_read_integer(value_find(status, "desiredHealthy"), &desired);
    value_read_integer(value_find(status, "expectedPods"), &expected);
    return arena_printf(arena,
                        "{\"status\":{\"currentHealthy\":%lld,\"desiredHealthy\":%lld,"
                        "\"expectedPods\":%lld,\"disruptionsAllowed\":%lld}}",
                        (long long)healthy, (long long)desired, (long long)expected + 1,
                        (long long)(healthy - desired));
}

static void falsify_one(struct arena *arena, struct manifest_reader *reader, const char *folder,
                        uint32_t run, void *context)
{
    struct falsification *falsification = context;
    struct recording recording;
    if (run != 1)
        return;
    read_or_fail(arena, reader, folder, run, &recording);
    for (uint32_t i = 0; i < recording.deeds.count; i++) {
        struct deed *deed = &recording.deeds.items[i];
        if (strcmp(deed->actor, falsification->actor) != 0 && strcmp(deed->actor, "script") != 0)
            deed->actor = "nobody"; /* not judged, which saves time */
    }
    for (uint32_t i = 0; i < recording.deeds.count; i++) {
        struct deed *deed = &recording.deeds.items[i];
        struct problems problems;
        struct follow_result result;
        if (deed->rv < 0 || deed->code || deed->noop ||
            strcmp(deed->actor, falsification->actor) != 0 ||
            strcmp(deed->action, falsification->action) != 0 ||
            falsification->seen++ % falsification->each != 0)
            continue;
        const char *line = falsification->falsify(arena, &recording, deed);
        if (!line)
            continue;
        problems_init(&problems, arena);
        const struct value *kept = deed->line;
        const struct document *document = manifest_reader_parse_json(
            reader, arena, (struct place){"falsified", 1, 1}, line, strlen(line), &problems);
        assert_non_null(document);
        deed->line = &document->root;
        assert_true(follow(&recording, reader, &result, &problems));
        deed->line = kept;
        falsification->tried++;
        falsification->noticed += result.stops.count > 0 && result.stops.items[0].deed == deed;
    }
}

static void test_falsified_runs_are_not(void **state)
{
    static struct {
        struct falsification falsification;
        uint32_t percent_least; /* the rest are ties: another choice was as good */
    } rows[] = {
        {{"deployment-controller", "scale", scale_further, 11, 0, 0, 0}, 95},
        {{"horizontal-pod-autoscaler", "scale", scale_further, 3, 0, 0, 0}, 90},
        {{"disruption-controller", "status", count_one_more, 11, 0, 0, 0}, 80},
        {{"scheduler", "bind", bind_elsewhere, 11, 0, 0, 0}, 45},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct falsification *row = &rows[i].falsification;
        each_run(runs_1_26, falsify_one, row);
        each_run(runs_1_36, falsify_one, row);
        printf("%s %s: %u of %u falsified writes noticed\n", row->actor, row->action, row->noticed,
               row->tried);
        assert_true(row->tried > 0);
        assert_true(row->noticed * 100 >= row->tried * rows[i].percent_least);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_runs_are_followed),
        cmocka_unit_test(test_all_runs_of_1_36_are_followed),
        cmocka_unit_test(test_settled_runs_are_no_circles),
        cmocka_unit_test(test_falsified_runs_are_not),
        cmocka_unit_test(test_written_runs),
        cmocka_unit_test(test_wrong_manifest_is_a_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
