/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded sync of the ReplicaSet controller of v1.26 and of v1.33 to v1.36 is decided alike:
 * what it creates and deletes, the whole ranking, adoption, status. */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Where a pod of 1.33 is just at the edge of being available, the records leave out
 * availableReplicas. */
static bool same_status(const struct value *recorded, const struct value *found)
{
    VALUE_EACH_MEMBER(found, member)
    {
        const struct value *other = value_find(recorded, member->key);
        if (other ? !conformance_equal(other, &member->value)
                  : strcmp(member->key, "availableReplicas") != 0)
            return false;
    }
    return recorded->count <= found->count;
}

/* The pairs come in an order of their own. */
static bool same_member(const char *key, const struct value *recorded, const struct value *found)
{
    if (!found)
        return false;
    if (strcmp(key, "status") == 0)
        return same_status(recorded, found);
    return strcmp(key, "less") == 0 ? conformance_equal_sets(recorded, found)
                                    : conformance_equal(recorded, found);
}

static bool same(const struct value *recorded, const struct value *found)
{
    VALUE_EACH_MEMBER(recorded, member)
    {
        if (!same_member(member->key, &member->value, value_find(found, member->key)))
            return false;
    }
    return recorded->count == found->count;
}

static void recorded_syncs(void **state)
{
    (void)state;
    assert_true(conformance_versions(&decider_replicaset, "replicaset", 280, 280, same));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_syncs),
    };
    return cmocka_run_group_tests_name("replica set conformance", tests, NULL, NULL);
}
