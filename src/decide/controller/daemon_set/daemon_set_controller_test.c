/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DaemonSet controller beyond the recorded syncs: nodes folded into classes
 * decide as one by one, the limits of a rolling update hold, and the rules that
 * changed after 1.26.
 */
#include "decide/controller/daemon_set/daemon_set_controller.h"

#include "decide/controller/random_test.h"
#include "decide/features_fixture.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CLASSES_MOST = 6, COUNT_MOST = 5, PODS_MOST = 3 };

struct cluster {
    struct daemon_pod pods[CLASSES_MOST][PODS_MOST];
    struct daemon_node_class classes[CLASSES_MOST];
    struct daemon_node_class nodes[CLASSES_MOST * COUNT_MOST];
    uint32_t class_of[CLASSES_MOST * COUNT_MOST];
    uint32_t node_count;
    struct daemon_set_facts facts;
};

static struct daemon_pod random_pod(struct dice *dice)
{
    const bool ready = !dice_hit(dice, 3);
    return (struct daemon_pod){
        .assigned = !dice_hit(dice, 4),
        .terminating = dice_hit(dice, 6),
        .failed = !ready && dice_hit(dice, 4),
        .succeeded = !ready && dice_hit(dice, 8),
        .ready = ready,
        .available = ready && !dice_hit(dice, 4),
        .updated = dice_hit(dice, 2),
        .backing_off = dice_hit(dice, 5),
        .creation_time = dice_roll(dice, 3),
    };
}

static struct int_or_percent random_limit(struct dice *dice)
{
    const bool percent = dice_hit(dice, 2);
    return (struct int_or_percent){true, percent,
                                   percent ? dice_roll(dice, 101) : dice_roll(dice, 4)};
}

static void random_cluster(struct dice *dice, struct cluster *cluster)
{
    const uint32_t count = (uint32_t)dice_between(dice, 1, CLASSES_MOST);
    cluster->node_count = 0;
    for (uint32_t c = 0; c < count; c++) {
        struct daemon_node_class *class = &cluster->classes[c];
        *class = (struct daemon_node_class){
            .count = (uint32_t)dice_between(dice, 1, COUNT_MOST),
            .present = !dice_hit(dice, 8),
            .should_run = !dice_hit(dice, 4),
            .should_continue = !dice_hit(dice, 5),
            .pods = cluster->pods[c],
            .pod_count = (uint32_t)dice_roll(dice, PODS_MOST + 1),
        };
        for (uint32_t p = 0; p < class->pod_count; p++)
            cluster->pods[c][p] = random_pod(dice);
        for (uint32_t n = 0; n < class->count; n++) {
            cluster->class_of[cluster->node_count] = c;
            cluster->nodes[cluster->node_count] = *class;
            cluster->nodes[cluster->node_count++].count = 1;
        }
    }
    cluster->facts = (struct daemon_set_facts){
        .on_delete = dice_hit(dice, 6),
        .features = version((int)dice_between(dice, 27, 28)),
        .max_unavailable = random_limit(dice),
        .max_surge = dice_hit(dice, 2) ? random_limit(dice) : (struct int_or_percent){0},
        .nodes = cluster->classes,
        .node_class_count = count,
    };
}

static bool same_status(const struct daemon_set_decision *a, const struct daemon_set_decision *b)
{
    return a->current_scheduled == b->current_scheduled && a->misscheduled == b->misscheduled &&
           a->desired_scheduled == b->desired_scheduled && a->ready == b->ready &&
           a->updated_scheduled == b->updated_scheduled && a->available == b->available &&
           a->unavailable == b->unavailable;
}

static bool same_node(const struct daemon_node_class *class, const struct daemon_node_decision *a,
                      const struct daemon_node_decision *b)
{
    for (uint32_t p = 0; p < class->pod_count; p++)
        if (a->removed[p] != b->removed[p])
            return false;
    return a->create == b->create && a->create_updated == b->create_updated &&
           a->candidate == b->candidate;
}

static void test_folding(void **state)
{
    (void)state;
    static struct cluster cluster;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        struct dice dice = {seed};
        const struct arena_mark mark = arena_mark(&arena);
        random_cluster(&dice, &cluster);
        const struct daemon_set_decision *folded = daemon_set_sync(&arena, &cluster.facts);
        struct daemon_set_facts facts = cluster.facts;
        facts.nodes = cluster.nodes;
        facts.node_class_count = cluster.node_count;
        const struct daemon_set_decision *single = daemon_set_sync(&arena, &facts);
        bool same = folded->rolls == single->rolls && folded->surges == single->surges &&
                    folded->replacements == single->replacements && same_status(folded, single);
        for (uint32_t n = 0; same && n < cluster.node_count; n++)
            same = same_node(&cluster.nodes[n], &folded->nodes[cluster.class_of[n]],
                             &single->nodes[n]);
        if (!same)
            fail_msg("seed %llu: folding changes the decision", (unsigned long long)seed);
        arena_rewind(&arena, mark);
    }
}

/* A rolling update never takes away more available pods than it may, and never
 * more than there are candidates. */
static void test_limits(void **state)
{
    (void)state;
    static struct cluster cluster;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        struct dice dice = {seed};
        const struct arena_mark mark = arena_mark(&arena);
        random_cluster(&dice, &cluster);
        const struct daemon_set_decision *decision = daemon_set_sync(&arena, &cluster.facts);
        uint64_t candidates = 0;
        for (uint32_t c = 0; c < cluster.facts.node_class_count; c++)
            candidates += decision->nodes[c].candidate ? cluster.classes[c].count : 0;
        const uint32_t limit = decision->surges ? decision->max_surge : decision->max_unavailable;
        if (decision->replacements > candidates || decision->replacements > limit ||
            (decision->replacements > 0 && (!decision->rolls || cluster.facts.on_delete)))
            fail_msg("seed %llu: a limit is broken", (unsigned long long)seed);
        arena_rewind(&arena, mark);
    }
}

/* Nodes with one pod each: a letter a node. o: old, available; u: old,
 * unavailable; n: new, available; s: new, starting; x: none; 2: old and new. */
static const struct daemon_set_decision *sync_letters(const char *letters, int minor,
                                                      int64_t unavailable, int64_t surge)
{
    const uint32_t count = (uint32_t)strlen(letters);
    struct daemon_node_class *nodes = ARENA_ARRAY(&arena, struct daemon_node_class, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        struct daemon_pod *pods = ARENA_ARRAY(&arena, struct daemon_pod, 2);
        const bool fresh = letters[i] == 'n' || letters[i] == 's';
        const bool available = letters[i] != 'u' && letters[i] != 's';
        pods[0] = (struct daemon_pod){
            .assigned = true, .ready = available, .available = available, .updated = fresh};
        pods[1] = (struct daemon_pod){.assigned = true, .updated = true, .creation_time = 1};
        nodes[i] = (struct daemon_node_class){.count = 1,
                                              .present = true,
                                              .should_run = true,
                                              .should_continue = true,
                                              .pods = pods,
                                              .pod_count = letters[i] == 'x'   ? 0
                                                           : letters[i] == '2' ? 2
                                                                               : 1};
    }
    const struct daemon_set_facts facts = {.features = version(minor),
                                           .max_unavailable = {true, false, unavailable},
                                           .max_surge = {true, false, surge},
                                           .nodes = nodes,
                                           .node_class_count = count};
    return daemon_set_sync(&arena, &facts);
}

static uint32_t removals(const struct daemon_set_decision *decision, uint32_t count)
{
    uint32_t removed = 0;
    for (uint32_t i = 0; i < count; i++)
        removed += decision->nodes[i].removed[0];
    return removed;
}

static void test_rolling(void **state)
{
    (void)state;
    static const struct {
        const char *nodes;
        int minor;
        int64_t unavailable, surge;
        uint32_t replacements, removed;
    } cases[] = {
        {"oooo", 26, 2, 0, 2, 0}, {"ooos", 26, 2, 0, 1, 0},
        {"ooss", 26, 2, 0, 0, 0}, {"nnnn", 26, 2, 0, 0, 0},
        {"oouu", 27, 2, 0, 2, 2}, /* until 1.27 unavailable old pods came on top */
        {"oouu", 31, 2, 0, 0, 2}, {"oouu", 31, 3, 0, 1, 2},
        {"ooxo", 26, 2, 0, 0, 0},                           /* first the missing pod */
        {"oooo", 26, 0, 3, 3, 0}, {"o2oo", 26, 0, 3, 2, 0}, /* one surge is under way */
        {"oooo", 26, 0, 0, 1, 0},                           /* both 0: one is unavailable */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct daemon_set_decision *decision =
            sync_letters(cases[i].nodes, cases[i].minor, cases[i].unavailable, cases[i].surge);
        const uint32_t removed = removals(decision, (uint32_t)strlen(cases[i].nodes));
        if (decision->replacements != cases[i].replacements || removed != cases[i].removed)
            fail_msg("%s, case %zu: %u replacements, %u removed", cases[i].nodes, i,
                     decision->replacements, removed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folding),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_rolling),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
