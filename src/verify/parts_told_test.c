/* SPDX-License-Identifier: Apache-2.0 */
/* What verifications tell of their components: while they run, and in the end. */
#include "cluster/workloads_fixture.h"
#include "verify/verify.h"

#define DRAINED(count, allocatable, intents)                                   \
    CLUSTER(NODES("a", count, "", allocatable),                                \
            "  events: [{name: maintenance, concurrent: 1, atMost: 1, drain: " \
            "true}]\n  intents: [" intents "]\n")
#define WEB  DEPLOYMENT("web", "app: web", "")
#define CART DEPLOYMENT("cart", "app: cart", "")
#define SIZED(name, replicas, cpu)                                       \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " name \
    ", namespace: default}\nspec:\n  replicas: " replicas                \
    "\n  selector: {matchLabels: {app: " name                            \
    "}}\n  template:\n    metadata: {labels: {app: " name                \
    "}}\n    spec: {containers: [{name: c, image: x, resources: {requests: {cpu: " cpu "}}}]}\n"
#define LARGE       SIZED("db", "1", "'3'")
#define TWO_CPU     "cpu: '2', memory: 16Gi, pods: '110'"
#define ALL_INTENTS "{name: converges}, {name: drainCompletes}, {name: neverPreempted}"
#define PRIORITY                                                                                  \
    "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: " \
    "7\n"

enum { NEWS_MOST = 8 };

struct told {
    struct fixture fixture;
    struct verify_report report;
    struct part_news news[NEWS_MOST];
    uint32_t news_count;
};

static void keep_news(void *context, const struct part_news *news)
{
    struct told *told = context;
    assert_true(told->news_count < NEWS_MOST);
    told->news[told->news_count++] = *news;
}

static void run(struct told *told, const char *manifests, struct verify_options options)
{
    *told = (struct told){0};
    assert_true(fixture_load(&told->fixture, manifests));
    options.population.features = features_of_version(FEATURES_MINOR_FIRST);
    options.components_first = !options.whole;
    options.time_most_ms = UINT64_MAX;
    options.part_progress = keep_news;
    options.progress_context = told;
    verify_run(&told->fixture.arena, &told->fixture.memory, &told->fixture.scope,
               told->fixture.check->intents, told->fixture.check->intent_count, &options,
               &told->report);
}

static void release(struct told *told)
{
    verify_release(&told->report);
    fixture_release(&told->fixture);
}

static const struct verify_options unlimited = {.states_most = UINT64_MAX};

static void each_component_is_told_once(void **state)
{
    struct told told;
    (void)state;
    run(&told, DRAINED("4", ROOMY, ALL_INTENTS) WEB CART, unlimited);
    assert_int_equal(told.news_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(told.news[i].kind, PART_DECIDED);
        assert_int_equal(told.news[i].part, i);
        assert_int_equal(told.news[i].decided, i + 1);
        assert_int_equal(told.news[i].total, 2);
        assert_int_equal(told.news[i].setups_total, 1);
    }
    release(&told);
}

static void it_is_told_how_each_was_decided(void **state)
{
    struct told told;
    (void)state;
    run(&told, DRAINED("4", ROOMY, ALL_INTENTS) WEB CART, unlimited);
    const struct parts *parts = told.report.parts;
    assert_int_equal(parts->count, 2);
    assert_int_equal(parts->items[0].like, UINT32_MAX);
    assert_true(parts->items[0].states > 0);
    assert_int_equal(parts->items[1].like, 0);
    assert_int_equal(parts->items[1].states, 0);
    for (uint32_t p = 0; p < 2; p++) {
        assert_int_equal(parts->items[p].beside, 1); /* converges needs room */
        assert_int_equal(parts->items[p].by_itself, 2 | 4);
        assert_int_equal(parts->items[p].obstacles, 0);
    }
    assert_int_equal(told.report.part_reasons, REASON_ANYTHING | REASON_ROOM);
    release(&told);
}

/* One that differs in what its pods request is explored with the first, and what holds is told of
 * it, too. */
static void what_siblings_show_is_told_of_each(void **state)
{
    struct told told;
    (void)state;
    run(&told,
        DRAINED("4", ROOMY, ALL_INTENTS ", {name: noEvictionLoop, workload: Deployment/default/db}")
            SIZED("web", "2", "500m") SIZED("cart", "2", "300m") SIZED("db", "1", "100m"),
        unlimited);
    const struct parts *parts = told.report.parts;
    assert_int_equal(parts->items[0].sibling, UINT32_MAX);
    assert_int_equal(parts->items[1].sibling, 0);
    assert_int_equal(parts->items[1].like, UINT32_MAX);
    for (uint32_t p = 0; p < 3; p++) {
        assert_int_equal(part_holds(&parts->items[p]), parts->items[p].asked);
        assert_int_equal(told.news[p].kind, PART_DECIDED);
    }
    assert_non_null(told.report.results[2].of_nothing);
    assert_null(told.report.results[1].of_nothing);
    assert_null(told.report.results[3].of_nothing);
    release(&told);
}

/* Where a pod finds no room if others take it, the others are in the way, of this one alone. */
static void it_is_told_what_is_in_the_way(void **state)
{
    struct told told;
    (void)state;
    run(&told,
        DRAINED("4", ROOMY, ALL_INTENTS) SIZED("web", "2", "500m") SIZED("cart", "2", "500m")
            SIZED("db", "4", "'3'"),
        (struct verify_options){.states_most = 5000});
    const struct parts *parts = told.report.parts;
    assert_int_equal(told.report.results[0].verdict, VERDICT_UNDECIDED);
    assert_int_equal(parts->count, 3);
    assert_int_equal(part_open(&parts->items[0]), 0);
    assert_int_equal(part_open(&parts->items[1]), 0);
    assert_int_equal(part_open(&parts->items[2]), 1);
    assert_int_equal(parts->items[2].obstacles, 1U << OBSTACLE_LASTING_ROOM);
    assert_int_equal(told.news[told.news_count - 1].kind, PART_OPEN);
    assert_int_equal(told.news[told.news_count - 1].part, 2);
    assert_int_equal(told.news[told.news_count - 1].decided, 2);
    release(&told);
}

static void it_is_told_what_couples(void **state)
{
    struct told told;
    (void)state;
    run(&told,
        DRAINED("3", ROOMY, ALL_INTENTS) DEPLOYMENT("web", "app: web, tier: front", "")
            LARGE DEPLOYMENT("cart", "app: cart, tier: front", "") BUDGET("front", "tier: front"),
        (struct verify_options){.states_most = 400});
    const struct parts *parts = told.report.parts;
    assert_int_equal(parts->count, 2);
    assert_int_equal(parts->items[0].workload_count, 2);
    assert_int_equal(parts->items[0].workloads[1], 2);
    assert_int_equal(parts->coupling_count, 1);
    assert_int_equal(parts->couplings[0].rule, COUPLED_BY_BUDGET);
    assert_string_equal(parts->couplings[0].name, "front");
    release(&told);
}

/* The pod of high priority may find no node, and preempt then: what was shown of the other one is
 * taken back. */
static void what_does_not_count_is_taken_back(void **state)
{
    struct told told;
    (void)state;
    run(&told,
        CLUSTER(NODES("a", "2", "", TWO_CPU),
                "  events: [{name: nodeFailure, atMost: 1}]\n  intents: [{name: neverPreempted}]\n")
            PRIORITY WORKLOAD("Deployment", "web", "app: web", "cpu: 1500m",
                              "      priorityClassName: high\n")
                WORKLOAD("Deployment", "batch", "app: batch", "cpu: 1500m", ""),
        unlimited);
    const struct parts *parts = told.report.parts;
    bool taken_back = false;
    for (uint32_t i = 0; i < told.news_count; i++)
        if (told.news[i].kind == PARTS_RETRACTED) {
            taken_back = true;
            assert_int_equal(told.news[i].decided, 1);
        }
    assert_true(taken_back);
    assert_int_equal(told.report.results[0].verdict, VERDICT_VIOLATED);
    assert_int_equal(parts->violated, 1);
    assert_int_equal(parts->items[0].obstacles, 0);
    assert_int_equal(parts->items[1].obstacles,
                     1U << OBSTACLE_PREEMPTS | 1U << OBSTACLE_LASTING_ROOM);
    assert_int_equal(parts->items[1].culprits[OBSTACLE_PREEMPTS], 0);
    release(&told);
}

/* Where priorities differ, nothing counts if one component has too many states to be measured: that
 * is what is in the way of those that would hold. */
static void who_was_not_measured_is_in_the_way(void **state)
{
    struct told told;
    (void)state;
    run(&told,
        CLUSTER(NODES("a", "4", "", TWO_CPU),
                "  events: [{name: nodeFailure, atMost: 2}]\n  intents: [{name: noEvictionLoop}]\n")
            PRIORITY WORKLOAD(
                "ReplicaSet", "web", "app: web", "cpu: 100m",
                "      priorityClassName: high\n") "---\napiVersion: apps/v1\nkind: "
                                                   "Deployment\nmetadata: {name: batch, namespace: "
                                                   "default}\nspec:\n  replicas: 6\n  selector: "
                                                   "{matchLabels: {app: batch}}\n  "
                                                   "template:\n    metadata: {labels: {app: "
                                                   "batch}}\n    spec:\n      containers: "
                                                   "[{name: c, image: x, resources: {requests: "
                                                   "{cpu: 200m}}}]\n",
        (struct verify_options){.states_most = 80});
    const struct parts *parts = told.report.parts;
    assert_int_equal(told.report.results[0].verdict, VERDICT_UNDECIDED);
    assert_int_equal(parts->items[1].obstacles, 1U << OBSTACLE_LIMIT);
    assert_int_equal(parts->items[0].obstacles, 1U << OBSTACLE_UNMEASURED);
    assert_int_equal(parts->items[0].culprits[OBSTACLE_UNMEASURED], 1);
    release(&told);
}

static void it_is_told_why_all_are_explored_together(void **state)
{
    struct told told;
    (void)state;
    run(&told, DRAINED("3", ROOMY, ALL_INTENTS) WEB CART LARGE,
        (struct verify_options){.states_most = 100, .whole = true});
    assert_int_equal(told.report.parts->count, 0);
    assert_int_equal(told.report.parts->together, TOGETHER_IS_ASKED);
    assert_int_equal(told.news_count, 0);
    release(&told);
    run(&told,
        CLUSTER(NODES("a", "3", "", ROOMY),
                "  events: [{name: kernelPanic, aboveCpu: 70%}]\n  intents: [{name: "
                "converges}]\n") WEB CART LARGE,
        (struct verify_options){.states_most = 100});
    assert_int_equal(told.report.parts->count, 0);
    assert_int_equal(told.report.parts->together, TOGETHER_COUPLED);
    assert_int_equal(told.report.parts->couplings[0].rule, COUPLED_BY_PANIC);
    release(&told);
}

/* Whose priority is the highest counts for those that are outranked by it, and for nobody else; and
 * nothing is evicted where nothing happens. */
static void what_holds_of_nothing_is_that_of_all(void **state)
{
    struct told told;
    (void)state;
#define QUIET(intent) CLUSTER(NODES("a", "3", "", ROOMY), "  intents: [" intent "]\n")
    run(&told, QUIET("{name: neverPreempted}, {name: noEvictionLoop}") WEB CART, unlimited);
    assert_non_null(told.report.results[0].of_nothing);
    assert_non_null(told.report.results[1].of_nothing);
    release(&told);
    run(&told,
        QUIET("{name: neverPreempted}, {name: neverPreempted, workload: Deployment/default/cart}")
            PRIORITY WEB DEPLOYMENT("cart", "app: cart", "      priorityClassName: high\n"),
        unlimited);
    assert_int_equal(told.report.components, 2);
    assert_null(told.report.results[0].of_nothing);
    assert_non_null(told.report.results[1].of_nothing);
    release(&told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_component_is_told_once),
        cmocka_unit_test(it_is_told_how_each_was_decided),
        cmocka_unit_test(what_siblings_show_is_told_of_each),
        cmocka_unit_test(it_is_told_what_is_in_the_way),
        cmocka_unit_test(it_is_told_what_couples),
        cmocka_unit_test(what_does_not_count_is_taken_back),
        cmocka_unit_test(who_was_not_measured_is_in_the_way),
        cmocka_unit_test(it_is_told_why_all_are_explored_together),
        cmocka_unit_test(what_holds_of_nothing_is_that_of_all),
    };
    return cmocka_run_group_tests_name("parts_told", tests, NULL, NULL);
}
