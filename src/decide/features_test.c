/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of versions: every row can be on and off, is named once, and can be
 * switched exactly if it is a gate of upstream's. */
#include "decide/features.h"

#include "decide/descheduler/descheduler_features.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct row {
    const char *name;
    int first;
    int last;
};

#define FEATURE(member, name, first, last, help) {name, first, last},
static const struct row kubernetes[] = {
#include "decide/features.def"
};
static const struct row descheduler[] = {
#include "decide/descheduler/descheduler_features.def"
};
#undef FEATURE

/* A row that holds for every version, or for none, is no change between two; but
 * a gate may be there to be switched. */
static void check_rows(const struct row *rows, size_t count, int first, int last)
{
    for (size_t i = 0; i < count; i++) {
        const bool gate = rows[i].name[0] >= 'A' && rows[i].name[0] <= 'Z';
        if (rows[i].first > rows[i].last || rows[i].first < first)
            fail_msg("%s: first %d, last %d", rows[i].name, rows[i].first, rows[i].last);
        if (!gate && (rows[i].first > last || (rows[i].first == first && rows[i].last >= last)))
            fail_msg("%s changes nothing", rows[i].name);
        for (size_t other = 0; other < i; other++)
            if (strcmp(rows[other].name, rows[i].name) == 0)
                fail_msg("%s is there twice", rows[i].name);
    }
}

static void test_rows(void **state)
{
    (void)state;
    check_rows(kubernetes, sizeof(kubernetes) / sizeof(*kubernetes), FEATURES_MINOR_FIRST,
               FEATURES_MINOR_LAST);
    check_rows(descheduler, sizeof(descheduler) / sizeof(*descheduler), DESCHEDULER_MINOR_FIRST,
               DESCHEDULER_MINOR_LAST);
}

static void test_defaults(void **state)
{
    (void)state;
    assert_false(features_of_version(28).sidecar_containers);
    assert_true(features_of_version(29).sidecar_containers);
    assert_false(features_of_version(27).refuses_sidecars);
    assert_true(features_of_version(28).refuses_sidecars);
    assert_false(features_of_version(29).refuses_sidecars);
    assert_true(features_of_version(27).job_failure_is_error);
    assert_false(features_of_version(28).job_failure_is_error);
    /* Versions outside the table are the nearest. */
    assert_int_equal(features_of_version(1).minor, FEATURES_MINOR_FIRST);
    assert_int_equal(features_of_version(99).minor, FEATURES_MINOR_LAST);
    assert_true(features_of_version(99).sidecar_containers);
}

static void test_gates(void **state)
{
    (void)state;
    struct features features = features_of_version(26);
    assert_true(features_set(&features, "SidecarContainers", true));
    assert_true(features.sidecar_containers);
    assert_true(features_set(&features, "SidecarContainers", false));
    assert_false(features.sidecar_containers);
    assert_false(features_set(&features, "fit-only-requested", true));
    assert_false(features.fit_only_requested);
    assert_false(features_set(&features, "NoSuchGate", true));
}

static void test_versions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int minor; /* 0: none */
    } cases[] = {{"1.26", 26}, {"v1.27.3", 27}, {"1.33", 33}, {"1.25", 0},
                 {"1.34", 0},  {"1.26x", 0},    {"1.", 0},    {"2.26", 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int minor = 0;
        if (features_parse_version(cases[i].text, &minor) != (cases[i].minor != 0) ||
            minor != cases[i].minor)
            fail_msg("%s is %d", cases[i].text, minor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_gates),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests_name("features", tests, NULL, NULL);
}
