/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods a Service sends requests to. */
#include "cluster/ask/traffic.h"
#include "object/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct label app_web[] = {{"app", "web"}};
static struct label web_and_more[] = {{"app", "web"}, {"tier", "front"}};

static struct object_meta pod_in(const char *namespace)
{
    return (struct object_meta){
        .name = "p", .namespace = namespace, .labels = {.items = web_and_more, .count = 2}};
}

static struct service service_of(const char *type)
{
    return (struct service){.meta = {.name = "s", .namespace = "shop"},
                            .type = type,
                            .selector = {.items = app_web, .count = 1}};
}

static void pods_with_all_the_labels_are_selected(void **state)
{
    (void)state;
    const struct object_meta pod = pod_in("shop");
    struct service service = service_of("ClusterIP");
    assert_true(service_selects(&service, &pod));
    service.selector.items = web_and_more;
    service.selector.count = 2;
    assert_true(service_selects(&service, &pod));
    const struct object_meta other = {
        .name = "p", .namespace = "shop", .labels = {.items = app_web, .count = 1}};
    assert_false(service_selects(&service, &other));
}

static void pods_of_other_namespaces_are_not(void **state)
{
    (void)state;
    const struct object_meta pod = pod_in("test");
    const struct service service = service_of("ClusterIP");
    assert_false(service_selects(&service, &pod));
}

/* It is a name for something outside, whatever its selector says. */
static void an_external_name_selects_nobody(void **state)
{
    (void)state;
    const struct object_meta pod = pod_in("shop");
    const struct service service = service_of("ExternalName");
    assert_false(service_selects(&service, &pod));
}

/* Somebody else looks after its endpoints. */
static void no_selector_selects_nobody(void **state)
{
    (void)state;
    const struct object_meta pod = pod_in("shop");
    struct service service = service_of("ClusterIP");
    service.selector.count = 0;
    assert_false(service_selects(&service, &pod));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pods_with_all_the_labels_are_selected),
        cmocka_unit_test(pods_of_other_namespaces_are_not),
        cmocka_unit_test(an_external_name_selects_nobody),
        cmocka_unit_test(no_selector_selects_nobody),
    };
    return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
