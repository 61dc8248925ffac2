/* SPDX-License-Identifier: Apache-2.0 */
/* When a container is ready, by vectors computed by hand. */
#include "decide/controller/kubelet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)

static void test_ready_window(void **state)
{
    (void)state;
    const struct probe startup = {0, 1, 5, 1, 30};
    const struct probe readiness = {10, 1, 10, 2, 3};
    int64_t earliest;
    int64_t latest;
    kubelet_ready_window(NULL, NULL, &earliest, &latest);
    assert_int_equal(earliest, 0);
    assert_int_equal(latest, 0);
    kubelet_ready_window(NULL, &readiness, &earliest, &latest);
    assert_int_equal(earliest, SECONDS(10));
    assert_int_equal(latest, SECONDS(30));
    kubelet_ready_window(&startup, &readiness, &earliest, &latest);
    assert_int_equal(earliest, SECONDS(10));
    assert_int_equal(latest, SECONDS(30));
    const struct probe eager = {0, 1, 10, 1, 3};
    kubelet_ready_window(&startup, &eager, &earliest, &latest);
    assert_int_equal(earliest, 0);
    assert_int_equal(latest, SECONDS(15));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ready_window)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
