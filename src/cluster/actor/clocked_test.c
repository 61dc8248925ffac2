/* SPDX-License-Identifier: Apache-2.0 */
/* Clocked time: verdicts and instants of small clusters, computed by hand, and
 * what is just not enough. */
#include "verify/verify_fixture.h"

#define CLOCKED "  time: clocked\n"
#define PATTERN(steps) \
    "  events: [{name: cpuPattern, workload: Deployment/default/web, pattern: [" steps "]}]\n"
#define AUTOSCALER(least, most, target, rest)                                                \
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, " \
    "namespace: default}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, " \
    "name: web}\n  minReplicas: " least "\n  maxReplicas: " most                             \
    "\n  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, "      \
    "averageUtilization: " target "}}}]\n" rest
#define POLICY(plugin, arguments)                                                              \
    "  controllers:\n    descheduler:\n      interval: 5m\n      policy:\n        profiles:\n" \
    "        - name: p\n          pluginConfig: [{name: " plugin ", args: {" arguments         \
    "}}]\n          plugins: {deschedule: {enabled: [" plugin "]}}\n"

static struct outcome judge(const char *manifests)
{
    struct verify_options options = unlimited();
    options.states_most = 1000000;
    return verify(manifests, options);
}

static void assert_violated(const char *manifests, int64_t seconds)
{
    const struct outcome outcome = judge(manifests);
    assert_int_equal(outcome.verdict, VERDICT_VIOLATED);
    assert_int_equal(outcome.seconds, seconds);
}

static void assert_holds(const char *manifests)
{
    assert_int_equal(judge(manifests).verdict, VERDICT_HOLDS);
}

/* ---- a surge at the start, and the window for scaling up ---- */

#define SURGE(behavior)                                                                      \
    CHECK(GROUP("a", "1"), PATTERN("{after: 0s, cpu: 100%}, {after: 30s, cpu: 37%}") CLOCKED \
          "  intents: [{name: noReplicaSwing, workload: Deployment/default/web, "            \
          "swing: 3}]\n")                                                                    \
    WEB("3", "") AUTOSCALER("3", "6", "50", behavior)
#define WINDOW(seconds) "  behavior: {scaleUp: {stabilizationWindowSeconds: " seconds "}}\n"

/* Up at 0 s. High recommendations until 15 s at least, if usage falls before the
 * sync at 30 s; then 5, 4 and 3 pods 300 s after the last that was higher. */
static void a_surge_is_taken_for_load(void **state)
{
    (void)state;
    assert_violated(SURGE(""), 15 + 3 * 300);
}

/* The first sync remembers three replicas for the length of the window. At 15 s
 * that is over: six pods. The last three are warm at 45 s, as the last but one
 * high recommendation was at 30 s. */
static void a_short_window_is_no_help(void **state)
{
    (void)state;
    assert_violated(SURGE(WINDOW("15")), 30 + 3 * 300);
}

/* Syncs are at 0, 15, 30 s: a window of 16 to 30 s is over at 30 s, at which the
 * surge may just not be; a window of 31 s is over at 45 s only. */
static void the_window_has_to_outlast_the_surge(void **state)
{
    (void)state;
    assert_violated(SURGE(WINDOW("29")), 45 + 3 * 300);
    assert_violated(SURGE(WINDOW("30")), 45 + 3 * 300);
    assert_holds(SURGE(WINDOW("31")));
    assert_holds(SURGE(WINDOW("60")));
}

/* ---- a dip, and the window for scaling down ---- */

#define DIP(end, rest)                                                                           \
    CHECK(GROUP("a", "1"),                                                                       \
          PATTERN("{after: 0s, cpu: 100%}, {after: 60s, cpu: 10%}, {after: " end ", cpu: 100%}") \
              CLOCKED "  intents: [{name: replicasAtLeast, workload: Deployment/default/web, "   \
                      "value: 2}]\n" rest)                                                       \
    WEB("2", "") AUTOSCALER("1", "2", "100", "")

/* The last sync before the dip may be at 45 s, so recommendations of two are
 * forgotten at 345 s at the earliest: the dip has to last until then. */
static void a_dip_has_to_outlast_the_window(void **state)
{
    (void)state;
    assert_holds(DIP("330s", ""));
    assert_holds(DIP("344s", ""));
    assert_violated(DIP("345s", ""), 345);
    assert_violated(DIP("360s", ""), 345);
}

/* With another window: 60 s after 45 s. */
static void the_window_is_configured(void **state)
{
    (void)state;
#define SHORTER "  controllers: {horizontalPodAutoscaler: {downscaleStabilization: 1m}}\n"
    assert_holds(DIP("104s", SHORTER));
    assert_violated(DIP("105s", SHORTER), 105);
}

/* ---- a load in waves ---- */

#define WAVES(every, rest)                                                            \
    CHECK(GROUP("a", "1"),                                                            \
          "  events: [{name: loadPattern, workload: Deployment/default/web, "         \
          "pattern: [{after: 0s, cpu: 600m}, {after: 60s, cpu: 200m}], every: " every \
          "}]\n  intents: [{name: noReplicaOscillation}]\n")                          \
    WEB("1", "") AUTOSCALER("1", "3", "80", rest)

/* Two pods are too many from the sync at 60 s on, or from that at 45 s; that is
 * forgotten at 345 s, so the next wave has to come before. */
static void a_wave_has_to_come_within_the_window(void **state)
{
    (void)state;
    assert_int_equal(judge(WAVES("8m", "")).verdict, VERDICT_VIOLATED);
    assert_int_equal(judge(WAVES("345s", "")).verdict, VERDICT_VIOLATED);
    assert_holds(WAVES("330s", ""));
    assert_holds(WAVES("8m", "  behavior: {scaleDown: {stabilizationWindowSeconds: 600}}\n"));
}

/* ---- readiness ---- */

#define PROBED(delay, period)                                                                     \
    CHECK(GROUP("a", "1"), PATTERN("{after: 0s, cpu: 100%}, {after: 30s, cpu: 50%}") CLOCKED      \
          "  intents: [{name: replicasAtMost, workload: Deployment/default/web, "                 \
          "value: 1}]\n")                                                                         \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"     \
    "spec:\n  replicas: 1\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: "    \
    "{labels: {app: web}}\n    spec:\n      containers:\n      - {name: c, image: x, resources: " \
    "{requests: {cpu: 500m}}, readinessProbe: {tcpSocket: {port: 1}, initialDelaySeconds: " delay \
    ", periodSeconds: " period "}}\n" AUTOSCALER("1", "2", "50", "")

/* A pod that is ready before it is warm may be seen busy: the first sync may be at
 * any time, so that one is at 20 or 29 s. */
static void a_pod_is_seen_when_it_is_ready(void **state)
{
    (void)state;
    assert_violated(PROBED("20", "5"), 20);
    assert_violated(PROBED("0", "5"), 0);
    assert_violated(PROBED("29", "1"), 29);
    assert_holds(PROBED("31", "1"));
}

#define SHARED(period)                                                                             \
    CHECK(                                                                                         \
        GROUP("a", "2"),                                                                           \
        "  events:\n  - {name: loadPattern, workload: StatefulSet/default/web, pattern: [{after: " \
        "0s, cpu: 100m}, {after: 10s, cpu: 3000m}], every: 1200s}\n"                               \
        "  - {name: kernelPanic, aboveCpu: 50%}\n  intents: [{name: nodesHealthy}]\n"              \
        "  controllers:\n    descheduler:\n      interval: 5m\n      policy:\n        "            \
        "profiles:\n        - name: p\n          pluginConfig: [{name: DefaultEvictor, args: "     \
        "{minPodAge: 60s}}, {name: RemovePodsViolatingNodeTaints, args: {}}]\n          plugins: " \
        "{deschedule: {enabled: "                                                                  \
        "[RemovePodsViolatingNodeTaints]}}\n")                                                     \
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: default}\n"     \
    "spec:\n  replicas: 2\n  podManagementPolicy: Parallel\n  serviceName: web\n  selector: "      \
    "{matchLabels: {app: web}}\n  template:\n    metadata: "                                       \
    "{labels: {app: web}}\n    spec:\n      containers:\n      - {name: c, image: x, resources: "  \
    "{requests: {cpu: 500m}}, readinessProbe: {tcpSocket: {port: 1}, periodSeconds: " period       \
    "}}\n"

/* A probe every five seconds finds each pod ready within five seconds, so that there are
 * two to share the load of the tenth second. One every ten seconds may just be late.
 * (The descheduler is there for the ages of pods, which count beyond that.) */
static void a_pod_is_ready_in_time(void **state)
{
    (void)state;
    assert_holds(SHARED("5"));
    assert_violated(SHARED("10"), 10);
}

#define ORDERED(seconds)                                                                         \
    CHECK(GROUP("a", "1"),                                                                       \
          CLOCKED "  intents: [{name: replicasAtMost, workload: StatefulSet/default/db, value: " \
                  "1}]\n")                                                                       \
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: default}\n"    \
    "spec:\n  replicas: 2\n  serviceName: db\n  minReadySeconds: " seconds                       \
    "\n  selector: {matchLabels: {app: db}}\n  template:\n    metadata: {labels: {app: db}}\n"   \
    "    spec: {containers: [{name: c, image: x}]}\n"

/* The second pod comes when the first is available. */
static void a_pod_is_available_after_a_while(void **state)
{
    (void)state;
    assert_violated(ORDERED("0"), 0);
    assert_violated(ORDERED("20"), 20);
}

/* ---- taints ---- */

#define TAINTED(tolerated)                                                                         \
    CHECK("  - {name: a, count: 1, node: {spec: {taints: [{key: k, effect: NoExecute}]}, status: " \
          "{allocatable: {cpu: '4', memory: 16Gi, pods: '110'}}}}\n",                              \
          CLOCKED "  intents: [{name: noEvictionLoop}]\n")                                         \
    WEB("1", "      tolerations: [{key: k, operator: Exists, effect: NoExecute" tolerated "}]\n")

/* Bound, driven out after ten seconds, made again; the loop takes ten seconds. */
static void a_taint_is_tolerated_for_a_while(void **state)
{
    (void)state;
    assert_violated(TAINTED(", tolerationSeconds: 10"), 10);
    assert_violated(TAINTED(", tolerationSeconds: 0"), 0);
    assert_holds(TAINTED(""));
}

#define FAILURE(nodes, intent, rest)                                                         \
    CHECK(GROUP("a", nodes), "  events: [{name: nodeFailure, group: a, " rest "}]\n" CLOCKED \
                             "  intents: [{name: " intent "}]\n")                            \
    WEB("1", "")

/* Unnoticed for 40 s, then tainted, which pods tolerate for 300 s by default. */
static void a_failed_node_is_noticed_and_tolerated(void **state)
{
    (void)state;
    assert_violated(FAILURE("2", "neverEvicted", "atMost: 1"), 340);
    assert_violated(FAILURE("2", "neverEvicted", "recovers: true"), 340);
    assert_holds(FAILURE("2", "converges", "atMost: 1"));
}

#define UNREADY(delay)                                                                         \
    CHECK(GROUP("a", "1"), "  events: [{name: nodeFailure, group: a}]\n" CLOCKED               \
                           "  intents: [{name: replicasAtLeast, value: 1}]\n")                 \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"  \
    "spec:\n  replicas: 1\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: " \
    "{labels: {app: web}}\n    spec:\n      containers:\n      - {name: c, image: x, "         \
    "readinessProbe: {tcpSocket: {port: 1}, initialDelaySeconds: " delay ", periodSeconds: 10}}\n"

/* A pod on a node that fails before it is ready never is, so that nobody misses it: it
 * was ready after 30 s, and the node failed then, which is noticed after another 40 s. */
static void a_pod_does_not_become_ready_on_a_dead_node(void **state)
{
    (void)state;
    assert_violated(UNREADY("30"), 30 + 40);
}

#define COINCIDENCE(first, last)                                                                   \
    CHECK(GROUP("a", "1"),                                                                         \
          "  events:\n  - {name: cpuPattern, workload: Deployment/default/web, pattern: [{after: " \
          "0s, cpu: 10%}, {after: 20s, cpu: 90%}, {after: 30s, cpu: 10%}]}\n"                      \
          "  - {name: loadPattern, workload: Deployment/default/api, pattern: [{after: 0s, cpu: "  \
          "100m}, {after: " first ", cpu: 3500m}, {after: " last ", cpu: 100m}], every: 200s}\n"   \
          "  - {name: scale, workload: Deployment/default/web, to: [2], atMost: 1}\n"              \
          "  - {name: kernelPanic, aboveCpu: 98%}\n"                                               \
          "  intents: [{name: nodesHealthy}]\n")                                                   \
    WEB("1", "") API

#define API                                                                                    \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: default}\n"  \
    "spec:\n  replicas: 1\n  selector: {matchLabels: {app: api}}\n  template:\n    metadata: " \
    "{labels: {app: api}}\n    spec: {containers: [{name: c, image: x, resources: {requests: " \
    "{cpu: '1'}}}]}\n"

/* A pod is busy from its 20th to its 30th second, and the others of its node between 70 and
 * 75 s: a second pod that comes between 40 and 55 s makes it too much, though nothing
 * is due in these seconds. */
static void an_event_comes_at_any_time(void **state)
{
    (void)state;
    assert_violated(COINCIDENCE("70s", "75s"), 70);
}

/* Where no node answers any more the fault is taken to be elsewhere. */
static void nothing_is_evicted_when_all_nodes_fail(void **state)
{
    (void)state;
    assert_holds(FAILURE("1", "neverEvicted", "atMost: 1"));
    assert_holds(FAILURE("1", "neverEvicted", "recovers: true, atMost: 2"));
    assert_int_equal(judge(FAILURE("1", "converges", "atMost: 1")).verdict, VERDICT_VIOLATED);
}

/* ---- ages ---- */

#define LIFE_TIME(seconds, intent)                                                              \
    CHECK(GROUP("a", "2"),                                                                      \
          POLICY("PodLifeTime", "maxPodLifeTimeSeconds: " seconds) "  intents: [{name: " intent \
                                                                   "}]\n")                      \
    WEB("1", "")

/* Cycles are at 0, 300, 600 s: at that instant the pod is just too old. Its
 * successor is bound in the same instant, and as old after as long. Nobody has
 * to say that clocks are needed. (With one node there is no cycle at all.) */
static void pods_are_evicted_for_their_age(void **state)
{
    (void)state;
    assert_violated(LIFE_TIME("600", "neverEvicted"), 600);
    assert_violated(LIFE_TIME("600", "noEvictionLoop"), 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_surge_is_taken_for_load),
        cmocka_unit_test(a_short_window_is_no_help),
        cmocka_unit_test(the_window_has_to_outlast_the_surge),
        cmocka_unit_test(a_dip_has_to_outlast_the_window),
        cmocka_unit_test(the_window_is_configured),
        cmocka_unit_test(a_wave_has_to_come_within_the_window),
        cmocka_unit_test(a_pod_is_seen_when_it_is_ready),
        cmocka_unit_test(a_pod_is_ready_in_time),
        cmocka_unit_test(a_pod_is_available_after_a_while),
        cmocka_unit_test(a_taint_is_tolerated_for_a_while),
        cmocka_unit_test(a_failed_node_is_noticed_and_tolerated),
        cmocka_unit_test(a_pod_does_not_become_ready_on_a_dead_node),
        cmocka_unit_test(an_event_comes_at_any_time),
        cmocka_unit_test(nothing_is_evicted_when_all_nodes_fail),
        cmocka_unit_test(pods_are_evicted_for_their_age),
    };
    return cmocka_run_group_tests_name("clocked", tests, NULL, NULL);
}
