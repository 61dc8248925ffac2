/* SPDX-License-Identifier: Apache-2.0 */
/* Quotas and limit ranges: each case is an object and a new pod, and what the API server says. */
#include "decide/quota/quota.h"

#include "decide/scenario_fixture.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct admission_case {
    const char *name;
    const char *hard;
    const char *used;
    const char *scopes; /* more members of spec, with a comma in front */
    const char *object;
    const char *refusal; /* NULL: admitted */
    const char *charged; /* status.used afterwards; NULL: as before */
};

#define POD(containers, more)                                                          \
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{" \
    "\"containers\":[" containers "]" more "}}"
#define CONTAINER(name, resources) "{\"name\":\"" name "\",\"resources\":{" resources "}}"
#define CPU(name, amount)          CONTAINER(name, "\"requests\":{\"cpu\":\"" amount "\"}")
#define PLAIN                      POD(CONTAINER("c", ""), "")
#define INIT(containers)           ",\"initContainers\":[" containers "]"
#define SCOPE(name)                ",\"scopes\":[\"" name "\"]"
#define SELECTED(scope, operator, values)                                                    \
    ",\"scopeSelector\":{\"matchExpressions\":[{\"scopeName\":\"" scope "\",\"operator\":\"" \
    operator"\"" values "}]}"
#define PRIORITY(operator, values) SELECTED("PriorityClass", operator, values)
#define CLAIM(fields)                                                                          \
    "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"c\"}," \
    "\"spec\":{" fields "\"resources\":{\"requests\":{\"storage\":\"1Gi\"}}}}"
#define ONE_CLAIM "\"persistentvolumeclaims\":\"1\""
#define FULL_OF_CLAIMS                                                                         \
    "exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, " \
    "limited: persistentvolumeclaims=1"
#define VALUES ",\"values\":[\"high\"]"
#define AFFINITY                                                                             \
    ",\"affinity\":{\"podAffinity\":{\"preferredDuringSchedulingIgnoredDuringExecution\":[{" \
    "\"weight\":1,\"podAffinityTerm\":{\"topologyKey\":\"z\",\"namespaceSelector\":{}}}]}}"
#define FULL "exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1"

static const struct admission_case cases[] = {
    {"room", "\"pods\":\"3\"", "\"pods\":\"2\"", "", PLAIN, NULL, "\"pods\":\"3\""},
    {"no room", "\"pods\":\"3\"", "\"pods\":\"3\"", "", PLAIN,
     "exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3", NULL},
    {"just enough cpu", "\"requests.cpu\":\"1\"", "\"requests.cpu\":\"800m\"", "",
     POD(CPU("c", "200m"), ""), NULL, "\"requests.cpu\":\"1\""},
    {"two containers", "\"requests.cpu\":\"1\"", "\"requests.cpu\":\"800m\"", "",
     POD(CPU("a", "150m") "," CPU("b", "100m"), ""),
     "exceeded quota: q, requested: requests.cpu=250m, used: requests.cpu=800m, limited: "
     "requests.cpu=1",
     NULL},
    {"an init container", "\"requests.cpu\":\"1\"", "\"requests.cpu\":\"800m\"", "",
     POD(CPU("a", "100m"), INIT(CPU("i", "250m"))),
     "exceeded quota: q, requested: requests.cpu=250m, used: requests.cpu=800m, limited: "
     "requests.cpu=1",
     NULL},
    {"init containers, one after the other", "\"requests.cpu\":\"1\"", "\"requests.cpu\":\"800m\"",
     "", POD(CPU("a", "100m"), INIT(CPU("i", "150m") "," CPU("j", "150m"))), NULL,
     "\"requests.cpu\":\"950m\""},
    {"nothing is asked of what is exceeded", "\"requests.cpu\":\"1\"", "\"requests.cpu\":\"1200m\"",
     "", POD(CPU("c", "0"), ""), NULL, NULL},
    {"the request of the limit", "\"requests.cpu\":\"1\"", "\"requests.cpu\":\"0\"", "",
     POD(CONTAINER("c", "\"limits\":{\"cpu\":\"100m\"}"), ""), NULL, "\"requests.cpu\":\"100m\""},
    {"no request", "\"requests.cpu\":\"1\"", "\"requests.cpu\":\"0\"", "", PLAIN,
     "failed quota: q: must specify requests.cpu for: c", NULL},
    {"no request for ephemeral storage", "\"requests.ephemeral-storage\":\"1Gi\"",
     "\"requests.ephemeral-storage\":\"0\"", "", PLAIN, NULL, NULL},
    {"several that are not stated", "\"cpu\":\"1\",\"limits.memory\":\"1Gi\"",
     "\"cpu\":\"0\",\"limits.memory\":\"0\"", "",
     POD(CPU("b", "1") "," CONTAINER("a", ""), INIT(CONTAINER("i", ""))),
     "failed quota: q: must specify cpu for: a,i; limits.memory for: a,b,i", NULL},
    {"not in the scope", "\"pods\":\"1\"", "\"pods\":\"1\"", SCOPE("NotTerminating"),
     POD(CONTAINER("c", ""), ",\"activeDeadlineSeconds\":60"), NULL, NULL},
    {"in the scope Terminating", "\"pods\":\"1\"", "\"pods\":\"1\"", SCOPE("Terminating"),
     POD(CONTAINER("c", ""), ",\"activeDeadlineSeconds\":60"), FULL, NULL},
    {"in the scope BestEffort", "\"pods\":\"1\"", "\"pods\":\"1\"", SCOPE("BestEffort"), PLAIN,
     FULL, NULL},
    {"not in the scope BestEffort", "\"pods\":\"1\"", "\"pods\":\"1\"", SCOPE("BestEffort"),
     POD(CPU("c", "1m"), ""), NULL, NULL},
    {"in the scope NotBestEffort", "\"pods\":\"1\"", "\"pods\":\"1\"", SCOPE("NotBestEffort"),
     POD(CPU("c", "1m"), ""), FULL, NULL},
    {"in the scope of affinity", "\"pods\":\"1\"", "\"pods\":\"1\"",
     SCOPE("CrossNamespacePodAffinity"), POD(CONTAINER("c", ""), AFFINITY), FULL, NULL},
    {"of no priority class", "\"pods\":\"1\"", "\"pods\":\"1\"", PRIORITY("In", VALUES), PLAIN,
     NULL, NULL},
    {"of the priority class", "\"pods\":\"1\"", "\"pods\":\"1\"", PRIORITY("In", VALUES),
     POD(CONTAINER("c", ""), ",\"priorityClassName\":\"high\""), FULL, NULL},
    {"not of the priority class", "\"pods\":\"1\"", "\"pods\":\"1\"", PRIORITY("NotIn", VALUES),
     PLAIN, FULL, NULL},
    {"of some priority class", "\"pods\":\"1\"", "\"pods\":\"1\"", PRIORITY("Exists", ""), PLAIN,
     NULL, NULL},
    {"of no priority class at all", "\"pods\":\"1\"", "\"pods\":\"1\"",
     PRIORITY("DoesNotExist", ""), PLAIN, FULL, NULL},
    {"a counted object", "\"count/deployments.apps\":\"2\"", "\"count/deployments.apps\":\"2\"", "",
     "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\"}",
     "exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=2, "
     "limited: count/deployments.apps=2",
     NULL},
    {"an old name", "\"configmaps\":\"2\"", "\"configmaps\":\"2\"", "",
     "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"}",
     "exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited: configmaps=2", NULL},
    {"a plural of y", "\"count/networkpolicies.networking.k8s.io\":\"0\"",
     "\"count/networkpolicies.networking.k8s.io\":\"0\"", "",
     "{\"apiVersion\":\"networking.k8s.io/v1\",\"kind\":\"NetworkPolicy\"}",
     "exceeded quota: q, requested: count/networkpolicies.networking.k8s.io=1, used: "
     "count/networkpolicies.networking.k8s.io=0, limited: "
     "count/networkpolicies.networking.k8s.io=0",
     NULL},
    {"no scope matches a counted object", "\"count/deployments.apps\":\"2\"",
     "\"count/deployments.apps\":\"2\"", SCOPE("NotBestEffort"),
     "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\"}", NULL, NULL},
    {"not computed yet", "\"cpu\":\"1\",\"pods\":\"1\"", "\"pods\":\"0\"", "",
     POD(CPU("c", "1m"), ""), "status unknown for quota: q, resources: cpu,pods", NULL},
    {"an extended resource", "\"requests.example.com/gpu\":\"1\"",
     "\"requests.example.com/gpu\":\"1\"", "",
     POD(CONTAINER("c", "\"limits\":{\"example.com/gpu\":\"1\"}"), ""),
     "exceeded quota: q, requested: requests.example.com/gpu=1, used: "
     "requests.example.com/gpu=1, limited: requests.example.com/gpu=1",
     NULL},
    {"huge pages", "\"requests.hugepages-2Mi\":\"2Mi\"", "\"requests.hugepages-2Mi\":\"0\"", "",
     POD(CONTAINER("c", "\"limits\":{\"hugepages-2Mi\":\"2Mi\",\"memory\":\"1Gi\"}"), ""), NULL,
     "\"requests.hugepages-2Mi\":\"2Mi\""},
    {"overhead", "\"limits.cpu\":\"1\"", "\"limits.cpu\":\"0\"", "",
     POD(CONTAINER("c", "\"limits\":{\"cpu\":\"900m\"}"), ",\"overhead\":{\"cpu\":\"200m\"}"),
     "exceeded quota: q, requested: limits.cpu=1100m, used: limits.cpu=0, limited: limits.cpu=1",
     NULL},
    {"storage of a class", "\"gold.storageclass.storage.k8s.io/requests.storage\":\"5Gi\"",
     "\"gold.storageclass.storage.k8s.io/requests.storage\":\"1Gi\"", "",
     "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"c\"},"
     "\"spec\":{\"storageClassName\":\"gold\",\"resources\":{\"requests\":{\"storage\":"
     "\"1Gi\"}}}}",
     NULL, "\"gold.storageclass.storage.k8s.io/requests.storage\":\"2Gi\""},
    {"a claim of the attributes class", ONE_CLAIM, ONE_CLAIM,
     SELECTED("VolumeAttributesClass", "In", VALUES),
     CLAIM("\"volumeAttributesClassName\":\"high\","), FULL_OF_CLAIMS, NULL},
    {"a claim of another attributes class", ONE_CLAIM, ONE_CLAIM,
     SELECTED("VolumeAttributesClass", "In", VALUES),
     CLAIM("\"volumeAttributesClassName\":\"low\","), NULL, NULL},
    {"a claim without attributes class", ONE_CLAIM, ONE_CLAIM,
     SELECTED("VolumeAttributesClass", "DoesNotExist", ""), CLAIM(""), FULL_OF_CLAIMS, NULL},
    {"a claim without any attributes class", ONE_CLAIM, ONE_CLAIM, SCOPE("VolumeAttributesClass"),
     CLAIM(""), NULL, NULL},
    {"a LoadBalancer without ports of nodes", "\"services.nodeports\":\"0\"",
     "\"services.nodeports\":\"0\"", "",
     "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"s\"},\"spec\":{\"type\":"
     "\"LoadBalancer\",\"allocateLoadBalancerNodePorts\":false,\"ports\":[{\"port\":80}]}}",
     NULL, NULL},
};

static void test_admission(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct admission_case *one = &cases[i];
        const char *scenario = arena_printf(
            &arena,
            "{\"objects\":[{\"apiVersion\":\"v1\",\"kind\":\"ResourceQuota\",\"metadata\":{"
            "\"name\":"
            "\"q\"},\"spec\":{\"hard\":{%s}%s},\"status\":{\"hard\":{%s},\"used\":{%s}}}],"
            "\"request\":{\"operation\":\"CREATE\",\"object\":%s}}",
            one->hard, one->scopes, one->hard, one->used, one->object);
        const char *found = answer_of(&memory, &arena, &decider_quota, scenario);
        const char *refused = arena_printf(&arena, "\"refused\":\"%s\"", one->refusal);
        const char *used = arena_printf(&arena, "\"used\":{\"q\":{%s}}", one->charged);
        if (one->refusal ? !strstr(found, refused) : !strstr(found, "\"allowed\":true"))
            fail_msg("%s: found %s", one->name, found);
        if (one->charged ? !strstr(found, used) : strstr(found, "\"used\":") != NULL)
            fail_msg("%s: found %s", one->name, found);
    }
}

#define SERVICE(type, ports, version)                                                       \
    "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"s\"" version "}," \
    "\"spec\":{\"type\":\"" type "\",\"ports\":[" ports "]}}"
#define FULL_QUOTA                                                                            \
    "{\"objects\":[{\"apiVersion\":\"v1\",\"kind\":\"ResourceQuota\",\"metadata\":{\"name\":" \
    "\"q\"},"                                                                                 \
    "\"status\":{\"hard\":{\"pods\":\"1\",\"services\":\"1\",\"services.nodeports\":\"2\"},"  \
    "\"used\":{"                                                                              \
    "\"pods\":\"1\",\"services\":"                                                            \
    "\"1\",\"services.nodeports\":\"1\"}}}],\"request\":{\"operation\":\"UPDATE\","

static void test_updates(void **state)
{
    (void)state;
    static const struct {
        const char *request;
        const char *expected;
    } updates[] = {
        {"\"object\":" SERVICE("NodePort", "{\"port\":1},{\"port\":2}",
                               "") ",\"oldObject\":" SERVICE("NodePort", "{\"port\":1}",
                                                             ",\"resourceVersion\":\"1\"") "}}",
         "\"services\":\"1\",\"services.nodeports\":\"2\"}}"},
        {"\"object\":" SERVICE("ClusterIP", "{\"port\":1}", "") ",\"oldObject\":" SERVICE(
             "NodePort", "{\"port\":1}", ",\"resourceVersion\":\"1\"") "}}",
         "\"allowed\":true"},
        /* Without a version the update may create the object, and all of it is charged. */
        {"\"object\":" SERVICE("ClusterIP", "{\"port\":1}",
                               "") ",\"oldObject\":" SERVICE("NodePort", "{\"port\":1}", "") "}}",
         "exceeded quota: q, requested: services=1, used: services=1, limited: services=1"},
        {"\"object\":" PLAIN "}}", "\"allowed\":true"},
    };
    for (size_t i = 0; i < sizeof(updates) / sizeof(updates[0]); i++) {
        const char *found = answer_of(&memory, &arena, &decider_quota,
                                      arena_printf(&arena, "%s%s", FULL_QUOTA, updates[i].request));
        if (!strstr(found, updates[i].expected))
            fail_msg("update %zu: found %s", i, found);
    }
}

/* A pod counts until it is finished or should be gone; count/pods has every pod. */
static void test_recalculation(void **state)
{
    (void)state;
    static const char *const pods[][2] = {
        {"", "1"},
        {",\"status\":{\"phase\":\"Succeeded\"}", "0"},
        {",\"status\":{\"phase\":\"Failed\"}", "0"},
    };
    static const char *const deletions[][2] = {
        {"2024-03-01T11:59:40Z", "1"}, /* until 12:00:10 */
        {"2024-03-01T11:59:30Z", "1"}, /* until now */
        {"2024-03-01T11:59:29Z", "0"},
    };
    for (size_t i = 0; i < 6; i++) {
        const char *deleted =
            i < 3 ? ""
                  : arena_printf(&arena,
                                 ",\"deletionTimestamp\":\"%s\",\"deletionGracePeriodSeconds\":30",
                                 deletions[i - 3][0]);
        const char *scenario = arena_printf(
            &arena,
            "{\"now\":\"2024-03-01T12:00:00Z\",\"objects\":[{\"apiVersion\":\"v1\",\"kind\":"
            "\"ResourceQuota\",\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"pods\":\"9\","
            "\"count/pods\":\"9\",\"nonsense\":\"1\"}}},{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
            "\"metadata\":{\"name\":\"p\"%s},\"spec\":{\"containers\":[]}%s},{\"apiVersion\":"
            "\"v1\","
            "\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"namespace\":\"other\"}}]}",
            deleted, i < 3 ? pods[i][0] : "");
        const char *expected =
            arena_printf(&arena, "{\"result\":{\"used\":{\"count/pods\":\"1\",\"pods\":\"%s\"}}}",
                         i < 3 ? pods[i][1] : deletions[i - 3][1]);
        assert_string_equal(answer_of(&memory, &arena, &decider_quota, scenario), expected);
    }
}

struct range_case {
    const char *name;
    const char *limits; /* items of spec.limits */
    const char *pod;
    const char *expected; /* a part of the answer */
};

#define ITEM(type, rest) "{\"type\":\"" type "\"," rest "}"
#define BOTH(limit, request) \
    "\"resources\":{\"limits\":{\"cpu\":\"" limit "\"},\"requests\":{\"cpu\":\"" request "\"}}"
#define LIMIT(amount) "\"limits\":{\"cpu\":\"" amount "\"}"

static const struct range_case ranges[] = {
    {"max is the default", ITEM("Container", "\"max\":{\"cpu\":\"1\"}"), PLAIN, BOTH("1", "1")},
    {"min is the default request", ITEM("Container", "\"min\":{\"cpu\":\"100m\"}"), PLAIN,
     "\"resources\":{\"requests\":{\"cpu\":\"100m\"}}}]}"},
    {"a default below the request", ITEM("Container", "\"default\":{\"cpu\":\"500m\"}"),
     POD(CPU("c", "800m"), ""), "\"invalid\":[\"c: must be less than or equal to cpu limit\"]"},
    {"a limit comes before the default",
     ITEM("Container", "\"default\":{\"cpu\":\"500m\"},\"defaultRequest\":{\"cpu\":\"100m\"}"),
     POD(CONTAINER("c", LIMIT("300m")), ""), BOTH("300m", "300m")},
    {"a ratio",
     ITEM("Container", "\"max\":{\"cpu\":\"1\"},\"maxLimitRequestRatio\":{\"cpu\":\"2\"}"),
     POD(CONTAINER("c", LIMIT("900m") ",\"requests\":{\"cpu\":\"400m\"}"), ""),
     "cpu max limit to request ratio per Container is 2, but provided ratio is 2.250000"},
    {"below min", ITEM("Container", "\"min\":{\"cpu\":\"200m\"}"), POD(CPU("c", "100m"), ""),
     "minimum cpu usage per Container is 200m, but request is 100m"},
    {"a pod above max", ITEM("Pod", "\"max\":{\"cpu\":\"1\"}"),
     POD(CONTAINER("a", LIMIT("600m")) "," CONTAINER("b", LIMIT("600m")), ""),
     "maximum cpu usage per Pod is 1, but limit is 1200m"},
    {"a pod with a container without limit", ITEM("Pod", "\"max\":{\"cpu\":\"1\"}"),
     POD(CONTAINER("a", LIMIT("600m")) "," CONTAINER("b", ""), ""),
     "maximum cpu usage per Pod is 1.  No limit is specified"},
    {"parts of a byte are rounded up one by one", ITEM("Pod", "\"min\":{\"memory\":\"3\"}"),
     POD(CONTAINER("a", "\"requests\":{\"memory\":\"500m\"}") "," CONTAINER(
             "b", "\"requests\":{\"memory\":\"500m\"}"),
         ""),
     "minimum memory usage per Pod is 3, but request is 2"},
    {"the last of two items sets a value",
     ITEM("Container", "\"default\":{\"cpu\":\"1\"}") "," ITEM("Container",
                                                               "\"default\":{\"cpu\":\"2\"}"),
     PLAIN, BOTH("2", "2")},
    {"what was set", ITEM("Container", "\"default\":{\"cpu\":\"2\",\"memory\":\"1Gi\"}"),
     POD(CPU("c", "1"), INIT(CONTAINER("i", ""))),
     "\"annotation\":\"LimitRanger plugin set: memory request for container c; cpu, memory limit "
     "for container c; cpu, memory request for init container i; cpu, memory limit for init "
     "container i\""},
    {"extended resources are not overcommitted", ITEM("Container", "\"min\":{\"cpu\":\"0\"}"),
     POD(CONTAINER("c", "\"limits\":{\"example.com/gpu\":\"2\"},\"requests\":{"
                        "\"example.com/gpu\":\"1\"}"),
         ""),
     "\"invalid\":[\"c: must be equal to example.com/gpu limit\"]"},
    {"a claim above max", ITEM("PersistentVolumeClaim", "\"max\":{\"storage\":\"1Gi\"}"),
     "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"c\"},"
     "\"spec\":{\"resources\":{\"requests\":{\"storage\":\"2Gi\"}}}}",
     "maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi"},
};

static void test_limit_ranges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        const char *scenario = arena_printf(
            &arena,
            "{\"objects\":[{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":"
            "\"l\"},\"spec\":{\"limits\":[%s]}},%s]}",
            ranges[i].limits, ranges[i].pod);
        const char *found = answer_of(&memory, &arena, &decider_limitrange, scenario);
        if (!strstr(found, ranges[i].expected))
            fail_msg("%s: found %s", ranges[i].name, found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_admission),
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_recalculation),
        cmocka_unit_test(test_limit_ranges),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
