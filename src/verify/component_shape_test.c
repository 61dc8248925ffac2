/* SPDX-License-Identifier: Apache-2.0 */
/* Which of two workloads look alike: those that differ in nothing but their names, where these mean
 * nothing. */
#include "cluster/workloads_fixture.h"
#include "verify/component_shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NODES_OF(labels)      NODES("a", "2", "metadata: {labels: {" labels "}}, ", ROOMY)
#define SPEC_ON(labels, rest) CLUSTER(NODES_OF(labels), rest "  intents: [{name: converges}]\n")
#define SPEC                  SPEC_ON("zone: z", "")
/* The name is in labels, the selector, the image and the container. */
#define SERVICE_LIKE(name, requests, pod)                                       \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: '" name       \
    "', namespace: default}\nspec:\n  selector: {matchLabels: {app: '" name     \
    "'}}\n  template:\n    metadata: {labels: {app: '" name                     \
    "'}}\n    spec:\n      containers: [{name: '" name "-c', image: 'reg/" name \
    ":1', resources: {requests: {" requests "}}}]\n" pod
#define PLAIN(name) SERVICE_LIKE(name, "cpu: 500m", "")

#define AFFINITY(rest)                                                                 \
    "      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " \
    "{nodeSelectorTerms: [{matchExpressions: [{" rest "}]}]}}}\n"
#define LARGER_THAN(number) AFFINITY("key: size, operator: Gt, values: ['" number "']")
#define ON_NODES_OF(name)   AFFINITY("key: pool, operator: In, values: [" name "]")

struct pair {
    const char *name;
    const char *manifests; /* of two workloads */
    bool alike;
};

static const struct pair pairs[] = {
    {"equal but for names", SPEC PLAIN("web") PLAIN("shop"), true},
    {"names of different lengths, one in the other", SPEC PLAIN("web") PLAIN("webapi"), true},
    {"names in words of Kubernetes", SPEC PLAIN("template") PLAIN("apps"), true},
    {"a name at the beginning of apiVersion", SPEC PLAIN("api") PLAIN("shop"), true},
    {"names that are numbers, with which labels are compared",
     SPEC SERVICE_LIKE("13", "cpu: 500m", LARGER_THAN("13"))
         SERVICE_LIKE("19", "cpu: 500m", LARGER_THAN("19")),
     false},
    {"names that are values of labels of nodes",
     SPEC SERVICE_LIKE("web", "cpu: 500m", ON_NODES_OF("web"))
         SERVICE_LIKE("shop", "cpu: 500m", ON_NODES_OF("shop")),
     false},
    {"one manifest says what is so by default",
     SPEC PLAIN("web") SERVICE_LIKE("shop", "cpu: 500m", "      restartPolicy: Always\n"), true},
    {"other requests", SPEC PLAIN("web") SERVICE_LIKE("shop", "cpu: 501m", ""), false},
    {"each has a budget",
     SPEC PLAIN("web") PLAIN("shop") BUDGET("web", "app: web") BUDGET("shop", "app: shop"), true},
    {"one has a budget", SPEC PLAIN("web") PLAIN("shop") BUDGET("web", "app: web"), false},
    {"each has an autoscaler", SPEC PLAIN("web") PLAIN("shop") AUTOSCALER("web") AUTOSCALER("shop"),
     true},
    {"one has an autoscaler", SPEC PLAIN("web") PLAIN("shop") AUTOSCALER("web"), false},
    {"names that are quantities",
     SPEC SERVICE_LIKE("500m", "cpu: 500m", "") SERVICE_LIKE("9100m", "cpu: 9100m", ""), false},
    {"names in a scheduler's name",
     SPEC SERVICE_LIKE("web", "cpu: 500m", "      schedulerName: web-scheduler\n")
         SERVICE_LIKE("shop", "cpu: 500m", "      schedulerName: shop-scheduler\n"),
     false},
    {"names that are priority classes",
     SPEC "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: web}\n"
          "value: 1000\n---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
          "metadata: {name: shop}\nvalue: 5\n" SERVICE_LIKE("web", "cpu: 500m",
                                                            "      priorityClassName: web\n")
              SERVICE_LIKE("shop", "cpu: 500m", "      priorityClassName: shop\n"),
     false},
    {"a name is a label of nodes", SPEC_ON("app: web", "") PLAIN("web") PLAIN("shop"), false},
    {"names are nodes' labels that pods ask for",
     SPEC_ON("pool: web", "") SERVICE_LIKE("web", "cpu: 500m", "      nodeSelector: {pool: web}\n")
         SERVICE_LIKE("shop", "cpu: 500m", "      nodeSelector: {pool: shop}\n"),
     false},
    {"a name is the key of a label",
     SPEC DEPLOYMENT("web", "web: x", "") DEPLOYMENT("shop", "shop: x", ""), false},
    {"one is scaled",
     SPEC_ON("zone: z", "  events: [{name: scale, workload: Deployment/default/"
                        "web, to: [2], atMost: 1}]\n") PLAIN("web") PLAIN("shop"),
     false},
    {"something that all have knows a name",
     SPEC PLAIN("web") PLAIN("shop") "---\napiVersion: scheduling.k8s.io/v1\nkind: "
                                     "PriorityClass\nmetadata: {name: of-web}\n"
                                     "value: 1\n",
     false},
};

/* Of the workload by itself; NULL: it has none. */
static const char *shape_of(struct fixture *fixture, const struct setup *setup, uint32_t workload,
                            enum shape_detail detail)
{
    bool in[2] = {workload == 0, workload == 1};
    struct scope_part *part = ARENA_NEW(&fixture->arena, struct scope_part);
    scope_part(&fixture->arena, &fixture->scope, in, part);
    return component_shape(&fixture->arena, &fixture->scope, part,
                           setup_part(&fixture->arena, part, setup), detail);
}

static bool are_alike(const char *manifests, enum shape_detail detail)
{
    struct fixture fixture;
    struct setups setups = {0};
    assert_true(fixture_load(&fixture, manifests));
    assert_int_equal(fixture.scope.workload_count, 2);
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    const char *one = shape_of(&fixture, &setups.items[0], 0, detail);
    const char *other = shape_of(&fixture, &setups.items[0], 1, detail);
    const bool alike = one && other && strcmp(one, other) == 0;
    fixture_release(&fixture);
    return alike;
}

#define CONTAINER(name, rest)                                               \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: '" name   \
    "', namespace: default}\nspec:\n  selector: {matchLabels: {app: '" name \
    "'}}\n  template:\n    metadata: {labels: {app: '" name                 \
    "'}}\n    spec:\n      containers: [{name: c, " rest "}]\n"
#define SERVICE(name, port)                                      \
    "---\napiVersion: v1\nkind: Service\nmetadata: {name: " name \
    ", namespace: default}\nspec: {selector: {app: " name "}, ports: [{port: " port "}]}\n"
#define ONE_WITH(rest) SPEC CONTAINER("web", "image: x") CONTAINER("shop", rest)
#define ANNOTATED(key)                                                     \
    SPEC DEPLOYMENT("web", "app: web}, annotations: {" key ": 'true'", "") \
        DEPLOYMENT("shop", "app: shop", "")

struct difference {
    const char *name;
    const char *manifests;
    int from; /* the first detail with which it makes no difference */
};

enum { ALWAYS = SHAPE_BUT_REQUESTS + 1 };

static const struct difference differences[] = {
    {"a probe", ONE_WITH("image: x, readinessProbe: {httpGet: {path: /, port: 80}}"), SHAPE_ALL},
    {"the command", ONE_WITH("image: x, command: [a], env: [{name: shop, value: web}]"), SHAPE_ALL},
    {"a port of the pod", ONE_WITH("image: x, ports: [{containerPort: 80}]"), SHAPE_ALL},
    {"a port of the node", ONE_WITH("image: x, ports: [{containerPort: 80, hostPort: 80}]"),
     ALWAYS},
    {"a port of a Service",
     SPEC PLAIN("web") PLAIN("shop") SERVICE("web", "80") SERVICE("shop", "81"), ALWAYS},
    {"a port of a pod in the network of the node",
     SPEC CONTAINER("web", "image: x") "      hostNetwork: true\n" CONTAINER(
         "shop", "image: x, ports: [{containerPort: 80}]") "      hostNetwork: true\n",
     ALWAYS},
    {"the image", ONE_WITH("image: 'y'"), SHAPE_BUT_IMAGES},
    {"the image of an init container",
     SPEC CONTAINER("web", "image: x") "      initContainers: [{name: i, image: x}]\n" CONTAINER(
         "shop", "image: x") "      initContainers: [{name: i, image: z}]\n",
     SHAPE_BUT_IMAGES},
    {"requests", ONE_WITH("image: x, resources: {requests: {cpu: 100m}}"), SHAPE_BUT_REQUESTS},
    {"somebody's annotation", ANNOTATED("example.org/scrape"), SHAPE_ALL},
    {"an annotation that is read", ANNOTATED("fathom.dev/never-ready"), ALWAYS},
};

static void what_nobody_reads_makes_no_difference(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(differences) / sizeof(*differences); i++)
        for (enum shape_detail detail = SHAPE_ALL; detail <= SHAPE_BUT_REQUESTS; detail++)
            if (are_alike(differences[i].manifests, detail) != ((int)detail >= differences[i].from))
                fail_msg("%s, detail %d", differences[i].name, (int)detail);
}

static void only_names_that_mean_nothing_may_differ(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        if (are_alike(pairs[i].manifests, SHAPE_ALL) != pairs[i].alike)
            fail_msg("%s", pairs[i].name);
}

static void sizes_are_part_of_the_shape(void **state)
{
    struct fixture fixture;
    struct setups setups = {0};
    (void)state;
    assert_true(fixture_load(&fixture, SPEC PLAIN("web") PLAIN("shop")));
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    struct setup *setup = &setups.items[0];
    const int32_t replicas[] = {1, 2};
    const char *before = shape_of(&fixture, setup, 1, SHAPE_ALL);
    setup->replicas = replicas;
    assert_string_equal(shape_of(&fixture, setup, 0, SHAPE_ALL), before);
    assert_string_not_equal(shape_of(&fixture, setup, 1, SHAPE_ALL), before);
    fixture_release(&fixture);
}

/* The shapes where these manifests are applied to both. */
static bool are_alike_if_applied(const char *manifests)
{
    char path[] = "/tmp/component_shape_test.XXXXXX";
    char text[4096];
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, manifests, strlen(manifests)), strlen(manifests));
    close(file);
    snprintf(text, sizeof(text), "%s  events: [{name: apply, manifests: [%s], atMost: 1}]\n%s",
             CLUSTER(NODES_OF("zone: z"), ""), path,
             "  intents: [{name: converges}]\n" PLAIN("web") PLAIN("shop"));
    const bool alike = are_alike(text, SHAPE_ALL);
    unlink(path);
    return alike;
}

/* A template in which something changes is another one, though nobody reads it. */
static void what_is_applied_is_part_of_the_shape(void **state)
{
    static const char same[] = PLAIN("web") PLAIN("shop");
    static const char unread[] =
        PLAIN("web") SERVICE_LIKE("shop", "cpu: 500m", "      hostPID: true\n");
    static const char others[] =
        SERVICE_LIKE("web", "cpu: 600m", "") SERVICE_LIKE("shop", "cpu: 700m", "");
    static const char both[] =
        SERVICE_LIKE("web", "cpu: 600m", "") SERVICE_LIKE("shop", "cpu: 600m", "");
    (void)state;
    assert_true(are_alike_if_applied(same));
    assert_true(are_alike_if_applied(both));
    assert_false(are_alike_if_applied(unread));
    assert_false(are_alike_if_applied(others));
}

/* Where they are is not in the text. */
static void pods_that_are_there_have_no_shape(void **state)
{
    struct fixture fixture;
    struct setups setups = {0};
    (void)state;
    assert_true(fixture_load(
        &fixture,
        "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n"
        "  intents: [{name: converges}]\n---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
        "status: {allocatable: {" ROOMY "}, conditions: [{type: Ready, status: 'True'}]}\n" PLAIN(
            "web") PLAIN("shop") "---\napiVersion: v1\nkind: Pod\nmetadata: {name: alone, "
                                 "namespace: default}\nspec: {nodeName: n1, containers: [{name: c, "
                                 "image: x}]}\nstatus: {phase: Running, conditions: [{type: Ready, "
                                 "status: 'True'}]}\n"));
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    assert_null(shape_of(&fixture, &setups.items[0], 0, SHAPE_ALL));
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_names_that_mean_nothing_may_differ),
        cmocka_unit_test(what_nobody_reads_makes_no_difference),
        cmocka_unit_test(sizes_are_part_of_the_shape),
        cmocka_unit_test(what_is_applied_is_part_of_the_shape),
        cmocka_unit_test(pods_that_are_there_have_no_shape),
    };
    return cmocka_run_group_tests_name("component_shape", tests, NULL, NULL);
}
