/* SPDX-License-Identifier: Apache-2.0 */
/* Every decision recorded from kube-scheduler v1.26.15 is decided alike. */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The text of the status is information only. */
static bool same_decision(const struct value *recorded, const struct value *found)
{
    static const char *const members[] = {"status", "scores", "best", "preemption", "error"};
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (!conformance_equal(value_find(recorded, members[i]), value_find(found, members[i])))
            return false;
    return true;
}

static void test_recorded_decisions(void **state)
{
    (void)state;
    const struct conformance_count count =
        conformance_run(&decider_scheduler, "sched-v1.26-open.jsonl.gz", same_decision);
    assert_int_equal(count.records, 2045);
    assert_int_equal(count.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
