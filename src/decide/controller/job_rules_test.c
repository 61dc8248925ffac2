/* SPDX-License-Identifier: Apache-2.0 */
/* Policies of Jobs, the back-off and the two steps of an end, each before and after the
 * version that brought it. */
#include "decide/controller/job_backoff.h"
#include "decide/controller/job_controller.h"

#include "decide/features_fixture.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)

static struct job_pod_class a_pod(enum pod_phase phase, int64_t index)
{
    return (struct job_pod_class){
        .count = 1,
        .phase = phase,
        .assigned = true,
        .finalizer = true,
        .index = index,
        .ready_age = JOB_AGE_UNSET,
        .creation_age = SECONDS(900),
        .finish_age = SECONDS(800),
    };
}

static struct job_decision sync(int minor, const struct job *job, const struct job_pod_class *pods,
                                uint32_t count)
{
    const struct job_input input = {
        .features = version(minor),
        .job = job,
        .tracking = true,
        .started = true,
        .start_age = SECONDS(1000),
        .create_limit = -1,
        .backs_off = true,
        .pods = pods,
        .pod_count = count,
    };
    struct job_decision decision;
    job_decide(&arena, &input, &decision);
    return decision;
}

static struct job plain_job(int64_t parallelism, int64_t completions)
{
    return (struct job){.parallelism = {true, parallelism},
                        .completions = {true, completions},
                        .backoff_limit = 6,
                        .backoff_limit_given = true};
}

static void test_two_steps(void **state)
{
    (void)state;
    struct job job = plain_job(1, 1);
    job.backoff_limit = 0;
    struct job_pod_class pods[] = {a_pod(POD_FAILED, JOB_NO_INDEX),
                                   a_pod(POD_RUNNING, JOB_NO_INDEX)};
    struct job_decision decision = sync(30, &job, pods, 2);
    assert_int_equal(decision.finish, JOB_BACKOFF_LIMIT_EXCEEDED);
    assert_true(decision.finished);
    decision = sync(31, &job, pods, 2);
    assert_int_equal(decision.finish, JOB_BACKOFF_LIMIT_EXCEEDED);
    assert_false(decision.finished); /* the pod that is deleted terminates */
    assert_int_equal(decision.terminating, 1);
    assert_int_equal(decision.failed, 2);
    assert_true(sync(31, &job, pods, 1).finished);
}

static void test_policy_of_failures(void **state)
{
    (void)state;
    struct pod_failure_policy policy = {0};
    struct job job = plain_job(1, 1);
    job.backoff_limit = 0;
    job.pod_failure_policy = &policy;
    struct job_pod_class failed = a_pod(POD_FAILED, JOB_NO_INDEX);
    assert_int_equal(sync(26, &job, &failed, 1).finish, JOB_BACKOFF_LIMIT_EXCEEDED);
    failed.match = JOB_MATCH_COUNT;
    assert_int_equal(sync(26, &job, &failed, 1).finish, JOB_BACKOFF_LIMIT_EXCEEDED);
    failed.match = JOB_MATCH_IGNORE;
    const struct job_decision ignored = sync(26, &job, &failed, 1);
    assert_int_equal(ignored.finish, JOB_NOT_OVER);
    assert_int_equal(ignored.failed, 0);
    assert_int_equal(ignored.finalizers_removed[0], 1);
    failed.match = JOB_MATCH_FAIL_JOB;
    assert_int_equal(sync(26, &job, &failed, 1).finish, JOB_POD_FAILURE_POLICY);
}

/* With a policy, or where only failed pods are replaced, a pod that terminates is
 * neither failed nor replaced. */
static void test_replacement(void **state)
{
    (void)state;
    struct pod_failure_policy policy = {0};
    struct job_pod_class leaving = a_pod(POD_RUNNING, JOB_NO_INDEX);
    leaving.terminating = true;
    leaving.finish_age = SECONDS(5000);
    struct job job = plain_job(1, 1);
    assert_int_equal(sync(36, &job, &leaving, 1).created, 1);
    assert_int_equal(sync(36, &job, &leaving, 1).failed, 1);
    job.pod_replacement_policy = REPLACEMENT_FAILED;
    assert_int_equal(sync(28, &job, &leaving, 1).created, 1);
    assert_int_equal(sync(29, &job, &leaving, 1).created, 0);
    assert_int_equal(sync(29, &job, &leaving, 1).failed, 0);
    job.pod_replacement_policy = REPLACEMENT_UNSET;
    job.pod_failure_policy = &policy;
    assert_int_equal(sync(27, &job, &leaving, 1).created, 1);
    assert_int_equal(sync(28, &job, &leaving, 1).created, 0);
}

static void test_limits_of_indexes(void **state)
{
    (void)state;
    struct job job = plain_job(2, 2);
    job.completion_mode = COMPLETION_INDEXED;
    job.backoff_limit_given = false;
    job.backoff_limit_per_index = (struct optional_int){true, 1};
    struct job_pod_class pods[] = {a_pod(POD_FAILED, 0), a_pod(POD_FAILED, 1)};
    pods[0].failures = pods[0].failures_all = 1;
    struct job_decision decision = sync(29, &job, pods, 2);
    assert_string_equal(job_indexes_format(&arena, &decision.failed_indexes), "0");
    assert_int_equal(decision.finish, JOB_NOT_OVER);
    assert_int_equal(decision.finalizers_removed[0], 1);
    assert_int_equal(decision.finalizers_removed[1], 0); /* the next one reads its count */
    assert_int_equal(decision.created_indexes.count, 1);
    assert_int_equal(decision.created_indexes.items[0], 1);
    decision = sync(28, &job, pods, 2);
    assert_int_equal(decision.failed_indexes.count, 0);
    assert_int_equal(decision.finalizers_removed[1], 1);
    pods[1].finish_age = SECONDS(9); /* the index waits for its own back-off */
    decision = sync(29, &job, pods, 2);
    assert_int_equal(decision.action, JOB_WAITS);
    pods[1].failures = pods[1].failures_all = 1;
    assert_int_equal(sync(29, &job, pods, 2).finish, JOB_FAILED_INDEXES);
    job.max_failed_indexes = (struct optional_int){true, 1};
    assert_int_equal(sync(29, &job, pods, 2).finish, JOB_MAX_FAILED_INDEXES);
    job.max_failed_indexes.value = 2;
    assert_int_equal(sync(29, &job, pods, 2).finish, JOB_FAILED_INDEXES);
    pods[1].failures = pods[1].failures_all = 0;
    pods[1].match = JOB_MATCH_FAIL_INDEX;
    assert_int_equal(sync(29, &job, pods, 2).finish, JOB_FAILED_INDEXES);
}

static void test_success_policy(void **state)
{
    (void)state;
    struct success_rule rule = {.succeeded_indexes = "0-1"};
    struct success_policy policy = {&rule, 1};
    struct job job = plain_job(4, 4);
    job.completion_mode = COMPLETION_INDEXED;
    job.success_policy = &policy;
    struct job_pod_class pods[] = {a_pod(POD_SUCCEEDED, 1), a_pod(POD_RUNNING, 2)};
    assert_int_equal(sync(31, &job, pods, 2).finish, JOB_NOT_OVER);
    rule.succeeded_count = (struct optional_int){true, 1};
    struct job_decision decision = sync(31, &job, pods, 2);
    assert_int_equal(decision.finish, JOB_SUCCESS_POLICY);
    assert_int_equal(decision.deleted, 1);
    assert_int_equal(decision.failed, 0); /* the others are not failures */
    assert_int_equal(sync(30, &job, pods, 2).finish, JOB_NOT_OVER);
    rule = (struct success_rule){.succeeded_count = {true, 2}};
    assert_int_equal(sync(31, &job, pods, 2).finish, JOB_NOT_OVER);
    pods[1].phase = POD_SUCCEEDED;
    assert_int_equal(sync(31, &job, pods, 2).finish, JOB_SUCCESS_POLICY);
}

static void test_back_off(void **state)
{
    (void)state;
    static const struct {
        int minor;
        int64_t failures, seconds;
        bool waits;
    } cases[] = {
        {27, 0, 0, false},   {27, 1, 9, true},   {27, 1, 10, false},
        {27, 3, 39, true},   {27, 3, 40, false}, {27, 9, 359, true},
        {27, 9, 360, false}, {28, 9, 599, true}, {28, 9, 600, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(job_backoff_waits(version(cases[i].minor), cases[i].failures,
                                           SECONDS(cases[i].seconds)),
                         cases[i].waits);
    struct job job = plain_job(2, 4);
    struct job_pod_class pods[] = {a_pod(POD_FAILED, JOB_NO_INDEX),
                                   a_pod(POD_RUNNING, JOB_NO_INDEX),
                                   a_pod(POD_SUCCEEDED, JOB_NO_INDEX)};
    pods[0].finish_age = SECONDS(5);
    assert_int_equal(sync(26, &job, pods, 2).created, 1);
    struct job_decision decision = sync(33, &job, pods, 2);
    assert_int_equal(decision.action, JOB_WAITS);
    assert_int_equal(decision.active, 0); /* as the status said, wrongly, until 1.34.10 */
    assert_int_equal(sync(34, &job, pods, 2).active, 1);
    pods[2].finish_age = SECONDS(5); /* a later success ends the waiting */
    assert_int_equal(sync(33, &job, pods, 3).created, 1);
    pods[2].finish_age = SECONDS(6);
    assert_int_equal(sync(33, &job, pods, 3).action, JOB_WAITS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_steps),      cmocka_unit_test(test_policy_of_failures),
        cmocka_unit_test(test_replacement),    cmocka_unit_test(test_limits_of_indexes),
        cmocka_unit_test(test_success_policy), cmocka_unit_test(test_back_off),
    };
    return cmocka_run_group_tests_name("job rules", tests, set_up, tear_down);
}
