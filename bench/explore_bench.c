/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speed and memory of the checker core on plain models.
 *
 *     explore_bench counters WORDS RADIX [THREADS] [live]
 *     explore_bench philosophers COUNT [THREADS] [live]
 *     explore_bench tiny RUNS
 *
 * `counters` has WORDS counters modulo RADIX that step on their own: RADIX^WORDS
 * states of 4*WORDS bytes, WORDS steps each. `philosophers` has one word for each
 * (thinking, one fork, two forks; both forks of either side first). `tiny` runs
 * 100-state searches one after another. `live` adds a liveness property that
 * holds, so that edges are kept and cycles looked for.
 */
#include "base/clock.h"
#include "explore/explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 64 };

struct sizes {
    uint32_t words, radix;
};

static void initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    const uint32_t zero[WORDS_MOST] = {0};
    step_sink_emit(sink, &(struct step){.words = zero, .length = model->length_most});
}

static void counters_expand(const struct model *model, void *worker, const uint32_t *words,
                            uint32_t length, struct step_sink *sink)
{
    (void)worker;
    const struct sizes *sizes = model->context;
    uint32_t next[WORDS_MOST];
    memcpy(next, words, length * sizeof(uint32_t));
    for (uint32_t i = 0; i < length; i++) {
        next[i] = words[i] + 1 == sizes->radix ? 0 : words[i] + 1;
        step_sink_emit(sink, &(struct step){.words = next, .length = length, .fairness = i});
        next[i] = words[i];
    }
}

/* 0 thinks, 1 has the left fork, 2 has the right fork, 3 eats. */
static void philosophers_expand(const struct model *model, void *worker, const uint32_t *words,
                                uint32_t length, struct step_sink *sink)
{
    (void)worker;
    (void)model;
    uint32_t next[WORDS_MOST];
    memcpy(next, words, length * sizeof(uint32_t));
    for (uint32_t i = 0; i < length; i++) {
        const uint32_t left = words[i == 0 ? length - 1 : i - 1];
        const uint32_t right = words[i + 1 == length ? 0 : i + 1];
        const bool left_free = (left & 2) == 0 && (words[i] & 1) == 0;
        const bool right_free = (right & 1) == 0 && (words[i] & 2) == 0;
        struct step step = {.words = next, .length = length, .fairness = i};
        if (left_free && words[i] != 3) {
            next[i] = words[i] | 1;
            step_sink_emit(sink, &step);
        }
        if (right_free && words[i] != 3) {
            next[i] = words[i] | 2;
            step_sink_emit(sink, &step);
        }
        if (words[i] == 3) {
            next[i] = 0;
            step_sink_emit(sink, &step);
        }
        next[i] = words[i];
    }
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)model;
    (void)worker;
    (void)length;
    return words[0] == 0;
}

static struct model make_model(const struct sizes *sizes)
{
    static const char *const actions[] = {"step"};
    return (struct model){.name = "bench",
                          .context = sizes,
                          .length_least = sizes->words,
                          .length_most = sizes->words,
                          .actions = actions,
                          .action_count = 1,
                          .fairness_class_count = sizes->words,
                          .initial = initial,
                          .atoms = atoms};
}

static void print_uint64_t(const char *name, uint64_t value, const char *unit)
{
    printf("%-18s %14" PRIu64 " %s\n", name, value, unit);
}

static void print_double(const char *name, double value, const char *unit)
{
    printf("%-18s %14.3f %s\n", name, value, unit);
}

static double per(double amount, double by)
{
    return by > 0 ? amount / by : 0;
}

static void print_statistics(const struct statistics *statistics)
{
#define STATISTIC(name, type, unit, help) print_##type(#name, statistics->name, unit);
#include "explore/statistics.def"
#undef STATISTIC
    print_double("bytes_per_state",
                 per((double)statistics->store_bytes, (double)statistics->states), "bytes");
    print_double("states_per_second", per((double)statistics->states, statistics->search_seconds),
                 "/s");
}

static int run_once(struct model *model, uint32_t threads, bool live)
{
    const struct property properties[] = {
        {.name = "returns", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p = {.all = 1}}};
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct explore_options options;
    explore_options_init(&options);
    options.threads = threads;
    options.all = true;
    model->properties = properties;
    model->property_count = live ? 1 : 0;
    struct exploration *result = explore_run(model, &options, &memory);
    print_statistics(&result->statistics);
    printf("verdict %s, resident %.1f bytes a state\n", verdict_name(result->verdict),
           (double)clock_peak_bytes() / (double)result->statistics.states);
    explore_free(result);
    return 0;
}

static int run_tiny(uint32_t runs)
{
    const struct sizes sizes = {2, 10};
    struct model model = make_model(&sizes);
    model.expand = counters_expand;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct explore_options options;
    explore_options_init(&options);
    uint64_t states = 0;
    const int64_t started = clock_now_ns();
    for (uint32_t i = 0; i < runs; i++) {
        struct exploration *result = explore_run(&model, &options, &memory);
        states += result->statistics.states;
        explore_free(result);
    }
    const double seconds = (double)(clock_now_ns() - started) / 1e9;
    printf("%u runs, %llu states, %.2f microseconds a run\n", runs, (unsigned long long)states,
           seconds * 1e6 / runs);
    return 0;
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    const bool live = strcmp(arguments[count - 1], "live") == 0;
    const int plain = live ? count - 1 : count;
    if (strcmp(what, "tiny") == 0 && plain > 2)
        return run_tiny((uint32_t)atoi(arguments[2]));
    if (strcmp(what, "counters") == 0 && plain > 3) {
        const struct sizes sizes = {(uint32_t)atoi(arguments[2]), (uint32_t)atoi(arguments[3])};
        struct model model = make_model(&sizes);
        model.expand = counters_expand;
        return run_once(&model, plain > 4 ? (uint32_t)atoi(arguments[4]) : 1, live);
    }
    if (strcmp(what, "philosophers") == 0 && plain > 2) {
        const struct sizes sizes = {(uint32_t)atoi(arguments[2]), 0};
        struct model model = make_model(&sizes);
        model.expand = philosophers_expand;
        return run_once(&model, plain > 3 ? (uint32_t)atoi(arguments[3]) : 1, live);
    }
    fprintf(stderr, "usage: explore_bench counters WORDS RADIX [THREADS] [live]\n"
                    "       explore_bench philosophers COUNT [THREADS] [live]\n"
                    "       explore_bench tiny RUNS\n");
    return 2;
}
