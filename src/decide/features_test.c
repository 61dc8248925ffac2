/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of versions: every row can be on and off, is named once, and can be
 * switched exactly if it is a gate of upstream's. */
#include "decide/features.h"

#include "decide/descheduler/descheduler_features.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct row {
    const char *member;
    const char *name;
    int first;
    int last;
};

#define FEATURE(member, name, first, last, help) {#member, name, first, last},
#define PATCHED(member, minor, patch)
static const struct row kubernetes[] = {
#include "decide/features.def"
};
static const struct row descheduler[] = {
#include "decide/descheduler/descheduler_features.def"
};
#undef FEATURE
#undef PATCHED

/* Members that patch releases of older minor versions have, too. */
static const char *const patched[] = {
#define FEATURE(member, name, first, last, help)
#define PATCHED(member, minor, patch) #member,
#include "decide/features.def"
#undef FEATURE
#undef PATCHED
};

static bool is_patched(const char *member)
{
    for (size_t i = 0; i < sizeof(patched) / sizeof(*patched); i++)
        if (strcmp(patched[i], member) == 0)
            return true;
    return false;
}

/* Is the rule on in a patch release? */
static bool is_on(int minor, int patch, const char *member)
{
    char text[32];
    struct features features;
    snprintf(text, sizeof(text), "1.%d.%d", minor, patch);
    assert_true(features_of_text(text, &features));
#define FEATURE(name_of, name, first, last, help) \
    if (strcmp(#name_of, member) == 0)            \
        return features.name_of;
#define PATCHED(name_of, minor_of, patch_of)
#include "decide/features.def"
#undef FEATURE
#undef PATCHED
    return false;
}

/* A row that holds for every version, or for none, is no change between two; but
 * a gate may be there to be switched. */
static void check_rows(const struct row *rows, size_t count, int first, int last)
{
    for (size_t i = 0; i < count; i++) {
        const bool gate = rows[i].name[0] >= 'A' && rows[i].name[0] <= 'Z';
        if (rows[i].first > rows[i].last || rows[i].first < first)
            fail_msg("%s: first %d, last %d", rows[i].name, rows[i].first, rows[i].last);
        if (!gate && !is_patched(rows[i].member) &&
            (rows[i].first > last || (rows[i].first == first && rows[i].last >= last)))
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
    assert_true(features_of_version(27).job_failure_is_error);
    assert_false(features_of_version(28).job_failure_is_error);
    /* Versions outside the table are the nearest. */
    assert_int_equal(features_of_version(1).minor, FEATURES_MINOR_FIRST);
    assert_int_equal(features_of_version(99).minor, FEATURES_MINOR_LAST);
    assert_true(features_of_version(99).sidecar_containers);
}

/* A change that older minor versions got in a patch release is there from that
 * patch on; a version without a patch is the newest one. */
static void test_patches(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool later;
    } cases[] = {
        {"1.27", false},   {"1.28.10", false}, {"1.28.11", true}, {"1.28", true},
        {"1.29.5", false}, {"v1.29.6", true},  {"1.30.1", false}, {"1.30.2-eks-1", true},
        {"1.31.0", true},  {"1.31", true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct features features;
        assert_true(features_of_text(cases[i].text, &features));
        if (features.stateful_recreates_later != cases[i].later)
            fail_msg("%s", cases[i].text);
    }
}

/* All of them, written down twice. */
static void test_all_patches(void **state)
{
    (void)state;
    static const struct {
        const char *member;
        int minor;
        int patch;
    } written[] = {
        {"prefilter_ignores_missing", 27, 15},
        {"prefilter_ignores_missing", 28, 11},
        {"prefilter_ignores_missing", 29, 6},
        {"prefilter_ignores_missing", 30, 2},
        {"victims_by_importance", 29, 11},
        {"victims_by_importance", 30, 7},
        {"victims_by_importance", 31, 3},
        {"sidecar_host_ports", 33, 6},
        {"taint_untold", 34, 2},
        {"stateful_succeeded_ends", 27, 9},
        {"stateful_succeeded_ends", 28, 5},
        {"stateful_all_updated", 27, 8},
        {"stateful_all_updated", 28, 4},
        {"stateful_recreates_later", 28, 11},
        {"stateful_recreates_later", 29, 6},
        {"stateful_recreates_later", 30, 2},
        {"daemon_old_unavailable", 28, 15},
        {"daemon_old_unavailable", 29, 10},
        {"daemon_old_unavailable", 30, 6},
        {"job_counts_while_waiting", 34, 10},
        {"job_counts_while_waiting", 35, 7},
        {"job_counts_while_waiting", 36, 3},
        {"empty_selector_guards", 27, 7},
        {"empty_selector_guards", 28, 3},
    };
    enum { COUNT = sizeof(written) / sizeof(*written) };
    assert_int_equal(sizeof(patched) / sizeof(*patched), COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const char *member = written[i].member;
        const int patch = written[i].patch;
        assert_string_equal(patched[i], member);
        if (is_on(written[i].minor, patch - 1, member) || !is_on(written[i].minor, patch, member))
            fail_msg("%s does not begin in 1.%d.%d", member, written[i].minor, patch);
    }
}

/* What is printed can be read again. */
static void test_printed_versions(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1.26", "1.26"}, {"v1.28.3", "1.28.3"}, {"1.31.0+k3s1", "1.31.0"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct features features;
        struct features again;
        assert_true(features_of_text(cases[i][0], &features));
        const char *text = features_version(&arena, &features);
        assert_string_equal(text, cases[i][1]);
        assert_true(features_of_text(text, &again));
        assert_true(features_equal(&features, &again));
    }
    struct features features;
    assert_false(features_of_text("1.28.99999999999", &features));
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
    } cases[] = {{"1.26", 26}, {"v1.27.3", 27}, {"1.36", 36},   {"v1.31.5-eks-3", 31},
                 {"1.25", 0},  {"1.37", 0},     {"1.26x", 0},   {"1.", 0},
                 {"1.036", 0}, {"1.30.01", 0},  {"1.30.0", 30}, {"2.26", 0},
                 {"1.28.", 0}, {"1.28.3x", 0},  {"1.28-x", 0},  {"1.30.0+k3s1", 30}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct features features = {0};
        if (features_of_text(cases[i].text, &features) != (cases[i].minor != 0) ||
            features.minor != cases[i].minor)
            fail_msg("%s is %d", cases[i].text, features.minor);
    }
}

/* In which minor version, at its newest patch, the default changed: written down twice, because a
 * row that is one version off is noticed by few tests of the rule itself. */
struct change {
    int minor;
    const char *members;
};

static bool lists(const char *members, const char *member)
{
    const size_t length = strlen(member);
    for (const char *at = members; (at = strstr(at, member)); at += length)
        if (at > members && at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static int minor_of(const struct change *changes, size_t count, const char *member)
{
    for (size_t i = 0; i < count; i++)
        if (lists(changes[i].members, member))
            return changes[i].minor;
    return 0;
}

static void test_changes(void **state)
{
    (void)state;
    /* On from this version on; 99: off, and a gate. */
    static const struct change since[] = {
        {26, " node_inclusion_policy "},
        {27, " min_domains spread_match_label_keys read_write_once_pod "
             "pod_scheduling_readiness score_overhead_milli requests_add_exactly "
             "node_affinity_may_skip conflict_in_all_terms prefilter_ignores_missing "
             "preempts_where_examined waits_for_preempted keys_need_selector "
             "empty_selector_is_nothing stateful_start_ordinal stateful_succeeded_ends "
             "stateful_all_updated results_say_empty job_tracks_always job_waits_after_failure"
             " hpa_names_container hpa_says_unready hpa_partial_failure_errs "
             "metric_not_found_names unhealthy_eviction_policy overhead_of_limits "
             "empty_selector_guards "},
        {28, " scores_may_skip fit_only_requested pod_index_label stateful_recreates_later "
             "daemon_old_unavailable job_backoff_600s job_waits_for_terminating "
             "limits_of_some_add autoscaler_parallel_drain "},
        {29, " sidecar_containers victims_by_importance job_pod_replacement_policy "
             "job_limit_per_index hpa_counts_sidecars hpa_failure_keeps_metrics "},
        {30, " image_of_init_containers "},
        {31, " affinity_match_label_keys job_success_policy job_two_steps "
             "rejection_tells_reason "},
        {32, " nonzero_counts_sidecars sidecar_restarts_rank strict_size_annotations "
             "events_from_to job_managed_by node_monitor_grace_50s autoscaler_parallel_only "},
        {33, " resize_in_place sidecar_host_ports volume_affinity_named balance_needs_request "
             "async_preemption hpa_tolerance_is_range hpa_average_names_object "
             "taint_eviction_forgotten autoscaler_least_waste "},
        {34, " pod_level_resources fit_may_be_unresolvable taint_untold dynamic_resources "
             "stateful_waits_available available_at_edge job_counts_while_waiting "
             "hpa_binary_memory hpa_per_pod_capped node_taints_at_once autoscaler_cordons "},
        {35, " devices_score terminating_replicas container_restart_rules "
             "hpa_configurable_tolerance hpa_ratio_capped hpa_needs_container "},
        {36, " pod_level_resize node_declared_features image_of_volumes balance_by_change "
             "hpa_zero_disables "},
        {99, " stateful_max_unavailable "},
    };
    /* On up to this version. */
    static const struct change until[] = {
        {26, " job_says_forget "},
        {27, " job_failure_is_error hpa_missing_is_idle "},
        {30, " unknown_resource_of_init "},
        {32, " hpa_absence_fails "},
    };
    static const size_t offsets[] = {
#define FEATURE(member, name, first, last, help) offsetof(struct features, member),
#define PATCHED(member, minor, patch)
#include "decide/features.def"
#undef FEATURE
#undef PATCHED
    };
    for (size_t i = 0; i < sizeof(kubernetes) / sizeof(*kubernetes); i++) {
        const char *member = kubernetes[i].member;
        const int first = minor_of(since, sizeof(since) / sizeof(*since), member);
        const int last = minor_of(until, sizeof(until) / sizeof(*until), member);
        if (first == 0 && last == 0)
            fail_msg("%s: no version is written down", member);
        for (int minor = FEATURES_MINOR_FIRST; minor <= FEATURES_MINOR_LAST; minor++) {
            const struct features features = features_of_version(minor);
            const bool on = *(const bool *)((const char *)&features + offsets[i]);
            if (on != (first > 0 ? minor >= first : minor <= last))
                fail_msg("%s is %s in 1.%d", member, on ? "on" : "off", minor);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_gates),
        cmocka_unit_test(test_patches),
        cmocka_unit_test(test_printed_versions),
        cmocka_unit_test(test_all_patches),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_changes),
    };
    return cmocka_run_group_tests_name("features", tests, set_up, tear_down);
}
