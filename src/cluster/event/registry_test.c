/* SPDX-License-Identifier: Apache-2.0 */
/* Walks all descriptors: what each says of itself fits together. */
#include "cluster/event/registry.h"
#include "cluster/event_type.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A step is told by its action, so two kinds cannot share one. */
static void what_comes_has_an_action_of_its_own(void **state)
{
    (void)state;
    for (int k = 0; k < EVENT_KIND_COUNT; k++) {
        const struct event_type *type = event_type((enum event_kind)k);
        if (!type->emit)
            continue;
        assert_true(action_has(type->action, IS_EVENT));
        assert_true(type->words || type->describe);
        for (int other = 0; other < k; other++)
            if (event_type((enum event_kind)other)->emit)
                assert_int_not_equal(type->action, event_type((enum event_kind)other)->action);
    }
}

static void traits_do_not_contradict_what_is_done(void **state)
{
    (void)state;
    for (int k = 0; k < EVENT_KIND_COUNT; k++) {
        const struct event_type *type = event_type((enum event_kind)k);
        const unsigned traits = type->traits;
        assert_false(type->emit && type->follow);
        assert_false(type->deletes_object && (traits & LEAVES_OBJECTS_ALONE));
        assert_false(type->pressure && (traits & LEAVES_ADMISSION_ALONE));
        assert_false(event_kind_has((enum event_kind)k, EVENT_FACT_DRAINS) &&
                     (traits & NEEDS_NO_READINESS));
        assert_false(event_kind_has((enum event_kind)k, EVENT_FACT_PANICS) &&
                     (traits & LEAVES_NODES_READY));
        /* An event that leaves nodes ready has nothing to say of those that are not. */
        assert_false((traits & LEAVES_NODES_READY) &&
                     (traits & (TAKES_ONE_NODE | NODES_RETURN | NOTICED_AT_ONCE)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_has_an_action_of_its_own),
        cmocka_unit_test(traits_do_not_contradict_what_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
