/* SPDX-License-Identifier: Apache-2.0 */
/* The version of a dumped cluster: whose word counts, and what is said of others. */
#include "setup/cluster_version.h"

#include "decide/descheduler/descheduler_fixture.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NODE(name, labels, version)                                                \
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: " name ", labels: {" labels \
    "}}\nstatus: {nodeInfo: {kubeletVersion: " version "}}\n"
#define SERVER(image)                                                                \
    "---\napiVersion: v1\nkind: Pod\nmetadata: {name: kube-apiserver-a, namespace: " \
    "kube-system}\nspec: {containers: [{name: kube-apiserver, image: '" image "'}]}\n"

static void whose_version_counts(void **state)
{
    (void)state;
    static const struct {
        const char *manifests;
        const char *sentence; /* NULL: the objects do not say */
        int minor;
    } cases[] = {
        {"---\napiVersion: v1\nkind: Node\nmetadata: {name: a}\n", NULL, 0},
        {NODE("a", "", "v1.31.4"), "Kubernetes 1.31 (v1.31.4 by the kubelets of the cluster)", 31},
        {NODE("a", "", "v1.30.2") NODE("b", "", "v1.31.4-eks-1"),
         "Kubernetes 1.31 (v1.31.4-eks-1 by the kubelets of the cluster; kubelets are at v1.30.2 "
         "to v1.31.4-eks-1)",
         31},
        {NODE("a", "", "v1.31.0") SERVER("registry.k8s.io/kube-apiserver:v1.32.1"),
         "Kubernetes 1.32 (v1.32.1 by the API server of the cluster)", 32},
        {NODE("a", "", "v1.31.0") SERVER("registry:5000/kube-apiserver"),
         "Kubernetes 1.31 (v1.31.0 by the kubelets of the cluster)", 31},
        {NODE("a", "", "v1.31.0") SERVER("registry.k8s.io/kube-apiserver:v1.26.15"),
         "Kubernetes 1.31 (v1.31.0 by the kubelets of the cluster)", 31},
        {NODE("a", "", "v1.99.0"),
         "Kubernetes 1.36 (v1.99.0 by the kubelets of the cluster, which is not known: the "
         "nearest version)",
         36},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct objects objects = {0};
        struct cluster_version found;
        read_manifests(&arena, cases[i].manifests, &objects);
        const bool said = cluster_version_find(&arena, &objects, &found);
        assert_int_equal(said, cases[i].sentence != NULL);
        if (!said)
            continue;
        assert_string_equal(found.sentence, cases[i].sentence);
        assert_int_equal(found.features.minor, cases[i].minor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whose_version_counts)};
    return cmocka_run_group_tests_name("cluster version", tests, set_up, tear_down);
}
