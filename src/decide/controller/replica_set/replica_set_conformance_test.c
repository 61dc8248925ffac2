/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded sync of the ReplicaSet controller of v1.26 is decided alike:
 * what it creates and deletes, the whole ranking, adoption, status. */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The pairs come in an order of their own. */
static bool same(const struct value *recorded, const struct value *found)
{
    VALUE_EACH_MEMBER(recorded, member)
    {
        const struct value *other = value_find(found, member->key);
        if (strcmp(member->key, "less") == 0 ? !conformance_equal_sets(&member->value, other)
                                             : !conformance_equal(&member->value, other))
            return false;
    }
    return recorded->count == found->count;
}

static void recorded_syncs(void **state)
{
    (void)state;
    const struct conformance_count count =
        conformance_run(&decider_replicaset, "replicaset-v1.26-open.jsonl.gz", same);
    assert_int_equal(count.records, 280);
    assert_int_equal(count.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_syncs),
    };
    return cmocka_run_group_tests_name("replica set conformance", tests, NULL, NULL);
}
