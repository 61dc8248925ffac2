/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded sync of the HorizontalPodAutoscaler controller of v1.26 and of v1.33 to v1.36 is
 * decided alike, with its conditions, errors and metric statuses; syncs that
 * follow each other one by one. */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The text up to the pod that it names, and to the container of that pod; NULL if it
 * names none. */
static const char *before_culprit(const char *text)
{
    const char *pod = strstr(text, " Pod ");
    const char *container = strstr(text, " in container ");
    return pod && container ? container : pod;
}

/* Which of several pods without a request a message names is left to the order of a
 * map. */
static bool same_message(const char *recorded, const char *found)
{
    const char *left = before_culprit(recorded);
    const char *right = before_culprit(found);
    return strcmp(recorded, found) == 0 ||
           (left && right && left - recorded == right - found &&
            strncmp(recorded, found, (size_t)(left - recorded)) == 0);
}

static bool same(const struct value *recorded, const struct value *found)
{
    return conformance_equal_texts(recorded, found, same_message);
}

static void test_recorded_syncs(void **state)
{
    (void)state;
    assert_true(conformance_versions(&decider_hpa, "hpa", 1050, 1286, same));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_syncs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
