/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness on random graphs of a few states, some without a cycle, some with several
 * and much before, between and behind them: judged as by trying every way. */
#include "base/hash.h"
#include "explore/explore.h"
#include "explore/graph_model.h"
#include "explore/phases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { STATES_MOST = 9, EDGES_MOST = 24, GRAPHS = 3000 };
enum { P = 1, Q = 2, MARK = 1, OTHER = 2 };

#define IS(kind_, ...)                                                                  \
    {                                                                                   \
        .name = #kind_, .kind = PROPERTY_##kind_, .without_fairness = true, __VA_ARGS__ \
    }

static const struct property properties[] = {
    IS(EVENTUALLY, .p = {.all = P}),
    IS(EVENTUALLY_ALWAYS, .p = {.all = P}),
    IS(ALWAYS_EVENTUALLY, .p = {.all = P}),
    IS(LEADS_TO, .p = {.all = P}, .q = {.all = Q}),
    IS(NO_CYCLE, .marks = MARK, .avoids = OTHER),
    IS(NO_CYCLE, .p = {.all = P}, .visits = Q),
    IS(ALWAYS_POSSIBLE, .p = {.all = P}),
};
enum { PROPERTIES = sizeof(properties) / sizeof(*properties) };

struct sample {
    uint32_t states;
    struct graph_edge edges[EDGES_MOST];
    uint32_t edge_count;
    uint64_t atoms[STATES_MOST];
};

/* Ways of at least one step within a terrain. */
struct ways {
    bool in[STATES_MOST];
    bool from_to[STATES_MOST][STATES_MOST];
};

static uint32_t dice(uint64_t *seed, uint32_t sides)
{
    *seed = hash_word(*seed);
    return (uint32_t)(*seed >> 33) % sides;
}

/* Steps mostly lead on to higher numbers; how many do not differs from graph to graph. */
static void sample_init(struct sample *sample, uint64_t seed)
{
    sample->states = 2 + dice(&seed, STATES_MOST - 1);
    const uint32_t tries = dice(&seed, EDGES_MOST + 1), back = 1 + dice(&seed, 40);
    for (uint32_t i = 0; i < tries; i++) {
        const uint32_t a = dice(&seed, sample->states), b = dice(&seed, sample->states);
        const bool turns = dice(&seed, back) == 0;
        if (a == b && !turns)
            continue;
        sample->edges[sample->edge_count++] =
            (struct graph_edge){.from = turns == (a > b) ? a : b,
                                .to = turns == (a > b) ? b : a,
                                .fairness = dice(&seed, 4) == 0 ? FAIRNESS_OPTIONAL : FAIRNESS_NONE,
                                .marks = dice(&seed, 4)};
    }
    for (uint32_t s = 0; s < sample->states; s++)
        sample->atoms[s] = dice(&seed, 4);
}

static void find_ways(const struct sample *sample, uint64_t avoids, struct ways *ways)
{
    for (uint32_t i = 0; i < sample->edge_count; i++) {
        const struct graph_edge *edge = &sample->edges[i];
        if (ways->in[edge->from] && ways->in[edge->to] && (edge->marks & avoids) == 0)
            ways->from_to[edge->from][edge->to] = true;
    }
    for (uint32_t via = 0; via < sample->states; via++)
        for (uint32_t a = 0; a < sample->states; a++)
            for (uint32_t b = 0; b < sample->states; b++)
                if (ways->from_to[a][via] && ways->from_to[via][b])
                    ways->from_to[a][b] = true;
}

static bool stays(const struct sample *sample, const struct ways *ways, uint32_t state)
{
    if (ways->from_to[state][state])
        return true;
    for (uint32_t i = 0; i < sample->edge_count; i++)
        if (sample->edges[i].from == state && sample->edges[i].fairness != FAIRNESS_OPTIONAL)
            return false;
    return ways->in[state];
}

/* Can a run that begins here stay in the terrain for ever? */
static bool may_stay_from(const struct sample *sample, const struct ways *ways, uint32_t state)
{
    for (uint32_t s = 0; s < sample->states; s++)
        if ((s == state || ways->from_to[state][s]) && stays(sample, ways, s))
            return ways->in[state];
    return false;
}

static bool circles_with_mark(const struct sample *sample, const struct ways *ways,
                              const bool *reached)
{
    for (uint32_t i = 0; i < sample->edge_count; i++) {
        const struct graph_edge *edge = &sample->edges[i];
        if (reached[edge->from] && edge->marks == MARK &&
            (edge->from == edge->to || ways->from_to[edge->to][edge->from]))
            return true;
    }
    return false;
}

static bool in_terrain(const struct property *property, uint64_t atoms)
{
    switch (property->kind) {
    case PROPERTY_EVENTUALLY:
    case PROPERTY_ALWAYS_EVENTUALLY: return (atoms & P) == 0;
    case PROPERTY_LEADS_TO: return (atoms & Q) == 0;
    case PROPERTY_NO_CYCLE: return literals_hold(&property->p, atoms);
    default: return true;
    }
}

static bool reaches_p(const struct sample *sample, const struct ways *ways, uint32_t state)
{
    for (uint32_t s = 0; s < sample->states; s++)
        if ((sample->atoms[s] & P) != 0 && (s == state || ways->from_to[state][s]))
            return true;
    return false;
}

static bool violates(const struct sample *sample, const struct property *property,
                     const struct ways *ways, uint32_t state)
{
    const uint64_t atoms = sample->atoms[state];
    switch (property->kind) {
    case PROPERTY_EVENTUALLY: return state == 0 && may_stay_from(sample, ways, state);
    case PROPERTY_EVENTUALLY_ALWAYS: return (atoms & P) == 0 && stays(sample, ways, state);
    case PROPERTY_ALWAYS_EVENTUALLY: return stays(sample, ways, state);
    case PROPERTY_LEADS_TO: return (atoms & P) != 0 && may_stay_from(sample, ways, state);
    case PROPERTY_NO_CYCLE:
        return property->visits != 0 && (atoms & Q) != 0 && stays(sample, ways, state);
    default: return !reaches_p(sample, ways, state);
    }
}

static bool is_violated(const struct sample *sample, const struct property *property)
{
    struct ways all = {0}, ways = {0};
    bool reached[STATES_MOST];
    for (uint32_t s = 0; s < sample->states; s++) {
        all.in[s] = true;
        ways.in[s] = in_terrain(property, sample->atoms[s]);
    }
    find_ways(sample, 0, &all);
    find_ways(sample, property->avoids, &ways);
    for (uint32_t s = 0; s < sample->states; s++)
        reached[s] = s == 0 || all.from_to[0][s];
    if (property->marks != 0)
        return circles_with_mark(sample, &ways, reached);
    for (uint32_t s = 0; s < sample->states; s++)
        if (reached[s] && violates(sample, property, &ways, s))
            return true;
    return false;
}

static uint32_t judge(uint64_t seed, struct memory *memory)
{
    struct sample sample = {0};
    sample_init(&sample, seed);
    const struct graph graph = {sample.edges, sample.edge_count, sample.atoms};
    const struct model model = graph_model(&graph, 0, properties, PROPERTIES);
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    options.threads = 1 + (uint32_t)(seed % 2);
    options.parallel_from = 1;
    struct exploration *result = explore_run(&model, &options, memory);
    uint32_t violated = 0;
    for (uint32_t i = 0; i < PROPERTIES; i++) {
        const bool expected = is_violated(&sample, &properties[i]);
        if (result->properties[i].verdict != (expected ? VERDICT_VIOLATED : VERDICT_HOLDS))
            fail_msg("graph %u, property %u (%s): %s", (unsigned)seed, i, properties[i].name,
                     verdict_name(result->properties[i].verdict));
        violated += expected;
    }
    explore_free(result);
    return violated;
}

static void verdicts_are_those_of_every_way(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    uint32_t violated = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++)
        violated += judge(seed, &memory);
    /* Both answers are given often. */
    assert_in_range(violated, GRAPHS, (PROPERTIES - 1) * GRAPHS);
    assert_int_equal(memory.used_bytes, 0);
}

/* A cube whose counters only rise, and behind its last corner a cycle of two: several threads sort
 * all of it out but the cycle. */
enum { CUBE_SIDE = 56, CUBE_END = CUBE_SIDE - 1 };

static void cube_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    const uint32_t zero[3] = {0};
    step_sink_emit(sink, &(struct step){.words = zero, .length = model->length_most});
}

static void cube_expand(const struct model *model, void *worker, const uint32_t *words,
                        uint32_t length, struct step_sink *sink)
{
    (void)model;
    (void)worker;
    uint32_t next[3] = {words[0], words[1], words[2]};
    struct step step = {.words = next, .length = length, .fairness = FAIRNESS_NONE};
    for (uint32_t i = 0; i < 3; i++) {
        if (words[i] >= CUBE_END)
            continue;
        next[i] = words[i] + 1;
        step_sink_emit(sink, &step);
        next[i] = words[i];
    }
    if (words[0] < CUBE_END || words[1] < CUBE_END || words[2] < CUBE_END)
        return;
    next[0] = words[0] == CUBE_END + 1 ? CUBE_END + 2 : CUBE_END + 1;
    step.marks = 1;
    step_sink_emit(sink, &step);
}

static uint64_t cube_atoms(const struct model *model, void *worker, const uint32_t *words,
                           uint32_t length)
{
    (void)model;
    (void)worker;
    (void)length;
    return words[0] > CUBE_END;
}

static void threads_sort_the_same_out(void **state)
{
    (void)state;
    static const char *const cube_actions[] = {"rise"};
    static const struct property asked[] = {
        {.name = "goes on", .kind = PROPERTY_NO_CYCLE, .marks = 1},
        {.name = "leaves", .kind = PROPERTY_EVENTUALLY, .p = {.all = 1}},
        {.name = "stays inside", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p = {.none = 1}},
    };
    const struct model model = {.name = "cube",
                                .length_least = 3,
                                .length_most = 3,
                                .actions = cube_actions,
                                .action_count = 1,
                                .initial = cube_initial,
                                .expand = cube_expand,
                                .atoms = cube_atoms,
                                .properties = asked,
                                .property_count = 3};
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    for (uint32_t threads = 1; threads <= 4; threads++) {
        struct phases phases = {0};
        struct explore_options options;
        explore_options_init(&options);
        options.all = true;
        options.threads = threads;
        options.phases = &phases;
        struct exploration *found = explore_run(&model, &options, &memory);
        assert_int_equal(found->statistics.states, CUBE_SIDE * CUBE_SIDE * CUBE_SIDE + 2);
        assert_int_equal(found->properties[0].verdict, VERDICT_VIOLATED);
        assert_int_equal(found->properties[0].path.step_count, 3 * CUBE_END + 3);
        assert_int_equal(found->properties[0].path.loop_from, 3 * CUBE_END + 1);
        assert_int_equal(found->properties[0].component_states, 2);
        assert_int_equal(found->properties[1].verdict, VERDICT_HOLDS);
        assert_int_equal(found->properties[2].verdict, VERDICT_VIOLATED);
        assert_int_equal(phases.sorting_shared > 0, threads > 1);
        explore_free(found);
    }
    assert_int_equal(memory.used_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_every_way),
        cmocka_unit_test(threads_sort_the_same_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
