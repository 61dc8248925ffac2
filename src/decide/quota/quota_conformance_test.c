/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded sync of the CronJob controller, decision of LimitRanger and ResourceQuota, and
 * computation of the quota controller of v1.26 is decided alike. */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool decide_by_family(struct arena *arena, const struct value *scenario,
                             const struct features *features, struct json_out *json,
                             struct problems *problems)
{
    const char *family = value_find_string(scenario, "family");
    const struct decider *decider = &decider_quota;
    if (strcmp(family, "cronjob") == 0)
        decider = &decider_cronjob;
    else if (strcmp(family, "limitrange") == 0)
        decider = &decider_limitrange;
    return decider->decide_scenario(arena, scenario, features, json, problems);
}

static void test_recorded_decisions(void **state)
{
    (void)state;
    const struct decider all = {.name = "all", .decide_scenario = decide_by_family};
    const struct conformance_count count =
        conformance_run(&all, "quota-cronjob-v1.26-open.jsonl.gz", NULL);
    assert_int_equal(count.records, 920);
    assert_int_equal(count.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
