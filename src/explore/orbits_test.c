/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that are fair to each of several things that are alike, on machines of which
 * one is distinguished and the others are counted.
 *
 * All machines are broken in the beginning. A broken or stopped machine comes back some
 * day; one that is up may stop, as long as there is a broken one (`needs_broken`), or at
 * any time. Is there a day on which all are up, or can one come back and stop again and
 * again? Who is fair to the machines as one may forget the broken ones for good. Who
 * is fair to each cannot: once all have come back nobody stops any more.
 */
#include "explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BROKEN, STOPPED, UP, STATES };
enum {
    DISTINGUISHED = STATES,
    WORDS
}; /* the words: how many of the others, then who is distinguished */
enum { OTHERS_RETURN, DISTINGUISHED_RETURNS, CLASSES };
enum { ALL_UP = 1 };
enum { ORBIT_BYTES = 1 << 20, LIMIT_BYTES = 8 << 20 };

struct machines {
    uint32_t others;
    bool distinguished; /* is one? */
    bool needs_broken;
    struct memory *kept; /* each orbit takes ORBIT_BYTES of it; may be NULL */
};

static void initial(const struct model *model, void *worker, struct step_sink *sink)
{
    const struct machines *machines = model->context;
    const uint32_t words[WORDS] = {machines->others, 0, 0, BROKEN};
    (void)worker;
    step_sink_emit(sink, &(struct step){.words = words, .length = WORDS});
}

static void emit(struct step_sink *sink, const uint32_t *words, uint32_t from, uint32_t to,
                 bool distinguished)
{
    uint32_t next[WORDS] = {words[0], words[1], words[2], words[3]};
    if (distinguished) {
        next[DISTINGUISHED] = to;
    } else {
        next[from]--;
        next[to]++;
    }
    const uint32_t back = distinguished ? DISTINGUISHED_RETURNS : OTHERS_RETURN;
    step_sink_emit(sink, &(struct step){.words = next,
                                        .length = WORDS,
                                        .fairness = to == UP ? back : FAIRNESS_OPTIONAL});
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    const struct machines *machines = model->context;
    const bool broken =
        words[BROKEN] > 0 || (machines->distinguished && words[DISTINGUISHED] == BROKEN);
    (void)worker;
    (void)length;
    for (uint32_t from = BROKEN; from < STATES; from++) {
        const uint32_t to = from == UP ? STOPPED : UP;
        if (from == UP && machines->needs_broken && !broken)
            continue;
        if (words[from] > 0)
            emit(sink, words, from, to, false);
        if (machines->distinguished && words[DISTINGUISHED] == from)
            emit(sink, words, from, to, true);
    }
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    const struct machines *machines = model->context;
    (void)worker;
    (void)length;
    return words[UP] == machines->others && (!machines->distinguished || words[DISTINGUISHED] == UP)
               ? ALL_UP
               : 0;
}

/* How many machines are in which state. */
static uint32_t orbit(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    const struct machines *machines = model->context;
    if (machines->kept)
        atomic_fetch_add(&machines->kept->used_bytes, ORBIT_BYTES);
    (void)worker;
    (void)length;
    return (words[BROKEN] + (words[DISTINGUISHED] == BROKEN)) * 100 + words[UP] +
           (words[DISTINGUISHED] == UP);
}

static enum verdict judge_within(struct memory *memory, struct machines machines,
                                 enum property_kind kind, enum explore_reason *reason)
{
    static const char *const actions[] = {"step"};
    const struct property property = {
        .name = "all are up some day", .kind = kind, .p = {.all = ALL_UP}};
    const struct model model = {
        .name = "machines",
        .context = &machines,
        .length_least = WORDS,
        .length_most = WORDS,
        .actions = actions,
        .action_count = 1,
        .fairness_class_count = CLASSES,
        .atom_count = 1,
        .properties = &property,
        .property_count = 1,
        .initial = initial,
        .expand = expand,
        .atoms = atoms,
        .orbit = machines.distinguished ? orbit : NULL,
    };
    struct explore_options options;
    explore_options_init(&options);
    struct exploration *found = explore_run(&model, &options, memory);
    const enum verdict verdict = found->properties[0].verdict;
    *reason = found->properties[0].reason;
    assert_true(found->complete);
    explore_free(found);
    return verdict;
}

static enum verdict judge(struct machines machines, enum property_kind kind)
{
    struct memory memory;
    enum explore_reason reason;
    memory_init(&memory, SIZE_MAX);
    const enum verdict verdict = judge_within(&memory, machines, kind, &reason);
    assert_int_equal(memory.used_bytes, 0);
    return verdict;
}

/* One comes back and stops, and the broken ones are not seen. */
static void as_one_some_are_forgotten(void **state)
{
    (void)state;
    for (uint32_t count = 2; count <= 6; count++) {
        assert_int_equal(judge((struct machines){count, false, true}, PROPERTY_EVENTUALLY),
                         VERDICT_VIOLATED);
        assert_int_equal(judge((struct machines){count, false, true}, PROPERTY_EVENTUALLY_ALWAYS),
                         VERDICT_VIOLATED);
    }
}

/* With two machines it is enough to be fair to the one that is distinguished and to the other;
 * with more the others must not be taken as one either. */
static void each_has_its_turn(void **state)
{
    (void)state;
    for (uint32_t count = 2; count <= 6; count++) {
        assert_int_equal(judge((struct machines){count - 1, true, true}, PROPERTY_EVENTUALLY),
                         VERDICT_HOLDS);
        assert_int_equal(
            judge((struct machines){count - 1, true, true}, PROPERTY_EVENTUALLY_ALWAYS),
            VERDICT_HOLDS);
    }
}

/* They come back in turn, and each stops before the next one comes. */
static void what_is_fair_to_each_is_found(void **state)
{
    (void)state;
    for (uint32_t count = 2; count <= 6; count++) {
        assert_int_equal(judge((struct machines){count - 1, true, false}, PROPERTY_EVENTUALLY),
                         VERDICT_VIOLATED);
        assert_int_equal(
            judge((struct machines){count - 1, true, false}, PROPERTY_EVENTUALLY_ALWAYS),
            VERDICT_VIOLATED);
    }
}

/* A model that keeps much of each orbit: it is not asked for all of them. */
static void orbits_have_a_limit(void **state)
{
    (void)state;
    struct memory memory;
    enum explore_reason reason;
    memory_init(&memory, LIMIT_BYTES);
    assert_int_equal(judge_within(&memory, (struct machines){12, true, false, &memory},
                                  PROPERTY_EVENTUALLY, &reason),
                     VERDICT_UNDECIDED);
    assert_int_equal(reason, EXPLORE_MEMORY);
    assert_true(memory.used_bytes > 0);                       /* some were asked for */
    assert_true(memory.used_bytes < 2 * (size_t)LIMIT_BYTES); /* and there are 273 states */
}

/* ---- what could be done all the time, now by this one and now by that ---- */

/* The words: how many of the others are up, is the one that is distinguished, is all over. Any that
 * is up may stop if no other has; it comes back some day. All is over some day if
 * one that is up ends it. */
enum { OTHERS_UP, DISTINGUISHED_UP, OVER, TURN_WORDS };
enum { DISTINGUISHED_ENDS, OTHERS_END, COMES_BACK, TURN_CLASSES };

static void emit_turn(struct step_sink *sink, uint32_t others, uint32_t distinguished,
                      uint32_t over, uint32_t fairness)
{
    const uint32_t next[TURN_WORDS] = {others, distinguished, over};
    step_sink_emit(sink, &(struct step){.words = next, .length = TURN_WORDS, .fairness = fairness});
}

static void turns_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    const struct machines *machines = model->context;
    (void)worker;
    emit_turn(sink, machines->others, machines->distinguished, 0, FAIRNESS_NONE);
}

static void turns_expand(const struct model *model, void *worker, const uint32_t *words,
                         uint32_t length, struct step_sink *sink)
{
    const struct machines *machines = model->context;
    const uint32_t others = words[OTHERS_UP];
    const uint32_t distinguished = words[DISTINGUISHED_UP];
    /* The only one of the others is no crowd. */
    const uint32_t of_others =
        machines->distinguished && machines->others > 1 ? FAIRNESS_NONE : OTHERS_END;
    (void)worker;
    (void)length;
    if (words[OVER])
        return;
    if (others > 0)
        emit_turn(sink, others, distinguished, 1, of_others);
    if (distinguished)
        emit_turn(sink, others, distinguished, 1, DISTINGUISHED_ENDS);
    if (others < machines->others)
        emit_turn(sink, others + 1, distinguished, 0, COMES_BACK);
    else if (distinguished < machines->distinguished)
        emit_turn(sink, others, 1, 0, COMES_BACK);
    else {
        if (others > 0)
            emit_turn(sink, others - 1, distinguished, 0, FAIRNESS_OPTIONAL);
        if (distinguished)
            emit_turn(sink, others, 0, 0, FAIRNESS_OPTIONAL);
    }
}

static uint64_t turns_atoms(const struct model *model, void *worker, const uint32_t *words,
                            uint32_t length)
{
    (void)model;
    (void)worker;
    (void)length;
    return words[OVER];
}

static uint32_t turns_orbit(const struct model *model, void *worker, const uint32_t *words,
                            uint32_t length)
{
    (void)model;
    (void)worker;
    (void)length;
    return 2 * (words[OTHERS_UP] + words[DISTINGUISHED_UP]) + words[OVER];
}

static bool others_are_several(const struct model *model, uint32_t fairness_class)
{
    const struct machines *machines = model->context;
    return fairness_class == OTHERS_END && machines->others > 1;
}

static enum verdict judge_turns(struct machines machines, bool *doubted)
{
    static const char *const actions[] = {"step"};
    const struct property property = {
        .name = "it is over some day", .kind = PROPERTY_EVENTUALLY, .p = {.all = 1}};
    const struct model model = {
        .name = "turns",
        .context = &machines,
        .length_least = TURN_WORDS,
        .length_most = TURN_WORDS,
        .actions = actions,
        .action_count = 1,
        .fairness_class_count = TURN_CLASSES,
        .class_is_shared = others_are_several,
        .atom_count = 1,
        .end_atoms = 1,
        .properties = &property,
        .property_count = 1,
        .initial = turns_initial,
        .expand = turns_expand,
        .atoms = turns_atoms,
        .orbit = machines.distinguished ? turns_orbit : NULL,
    };
    struct memory memory;
    struct explore_options options;
    memory_init(&memory, SIZE_MAX);
    explore_options_init(&options);
    options.orbit_paths = true;
    struct exploration *found = explore_run(&model, &options, &memory);
    const struct property_result *result = &found->properties[0];
    const enum verdict verdict = result->verdict;
    *doubted = result->doubted;
    assert_int_equal(result->has_path, verdict == VERDICT_VIOLATED);
    assert_true(!result->has_path || (result->path.loops && !result->path.loop_rests));
    explore_free(found);
    assert_int_equal(memory.used_bytes, 0);
    return verdict;
}

/* Taken as one they are not forgotten, and that is doubted; but if each stops now and
 * then nobody has to end it. A single one is what it is. */
static void what_is_fair_to_each_may_be_unfair_to_all_as_one(void **state)
{
    bool doubted;
    (void)state;
    assert_int_equal(judge_turns((struct machines){.others = 1}, &doubted), VERDICT_VIOLATED);
    assert_false(doubted);
    for (uint32_t count = 2; count <= 6; count++) {
        assert_int_equal(judge_turns((struct machines){.others = count}, &doubted), VERDICT_HOLDS);
        assert_true(doubted);
        assert_int_equal(
            judge_turns((struct machines){.others = count - 1, .distinguished = true}, &doubted),
            VERDICT_VIOLATED);
        assert_false(doubted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_one_some_are_forgotten),
        cmocka_unit_test(each_has_its_turn),
        cmocka_unit_test(what_is_fair_to_each_is_found),
        cmocka_unit_test(orbits_have_a_limit),
        cmocka_unit_test(what_is_fair_to_each_may_be_unfair_to_all_as_one),
    };
    return cmocka_run_group_tests_name("orbit", tests, NULL, NULL);
}
