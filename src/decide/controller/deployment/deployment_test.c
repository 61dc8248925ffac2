/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Deployment controller beyond the recorded syncs: what no sync may do to
 * sets whose statuses are consistent, whole rollouts with ideal kubelets, and
 * vectors for deadlines, history and pauses.
 */
#include "decide/controller/deployment/deployment.h"

#include "decide/controller/random_test.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SETS_MOST = 5 };

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)
#define NOW            SECONDS(1000000)

struct cluster {
    struct deployment_facts deployment;
    struct replica_set_facts sets[SETS_MOST + 1];
    uint32_t count;
};

static const char *const names[] = {"web-a", "web-b", "web-c", "web-d", "web-e"};

static struct deployment_facts deployment_of(int32_t replicas, int32_t surge, int32_t unavailable)
{
    return (struct deployment_facts){.now = NOW,
                                     .generation = 1,
                                     .replicas = replicas,
                                     .max_surge = surge,
                                     .max_unavailable = unavailable,
                                     .history_limit = 10,
                                     .progress_deadline_seconds = 600};
}

/* A set whose status tells the truth about `replicas` pods. */
static struct replica_set_facts set_of(const struct deployment_facts *deployment, uint32_t number,
                                       int32_t replicas, int32_t available)
{
    return (struct replica_set_facts){
        .name = names[number],
        .creation_time = NOW - SECONDS(1000 - (int64_t)number),
        .replicas = replicas,
        .status_replicas = replicas,
        .ready_replicas = available,
        .available_replicas = available,
        .observed = true,
        .revision = number + 1,
        .desired = {true, deployment->replicas},
        .most = {true, deployment->replicas + deployment->max_surge},
    };
}

static int64_t sum_sizes(const struct replica_set_facts *sets, uint32_t count)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += sets[i].replicas;
    return sum;
}

/* Pods that stay available: a set takes away those that are not first. */
static int64_t sum_available(const struct replica_set_facts *sets, uint32_t count)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += sets[i].available_replicas < sets[i].replicas ? sets[i].available_replicas
                                                             : sets[i].replicas;
    return sum;
}

/* A rollout somewhere on its way; the youngest set, if any, has the template. */
static void random_cluster(struct dice *dice, struct cluster *cluster)
{
    const int32_t replicas = (int32_t)dice_roll(dice, 9);
    int32_t surge = (int32_t)dice_roll(dice, 4);
    int32_t unavailable = (int32_t)dice_roll(dice, 4);
    if (surge + unavailable == 0)
        unavailable = 1;
    if (unavailable > replicas)
        unavailable = replicas;
    cluster->deployment = deployment_of(replicas, surge, unavailable);
    cluster->count = (uint32_t)dice_roll(dice, SETS_MOST);
    int64_t room = replicas + surge;
    for (uint32_t i = 0; i < cluster->count; i++) {
        const int32_t size = (int32_t)dice_roll(dice, room + 1);
        room -= size;
        cluster->sets[i] =
            set_of(&cluster->deployment, i, size, (int32_t)dice_roll(dice, size + 1));
    }
    if (cluster->count > 0 && !dice_hit(dice, 4))
        cluster->sets[cluster->count - 1].present_template = true;
}

static const struct deployment_decision *sync(const struct cluster *cluster)
{
    return deployment_sync(&arena, &cluster->deployment, cluster->sets, cluster->count, "web-new");
}

static bool is_old(const struct cluster *cluster, uint32_t set)
{
    return set >= cluster->count || !cluster->sets[set].present_template;
}

static const char *broken_rolling(const struct cluster *cluster,
                                  const struct deployment_decision *decision)
{
    const int64_t before = sum_sizes(cluster->sets, cluster->count);
    const int64_t after = sum_sizes(decision->sets, decision->set_count);
    const int64_t limit = decision->surge_limit > before ? decision->surge_limit : before;
    const int64_t available = sum_available(cluster->sets, cluster->count);
    const int64_t floor =
        decision->availability_floor < available ? decision->availability_floor : available;
    if (after > limit)
        return "more pods than the surge allows";
    if (sum_available(decision->sets, decision->set_count) < floor)
        return "fewer available pods than allowed";
    for (uint32_t i = 0; i < cluster->count; i++)
        if (is_old(cluster, i) && decision->sets[i].replicas > cluster->sets[i].replicas)
            return "an old set grows";
    return NULL;
}

static void test_bounds(void **state)
{
    (void)state;
    static struct cluster cluster;
    for (uint64_t seed = 1; seed <= 30000; seed++) {
        struct dice dice = {seed};
        const struct arena_mark mark = arena_mark(&arena);
        random_cluster(&dice, &cluster);
        const struct deployment_decision *decision = sync(&cluster);
        assert_int_equal(decision->branch, DEPLOYMENT_BRANCH_ROLLING);
        const char *rule = broken_rolling(&cluster, decision);
        if (rule)
            fail_msg("seed %llu: %s", (unsigned long long)seed, rule);
        arena_rewind(&arena, mark);
    }
}

static void settle(struct cluster *cluster, const struct deployment_decision *decision)
{
    cluster->count = decision->set_count;
    memcpy(cluster->sets, decision->sets, decision->set_count * sizeof(*decision->sets));
    for (uint32_t i = 0; i < cluster->count; i++) {
        struct replica_set_facts *set = &cluster->sets[i];
        set->status_replicas = set->ready_replicas = set->available_replicas = set->replicas;
        set->observed = true;
    }
    cluster->deployment.status = decision->status;
    cluster->deployment.revision = decision->revision;
}

/* With kubelets that do their work every rollout ends, within its bounds. */
static void test_rollouts_end(void **state)
{
    (void)state;
    static struct cluster cluster;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct dice dice = {seed};
        const struct arena_mark mark = arena_mark(&arena);
        random_cluster(&dice, &cluster);
        cluster.deployment.recreate = dice_hit(&dice, 4);
        if (cluster.deployment.recreate)
            cluster.deployment.max_surge = cluster.deployment.max_unavailable = 0;
        bool acted = true;
        for (int syncs = 0; acted || syncs < 2; syncs++) {
            const struct deployment_decision *decision = sync(&cluster);
            const char *rule =
                cluster.deployment.recreate ? NULL : broken_rolling(&cluster, decision);
            if (rule || syncs > 60)
                fail_msg("seed %llu: %s", (unsigned long long)seed, rule ? rule : "no end");
            acted = decision->actions.count > 0;
            settle(&cluster, decision);
        }
        for (uint32_t i = 0; i < cluster.count; i++) {
            const int32_t wanted =
                cluster.sets[i].present_template ? cluster.deployment.replicas : 0;
            if (cluster.sets[i].replicas != wanted)
                fail_msg("seed %llu: ends with %d pods", (unsigned long long)seed,
                         cluster.sets[i].replicas);
        }
        arena_rewind(&arena, mark);
    }
}

/* Recreate makes no new pod while there is an old one. */
static void test_recreate(void **state)
{
    (void)state;
    static struct cluster cluster;
    for (uint64_t seed = 1; seed <= 10000; seed++) {
        struct dice dice = {seed};
        const struct arena_mark mark = arena_mark(&arena);
        random_cluster(&dice, &cluster);
        cluster.deployment.recreate = true;
        cluster.deployment.max_surge = cluster.deployment.max_unavailable = 0;
        cluster.deployment.old_pods_unfinished = dice_hit(&dice, 3);
        for (uint32_t i = 0; i < cluster.count; i++)
            if (dice_hit(&dice, 3))
                cluster.sets[i].status_replicas = (int32_t)dice_roll(&dice, 3);
        bool old_pods = cluster.deployment.old_pods_unfinished > 0;
        for (uint32_t i = 0; i < cluster.count; i++)
            old_pods |= is_old(&cluster, i) &&
                        (cluster.sets[i].replicas > 0 || cluster.sets[i].status_replicas > 0);
        const struct deployment_decision *decision = sync(&cluster);
        for (uint32_t i = 0; i < decision->actions.count; i++) {
            const struct deployment_action *action = &decision->actions.items[i];
            if (old_pods && action->to > action->from)
                fail_msg("seed %llu: new pods beside old ones", (unsigned long long)seed);
        }
        arena_rewind(&arena, mark);
    }
}

/* A change of size in the middle of a rollout is shared out without a rest. */
static void test_proportional_scaling(void **state)
{
    (void)state;
    static struct cluster cluster;
    uint32_t seen = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        struct dice dice = {seed};
        const struct arena_mark mark = arena_mark(&arena);
        random_cluster(&dice, &cluster);
        const int32_t from = cluster.deployment.replicas;
        uint32_t active = 0;
        for (uint32_t i = 0; i < cluster.count; i++)
            active += cluster.sets[i].replicas > 0;
        cluster.deployment.replicas = (int32_t)dice_roll(&dice, 12);
        const struct deployment_decision *decision = sync(&cluster);
        if (active >= 2 && cluster.deployment.replicas != from) {
            const int64_t wanted = cluster.deployment.replicas > 0 ? decision->surge_limit : 0;
            const int64_t sum = sum_sizes(decision->sets, decision->set_count);
            if (decision->branch != DEPLOYMENT_BRANCH_SCALING || sum != wanted)
                fail_msg("seed %llu: %lld pods instead of %lld", (unsigned long long)seed,
                         (long long)sum, (long long)wanted);
            seen++;
        }
        arena_rewind(&arena, mark);
    }
    assert_true(seen > 1000);
}

/* Names decide between sets of one age only: which of them is cut, never how
 * much in all; and nothing where the ages differ. */
static void test_renaming(void **state)
{
    (void)state;
    static struct cluster cluster;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        struct dice dice = {seed};
        const struct arena_mark mark = arena_mark(&arena);
        random_cluster(&dice, &cluster);
        const bool same_age = dice_hit(&dice, 2);
        for (uint32_t i = 0; same_age && i < cluster.count; i++)
            cluster.sets[i].creation_time = NOW - SECONDS(5);
        const struct deployment_decision *before = sync(&cluster);
        for (uint32_t i = 0; i < cluster.count; i++)
            cluster.sets[i].name = names[SETS_MOST - 1 - i];
        const struct deployment_decision *after = sync(&cluster);
        bool same =
            before->set_count == after->set_count && before->new_set == after->new_set &&
            sum_sizes(before->sets, before->set_count) == sum_sizes(after->sets, after->set_count);
        for (uint32_t i = 0; same && !same_age && i < before->set_count; i++)
            same = before->sets[i].replicas == after->sets[i].replicas;
        if (!same)
            fail_msg("seed %llu: a name made a difference", (unsigned long long)seed);
        arena_rewind(&arena, mark);
    }
}

static struct deployment_condition progressing(enum deployment_reason reason, int64_t age)
{
    return (struct deployment_condition){.type = DEPLOYMENT_PROGRESSING,
                                         .status = TRISTATE_TRUE,
                                         .reason = reason,
                                         .last_update_time = NOW - age,
                                         .last_transition_time = NOW - SECONDS(5000)};
}

/* An update that stands still: one new pod of two that does not become ready. */
static enum deployment_reason judge(enum deployment_reason reason, int64_t age, bool paused)
{
    struct cluster cluster = {.deployment = deployment_of(2, 1, 0), .count = 2};
    cluster.sets[0] = set_of(&cluster.deployment, 0, 2, 2);
    cluster.sets[1] = set_of(&cluster.deployment, 1, 1, 0);
    cluster.sets[1].present_template = true;
    cluster.deployment.paused = paused;
    cluster.deployment.revision = 2;
    struct deployment_status_facts *status = &cluster.deployment.status;
    *status = (struct deployment_status_facts){.observed_generation = 1,
                                               .replicas = 3,
                                               .updated_replicas = 1,
                                               .ready_replicas = 2,
                                               .available_replicas = 2};
    status->conditions[status->condition_count++] = progressing(reason, age);
    const struct deployment_condition *found =
        deployment_condition_find(&sync(&cluster)->status, DEPLOYMENT_PROGRESSING);
    assert_non_null(found);
    return found->reason;
}

/* progress_test.go: TestSyncRolloutStatus; deployment_util_test.go:
 * TestDeploymentTimedOut. */
static void test_deadline(void **state)
{
    (void)state;
    assert_int_equal(judge(DEPLOYMENT_SET_UPDATED, SECONDS(599), false), DEPLOYMENT_SET_UPDATED);
    assert_int_equal(judge(DEPLOYMENT_SET_UPDATED, SECONDS(600), false), DEPLOYMENT_SET_UPDATED);
    assert_int_equal(judge(DEPLOYMENT_SET_UPDATED, SECONDS(600) + 1, false),
                     DEPLOYMENT_DEADLINE_EXCEEDED);
    assert_int_equal(judge(DEPLOYMENT_NEW_SET_CREATED, SECONDS(601), false),
                     DEPLOYMENT_DEADLINE_EXCEEDED);
    /* What was complete does not time out; what has timed out stays so. */
    assert_int_equal(judge(DEPLOYMENT_NEW_SET_AVAILABLE, SECONDS(9999), false),
                     DEPLOYMENT_NEW_SET_AVAILABLE);
    assert_int_equal(judge(DEPLOYMENT_DEADLINE_EXCEEDED, 0, false), DEPLOYMENT_DEADLINE_EXCEEDED);
    /* A pause stops the clock, but not one that has run out. */
    assert_int_equal(judge(DEPLOYMENT_SET_UPDATED, SECONDS(9999), true), DEPLOYMENT_PAUSED);
    assert_int_equal(judge(DEPLOYMENT_PAUSED, SECONDS(9999), true), DEPLOYMENT_PAUSED);
    assert_int_equal(judge(DEPLOYMENT_DEADLINE_EXCEEDED, 0, true), DEPLOYMENT_DEADLINE_EXCEEDED);
    assert_int_equal(judge(DEPLOYMENT_PAUSED, SECONDS(9999), false), DEPLOYMENT_RESUMED);
}

static const char *deleted_names(const struct cluster *cluster)
{
    const struct deployment_decision *decision = sync(cluster);
    const char *line = "";
    for (uint32_t i = 0; i < decision->actions.count; i++)
        if (decision->actions.items[i].verb == DEPLOYMENT_DELETE)
            line = arena_printf(&arena, "%s%s", line,
                                decision->sets[decision->actions.items[i].set].name + 3);
    return line;
}

static void test_history(void **state)
{
    (void)state;
    struct cluster cluster = {.deployment = deployment_of(2, 1, 0), .count = 5};
    for (uint32_t i = 0; i < 5; i++)
        cluster.sets[i] = set_of(&cluster.deployment, i, i == 4 ? 2 : 0, i == 4 ? 2 : 0);
    cluster.sets[4].present_template = true;
    cluster.deployment.status = (struct deployment_status_facts){.observed_generation = 1,
                                                                 .replicas = 2,
                                                                 .updated_replicas = 2,
                                                                 .ready_replicas = 2,
                                                                 .available_replicas = 2};
    cluster.deployment.history_limit = 2;
    assert_string_equal(deleted_names(&cluster), "-a-b");
    /* The lowest revision goes first; equal ones by age. */
    cluster.sets[0].revision = 4;
    assert_string_equal(deleted_names(&cluster), "-b-c");
    cluster.sets[0].revision = cluster.sets[1].revision = cluster.sets[2].revision = 3;
    cluster.sets[0].creation_time = NOW;
    assert_string_equal(deleted_names(&cluster), "-b-c");
    /* One that still has pods is left alone, and nothing else goes for it. */
    cluster.sets[1].status_replicas = 1;
    assert_string_equal(deleted_names(&cluster), "-c");
    cluster.sets[2].observed = false;
    assert_string_equal(deleted_names(&cluster), "");
    cluster.sets[1].status_replicas = 0;
    cluster.sets[2].observed = true;
    /* One that is being deleted does not count. */
    cluster.sets[3].terminating = true;
    assert_string_equal(deleted_names(&cluster), "-b");
    cluster.sets[3].terminating = false;
    cluster.deployment.history_limit = 0;
    assert_string_equal(deleted_names(&cluster), "-b-c-a-d");
    cluster.deployment.history_limit = INT32_MAX;
    assert_string_equal(deleted_names(&cluster), "");
    /* Not before the rollout is complete. */
    cluster.deployment.history_limit = 0;
    cluster.deployment.status.available_replicas = 1;
    assert_string_equal(deleted_names(&cluster), "");
}

static void test_paused(void **state)
{
    (void)state;
    struct cluster cluster = {.deployment = deployment_of(4, 1, 1), .count = 1};
    cluster.sets[0] = set_of(&cluster.deployment, 0, 4, 4);
    cluster.deployment.paused = true;
    const struct deployment_decision *decision = sync(&cluster);
    assert_int_equal(decision->branch, DEPLOYMENT_BRANCH_PAUSED);
    assert_int_equal(decision->actions.count, 0); /* the new template waits */
    cluster.deployment.replicas = 6;
    decision = sync(&cluster);
    assert_int_equal(decision->sets[0].replicas, 6); /* but the size follows */
    cluster.deployment.selects_everything = true;
    assert_int_equal(sync(&cluster)->branch, DEPLOYMENT_BRANCH_REFUSED);
    cluster.deployment.selects_everything = false;
    cluster.deployment.terminating = true;
    decision = sync(&cluster);
    assert_int_equal(decision->branch, DEPLOYMENT_BRANCH_STATUS_ONLY);
    assert_int_equal(decision->actions.count, 0);
}

/* A recorded maximum of 0: nobody writes that, but somebody may. */
static void test_zero_maximum(void **state)
{
    (void)state;
    struct cluster cluster = {.deployment = deployment_of(4, 0, 1), .count = 2};
    cluster.sets[0] = set_of(&cluster.deployment, 0, 2, 2);
    cluster.sets[1] = set_of(&cluster.deployment, 1, 2, 2);
    cluster.sets[1].present_template = true;
    cluster.sets[0].most = cluster.sets[1].most = (struct optional_int){true, 0};
    cluster.deployment.replicas = 8;
    cluster.deployment.status.replicas = 4;
    cluster.deployment.zero_most_is_missing = true;
    const struct deployment_decision *decision = sync(&cluster);
    assert_int_equal(decision->sets[0].replicas, 4); /* 2 * 8 / 4 of the status */
    assert_int_equal(decision->sets[1].replicas, 4);
    cluster.deployment.status.replicas = 0;
    decision = sync(&cluster);
    assert_int_equal(decision->sets[0].replicas, 2);
    assert_int_equal(decision->sets[1].replicas, 6); /* the rest goes to the first */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),       cmocka_unit_test(test_rollouts_end),
        cmocka_unit_test(test_recreate),     cmocka_unit_test(test_proportional_scaling),
        cmocka_unit_test(test_renaming),     cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_history),      cmocka_unit_test(test_paused),
        cmocka_unit_test(test_zero_maximum),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
