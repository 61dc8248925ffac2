/* SPDX-License-Identifier: Apache-2.0 */
/* Workers write to nothing but themselves: after long random walks the model is as it was, and
 * a further worker walks the same way with the same numbers. */
#include "cluster/build/random_clocked.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "setup/scope_fixture.h"

enum { SETUPS = 40, WALK_STEPS = 300 };

/* Keeps one of the steps, each with the same probability. */
struct walk {
    struct step_sink sink;
    struct dice dice;
    uint32_t words[WORDS_MOST];
    uint32_t length;
    uint32_t seen;
};

static bool choose(struct step_sink *sink, const struct step *step)
{
    struct walk *walk = (struct walk *)sink;
    walk->seen++;
    if (dice_roll(&walk->dice, walk->seen) == 0) {
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

/* Where the walk ends. */
static void walk_from(struct walk *walk, struct worker *worker)
{
    const struct model *model = population_worker_model(worker);
    *walk = (struct walk){.sink = {choose, ignore}, .dice = {1}};
    model->initial(model, worker, &walk->sink);
    for (int i = 0; i < WALK_STEPS && walk->seen > 0; i++) {
        uint32_t words[WORDS_MOST];
        const uint32_t length = walk->length;
        memcpy(words, walk->words, length * sizeof(*words));
        walk->seen = 0;
        model->expand(model, worker, words, length, &walk->sink);
    }
}

/* All bytes of the model, and of the tables that workers have copies of. */
static const char *picture(struct arena *arena, const struct population *population, size_t *size)
{
    const struct worker *maker = population->maker;
    const struct catalog *catalog = maker->catalog;
    struct text text;
    text_init(&text, arena->memory);
    text_append(&text, (const char *)population, sizeof(*population));
    text_append(&text, (const char *)maker, sizeof(*maker));
    text_append(&text, (const char *)catalog, sizeof(*catalog));
    text_append(&text, (const char *)catalog->config_slots,
                catalog->config_slot_count * sizeof(*catalog->config_slots));
    for (uint32_t i = 0; i < catalog->templates.count; i++)
        text_append(&text, (const char *)catalog->templates.items[i],
                    sizeof(*catalog->templates.items[i]));
    for (uint32_t i = 0; i < catalog->topology_keys.count; i++)
        text_append(&text, (const char *)catalog->topology_keys.items[i],
                    sizeof(*catalog->topology_keys.items[i]));
    *size = text.length;
    const char *copy = arena_copy(arena, text_content(&text), text.length);
    text_release(&text);
    return copy;
}

static void compare_workers(const char *manifests)
{
    static struct walk first, second;
    struct fixture fixture;
    struct setups setups = {0};
    size_t before_size, after_size;
    if (!fixture_load(&fixture, manifests))
        return;
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    const struct population_options options = {.features = features_of_version(26)};
    struct population *population =
        population_create(&fixture.memory, &fixture.scope, &setups.items[0], fixture.check->intents,
                          fixture.check->intent_count, &options, &fixture.problems);
    const char *before = picture(&fixture.arena, population, &before_size);
    struct worker *one = population_worker_create(population, &fixture.memory);
    walk_from(&first, one);
    assert_true(one->catalog->configs.count > population->catalog->configs.count);
    struct worker *other = population_worker_create(population, &fixture.memory);
    walk_from(&second, other);
    const char *after = picture(&fixture.arena, population, &after_size);
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, before_size);
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.words, second.words, first.length * sizeof(*first.words));
    population_worker_free(one);
    population_worker_free(other);
    population_free(population);
    fixture_release(&fixture);
}

static void workers_leave_the_model_alone(void **state)
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
        compare_workers(text_content(&text));
    }
    text_release(&text);
}

static void findings_add_up(void **state)
{
    struct population_findings all = {.judged = true, .focus = FOCUS_ANYWHERE};
    (void)state;
    findings_join(&all, &(struct population_findings){.overflowed = true});
    assert_true(all.judged && all.overflowed && !all.needs_all);
    assert_int_equal(all.focus, FOCUS_ANYWHERE);
    findings_join(&all, &(struct population_findings){.needs_all = true});
    assert_true(all.needs_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_leave_the_model_alone),
        cmocka_unit_test(findings_add_up),
    };
    return cmocka_run_group_tests_name("population_worker", tests, NULL, NULL);
}
