/* SPDX-License-Identifier: Apache-2.0 */
/* Every decision recorded from kube-scheduler v1.26.15, v1.33.13, v1.34.11, v1.35.8 and v1.36.4 is
 * decided alike. */
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
    static const char *const members[] = {"status",     "scores",     "best",
                                          "preemption", "preEnqueue", "error"};
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (!conformance_equal(value_find(recorded, members[i]), value_find(found, members[i])))
            return false;
    return true;
}

static void test_recorded_decisions(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        uint32_t records;
    } recorded[] = {
        {"sched-v1.26-open.jsonl.gz", 2045}, {"sched-v1.33-open.jsonl.gz", 2480},
        {"sched-v1.34-open.jsonl.gz", 2467}, {"sched-v1.35-open.jsonl.gz", 2473},
        {"sched-v1.36-open.jsonl.gz", 2477},
    };
    for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
        const struct conformance_count count =
            conformance_run(&decider_scheduler, recorded[i].file, same_decision);
        assert_int_equal(count.records, recorded[i].records);
        assert_int_equal(count.wrong, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
