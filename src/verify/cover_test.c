/* SPDX-License-Identifier: Apache-2.0 */
/* How far sizes are covered by the regions of explorations. */
#include "verify/cover.h"

#include "setup/scope_fixture.h"

#define GROUP(name) \
    "  - {name: " name ", count: {min: 1}, node: {status: {allocatable: {cpu: '4'}}}}\n"
static const char seven_groups[] =
    "apiVersion: fathom/v1\n"
    "kind: Check\n"
    "metadata: {name: sizes}\n"
    "spec:\n"
    "  nodeGroups:\n" GROUP("a") GROUP("b") GROUP("c") GROUP("d") GROUP("e") GROUP("f") GROUP(
        "g") "  intents: [{name: converges}]\n"
             "---\n"
             "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1, "
             "selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, "
             "spec: "
             "{containers: [{name: app, image: i}]}}}}\n";

static void regions_cover_every_size(void **state)
{
    struct fixture fixture;
    struct setups setups;
    struct cover_found found;
    struct size_region region = size_region_all();
    (void)state;
    fixture_load(&fixture, seven_groups);
    struct cover *cover = cover_begin(&fixture.arena, &fixture.scope, &setups, &found);
    assert_int_equal(setups.count, 1);
    size_region_narrow(&region, 1, 1, 4);
    cover_go_on(cover, &setups, &region, &found);
    assert_false(found.complete);
    assert_int_equal(found.up_to, 10);
    assert_int_equal(setups.count, 2);
    assert_int_equal(setups.items[1].nodes[0], 5);
    region = size_region_all();
    size_region_narrow(&region, 1, 5, SIZE_UNBOUNDED);
    cover_go_on(cover, &setups, &region, &found);
    assert_true(found.complete);
    fixture_release(&fixture);
}

static void cover_sum(struct cover *cover, uint32_t groups, int64_t least, int64_t most,
                      struct setups *setups, struct cover_found *found)
{
    struct size_region region = size_region_all();
    size_region_narrow(&region, groups, least, most);
    cover_go_on(cover, setups, &region, found);
}

/* In the end every two of three groups have an odd number of nodes together. There is no such size,
 * and that is not found out, because there are too many ways to choose the nodes of the others. */
static void what_is_too_hard_is_not_claimed(void **state)
{
    enum { A_B = 0x03, C_D = 0x0c, E_F = 0x30, E_G = 0x50, F_G = 0x60 };
    struct fixture fixture;
    struct setups setups;
    struct cover_found found;
    (void)state;
    fixture_load(&fixture, seven_groups);
    struct cover *cover = cover_begin(&fixture.arena, &fixture.scope, &setups, &found);
    cover_sum(cover, A_B, 0, 999, &setups, &found);
    cover_sum(cover, C_D, 0, 999, &setups, &found);
    assert_int_equal(found.up_to, 2002);
    cover_sum(cover, E_F, 0, 98, &setups, &found);
    cover_sum(cover, E_F, 100, SIZE_UNBOUNDED, &setups, &found);
    cover_sum(cover, E_G, 0, 98, &setups, &found);
    cover_sum(cover, E_G, 100, SIZE_UNBOUNDED, &setups, &found);
    cover_sum(cover, F_G, 0, 98, &setups, &found);
    cover_sum(cover, F_G, 100, SIZE_UNBOUNDED, &setups, &found);
    assert_false(found.complete);
    assert_in_range(found.up_to, 2002, 2200);
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_cover_every_size),
        cmocka_unit_test(what_is_too_hard_is_not_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
