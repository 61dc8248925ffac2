/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions against the plain model. The model: `count` workers, each with a
 * phase in a word of its own (0 to 3) and a budget of laps in another; a worker
 * steps through private phases 0 -> 1 -> 2 and then, only while it holds the one
 * token (word 0), through 3 and back to 0. Workers are alike, so sorting them is
 * a symmetry; private steps of different workers do not influence each other.
 */
#include "base/hash.h"
#include "explore/explore.h"
#include "explore/reduce.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WORKERS_MOST = 6, SEVERAL = 1, ALL_DONE = 2, FIRST_THREE = 4, MARK_BACK = 1 };
enum { PRIVATE, TAKE, BACK };
static const char *const actions[] = {"private", "take", "back"};

struct shop {
    uint32_t workers, laps;
};

/* A word: phase + 4 * laps left. Group 2i: private steps of worker i, 2i + 1: the
 * steps that use the token. */
static void shop_expand_group(const struct model *model, void *state, uint32_t group,
                              const uint32_t *words, uint32_t length, struct step_sink *sink)
{
    (void)model;
    (void)state;
    uint32_t next[WORKERS_MOST + 1];
    memcpy(next, words, sizeof(uint32_t) * length);
    const uint32_t at = 1 + group / 2;
    const uint32_t phase = words[at] % 4, laps = words[at] / 4;
    struct step step = {.words = next, .length = length, .argument = group, .fairness = 0};
    if (group % 2 == 0 && laps > 0 && phase < 2) {
        next[at]++;
        step.action = PRIVATE;
    } else if (group % 2 == 1 && phase == 2 && words[0] == 0) {
        next[0] = 1;
        next[at]++;
        step.action = TAKE;
        step.fairness = 1;
    } else if (group % 2 == 1 && phase == 3) {
        next[0] = 0;
        next[at] = (laps - 1) * 4;
        step.action = BACK;
        step.marks = MARK_BACK;
        step.fairness = 1;
    } else {
        return;
    }
    step_sink_emit(sink, &step);
}

/* Its own phase blocks a group, or else the token does. */
static void shop_blocked_by(const struct model *model, void *state, uint32_t group,
                            const uint32_t *words, uint32_t length, uint64_t *blockers)
{
    (void)model;
    (void)state;
    (void)length;
    const uint32_t at = 1 + group / 2;
    *blockers = group % 2 == 1 && words[at] % 4 == 2 ? 1 : UINT64_C(1) << at;
}

static void shop_expand(const struct model *model, void *state, const uint32_t *words,
                        uint32_t length, struct step_sink *sink)
{
    for (uint32_t group = 0; group < 2 * (length - 1); group++)
        shop_expand_group(model, state, group, words, length, sink);
}

static void shop_initial(const struct model *model, void *state, struct step_sink *sink)
{
    (void)state;
    const struct shop *shop = model->context;
    uint32_t words[WORKERS_MOST + 1] = {0};
    for (uint32_t i = 1; i <= shop->workers; i++)
        words[i] = shop->laps * 4;
    step_sink_emit(sink, &(struct step){.words = words, .length = shop->workers + 1});
}

static uint64_t shop_atoms(const struct model *model, void *state, const uint32_t *words,
                           uint32_t length)
{
    (void)model;
    (void)state;
    uint32_t inside = 0, done = 0;
    for (uint32_t i = 1; i < length; i++) {
        inside += words[i] % 4 == 3;
        done += words[i] == 0;
    }
    return (inside > 1 ? SEVERAL : 0) | (done == length - 1 ? ALL_DONE : 0) |
           (inside == 1 && done == length - 2 ? FIRST_THREE : 0);
}

static void shop_canonicalise(const struct model *model, void *state, uint32_t *words,
                              uint32_t length)
{
    (void)model;
    (void)state;
    for (uint32_t i = 2; i < length; i++) {
        for (uint32_t j = i; j > 1 && words[j - 1] > words[j]; j--) {
            const uint32_t swap = words[j];
            words[j] = words[j - 1];
            words[j - 1] = swap;
        }
    }
}

static const struct property properties[] = {
    {.name = "one inside", .kind = PROPERTY_INVARIANT, .p = {.none = SEVERAL}},
    {.name = "deadlock", .kind = PROPERTY_DEADLOCK_FREE},
    {.name = "last inside", .kind = PROPERTY_REACHABLE, .p = {.all = FIRST_THREE}},
    {.name = "never back", .kind = PROPERTY_STEP_INVARIANT, .marks = MARK_BACK},
    {.name = "ends", .kind = PROPERTY_EVENTUALLY, .p = {.all = ALL_DONE}},
};
enum { PROPERTIES = sizeof(properties) / sizeof(*properties), LIVENESS = PROPERTIES - 1 };

struct shop_groups {
    uint64_t sets[2 * WORKERS_MOST];
    struct model_group items[2 * WORKERS_MOST];
    struct model_groups groups;
};

static struct model shop_model(const struct shop *shop, struct shop_groups *groups)
{
    for (uint32_t group = 0; group < 2 * shop->workers; group++) {
        groups->sets[group] = UINT64_C(1) << (1 + group / 2) | (group % 2);
        groups->items[group] = (struct model_group){.reads = &groups->sets[group],
                                                    .writes = &groups->sets[group],
                                                    .visible = group % 2 == 1,
                                                    .progresses = group % 2 == 0};
    }
    groups->groups =
        (struct model_groups){2 * shop->workers, groups->items, shop_expand_group, shop_blocked_by};
    return (struct model){.name = "shop",
                          .context = shop,
                          .length_least = shop->workers + 1,
                          .length_most = shop->workers + 1,
                          .actions = actions,
                          .action_count = 3,
                          .fairness_class_count = 2,
                          .end_atoms = ALL_DONE,
                          .properties = properties,
                          .property_count = PROPERTIES,
                          .initial = shop_initial,
                          .expand = shop_expand,
                          .atoms = shop_atoms,
                          .canonicalise = shop_canonicalise,
                          .groups = &groups->groups};
}

static struct exploration *run(const struct model *model, unsigned flags, struct memory *memory)
{
    struct reduced reduced;
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    struct exploration *result = NULL;
    if (reduced_init(&reduced, model, flags, memory))
        result = explore_run(reduced.model, &options, memory);
    reduced_release(&reduced);
    return result;
}

static void every_combination_gives_the_same_verdicts(void **state)
{
    (void)state;
    for (uint32_t workers = 2; workers <= 5; workers++) {
        const struct shop shop = {workers, workers <= 3 ? 2 : 1};
        struct shop_groups groups;
        const struct model model = shop_model(&shop, &groups);
        struct memory memory;
        memory_init(&memory, SIZE_MAX);
        struct exploration *plain = run(&model, 0, &memory);
        uint64_t states[8];
        for (unsigned flags = 0; flags < 8; flags++) {
            struct exploration *reduced = run(&model, flags, &memory);
            states[flags] = reduced->statistics.states;
            for (uint32_t i = 0; i < PROPERTIES; i++) {
                if (i == LIVENESS && (flags & REDUCE_ORDER) != 0) {
                    assert_int_equal(reduced->properties[i].reason, EXPLORE_UNSUPPORTED);
                    continue;
                }
                assert_int_equal(plain->properties[i].verdict, reduced->properties[i].verdict);
                if (plain->properties[i].has_path && (flags & REDUCE_ORDER) == 0)
                    assert_int_equal(plain->properties[i].path.step_count,
                                     reduced->properties[i].path.step_count);
            }
            explore_free(reduced);
        }
        assert_int_equal(plain->statistics.states, states[REDUCE_CACHE]);
        assert_true(states[REDUCE_SYMMETRY] < states[0]);
        assert_true(states[REDUCE_ORDER] < states[0]);
        assert_true(states[REDUCE_ORDER | REDUCE_SYMMETRY] < states[REDUCE_SYMMETRY]);
        assert_int_equal(states[REDUCE_ORDER], states[REDUCE_ORDER | REDUCE_CACHE]);
        explore_free(plain);
        assert_int_equal(memory.used_bytes, 0);
    }
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    const struct shop shop = {3, 1};
    struct shop_groups groups;
    const struct model model = shop_model(&shop, &groups);
    for (uint64_t call = 1;; call++) {
        struct memory memory;
        memory_init(&memory, SIZE_MAX);
        memory.fail_at_call = call;
        struct exploration *result = run(&model, 7, &memory);
        const bool failed = memory.calls >= call;
        explore_free(result);
        assert_int_equal(memory.used_bytes, 0);
        if (!failed)
            break;
    }
}

/* Random groups over four words of values 0 to 3: if one word has a value and
 * another at least one, a third rises. Word 0 is what the properties see. */
enum { WORDS = 4, GROUPS_MOST = 8, TOP = 3 };

struct rules {
    struct rule {
        uint32_t equal_at, equal_to, least_at, least, raises;
    } items[GROUPS_MOST];
    uint32_t count;
};

static bool rule_blocked(const struct rule *rule, const uint32_t *words, uint32_t *at)
{
    if (words[rule->equal_at] != rule->equal_to) {
        *at = rule->equal_at;
        return true;
    }
    *at = words[rule->least_at] < rule->least ? rule->least_at : rule->raises;
    return words[rule->least_at] < rule->least || words[rule->raises] == TOP;
}

static void rules_expand_group(const struct model *model, void *state, uint32_t group,
                               const uint32_t *words, uint32_t length, struct step_sink *sink)
{
    (void)state;
    const struct rule *rule = &((const struct rules *)model->context)->items[group];
    uint32_t next[WORDS], at;
    if (rule_blocked(rule, words, &at))
        return;
    memcpy(next, words, sizeof(next));
    next[rule->raises]++;
    step_sink_emit(sink, &(struct step){.words = next, .length = length, .argument = group});
}

static void rules_blocked_by(const struct model *model, void *state, uint32_t group,
                             const uint32_t *words, uint32_t length, uint64_t *blockers)
{
    (void)state;
    (void)length;
    uint32_t at;
    if (rule_blocked(&((const struct rules *)model->context)->items[group], words, &at))
        *blockers = UINT64_C(1) << at;
}

static void rules_expand(const struct model *model, void *state, const uint32_t *words,
                         uint32_t length, struct step_sink *sink)
{
    for (uint32_t group = 0; group < ((const struct rules *)model->context)->count; group++)
        rules_expand_group(model, state, group, words, length, sink);
}

static void rules_initial(const struct model *model, void *state, struct step_sink *sink)
{
    (void)model;
    (void)state;
    const uint32_t zero[WORDS] = {0};
    step_sink_emit(sink, &(struct step){.words = zero, .length = WORDS});
}

static uint64_t rules_atoms(const struct model *model, void *state, const uint32_t *words,
                            uint32_t length)
{
    (void)model;
    (void)state;
    (void)length;
    return UINT64_C(1) << words[0];
}

/* Returns how many states the partial order saved. */
static uint64_t compare_rules(uint64_t seed)
{
    struct rules rules = {.count = 3 + (uint32_t)(hash_word(seed) % (GROUPS_MOST - 2))};
    struct model_group items[GROUPS_MOST];
    uint64_t sets[2 * GROUPS_MOST];
    for (size_t i = 0; i < rules.count; i++) {
        const uint64_t bits = hash_word(seed * 64 + i + 1);
        struct rule *rule = &rules.items[i];
        *rule = (struct rule){bits % WORDS, (bits >> 8) % (TOP + 1), (bits >> 16) % WORDS,
                              (bits >> 24) % 2, (bits >> 32) % WORDS};
        sets[2 * i] = UINT64_C(1) << rule->equal_at | UINT64_C(1) << rule->least_at |
                      UINT64_C(1) << rule->raises;
        sets[2 * i + 1] = UINT64_C(1) << rule->raises;
        items[i] = (struct model_group){&sets[2 * i], &sets[2 * i + 1], rule->raises == 0, true};
    }
    const struct model_groups groups = {rules.count, items, rules_expand_group,
                                        seed % 2 == 0 ? rules_blocked_by : NULL};
    const struct property seen[] = {
        {.name = "1", .kind = PROPERTY_REACHABLE, .p = {.all = 2}},
        {.name = "2", .kind = PROPERTY_REACHABLE, .p = {.all = 4}},
        {.name = "3", .kind = PROPERTY_REACHABLE, .p = {.all = 8}},
        {.name = "deadlock", .kind = PROPERTY_DEADLOCK_FREE},
    };
    const struct model model = {.name = "rules",
                                .context = &rules,
                                .length_least = WORDS,
                                .length_most = WORDS,
                                .actions = actions,
                                .action_count = 1,
                                .fairness_class_count = 1,
                                .end_atoms = hash_word(seed + 99) % 16,
                                .properties = seen,
                                .property_count = 4,
                                .initial = rules_initial,
                                .expand = rules_expand,
                                .atoms = rules_atoms,
                                .groups = &groups};
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct exploration *plain = run(&model, 0, &memory);
    struct exploration *cached = run(&model, REDUCE_CACHE, &memory);
    struct exploration *ordered = run(&model, REDUCE_ORDER, &memory);
    for (uint32_t i = 0; i < 4; i++) {
        if (plain->properties[i].verdict != cached->properties[i].verdict ||
            plain->properties[i].verdict != ordered->properties[i].verdict)
            fail_msg("seed %llu, property %u", (unsigned long long)seed, i);
    }
    assert_int_equal(plain->statistics.states, cached->statistics.states);
    assert_int_equal(plain->statistics.transitions, cached->statistics.transitions);
    const uint64_t saved = plain->statistics.states > ordered->statistics.states
                               ? plain->statistics.states - ordered->statistics.states
                               : 0;
    explore_free(plain);
    explore_free(cached);
    explore_free(ordered);
    return saved;
}

static void random_groups_keep_their_verdicts(void **state)
{
    (void)state;
    uint64_t saved = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++)
        saved += compare_rules(seed);
    assert_true(saved > 0);
}

/* Two cells that swap roles for ever: the loop of the quotient closes only after
 * two rounds in the plain model. */
static void turn_expand(const struct model *model, void *state, const uint32_t *words,
                        uint32_t length, struct step_sink *sink)
{
    (void)model;
    (void)state;
    const uint32_t next[2] = {words[1], words[0]};
    step_sink_emit(sink, &(struct step){.words = next, .length = length, .marks = MARK_BACK});
}

static void turn_initial(const struct model *model, void *state, struct step_sink *sink)
{
    (void)model;
    (void)state;
    const uint32_t words[2] = {0, 1};
    step_sink_emit(sink, &(struct step){.words = words, .length = 2});
}

static void turn_canonicalise(const struct model *model, void *state, uint32_t *words,
                              uint32_t length)
{
    (void)model;
    (void)state;
    (void)length;
    words[0] = 0;
    words[1] = 1;
}

static void a_loop_of_the_quotient_is_unrolled(void **state)
{
    (void)state;
    const struct property property = {
        .name = "turns", .kind = PROPERTY_NO_CYCLE, .marks = MARK_BACK};
    const struct model model = {.name = "turn",
                                .length_least = 2,
                                .length_most = 2,
                                .actions = actions,
                                .action_count = 1,
                                .fairness_class_count = 1,
                                .properties = &property,
                                .property_count = 1,
                                .initial = turn_initial,
                                .expand = turn_expand,
                                .canonicalise = turn_canonicalise};
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct exploration *result = run(&model, REDUCE_SYMMETRY, &memory);
    assert_int_equal(result->statistics.states, 1);
    assert_int_equal(result->verdict, VERDICT_VIOLATED);
    assert_int_equal(result->properties[0].path.step_count, 2);
    assert_int_equal(result->properties[0].path.loop_from, 0);
    assert_false(result->properties[0].path.loop_turns_names);
    explore_free(result);
    assert_int_equal(memory.used_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_gives_the_same_verdicts),
        cmocka_unit_test(random_groups_keep_their_verdicts),
        cmocka_unit_test(a_loop_of_the_quotient_is_unrolled),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
