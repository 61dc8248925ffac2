/* SPDX-License-Identifier: Apache-2.0 */
/* The Job controller beyond the recorded syncs: sets of indexes, slow start,
 * the limits per sync, and that folding equal pods into classes changes
 * nothing but the choice among equals. */
#include "decide/controller/job_controller.h"

#include "decide/controller/random_test.h"
#include "decide/features_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { CLASSES_MOST = 7, PODS_MOST = 40 };

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)

struct workshop {
    struct memory memory;
    struct arena arena;
};

static int set_up(void **state)
{
    static struct workshop workshop;
    memory_init(&workshop.memory, SIZE_MAX);
    arena_init(&workshop.arena, &workshop.memory);
    *state = &workshop;
    return 0;
}

static int tear_down(void **state)
{
    struct workshop *workshop = *state;
    arena_release(&workshop->arena);
    return 0;
}

static void test_indexes_as_text(void **state)
{
    struct arena *arena = &((struct workshop *)*state)->arena;
    static const struct {
        const char *text;
        int64_t completions;
        const char *result;
        int64_t total;
    } cases[] = {
        {"", 10, "", 0},          {"0", 10, "0", 1},         {"0,1", 10, "0,1", 2},
        {"0,1,2", 10, "0-2", 3},  {"0-2,3-4", 10, "0-4", 5}, {"1,3-5,7", 10, "1,3-5,7", 5},
        {"1,3-9", 5, "1,3,4", 3}, {"1,5", 5, "1", 1},        {"x,2", 10, "2", 1},
        {"1-x,2", 10, "2", 1},    {"3-4-5", 10, "3,4", 2},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct job_indexes indexes =
            job_indexes_parse(arena, cases[i].text, cases[i].completions);
        assert_string_equal(job_indexes_format(arena, &indexes), cases[i].result);
        assert_int_equal(job_indexes_total(&indexes), cases[i].total);
    }
}

static void test_union_of_indexes(void **state)
{
    struct arena *arena = &((struct workshop *)*state)->arena;
    static const int64_t numbers[] = {0, 2, 3, 9};
    const struct job_indexes some = job_indexes_parse(arena, "1,5-7", 20);
    const struct job_indexes all = job_indexes_with(arena, &some, numbers, 4);
    assert_string_equal(job_indexes_format(arena, &all), "0-3,5-7,9");
    assert_true(job_indexes_has(&all, 6));
    assert_false(job_indexes_has(&all, 4));
    assert_false(job_indexes_has(&all, 10));
}

static struct job_input input_of(const struct job *job)
{
    return (struct job_input){.features = version(26),
                              .job = job,
                              .tracking = true,
                              .started = true,
                              .start_age = SECONDS(60),
                              .create_limit = -1};
}

static void test_slow_start_stops_at_a_failure(void **state)
{
    struct arena *arena = &((struct workshop *)*state)->arena;
    static const struct {
        int64_t limit;
        int64_t created;
        int64_t calls;
        int32_t active;
    } cases[] = {{-1, 20, 20, 20}, {0, 0, 1, 0}, {1, 1, 3, 1}, {5, 5, 7, 5}, {19, 19, 20, 19}};
    const struct job job = {.parallelism = {true, 20}, .backoff_limit = 6};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct job_input input = input_of(&job);
        struct job_decision decision;
        input.create_limit = cases[i].limit;
        job_decide(arena, &input, &decision);
        assert_int_equal(decision.action, JOB_CREATES);
        assert_int_equal(decision.created, cases[i].created);
        assert_int_equal(decision.create_calls, cases[i].calls);
        assert_int_equal(decision.active, cases[i].active);
        assert_int_equal(decision.create_failed, cases[i].limit >= 0);
    }
}

static void test_limits_per_sync(void **state)
{
    struct arena *arena = &((struct workshop *)*state)->arena;
    struct job job = {.parallelism = {true, 2000}, .backoff_limit = 6};
    struct job_input input = input_of(&job);
    struct job_decision decision;
    job_decide(arena, &input, &decision);
    assert_int_equal(decision.created, 500);
    const struct job_pod_class running = {.count = 2000,
                                          .phase = POD_RUNNING,
                                          .assigned = true,
                                          .finalizer = true,
                                          .index = JOB_NO_INDEX,
                                          .ready_age = JOB_AGE_UNSET,
                                          .creation_age = SECONDS(5)};
    job.parallelism.value = 3;
    input.pods = &running;
    input.pod_count = 1;
    job_decide(arena, &input, &decision);
    assert_int_equal(decision.action, JOB_DELETES);
    assert_int_equal(decision.deleted, 500);
    assert_int_equal(decision.active, 1500);
    struct job_pod_class done = running;
    done.phase = POD_SUCCEEDED;
    done.count = 700;
    job.completions = (struct optional_int){true, 5000};
    input.pods = &done;
    job_decide(arena, &input, &decision);
    assert_int_equal(decision.succeeded, 500);
    assert_int_equal(decision.finalizers_removed[0], 500);
}

/* A failed pod is an error, so that the next sync waits; later releases wait
 * on their own. */
static void test_new_failures_by_release(void **state)
{
    struct arena *arena = &((struct workshop *)*state)->arena;
    const struct job job = {.parallelism = {true, 1}, .backoff_limit = 6};
    const struct job_pod_class failed = {
        .count = 1, .phase = POD_FAILED, .finalizer = true, .index = JOB_NO_INDEX};
    const int last_error = 27;
    for (int minor = FEATURES_MINOR_FIRST; minor <= FEATURES_MINOR_LAST; minor++) {
        struct job_input input = input_of(&job);
        struct job_decision decision;
        input.features = version(minor);
        input.pods = &failed;
        input.pod_count = 1;
        job_decide(arena, &input, &decision);
        assert_int_equal(decision.failed, 1);
        assert_int_equal(decision.new_failure, minor <= last_error);
    }
}

/* With restartPolicy OnFailure, the restarts of containers count. */
static void test_restarts_exceed_the_limit(void **state)
{
    struct arena *arena = &((struct workshop *)*state)->arena;
    static const struct {
        int32_t limit;
        int64_t restarts;
        enum pod_phase phase;
        enum restart_policy policy;
        bool fails;
    } cases[] = {
        {0, 0, POD_RUNNING, RESTART_ON_FAILURE, false},
        {0, 1, POD_RUNNING, RESTART_ON_FAILURE, true},
        {4, 1, POD_RUNNING, RESTART_ON_FAILURE, false},
        {4, 2, POD_RUNNING, RESTART_ON_FAILURE, true}, /* of each of two pods */
        {4, 2, POD_PENDING, RESTART_ON_FAILURE, true},
        {4, 2, POD_SUCCEEDED, RESTART_ON_FAILURE, false},
        {4, 2, POD_RUNNING, RESTART_NEVER, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct job job = {.parallelism = {true, 2}, .backoff_limit = cases[i].limit};
        const struct job_pod_class pods = {.count = 2,
                                           .phase = cases[i].phase,
                                           .index = JOB_NO_INDEX,
                                           .restarts_sum = cases[i].restarts};
        struct job_input input = input_of(&job);
        struct job_decision decision;
        job.template.spec.restart_policy = cases[i].policy;
        input.pods = &pods;
        input.pod_count = 1;
        job_decide(arena, &input, &decision);
        assert_int_equal(decision.finish == JOB_BACKOFF_LIMIT_EXCEEDED, cases[i].fails);
    }
}

static void roll_class(struct dice *dice, struct job_pod_class *class)
{
    *class = (struct job_pod_class){
        .count = dice_between(dice, 1, 5),
        .phase = (enum pod_phase)dice_roll(dice, 6),
        .terminating = dice_hit(dice, 6),
        .assigned = !dice_hit(dice, 3),
        .ready = dice_hit(dice, 2),
        .finalizer = !dice_hit(dice, 5),
        .uncounted = dice_hit(dice, 6) ? (enum job_uncounted)dice_roll(dice, 3) : JOB_NOT_NOTED,
        .index = dice_between(dice, -1, 5),
        .restarts_most = dice_roll(dice, 3),
        .restarts_sum = dice_roll(dice, 3),
        .ready_age = dice_hit(dice, 8) ? JOB_AGE_UNSET : SECONDS(dice_roll(dice, 3)),
        .creation_age = SECONDS(dice_roll(dice, 3)),
    };
}

static void roll_job(struct dice *dice, struct job *job, struct job_input *input)
{
    *job = (struct job){
        .parallelism = {true, dice_roll(dice, 8)},
        .completions = {dice_hit(dice, 2), dice_roll(dice, 8)},
        .active_deadline_seconds = {dice_hit(dice, 5), dice_roll(dice, 120)},
        .backoff_limit = (int32_t)dice_roll(dice, 12),
        .completion_mode = dice_hit(dice, 3) ? COMPLETION_INDEXED : COMPLETION_NON_INDEXED,
        .suspend = dice_hit(dice, 8),
    };
    job->template.spec.restart_policy = dice_hit(dice, 3) ? RESTART_ON_FAILURE : RESTART_NEVER;
    if (job->completion_mode == COMPLETION_INDEXED)
        job->completions.set = true;
    *input = input_of(job);
    input->tracking = !dice_hit(dice, 4);
    input->terminating = dice_hit(dice, 15);
    input->succeeded = (int32_t)dice_roll(dice, 3);
    input->failed = (int32_t)dice_roll(dice, 3);
    input->suspension = (enum job_suspension)dice_roll(dice, 3);
    input->create_limit = dice_hit(dice, 4) ? dice_roll(dice, 4) : -1;
}

static bool same_numbers(const struct job_decision *a, const struct job_decision *b)
{
    return a->action == b->action && a->finish == b->finish && a->finished == b->finished &&
           a->created == b->created && a->create_calls == b->create_calls &&
           a->created_indexes.count == b->created_indexes.count && a->deleted == b->deleted &&
           a->tie_deleted == b->tie_deleted && a->active == b->active && a->ready == b->ready &&
           a->succeeded == b->succeeded && a->failed == b->failed &&
           a->uncounted_succeeded == b->uncounted_succeeded &&
           a->uncounted_failed == b->uncounted_failed && a->suspension == b->suspension &&
           a->new_failure == b->new_failure && a->forget == b->forget;
}

static void fold_once(struct arena *arena, uint64_t seed, int *deletions)
{
    struct dice dice = {seed};
    struct job job;
    struct job_input input;
    struct job_pod_class classes[CLASSES_MOST];
    struct job_pod_class pods[PODS_MOST] = {0};
    uint32_t class_of[PODS_MOST] = {0};
    struct job_decision folded;
    struct job_decision unfolded;
    uint32_t pod_count = 0;
    roll_job(&dice, &job, &input);
    const uint32_t class_count = (uint32_t)dice_roll(&dice, CLASSES_MOST + 1);
    for (uint32_t i = 0; i < class_count; i++) {
        roll_class(&dice, &classes[i]);
        for (int64_t n = 0; n < classes[i].count; n++) {
            const int64_t at = dice_roll(&dice, pod_count + 1);
            pods[pod_count] = pods[at];
            class_of[pod_count++] = class_of[at];
            pods[at] = classes[i];
            pods[at].count = 1;
            class_of[at] = i;
        }
    }
    input.pods = classes;
    input.pod_count = class_count;
    job_decide(arena, &input, &folded);
    input.pods = pods;
    input.pod_count = pod_count;
    job_decide(arena, &input, &unfolded);
    bool same = same_numbers(&folded, &unfolded);
    for (uint32_t i = 0; i < class_count; i++) {
        int64_t deleted = 0;
        int64_t removed = 0;
        for (uint32_t p = 0; p < pod_count; p++) {
            if (class_of[p] != i)
                continue;
            deleted += unfolded.deletions[p];
            removed += unfolded.finalizers_removed[p];
            same = same && unfolded.tied[p] == folded.tied[i];
        }
        if (!folded.tied[i])
            same =
                same && deleted == folded.deletions[i] && removed == folded.finalizers_removed[i];
    }
    if (!same)
        fail_msg("seed %llu: folded and unfolded pods differ", (unsigned long long)seed);
    *deletions += folded.action == JOB_DELETES ? 1 : 0;
}

static void test_folding_changes_nothing(void **state)
{
    struct arena *arena = &((struct workshop *)*state)->arena;
    const struct arena_mark mark = arena_mark(arena);
    int deletions = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        fold_once(arena, seed, &deletions);
        arena_rewind(arena, mark);
    }
    assert_true(deletions > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indexes_as_text),
        cmocka_unit_test(test_union_of_indexes),
        cmocka_unit_test(test_slow_start_stops_at_a_failure),
        cmocka_unit_test(test_limits_per_sync),
        cmocka_unit_test(test_new_failures_by_release),
        cmocka_unit_test(test_restarts_exceed_the_limit),
        cmocka_unit_test(test_folding_changes_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
