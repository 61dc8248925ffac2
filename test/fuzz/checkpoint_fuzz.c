/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A saved search in which words are forged: the input is a list of pairs, an offset and the number
 * to write there. What is resumed from it is refused, or makes no difference to what can be
 * reached; nobody touches what is not theirs. A process of its own tries, because some of what is
 * wrong is found late, and ends it with code 2.
 */
#include "harness.h"

#include "base/blame.h"
#include "explore/random_model.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAVED_MOST = 1 << 20, STATES = 150 };

static const struct random_graph graph = {
    .size = 300, .degree = 2, .rare = 50, .seed = 9, .words_most = 5};
static const struct property properties[] = {
    {.name = "p", .kind = PROPERTY_INVARIANT, .p = {.all = RANDOM_P}},
    {.name = "in the end p", .kind = PROPERTY_EVENTUALLY_ALWAYS, .p = {.all = RANDOM_P}},
    {.name = "no cycle", .kind = PROPERTY_NO_CYCLE, .marks = RANDOM_MARK},
};

struct saved {
    struct bytes_out out;
    FILE *stream;
};

static struct bytes_out *begin(void *context, enum explore_reason reason)
{
    struct saved *saved = context;
    (void)reason;
    bytes_out_init(&saved->out, saved->stream);
    return &saved->out;
}

static void end(void *context)
{
    bytes_finish(&((struct saved *)context)->out);
}

/* The words of a state of the graph, and nothing else. */
static bool is_of_graph(void *context, const uint32_t *words, uint32_t length)
{
    uint32_t expected[16];
    (void)context;
    return length > 0 && words[0] < graph.size &&
           graph_words(&graph, words[0], expected) == length &&
           memcmp(words, expected, length * sizeof(*words)) == 0;
}

static size_t save(char *bytes)
{
    static struct saved saved;
    struct memory memory;
    struct explore_options options;
    const struct model model =
        random_model(&graph, properties, sizeof(properties) / sizeof(*properties));
    memory_init(&memory, SIZE_MAX);
    explore_options_init(&options);
    options.all = true;
    options.states_most = STATES;
    options.segment_states = 10;
    options.save_begin = begin;
    options.save_end = end;
    options.save_context = &saved;
    saved.stream = tmpfile();
    FUZZ_REQUIRE(saved.stream);
    explore_free(explore_run(&model, &options, &memory));
    rewind(saved.stream);
    const size_t count = fread(bytes, 1, SAVED_MOST, saved.stream);
    fclose(saved.stream);
    FUZZ_REQUIRE(count > 100 && count < SAVED_MOST);
    return count;
}

static _Noreturn void resume(char *bytes, size_t count)
{
    struct memory memory;
    struct explore_options options;
    struct bytes_in in = {.file = fmemopen(bytes, count, "rb"), .left = count};
    const struct model model =
        random_model(&graph, properties, sizeof(properties) / sizeof(*properties));
    memory_init(&memory, (size_t)256 << 20);
    bug_blame("checkpoint");
    explore_options_init(&options);
    options.resume = &in;
    options.states_most = 2000;
    options.is_sound = is_of_graph;
    const struct exploration *found = explore_run(&model, &options, &memory);
    _exit(found->reason == EXPLORE_UNRESUMED ? 2 : 0);
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    static char whole[SAVED_MOST];
    static size_t length;
    enum { PAIR = 8, PAIRS_MOST = 8 };
    if (length == 0)
        length = save(whole);
    char *forged = arena_copy(arena, whole, length);
    for (size_t i = 0; i + PAIR <= count && i < (size_t)PAIR * PAIRS_MOST; i += PAIR) {
        uint32_t offset;
        memcpy(&offset, bytes + i, sizeof(offset));
        memcpy(forged + offset % (length / 4) * 4, bytes + i + 4, 4);
    }
    int status = 0;
    const pid_t child = fork();
    if (child == 0)
        resume(forged, length);
    FUZZ_REQUIRE(child > 0);
    pid_t ended = -1;
    /* The fuzzer's timer interrupts the call. */
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    FUZZ_REQUIRE(ended == child);
    FUZZ_REQUIRE(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2));
}
