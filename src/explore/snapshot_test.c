/* SPDX-License-Identifier: Apache-2.0 */
/* A search that is interrupted anywhere, saved, and gone on with reports what an
 * uninterrupted one reports: counts, verdicts, and the very paths. */
#include "base/blame.h"
#include "explore/random_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct property properties[] = {
    {.name = "p", .kind = PROPERTY_INVARIANT, .p = {.all = RANDOM_P}},
    {.name = "no mark", .kind = PROPERTY_STEP_INVARIANT, .marks = RANDOM_MARK},
    {.name = "no end", .kind = PROPERTY_DEADLOCK_FREE},
    {.name = "in the end p", .kind = PROPERTY_EVENTUALLY_ALWAYS, .p = {.all = RANDOM_P}},
    {.name = "no cycle", .kind = PROPERTY_NO_CYCLE, .marks = RANDOM_MARK},
    {.name = "p again", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p = {.all = RANDOM_P}},
};
enum { PROPERTY_COUNT = sizeof(properties) / sizeof(properties[0]) };

struct file {
    struct bytes_out out;
    FILE *stream;
    uint64_t length;
    bool written;
};

static struct bytes_out *begin(void *context, enum explore_reason reason)
{
    struct file *file = context;
    assert_int_not_equal(reason, EXPLORE_DECIDED);
    bytes_out_init(&file->out, file->stream);
    return &file->out;
}

static void end(void *context)
{
    struct file *file = context;
    bytes_finish(&file->out);
    assert_int_equal(file->out.error, 0);
    file->length = file->out.written;
    file->written = true;
}

struct attempt {
    const struct model *model;
    uint64_t states_most;
    uint32_t threads;
    uint64_t segment;
};

/* One run, from what `from` holds (NULL: from the beginning), into `to`. */
static struct exploration *run(const struct attempt *attempt, struct file *from, struct file *to,
                               struct memory *memory)
{
    struct explore_options options;
    struct bytes_in in = {0};
    explore_options_init(&options);
    options.all = true;
    options.threads = attempt->threads;
    options.parallel_from = 1;
    options.states_most = attempt->states_most;
    options.segment_states = attempt->segment;
    options.save_begin = begin;
    options.save_end = end;
    options.save_context = to;
    to->stream = tmpfile();
    to->written = false;
    if (from && from->written) {
        in = (struct bytes_in){.file = from->stream, .left = from->length};
        rewind(from->stream);
        options.resume = &in;
    }
    struct exploration *result = explore_run(attempt->model, &options, memory);
    if (from)
        fclose(from->stream);
    return result;
}

static void assert_same(const struct exploration *a, const struct exploration *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->statistics.states, b->statistics.states);
    assert_int_equal(a->statistics.transitions, b->statistics.transitions);
    assert_int_equal(a->statistics.depth, b->statistics.depth);
    assert_int_equal(a->statistics.rest_states, b->statistics.rest_states);
    assert_int_equal(a->statistics.edges, b->statistics.edges);
    assert_int_equal(a->atoms_seen, b->atoms_seen);
    assert_int_equal(a->marks_seen, b->marks_seen);
    for (uint32_t i = 0; i < a->action_count; i++)
        assert_int_equal(a->action_fired[i], b->action_fired[i]);
    for (uint32_t i = 0; i < a->property_count; i++) {
        assert_int_equal(a->properties[i].verdict, b->properties[i].verdict);
        assert_int_equal(a->properties[i].vacuous, b->properties[i].vacuous);
        assert_int_equal(a->properties[i].has_path, b->properties[i].has_path);
        if (a->properties[i].has_path)
            assert_true(same_paths(&a->properties[i].path, &b->properties[i].path));
    }
}

/* Interrupted after `first` states, then again after every `more`. */
static void compare(const struct model *model, uint64_t first, uint64_t more, uint32_t threads,
                    uint64_t segment, uint32_t *interruptions)
{
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct attempt attempt = {model, UINT64_MAX, 1, 0};
    struct file files[2], whole;
    struct exploration *expected = run(&attempt, NULL, &whole, &memory);
    assert_false(whole.written);
    fclose(whole.stream);
    attempt = (struct attempt){model, first, threads, segment};
    struct exploration *result = run(&attempt, NULL, &files[0], &memory);
    uint32_t at = 0;
    for (; result->reason == EXPLORE_STATES; at++) {
        explore_free(result);
        attempt.states_most += more;
        /* The number of threads may be another one each time. */
        attempt.threads = threads > 1 ? 1 + at % threads : 1;
        result = run(&attempt, &files[at % 2], &files[(at + 1) % 2], &memory);
    }
    fclose(files[at % 2].stream);
    *interruptions += at;
    assert_same(expected, result);
    explore_free(expected);
    explore_free(result);
    assert_int_equal(memory.used_bytes, 0);
}

static void interruptions_change_nothing(void **state)
{
    (void)state;
    uint32_t interruptions = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const struct random_graph graph = {.size = 400 + 97 * (uint32_t)seed,
                                           .degree = 1 + (uint32_t)(seed % 3),
                                           .rare = 2 + (uint32_t)(seed * seed * 7 % 90),
                                           .seed = seed * 1000,
                                           .words_most = seed % 4 == 0 ? 1 : 9};
        const struct model model = random_model(&graph, properties, PROPERTY_COUNT);
        compare(&model, 1, 60, 1, 7, &interruptions);
        compare(&model, 60 + seed, 100, 1, 0, &interruptions);
        compare(&model, 30, 90, 3, 50, &interruptions);
    }
    assert_true(interruptions > 60);
}

/* A search that was saved for want of memory goes on with more of it. */
static void memory_is_given_later(void **state)
{
    (void)state;
    const struct random_graph graph = {
        .size = 20000, .degree = 3, .rare = 19999, .seed = 5, .words_most = 9};
    const struct model model = random_model(&graph, properties, PROPERTY_COUNT);
    struct memory small, large;
    struct file first, second;
    struct attempt attempt = {&model, UINT64_MAX, 1, 1000};
    memory_init(&small, 1 << 20);
    memory_init(&large, SIZE_MAX);
    struct exploration *cut = run(&attempt, NULL, &first, &small);
    assert_int_equal(cut->reason, EXPLORE_MEMORY);
    assert_int_equal(cut->verdict != VERDICT_HOLDS, true);
    assert_true(first.written);
    struct exploration *result = run(&attempt, &first, &second, &large);
    fclose(second.stream);
    struct exploration *expected = run(&attempt, NULL, &first, &large);
    fclose(first.stream);
    assert_same(expected, result);
    assert_true(cut->statistics.states < expected->statistics.states);
    explore_free(cut);
    explore_free(result);
    explore_free(expected);
    assert_int_equal(small.used_bytes, 0);
}

/* Whatever is cut off or of another model is refused, and nothing is decided. */
static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    const struct random_graph graph = {
        .size = 300, .degree = 2, .rare = 50, .seed = 9, .words_most = 5};
    const struct model model = random_model(&graph, properties, PROPERTY_COUNT);
    const struct model other = random_model(&graph, properties, PROPERTY_COUNT - 1);
    struct attempt attempt = {&model, 150, 1, 10};
    struct file file;
    explore_free(run(&attempt, NULL, &file, &memory));
    assert_true(file.written);
    attempt.states_most = UINT64_MAX;
    for (uint64_t length = 0; length <= file.length; length += length < 200 ? 8 : 997) {
        struct explore_options options;
        struct bytes_in in = {.file = file.stream, .left = length};
        explore_options_init(&options);
        options.resume = &in;
        rewind(file.stream);
        struct exploration *result =
            explore_run(length == file.length ? &other : &model, &options, &memory);
        assert_int_equal(result->reason, EXPLORE_UNRESUMED);
        assert_int_equal(result->verdict, VERDICT_UNDECIDED);
        explore_free(result);
        if (length < file.length && length + 997 > file.length)
            length = file.length - 997;
    }
    fclose(file.stream);
}

/* The words of a state of the graph, and nothing else. */
static bool is_of_graph(void *context, const uint32_t *words, uint32_t length)
{
    const struct random_graph *graph = context;
    uint32_t expected[16];
    if (length == 0 || words[0] >= graph->size)
        return false;
    return graph_words(graph, words[0], expected) == length &&
           memcmp(words, expected, length * sizeof(*words)) == 0;
}

/* One run from the file, in a process of its own: it may find out late that something is wrong. */
static int resumed(const struct model *model, const struct random_graph *graph, struct file *file)
{
    const pid_t child = fork();
    if (child == 0) {
        struct memory memory;
        struct explore_options options;
        struct bytes_in in = {.file = file->stream, .left = file->length};
        memory_init(&memory, SIZE_MAX);
        bug_blame("snapshot");
        explore_options_init(&options);
        options.resume = &in;
        options.states_most = 2000;
        options.is_sound = is_of_graph;
        options.sound_context = (void *)(uintptr_t)graph;
        rewind(file->stream);
        const struct exploration *result = explore_run(model, &options, &memory);
        for (uint32_t i = 0; i < result->property_count; i++)
            if (result->properties[i].verdict == VERDICT_VIOLATED &&
                !result->properties[i].has_path)
                _Exit(3);
        _Exit(result->reason == EXPLORE_UNRESUMED ? 2 : 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Any number of a snapshot may be any other: it is refused, or it makes no difference to what can
 * be reached. Nobody touches what is not theirs, and nobody calls it a mistake of ours. */
static void forged_numbers_do_no_harm(void **state)
{
    (void)state;
    static const uint32_t forged[] = {0xffffffff, 0x7fffffff, 0x10000, 300, 0};
    const struct random_graph graph = {
        .size = 300, .degree = 2, .rare = 50, .seed = 9, .words_most = 5};
    const struct model model = random_model(&graph, properties, PROPERTY_COUNT);
    struct attempt attempt = {&model, 150, 1, 10};
    struct memory memory;
    struct file file;
    uint32_t refused = 0;
    memory_init(&memory, SIZE_MAX);
    explore_free(run(&attempt, NULL, &file, &memory));
    assert_true(file.written);
    for (uint64_t at = 0; at + 4 <= file.length; at += at < 480 ? 8 : 100) {
        uint32_t kept;
        const uint32_t number = forged[at / 4 % (sizeof(forged) / sizeof(*forged))];
        fseek(file.stream, (long)at, SEEK_SET);
        assert_int_equal(fread(&kept, sizeof(kept), 1, file.stream), 1);
        fseek(file.stream, (long)at, SEEK_SET);
        fwrite(&number, sizeof(number), 1, file.stream);
        fflush(file.stream);
        const int code = resumed(&model, &graph, &file);
        if (code != 0 && code != 2)
            fail_msg("offset %llu, number %u: code %d", (unsigned long long)at, number, code);
        refused += code == 2;
        fseek(file.stream, (long)at, SEEK_SET);
        fwrite(&kept, sizeof(kept), 1, file.stream);
        fflush(file.stream);
    }
    assert_true(refused > 20);
    fclose(file.stream);
}

/* No verdict is taken from a snapshot that no run can be told for: not of what only a cycle
 * decides, and not one that its kind of property cannot have. */
static void forged_verdicts_are_refused(void **state)
{
    (void)state;
    enum { NUMBERS_BEFORE = 20, DECIDED = 0, HIT = 2, VERDICT = 3, NUMBERS_EACH = 5 };
    const struct random_graph graph = {
        .size = 300, .degree = 2, .rare = 50, .seed = 9, .words_most = 5};
    const struct model model = random_model(&graph, properties, PROPERTY_COUNT);
    struct attempt attempt = {&model, 150, 1, 10};
    struct memory memory;
    struct file file;
    memory_init(&memory, SIZE_MAX);
    explore_free(run(&attempt, NULL, &file, &memory));
    assert_true(file.written);
    for (uint32_t i = 0; i < PROPERTY_COUNT; i++) {
        const long at = (long)sizeof(uint64_t) *
                        (NUMBERS_BEFORE + (long)model.action_count + (long)i * NUMBERS_EACH);
        uint64_t kept[NUMBERS_EACH];
        fseek(file.stream, at, SEEK_SET);
        assert_int_equal(fread(kept, sizeof(kept), 1, file.stream), 1);
        for (uint64_t verdict = 0; verdict <= VERDICT_HOLDS_PROBABLY; verdict++) {
            for (uint64_t hit = 0; hit < 2; hit++) {
                uint64_t numbers[NUMBERS_EACH];
                memcpy(numbers, kept, sizeof(kept));
                numbers[DECIDED] = 1;
                numbers[HIT] = hit;
                numbers[VERDICT] = verdict;
                fseek(file.stream, at, SEEK_SET);
                fwrite(numbers, sizeof(numbers), 1, file.stream);
                fflush(file.stream);
                const bool safety = i < 3;
                const bool possible = safety && (verdict == VERDICT_UNDECIDED ||
                                                 (hit && verdict == VERDICT_VIOLATED));
                const int code = resumed(&model, &graph, &file);
                if (code != 2 && !(possible && code == 0))
                    fail_msg("%s: %s, hit %d: code %d", properties[i].name,
                             verdict_name((enum verdict)verdict), (int)hit, code);
            }
        }
        fseek(file.stream, at, SEEK_SET);
        fwrite(kept, sizeof(kept), 1, file.stream);
    }
    fclose(file.stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interruptions_change_nothing), cmocka_unit_test(memory_is_given_later),
        cmocka_unit_test(what_does_not_fit_is_refused), cmocka_unit_test(forged_numbers_do_no_harm),
        cmocka_unit_test(forged_verdicts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
