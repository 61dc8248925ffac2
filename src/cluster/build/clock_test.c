/* SPDX-License-Identifier: Apache-2.0 */
/* Every timer of clocked time is bounded, in every state of long random walks
 * through random small setups: the model is finite. */
#include "cluster/build/random_clocked.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "setup/scope_fixture.h"

enum { SETUPS = 200, WALK_STEPS = 800 };

static void check_bounds(const struct worker *worker, const struct state *state)
{
    const struct population *population = worker->population;
    const struct clock *clock = population->clock;
    const struct clocks *clocks = &state->clocks;
    for (uint32_t a = 0; a < population->autoscalers.count; a++) {
        assert_true(clocks->sync_left[a] <= clock->sync_period);
        /* A step of either staircase each, and the changes of a minute. */
        assert_true(worker->memories.items[clocks->memory[a]].count <= 3 + 2 * 24);
    }
    assert_true(clocks->cycle_left <= clock->cycle_period);
    for (uint32_t w = 0; w < clock->wave_count; w++)
        assert_true(clocks->wave_left[w] <=
                    clock->waves[w].lengths[0] + clock->waves[w].lengths[1]);
    for (uint32_t i = 0; i < clocks->cohort_count; i++) {
        const struct cohort *cohort = &clocks->cohorts[i];
        const struct pod_times *times = &clock->pods[cohort->revision];
        const uint32_t start_most = age_cap(&times->start[cohort->stage]);
        const uint32_t since_most = age_cap(&times->since[cohort->stage]);
        assert_true(cohort->start <= start_most && cohort->since <= since_most);
        assert_true(cohort->start < start_most || cohort->since < since_most);
    }
    for (uint32_t i = 0; i < clocks->node_cohort_count; i++)
        assert_true(clocks->node_cohorts[i].age <
                    age_cap(&clock->nodes[clocks->node_cohorts[i].condition]));
}

/* Keeps one of the steps, each with the same probability. */
struct walk {
    struct step_sink sink;
    struct dice *dice;
    uint32_t words[WORDS_MOST];
    uint32_t length;
    uint32_t seen;
};

static bool choose(struct step_sink *sink, const struct step *step)
{
    struct walk *walk = (struct walk *)sink;
    walk->seen++;
    if (dice_roll(walk->dice, walk->seen) == 0) {
        memcpy(walk->words, step->words, step->length * sizeof(*step->words));
        walk->length = step->length;
    }
    return true;
}

static void ignore(struct step_sink *sink, uint32_t fairness_class)
{
    (void)sink;
    (void)fairness_class;
}

static void walk_setup(const char *manifests, struct dice *dice)
{
    struct fixture fixture;
    struct setups setups = {0};
    struct walk walk = {.sink = {choose, ignore}, .dice = dice};
    if (!fixture_load(&fixture, manifests))
        return;
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    const struct population_options options = {.features = features_of_version(26)};
    struct population *population =
        population_create(&fixture.memory, &fixture.scope, &setups.items[0], fixture.check->intents,
                          fixture.check->intent_count, &options, &fixture.problems);
    struct worker *worker = population_worker_create(population, &fixture.memory);
    const struct model *model = population_model(population);
    model->initial(model, worker, &walk.sink);
    for (int i = 0; i < WALK_STEPS && walk.seen > 0; i++) {
        const struct arena_mark mark = arena_mark(&worker->scratch);
        uint32_t words[WORDS_MOST];
        const uint32_t length = walk.length;
        memcpy(words, walk.words, length * sizeof(*words));
        check_bounds(worker, state_unpack(worker, words, length));
        arena_rewind(&worker->scratch, mark);
        walk.seen = 0;
        model->expand(model, worker, words, length, &walk.sink);
    }
    assert_false(worker->findings.overflowed);
    population_worker_free(worker);
    population_free(population);
    fixture_release(&fixture);
}

static void every_timer_is_bounded(void **state)
{
    (void)state;
    struct memory memory;
    struct text text;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    for (uint64_t seed = 0; seed < SETUPS; seed++) {
        struct dice dice = {seed};
        text_reset(&text);
        write_setup(&text, &dice, "clocked");
        walk_setup(text_content(&text), &dice);
    }
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_timer_is_bounded),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
