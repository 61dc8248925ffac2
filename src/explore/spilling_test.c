/* SPDX-License-Identifier: Apache-2.0 */
/* Searches that go to files: they find what they find in memory, leave nothing behind, and a disk
 * that is full is a limit like any other. */
#include "explore/explore.h"
#include "explore/random_model.h"

#include "base/spill.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { WORDS = 6, RADIX = 8, LIMIT = 12 << 20 };

/* The search of one test. */
struct spilled {
    struct spill spill;
    struct memory memory;
    char folder[64];
    atomic_bool seen_in_use;
};

static void begin(struct spilled *spilled, size_t limit_bytes)
{
    *spilled = (struct spilled){.folder = "spilling_test_XXXXXX"};
    assert_non_null(mkdtemp(spilled->folder));
    spilled->spill.folder = spilled->folder;
    memory_init(&spilled->memory, limit_bytes);
    spilled->memory.spill = &spilled->spill;
}

static uint32_t files_in(const char *folder)
{
    uint32_t count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static void end(const struct spilled *spilled)
{
    assert_int_equal(spilled->memory.used_bytes, 0);
    assert_int_equal(spilled->spill.bytes, 0);
    assert_int_equal(files_in(spilled->folder), 0);
    assert_int_equal(rmdir(spilled->folder), 0);
}

static void counters_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    const uint32_t zero[WORDS] = {0};
    step_sink_emit(sink, &(struct step){.words = zero, .length = model->length_most});
}

/* Each counter steps on its own; the first one stops at its end. Nothing is in the folder that an
 * interruption could leave behind. */
static void counters_expand(const struct model *model, void *worker, const uint32_t *words,
                            uint32_t length, struct step_sink *sink)
{
    (void)worker;
    struct spilled *spilled = (struct spilled *)(uintptr_t)model->context;
    if (spilled && atomic_load(&spilled->spill.bytes) > 0 &&
        !atomic_exchange(&spilled->seen_in_use, true))
        assert_int_equal(files_in(spilled->folder), 0);
    uint32_t next[WORDS];
    memcpy(next, words, sizeof(next));
    for (uint32_t i = 0; i < length; i++) {
        if (i == 0 && words[i] + 1 == RADIX)
            continue;
        next[i] = (words[i] + 1) % RADIX;
        step_sink_emit(sink, &(struct step){.words = next, .length = length, .fairness = i});
        next[i] = words[i];
    }
}

static uint64_t counters_atoms(const struct model *model, void *worker, const uint32_t *words,
                               uint32_t length)
{
    (void)model;
    (void)worker;
    (void)length;
    return (words[0] == RADIX - 1) | (uint64_t)(words[1] == 0) << 1;
}

static const char *const actions[] = {"step", "second"};

/* That these hold takes all steps to find out. */
static const struct property properties[] = {
    {.name = "stops", .kind = PROPERTY_EVENTUALLY, .p = {.all = 1}},
    {.name = "returns", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p = {.all = 2}},
};
enum { PROPERTIES = sizeof(properties) / sizeof(*properties) };

static struct model counters(struct spilled *spilled)
{
    return (struct model){.name = "counters",
                          .context = spilled,
                          .length_least = WORDS,
                          .length_most = WORDS,
                          .actions = actions,
                          .action_count = 1,
                          .fairness_class_count = WORDS,
                          .initial = counters_initial,
                          .expand = counters_expand,
                          .atoms = counters_atoms,
                          .properties = properties,
                          .property_count = PROPERTIES};
}

static struct exploration *explore(const struct model *model, uint32_t threads,
                                   struct memory *memory)
{
    struct explore_options options;
    explore_options_init(&options);
    options.threads = threads;
    options.all = true;
    options.lasso_effort_most = 20000;
    return explore_run(model, &options, memory);
}

static void assert_same(const struct exploration *a, const struct exploration *b)
{
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->statistics.states, b->statistics.states);
    assert_int_equal(a->statistics.transitions, b->statistics.transitions);
    assert_int_equal(a->statistics.edges, b->statistics.edges);
    assert_int_equal(a->statistics.depth, b->statistics.depth);
    assert_int_equal(a->statistics.components, b->statistics.components);
    for (uint32_t i = 0; i < a->property_count; i++) {
        assert_int_equal(a->properties[i].verdict, b->properties[i].verdict);
        assert_int_equal(a->properties[i].has_path, b->properties[i].has_path);
        if (a->properties[i].has_path)
            assert_true(same_paths(&a->properties[i].path, &b->properties[i].path));
    }
}

static void memory_alone_does_not_suffice(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, LIMIT);
    const struct model model = counters(NULL);
    struct exploration *found = explore(&model, 1, &memory);
    assert_int_equal(found->reason, EXPLORE_MEMORY);
    explore_free(found);
    assert_int_equal(memory.used_bytes, 0);
}

static void files_change_nothing(void **state)
{
    (void)state;
    struct memory unlimited;
    memory_init(&unlimited, SIZE_MAX);
    const struct model in_memory = counters(NULL);
    struct exploration *expected = explore(&in_memory, 1, &unlimited);
    assert_int_equal(expected->statistics.states, 262144);
    assert_int_equal(expected->properties[0].verdict, VERDICT_HOLDS);
    assert_int_equal(expected->properties[1].verdict, VERDICT_HOLDS);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct spilled spilled;
        begin(&spilled, LIMIT);
        const struct model model = counters(&spilled);
        struct exploration *found = explore(&model, threads, &spilled.memory);
        assert_int_equal(spilled.spill.error, 0);
        assert_true(spilled.seen_in_use);
        assert_in_range(found->statistics.peak_bytes, 1, LIMIT);
        assert_same(expected, found);
        explore_free(found);
        end(&spilled);
    }
    explore_free(expected);
}

/* Graphs without any order, whose states are not of one length; also where all is to be in files
 * from the first megabyte on. */
static void random_graphs_are_the_same(void **state)
{
    (void)state;
    const struct property asked[] = {
        {.name = "invariant", .kind = PROPERTY_INVARIANT, .p = {.all = RANDOM_P}},
        {.name = "stays", .kind = PROPERTY_EVENTUALLY_ALWAYS, .p = {.all = RANDOM_P}},
        {.name = "returns", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p = {.none = RANDOM_P}},
    };
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const struct random_graph graph = {.size = 200000,
                                           .degree = 3,
                                           .rare = seed == 2 ? 200 : 9000,
                                           .seed = seed << 32,
                                           .words_most = seed == 3 ? 1 : 9};
        const struct model model = random_model(&graph, asked, 3);
        struct memory unlimited;
        memory_init(&unlimited, SIZE_MAX);
        struct exploration *expected = explore(&model, 1, &unlimited);
        struct spilled spilled;
        begin(&spilled, expected->statistics.peak_bytes - expected->statistics.edge_bytes / 2);
        struct exploration *found = explore(&model, (uint32_t)seed, &spilled.memory);
        assert_true(spilled.spill.peak_bytes > 0);
        assert_same(expected, found);
        explore_free(found);
        explore_free(expected);
        end(&spilled);
    }
}

static void a_full_disk_is_a_limit(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        /* Nothing goes to a file, or what has gone there cannot grow. */
        const struct rlimit small = {.rlim_cur = (rlim_t)(threads == 1 ? 1 : 5) << 20,
                                     .rlim_max = before.rlim_max};
        struct spilled spilled;
        begin(&spilled, LIMIT);
        const struct model model = counters(&spilled);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        struct exploration *found = explore(&model, threads, &spilled.memory);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(found->reason, EXPLORE_MEMORY);
        assert_false(found->complete);
        for (uint32_t i = 0; i < PROPERTIES; i++)
            assert_int_equal(found->properties[i].verdict, VERDICT_UNDECIDED);
        assert_non_null(spill_error(&spilled.spill));
        explore_free(found);
        end(&spilled);
    }
    signal(SIGXFSZ, handler);
}

static void a_folder_that_is_gone_is_a_limit(void **state)
{
    (void)state;
    struct spilled spilled;
    begin(&spilled, LIMIT);
    assert_int_equal(rmdir(spilled.folder), 0);
    const struct model model = counters(NULL);
    struct exploration *found = explore(&model, 1, &spilled.memory);
    assert_int_equal(found->reason, EXPLORE_MEMORY);
    assert_non_null(spill_error(&spilled.spill));
    explore_free(found);
    assert_int_equal(spilled.memory.used_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_alone_does_not_suffice),
        cmocka_unit_test(files_change_nothing),
        cmocka_unit_test(random_graphs_are_the_same),
        cmocka_unit_test(a_full_disk_is_a_limit),
        cmocka_unit_test(a_folder_that_is_gone_is_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
