/* SPDX-License-Identifier: Apache-2.0 */
/* When nodes that are gone are tainted: the table in the documentation of
 * kube-controller-manager, and both sides of its limits. */
#include "cluster/ask/zones.h"

#include "decide/features_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum tainting { TAINTS, TAINTS_NO_MORE, NO_TAINTS };

static enum tainting judge(struct zone_census first, struct zone_census second, uint32_t count)
{
    struct memory memory;
    struct arena arena;
    struct zone_census zones[] = {first, second};
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    const bool any = zones_judge(&arena, version(26), zones, count);
    arena_release(&arena);
    if (!any)
        return NO_TAINTS;
    return zones[0].taints ? TAINTS : TAINTS_NO_MORE;
}

static struct zone_census zone(int64_t ready, int64_t not_ready)
{
    return (struct zone_census){.ready = ready, .not_ready = not_ready};
}

static void one_zone(void **state)
{
    (void)state;
    assert_int_equal(judge(zone(1, 1), zone(0, 0), 1), TAINTS);
    assert_int_equal(judge(zone(1, 2), zone(0, 0), 1), TAINTS); /* not more than two */
    assert_int_equal(judge(zone(3, 3), zone(0, 0), 1), TAINTS); /* half, not 55 % */
    assert_int_equal(judge(zone(2, 3), zone(0, 0), 1), TAINTS_NO_MORE);
    assert_int_equal(judge(zone(20, 31), zone(0, 0), 1), TAINTS); /* a large one: slowly */
    assert_int_equal(judge(zone(19, 31), zone(0, 0), 1), TAINTS_NO_MORE);
    assert_int_equal(judge(zone(0, 1), zone(0, 0), 1), NO_TAINTS);
    assert_int_equal(judge(zone(0, 5), zone(0, 0), 1), NO_TAINTS);
}

/* A zone that is gone is tainted as long as another one answers. */
static void two_zones(void **state)
{
    (void)state;
    assert_int_equal(judge(zone(0, 3), zone(1, 0), 2), TAINTS);
    assert_int_equal(judge(zone(0, 3), zone(0, 1), 2), NO_TAINTS);
    assert_int_equal(judge(zone(1, 3), zone(4, 0), 2), TAINTS_NO_MORE);
}

static void silence(void **state)
{
    (void)state;
    assert_int_equal(zones_monitor_grace(version(26)), INT64_C(40000000000));
    assert_int_equal(zones_monitor_grace(version(32)), INT64_C(50000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_zone),
        cmocka_unit_test(two_zones),
        cmocka_unit_test(silence),
    };
    return cmocka_run_group_tests_name("zones", tests, NULL, NULL);
}
