/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The StatefulSet controller beyond the recorded syncs: what no sync may do,
 * whole updates with an ideal kubelet, and the rules of later versions.
 *
 * A set is a word, a letter for each ordinal. o: old revision, healthy; n: new
 * revision, healthy; O, N: the same, not ready; a, A: ready and not yet available,
 * of the old and the new revision; t: terminating; f: failed;
 * s: succeeded; .: none.
 */
#include "decide/controller/stateful_set/stateful_set_controller.h"

#include "decide/controller/random_test.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { PODS_MOST = 10 };

struct set {
    struct features features;
    struct stateful_pod pods[PODS_MOST];
    struct stateful_set_facts facts;
};

static struct stateful_pod pod_of(char letter, int32_t ordinal)
{
    const bool healthy = letter == 'o' || letter == 'n';
    const bool fresh = letter == 'n' || letter == 'N' || letter == 'A';
    return (struct stateful_pod){.ordinal = ordinal,
                                 .created = true,
                                 .failed = letter == 'f',
                                 .succeeded = letter == 's',
                                 .ready = healthy || letter == 'a' || letter == 'A',
                                 .available = healthy,
                                 .terminating = letter == 't',
                                 .current_revision = !fresh,
                                 .update_revision = fresh};
}

static void read_set(const char *word, int32_t replicas, struct set *set)
{
    *set = (struct set){.facts.replicas = replicas};
    for (int32_t ordinal = 0; word[ordinal]; ordinal++)
        if (word[ordinal] != '.')
            set->pods[set->facts.pod_count++] = pod_of(word[ordinal], ordinal);
    set->facts.pods = set->pods;
    set->facts.features = &set->features;
}

/* "+2n" creates pod 2 of the new revision, "-1" deletes pod 1. */
static const char *summarise(const struct stateful_set_decision *decision)
{
    const char *line = "";
    for (uint32_t i = 0; i < decision->actions.count; i++) {
        const struct stateful_action *action = &decision->actions.items[i];
        const bool creates = action->verb == STATEFUL_CREATE;
        line = arena_printf(&arena, "%s%s%c%d%s", line, i > 0 ? " " : "", creates ? '+' : '-',
                            action->ordinal,
                            !creates                  ? ""
                            : action->update_revision ? "n"
                                                      : "o");
    }
    return line;
}

static void check(const char *name, const struct stateful_set_facts *facts, const char *expected)
{
    const char *found = summarise(stateful_set_sync(&arena, facts));
    if (strcmp(found, expected) != 0)
        fail_msg("%s: expected '%s', found '%s'", name, expected, found);
}

static void test_syncs(void **state)
{
    (void)state;
    static const struct {
        const char *name, *word;
        int32_t replicas, partition;
        bool parallel;
        const char *expected;
    } cases[] = {
        {"the first pod", "", 3, 0, false, "+0n"},
        {"all pods at once", "", 3, 0, true, "+0n +1n +2n"},
        {"below the partition the old revision", "", 3, 2, true, "+0o +1o +2n"},
        {"an unready pod stops creation", "oO", 4, 0, false, ""},
        {"a hole is filled first", "n.n", 4, 0, false, "+1n"},
        {"scaling down, the highest first", "nnnn", 2, 0, false, "-3"},
        {"scaling down in parallel", "nnnn", 2, 0, true, "-3 -2"},
        {"an unready pod among the wanted stops scaling down", "nNnn", 2, 0, false, ""},
        {"an unready surplus pod goes if it is the only one", "nnN", 2, 0, false, "-2"},
        {"a terminating surplus pod is waited for", "nnnt", 2, 0, false, ""},
        {"the update starts at the top", "ooo", 3, 0, false, "-2"},
        {"and goes on below what is updated", "oon", 3, 0, false, "-1"},
        {"and waits until that is healthy", "ooN", 3, 0, false, ""},
        {"and ends at the partition", "onn", 3, 1, false, ""},
        {"an old pod above the partition that is not ready is replaced, too", "oO", 2, 0, true,
         "-1"},
        {"in order it is waited for, for ever", "oO", 2, 0, false, ""},
        {"a failed pod is made anew at once", "nf", 2, 0, false, "-1 +1n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct set set;
        read_set(cases[i].word, cases[i].replicas, &set);
        set.facts.partition = cases[i].partition;
        set.facts.parallel = cases[i].parallel;
        check(cases[i].name, &set.facts, cases[i].expected);
    }
}

static void test_later_versions(void **state)
{
    (void)state;
    struct set set;
    read_set("ns", 2, &set);
    check("1.28: a succeeded pod is only not ready", &set.facts, "");
    set.features.stateful_succeeded_ends = true;
    check("1.29: it is made anew", &set.facts, "-1 +1n");
    set.features.stateful_recreates_later = true;
    check("1.31: it is deleted", &set.facts, "-1");
    set.pods[1].terminating = true;
    check("1.31: and then waited for", &set.facts, "");
    read_set("ff", 3, &set);
    set.features.stateful_recreates_later = true;
    check("1.31: in order one after the other", &set.facts, "-0");
    set.facts.parallel = true;
    check("1.31: in parallel all at once", &set.facts, "-0 -1 +2n");
    /* Until 1.28 an update was complete when all pods that are there are new. */
    read_set("n", 2, &set);
    set.facts.parallel = true;
    assert_true(stateful_set_sync(&arena, &set.facts)->update_complete);
    set.features.stateful_all_updated = true;
    assert_false(stateful_set_sync(&arena, &set.facts)->update_complete);
    read_set("nn", 2, &set);
    set.features.stateful_all_updated = true;
    assert_true(stateful_set_sync(&arena, &set.facts)->update_complete);
}

/* Until 1.33 a pod that is ready and not yet available is as healthy as others when
 * pods go; from 1.34 on it is waited for. */
static void test_availability(void **state)
{
    (void)state;
    static const struct {
        const char *name, *word;
        int32_t replicas, unavailable;
        bool parallel;
        const char *before, *after;
    } cases[] = {
        {"an update waits for what it made", "ooA", 3, 0, true, "-1", ""},
        {"the only pod that is not available is surplus", "nna", 2, 0, false, "", "-2"},
        {"another one is not available either", "nNa", 2, 0, false, "", ""},
        {"it is one of those that may be unavailable", "ooAA", 4, 2, true, "-1 -0", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct set set;
        read_set(cases[i].word, cases[i].replicas, &set);
        set.facts.max_unavailable = cases[i].unavailable;
        set.facts.parallel = cases[i].parallel;
        set.features = features_of_version(33);
        check(cases[i].name, &set.facts, cases[i].before);
        set.features = features_of_version(34);
        check(cases[i].name, &set.facts, cases[i].after);
    }
}

/* stateful_set_control_test.go: TestStatefulSetControlRollingUpdateWithMaxUnavailable */
static void test_max_unavailable(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        int32_t unavailable, partition;
        bool parallel;
        const char *expected;
    } cases[] = {
        {"oooooo", 2, 0, false, "-5 -4"},
        {"ooootn", 2, 0, true, "-3"},
        {"oooott", 2, 0, true, ""},
        {"oooonn", 2, 3, false, "-3"},
        {"oooooo", 9, 2, false, "-5 -4 -3 -2"},
        {"oOoooo", 2, 0, true, "-5"},
        {"nnnnnn", 2, 0, false, ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct set set;
        read_set(cases[i].word, 6, &set);
        set.facts.max_unavailable = cases[i].unavailable;
        set.facts.partition = cases[i].partition;
        set.facts.parallel = cases[i].parallel;
        check(cases[i].word, &set.facts, cases[i].expected);
    }
}

static void test_start_ordinal(void **state)
{
    (void)state;
    struct set set;
    read_set(".....oo", 3, &set);
    set.facts.start_ordinal = 5;
    set.facts.partition = 1;
    check("the missing one above", &set.facts, "+7n");
    read_set("", 3, &set);
    set.facts.start_ordinal = 5;
    set.facts.partition = 1;
    check("the partition counts from the start", &set.facts, "+5o");
    read_set("oo...oo", 2, &set);
    set.facts.start_ordinal = 5;
    set.facts.same_revision = true;
    set.pods[2].update_revision = set.pods[3].update_revision = true;
    check("pods below the start are surplus", &set.facts, "-1");
}

static void random_set(struct dice *dice, struct set *set)
{
    static const char letters[] = "oonnONtfs.";
    char word[PODS_MOST];
    const int64_t length = dice_roll(dice, PODS_MOST);
    for (int64_t i = 0; i < length; i++)
        word[i] = letters[dice_roll(dice, sizeof(letters) - 1)];
    word[length] = '\0';
    read_set(word, (int32_t)dice_roll(dice, 8), set);
    set->facts.partition = (int32_t)dice_roll(dice, 5);
    set->facts.parallel = dice_hit(dice, 2);
    set->facts.on_delete = dice_hit(dice, 5);
    set->facts.max_unavailable = dice_hit(dice, 3) ? (int32_t)dice_between(dice, 1, 4) : 0;
    set->features.stateful_succeeded_ends = dice_hit(dice, 2);
    set->features.stateful_recreates_later = dice_hit(dice, 2);
}

static const struct stateful_pod *find(const struct set *set, int32_t ordinal)
{
    for (uint32_t i = 0; i < set->facts.pod_count; i++)
        if (set->pods[i].ordinal == ordinal)
            return &set->pods[i];
    return NULL;
}

static bool healthy(const struct stateful_pod *pod)
{
    return pod && pod->ready && !pod->terminating;
}

static bool ended(const struct stateful_pod *pod)
{
    return pod->failed || pod->succeeded;
}

/* What no sync may do. */
static const char *broken_rule(const struct set *set, const struct stateful_set_decision *decision)
{
    const struct stateful_set_facts *facts = &set->facts;
    int32_t unhealthy = 0;
    uint32_t creations = 0;
    uint32_t updates = 0;
    for (int32_t i = 0; i < facts->replicas; i++)
        unhealthy += !healthy(find(set, i));
    for (uint32_t i = 0; i < decision->actions.count; i++) {
        const struct stateful_action *action = &decision->actions.items[i];
        const struct stateful_pod *pod = find(set, action->ordinal);
        const bool wanted = action->ordinal < facts->replicas;
        if (action->verb == STATEFUL_CREATE) {
            creations++;
            if (!wanted)
                return "a surplus pod is created";
            if (pod && (!ended(pod) || facts->features->stateful_recreates_later))
                return "a pod is created twice";
            if (!facts->on_delete &&
                action->update_revision != (action->ordinal >= facts->partition))
                return "the partition does not decide the revision";
            for (int32_t below = 0; !facts->parallel && below < action->ordinal; below++)
                if (!healthy(find(set, below)))
                    return "a pod is created above one that is not healthy";
            continue;
        }
        if (!pod)
            return "a pod is deleted that is not there";
        if (!wanted || ended(pod))
            continue;
        updates++;
        if (facts->on_delete || action->ordinal < facts->partition || pod->update_revision)
            return "a pod is updated that should stay";
    }
    if (!facts->parallel && creations > 1)
        return "more than one pod is created";
    if (updates > 1 && unhealthy + (int32_t)updates > facts->max_unavailable)
        return "more pods are missing than maxUnavailable";
    return NULL;
}

static void test_properties(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30000; seed++) {
        struct dice dice = {seed};
        struct set set;
        const struct arena_mark mark = arena_mark(&arena);
        random_set(&dice, &set);
        const struct stateful_set_decision *decision = stateful_set_sync(&arena, &set.facts);
        const char *rule = broken_rule(&set, decision);
        if (rule)
            fail_msg("seed %llu: %s: %s", (unsigned long long)seed, rule, summarise(decision));
        arena_rewind(&arena, mark);
    }
}

/* What was deleted goes, what was created becomes ready. */
static void apply(struct set *set, const struct stateful_set_decision *decision)
{
    bool gone[64] = {false};
    struct stateful_pod created[64];
    uint32_t created_count = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < decision->actions.count; i++) {
        const struct stateful_action *action = &decision->actions.items[i];
        if (action->verb == STATEFUL_DELETE)
            gone[action->ordinal] = true;
        else
            created[created_count++] = pod_of(action->update_revision ? 'n' : 'o', action->ordinal);
    }
    for (uint32_t i = 0; i < set->facts.pod_count; i++)
        if (!gone[set->pods[i].ordinal])
            set->pods[kept++] = set->pods[i];
    for (uint32_t c = 0; c < created_count; c++) {
        uint32_t at = kept++;
        while (at > 0 && set->pods[at - 1].ordinal > created[c].ordinal) {
            set->pods[at] = set->pods[at - 1];
            at--;
        }
        set->pods[at] = created[c];
    }
    set->facts.pod_count = kept;
}

/* From any healthy beginning a set comes to its size and to the new revision
 * above the partition. */
static void test_convergence(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct dice dice = {seed};
        struct set set;
        char word[8];
        const int64_t length = dice_roll(&dice, 7);
        for (int64_t i = 0; i < length; i++)
            word[i] = dice_hit(&dice, 2) ? 'o' : 'n';
        word[length] = '\0';
        read_set(word, (int32_t)dice_roll(&dice, 7), &set);
        set.facts.partition = (int32_t)dice_roll(&dice, 4);
        set.facts.parallel = dice_hit(&dice, 2);
        set.facts.max_unavailable = dice_hit(&dice, 3) ? 2 : 0;
        int syncs = 0;
        const struct arena_mark mark = arena_mark(&arena);
        for (;; syncs++) {
            const struct stateful_set_decision *decision = stateful_set_sync(&arena, &set.facts);
            if (decision->actions.count == 0)
                break;
            apply(&set, decision);
            assert_true(syncs < 50);
        }
        bool right = (int32_t)set.facts.pod_count == set.facts.replicas;
        for (uint32_t i = 0; right && i < set.facts.pod_count; i++)
            right = set.pods[i].update_revision || set.pods[i].ordinal < set.facts.partition;
        if (!right)
            fail_msg("seed %llu: stuck", (unsigned long long)seed);
        arena_rewind(&arena, mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_syncs),         cmocka_unit_test(test_later_versions),
        cmocka_unit_test(test_availability),  cmocka_unit_test(test_max_unavailable),
        cmocka_unit_test(test_start_ordinal), cmocka_unit_test(test_properties),
        cmocka_unit_test(test_convergence),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
