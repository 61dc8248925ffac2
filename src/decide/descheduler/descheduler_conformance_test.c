/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded cycle of the descheduler is decided alike: who is evicted, in
 * which order, by which plugin, who is refused, and what differs when evictions
 * take effect later. Where more than twelve pods may have been sorted, the order
 * is the sorting algorithm's; the records ask for the same set. */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool same(const struct value *recorded, const struct value *found)
{
    VALUE_EACH_MEMBER(recorded, member)
    {
        if (strcmp(member->key, "natural") != 0 &&
            !conformance_equal(&member->value, value_find(found, member->key)))
            return false;
    }
    VALUE_EACH_MEMBER(found, member)
    {
        if (!value_find(recorded, member->key))
            return false;
    }
    return true;
}

/* The records do not say whose they are, so the version is added to them. */
static bool decide_v28(struct arena *arena, const struct value *scenario,
                       const struct features *features, struct json_out *json,
                       struct problems *problems)
{
    struct member *members = ARENA_ARRAY(arena, struct member, scenario->count + 1);
    struct value versioned = *scenario;
    memcpy(members, scenario->members, scenario->count * sizeof(*members));
    members[scenario->count] = (struct member){
        .key = "version",
        .value = {.text = "0.28.1", .count = 6, .kind = VALUE_STRING},
    };
    versioned.members = members;
    versioned.count++;
    return decider_descheduler.decide_scenario(arena, &versioned, features, json, problems);
}

static void recorded_cycles_of_v28(void **state)
{
    (void)state;
    const struct decider newer = {.name = "descheduler", .decide_scenario = decide_v28};
    const struct conformance_count count =
        conformance_run(&newer, "desched-v0.28.1-open.jsonl.gz", same);
    assert_int_equal(count.records, 300);
    assert_int_equal(count.wrong, 0);
}

static void recorded_cycles_of_v27(void **state)
{
    (void)state;
    const struct conformance_count count =
        conformance_run(&decider_descheduler, "desched-v0.27.1-open.jsonl.gz", same);
    assert_int_equal(count.records, 899);
    assert_int_equal(count.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_cycles_of_v27),
        cmocka_unit_test(recorded_cycles_of_v28),
    };
    return cmocka_run_group_tests_name("descheduler conformance", tests, NULL, NULL);
}
