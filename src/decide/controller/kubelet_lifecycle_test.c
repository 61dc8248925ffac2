/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers, phases, back-off, probes and the end of pods, by vectors computed
 * by hand. A pod is a word: a letter for each container, init containers before
 * the bar. n: never started, r: runs, R: runs and has started (a sidecar whose
 * startup probe succeeded), s: succeeded, f: failed; sidecars after a '+'.
 */
#include "decide/controller/kubelet.h"

#include "decide/controller/random_test.h"
#include "decide/features_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CONTAINERS_MOST = 8 };

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)

struct word {
    struct kubelet_container init[CONTAINERS_MOST];
    struct kubelet_container main[CONTAINERS_MOST];
    struct kubelet_pod pod;
};

static struct kubelet_container container_of(char letter, bool sidecar)
{
    return (struct kubelet_container){
        .state = letter == 'n'                    ? KUBELET_CONTAINER_NEW
                 : letter == 'r' || letter == 'R' ? KUBELET_CONTAINER_RUNNING
                                                  : KUBELET_CONTAINER_EXITED,
        .exit_code = letter == 'f',
        .sidecar = sidecar,
        .started = letter == 'R',
    };
}

static void read_word(const char *text, enum restart_policy policy, struct word *word)
{
    *word = (struct word){.pod.restart_policy = policy};
    bool sidecar = false;
    const char *bar = strchr(text, '|');
    for (const char *at = text; bar && at < bar; at++) {
        if (*at == '+') {
            sidecar = true;
            continue;
        }
        word->init[word->pod.init_container_count++] = container_of(*at, sidecar);
        sidecar = false;
    }
    for (const char *at = bar ? bar + 1 : text; *at; at++)
        word->main[word->pod.container_count++] = container_of(*at, false);
    word->pod.init_containers = word->init;
    word->pod.containers = word->main;
}

/* pkg/kubelet/kubelet_pods_test.go: TestPodPhaseWithRestartAlways and its
 * siblings for Never and OnFailure, with and without init containers. */
static void test_phase(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum pod_phase always, on_failure, never;
    } cases[] = {
        {"nn", POD_PENDING, POD_PENDING, POD_PENDING},
        {"rr", POD_RUNNING, POD_RUNNING, POD_RUNNING},
        {"ss", POD_RUNNING, POD_SUCCEEDED, POD_SUCCEEDED},
        {"ff", POD_RUNNING, POD_RUNNING, POD_FAILED},
        {"rs", POD_RUNNING, POD_RUNNING, POD_RUNNING},
        {"sf", POD_RUNNING, POD_RUNNING, POD_FAILED},
        {"rn", POD_PENDING, POD_PENDING, POD_PENDING},
        {"n|n", POD_PENDING, POD_PENDING, POD_PENDING},
        {"r|n", POD_PENDING, POD_PENDING, POD_PENDING},
        {"f|n", POD_PENDING, POD_PENDING, POD_FAILED},
        {"s|n", POD_PENDING, POD_PENDING, POD_PENDING},
        {"s|r", POD_RUNNING, POD_RUNNING, POD_RUNNING},
        {"s|s", POD_RUNNING, POD_SUCCEEDED, POD_SUCCEEDED},
        /* With sidecars. */
        {"+R|n", POD_PENDING, POD_PENDING, POD_PENDING},
        {"+r|r", POD_PENDING, POD_PENDING, POD_PENDING},
        {"+R|r", POD_RUNNING, POD_RUNNING, POD_RUNNING},
        {"+R|s", POD_RUNNING, POD_RUNNING, POD_RUNNING},
        {"+f|s", POD_RUNNING, POD_SUCCEEDED, POD_SUCCEEDED},
        {"+s|f", POD_RUNNING, POD_RUNNING, POD_FAILED},
    };
    const struct features *features = version(29);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const enum pod_phase expected[] = {[RESTART_ALWAYS] = cases[i].always,
                                           [RESTART_ON_FAILURE] = cases[i].on_failure,
                                           [RESTART_NEVER] = cases[i].never};
        for (int policy = RESTART_ALWAYS; policy <= RESTART_NEVER; policy++) {
            struct word word;
            read_word(cases[i].word, (enum restart_policy)policy, &word);
            const enum pod_phase found = kubelet_phase(features, &word.pod);
            if (found != expected[policy])
                fail_msg("%s, policy %d: expected %d, found %d", cases[i].word, policy,
                         expected[policy], found);
        }
    }
}

static enum pod_phase phase_of(int minor, const char *text, bool terminating)
{
    const struct features *features = version(minor);
    struct word word;
    read_word(text, RESTART_ALWAYS, &word);
    word.pod.terminating = terminating;
    return kubelet_phase(features, &word.pod);
}

static void test_phase_by_version(void **state)
{
    (void)state;
    /* A deleted pod whose containers have stopped. */
    assert_int_equal(phase_of(26, "sf", true), POD_RUNNING);
    assert_int_equal(phase_of(27, "sf", true), POD_FAILED);
    assert_int_equal(phase_of(27, "ss", true), POD_SUCCEEDED);
    assert_int_equal(phase_of(27, "rs", true), POD_RUNNING);
    /* Before 1.29 a sidecar is an init container like any other. */
    assert_int_equal(phase_of(27, "+R|n", false), POD_PENDING);
    assert_int_equal(phase_of(27, "+s|r", false), POD_RUNNING);
    /* A sidecar starts anew beside running containers. */
    assert_int_equal(phase_of(32, "+r|r", false), POD_PENDING);
    assert_int_equal(phase_of(33, "+r|r", false), POD_RUNNING);
}

/* What is started, as a word of the same form: x starts, - does not; ! all is over. */
static void test_next(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum restart_policy policy;
        int minor;
        const char *expected;
    } cases[] = {
        {"nn", RESTART_ALWAYS, 26, "|xx"},
        {"rr", RESTART_ALWAYS, 26, "|--"},
        {"rs", RESTART_ALWAYS, 26, "|-x"},
        {"rf", RESTART_ON_FAILURE, 26, "|-x"},
        {"rs", RESTART_ON_FAILURE, 26, "|--"},
        {"rf", RESTART_NEVER, 26, "|--"},
        {"ss", RESTART_ON_FAILURE, 26, "|--!"},
        {"sf", RESTART_NEVER, 26, "|--!"},
        /* Init containers run one after the other. */
        {"nn|n", RESTART_ALWAYS, 26, "x-|-"},
        {"rn|n", RESTART_ALWAYS, 26, "--|-"},
        {"sn|n", RESTART_ALWAYS, 26, "-x|-"},
        {"sf|n", RESTART_ALWAYS, 26, "-x|-"},
        {"sf|n", RESTART_ON_FAILURE, 26, "-x|-"},
        {"sf|n", RESTART_NEVER, 26, "--|-!"},
        {"ss|n", RESTART_NEVER, 26, "--|x"},
        {"nn|r", RESTART_ALWAYS, 26, "--|-"},
        /* Sidecars: the next starts when they have started, and they are kept up. */
        {"n+nn|n", RESTART_NEVER, 29, "x--|-"},
        {"s+nn|n", RESTART_NEVER, 29, "-x-|-"},
        {"s+rn|n", RESTART_NEVER, 29, "---|-"},
        {"s+Rn|n", RESTART_NEVER, 29, "--x|-"},
        {"s+Rs|n", RESTART_NEVER, 29, "---|x"},
        {"s+fs|n", RESTART_NEVER, 29, "-x-|x"},
        {"s+ff|n", RESTART_NEVER, 29, "---|-!"},
        {"s+fr|n", RESTART_NEVER, 29, "-x-|-"},
        {"s+fs|r", RESTART_NEVER, 29, "-x-|-"},
        {"s+f|s", RESTART_NEVER, 29, "--|-!"},
        {"s+R|s", RESTART_NEVER, 29, "--|-!"},
        {"s+R|f", RESTART_ON_FAILURE, 29, "--|x"},
        /* In 1.27 a sidecar that runs is an init container that never ends. */
        {"+R|n", RESTART_ALWAYS, 27, "-|-"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct features *features = version(cases[i].minor);
        struct word word;
        bool start_init[CONTAINERS_MOST];
        bool start[CONTAINERS_MOST];
        char found[2 * CONTAINERS_MOST + 3];
        size_t length = 0;
        read_word(cases[i].word, cases[i].policy, &word);
        const bool over = kubelet_next(features, &word.pod, start_init, start);
        for (uint32_t c = 0; c < word.pod.init_container_count; c++)
            found[length++] = start_init[c] ? 'x' : '-';
        found[length++] = '|';
        for (uint32_t c = 0; c < word.pod.container_count; c++)
            found[length++] = start[c] ? 'x' : '-';
        if (over)
            found[length++] = '!';
        found[length] = '\0';
        if (strcmp(found, cases[i].expected) != 0)
            fail_msg("%s: expected %s, found %s", cases[i].word, cases[i].expected, found);
    }
}

/* Nothing is started in a pod that is being deleted. */
static void test_terminating_starts_nothing(void **state)
{
    (void)state;
    const struct features *features = version(26);
    struct word word;
    bool start_init[CONTAINERS_MOST];
    bool start[CONTAINERS_MOST];
    read_word("nf", RESTART_ALWAYS, &word);
    word.pod.terminating = true;
    assert_true(kubelet_next(features, &word.pod, start_init, start));
    assert_false(start[0] || start[1]);
}

/* A container that exits at once, again and again. */
static void test_backoff_of_a_crash_loop(void **state)
{
    (void)state;
    static const int64_t waits[] = {0, 10, 20, 40, 80, 160, 300, 300, 300};
    struct kubelet_backoff backoff = {0};
    for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
        assert_int_equal(kubelet_backoff_left(&backoff, 0), SECONDS(waits[i]));
        kubelet_backoff_age(&backoff, SECONDS(waits[i]));
        assert_int_equal(kubelet_backoff_left(&backoff, SECONDS(waits[i])), 0);
        kubelet_backoff_restart(&backoff, SECONDS(waits[i]));
    }
}

static void test_backoff_begins_anew(void **state)
{
    (void)state;
    struct kubelet_backoff backoff = {.known = true, .delay = SECONDS(160)};
    /* It ran for ten minutes: not longer, so the record still counts. */
    kubelet_backoff_age(&backoff, SECONDS(600));
    assert_int_equal(kubelet_backoff_left(&backoff, 0), 1);
    kubelet_backoff_age(&backoff, 1);
    assert_int_equal(kubelet_backoff_left(&backoff, 0), 0);
    kubelet_backoff_restart(&backoff, 0);
    assert_int_equal(backoff.delay, SECONDS(10));
    /* It crashed after 400 s; the record goes at 600 s, and with it the wait. */
    backoff = (struct kubelet_backoff){.known = true, .delay = SECONDS(300)};
    kubelet_backoff_age(&backoff, SECONDS(400));
    assert_int_equal(kubelet_backoff_left(&backoff, 0), SECONDS(200) + 1);
    kubelet_backoff_age(&backoff, SECONDS(200) + 1);
    assert_int_equal(kubelet_backoff_left(&backoff, SECONDS(200) + 1), 0);
    kubelet_backoff_restart(&backoff, SECONDS(200) + 1);
    assert_int_equal(backoff.delay, SECONDS(10));
}

/* Cutting a stretch of time into pieces changes nothing. */
static void test_backoff_of_random_lives(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        struct dice dice = {seed};
        struct kubelet_backoff once = {0};
        struct kubelet_backoff pieces = {0};
        for (int step = 0; step < 20; step++) {
            const int64_t runs = SECONDS(dice_roll(&dice, dice_hit(&dice, 3) ? 700 : 30));
            kubelet_backoff_age(&once, runs);
            for (int64_t left = runs; left > 0;) {
                const int64_t piece = dice_between(&dice, 1, left);
                kubelet_backoff_age(&pieces, piece);
                left -= piece;
            }
            const int64_t wait = kubelet_backoff_left(&once, 0);
            if (wait != kubelet_backoff_left(&pieces, 0) || wait > SECONDS(300))
                fail_msg("seed %llu", (unsigned long long)seed);
            kubelet_backoff_age(&once, wait);
            kubelet_backoff_age(&pieces, wait);
            kubelet_backoff_restart(&once, wait);
            kubelet_backoff_restart(&pieces, wait);
        }
    }
}

static struct optional_int some(int64_t value)
{
    return (struct optional_int){true, value};
}

static void test_grace(void **state)
{
    (void)state;
    static const struct optional_int none = {0};
    const struct features *before = version(30);
    const struct features *after = version(31);
    /* pkg/registry/core/pod/strategy_test.go: TestCheckGracefulDelete. */
    assert_int_equal(kubelet_deletion_grace(none, 30, true, POD_RUNNING), 30);
    assert_int_equal(kubelet_deletion_grace(some(5), 30, true, POD_RUNNING), 5);
    assert_int_equal(kubelet_deletion_grace(some(0), 30, true, POD_RUNNING), 0);
    assert_int_equal(kubelet_deletion_grace(some(-1), 30, true, POD_RUNNING), 1);
    assert_int_equal(kubelet_deletion_grace(none, 30, false, POD_PENDING), 0);
    assert_int_equal(kubelet_deletion_grace(none, 30, true, POD_FAILED), 0);
    assert_int_equal(kubelet_deletion_grace(none, 30, true, POD_SUCCEEDED), 0);
    /* pkg/kubelet/pod_workers_test.go: Test_calculateEffectiveGracePeriod. */
    assert_int_equal(kubelet_effective_grace(before, 0, some(30), none, 30), 30);
    assert_int_equal(kubelet_effective_grace(before, 0, some(30), some(5), 30), 5);
    assert_int_equal(kubelet_effective_grace(before, 10, some(30), none, 30), 10);
    assert_int_equal(kubelet_effective_grace(before, 10, some(4), none, 30), 4);
    assert_int_equal(kubelet_effective_grace(before, 0, none, none, 45), 45);
    assert_int_equal(kubelet_effective_grace(before, 0, none, none, 0), 1);
    /* A hard eviction left a pod its own grace period until 1.30. */
    assert_int_equal(kubelet_effective_grace(before, 0, none, some(0), 30), 30);
    assert_int_equal(kubelet_effective_grace(after, 0, none, some(1), 30), 1);
    assert_int_equal(kubelet_effective_grace(after, 0, none, some(0), 30), 1);
}

static void test_stopping(void **state)
{
    (void)state;
    const struct features *before = version(27);
    const struct features *after = version(28);
    assert_int_equal(kubelet_stop_seconds(after, 30, 0), 30);
    assert_int_equal(kubelet_stop_seconds(after, 30, 10), 30);
    assert_int_equal(kubelet_stop_seconds(after, 30, 40), 32);
    assert_int_equal(kubelet_stop_seconds(after, 1, 0), 2);
    /* The hook's time came on top until 1.27. */
    assert_int_equal(kubelet_stop_seconds(before, 30, 10), 40);
    assert_int_equal(kubelet_stop_seconds(before, 30, 40), 60);
    struct word word;
    read_word("r+Rr+R|rr", RESTART_ALWAYS, &word);
    const struct features *sidecars = version(29);
    assert_int_equal(kubelet_stop_rank(sidecars, &word.pod, false, 1), 0);
    assert_int_equal(kubelet_stop_rank(sidecars, &word.pod, true, 0), 0);
    assert_int_equal(kubelet_stop_rank(sidecars, &word.pod, true, 3), 1);
    assert_int_equal(kubelet_stop_rank(sidecars, &word.pod, true, 1), 2);
    assert_int_equal(kubelet_stop_rank(before, &word.pod, true, 1), 0);
    assert_true(kubelet_removes(true, false));
    assert_false(kubelet_removes(true, true));
    assert_false(kubelet_removes(false, false)); /* on a dead node pods stay for ever */
    assert_true(kubelet_past_deadline(some(10), SECONDS(10)));
    assert_false(kubelet_past_deadline(some(10), SECONDS(10) - 1));
    assert_false(kubelet_past_deadline((struct optional_int){0}, SECONDS(1000)));
}

/* Answers as letters: + and -; the result after each. */
static void test_probe(void **state)
{
    (void)state;
    static const struct {
        int32_t success, failure;
        const char *answers, *results;
    } cases[] = {
        {1, 3, "+--+", "++++"}, {1, 3, "+---+", "+++-+"}, {1, 3, "+----+", "+++--+"},
        {1, 1, "+-+", "+-+"},   {2, 1, "+-++-", "---+-"}, {3, 2, "++++--+++", "--+++---+"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct probe probe = {.initial_delay_seconds = 5,
                                    .period_seconds = 10,
                                    .success_threshold = cases[i].success,
                                    .failure_threshold = cases[i].failure};
        struct kubelet_probe own = {0};
        assert_false(kubelet_probe_answer(&probe, SECONDS(5) - 1, true, &own));
        assert_false(own.result);
        for (size_t a = 0; cases[i].answers[a]; a++) {
            kubelet_probe_answer(&probe, SECONDS(5), cases[i].answers[a] == '+', &own);
            if (own.result != (cases[i].results[a] == '+'))
                fail_msg("case %zu, answer %zu: %d", i, a, own.result);
        }
    }
}

static void test_ready_window(void **state)
{
    (void)state;
    const struct probe startup = {0, 1, 5, 1, 30};
    const struct probe readiness = {10, 1, 10, 2, 3};
    int64_t earliest;
    int64_t latest;
    kubelet_ready_window(NULL, NULL, &earliest, &latest);
    assert_int_equal(earliest, 0);
    assert_int_equal(latest, 0);
    kubelet_ready_window(NULL, &readiness, &earliest, &latest);
    assert_int_equal(earliest, SECONDS(10));
    assert_int_equal(latest, SECONDS(30));
    kubelet_ready_window(&startup, &readiness, &earliest, &latest);
    assert_int_equal(earliest, SECONDS(10));
    assert_int_equal(latest, SECONDS(30));
    const struct probe eager = {0, 1, 10, 1, 3};
    kubelet_ready_window(&startup, &eager, &earliest, &latest);
    assert_int_equal(earliest, 0);
    assert_int_equal(latest, SECONDS(15));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phase),
        cmocka_unit_test(test_phase_by_version),
        cmocka_unit_test(test_next),
        cmocka_unit_test(test_terminating_starts_nothing),
        cmocka_unit_test(test_backoff_of_a_crash_loop),
        cmocka_unit_test(test_backoff_begins_anew),
        cmocka_unit_test(test_backoff_of_random_lives),
        cmocka_unit_test(test_grace),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_ready_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
