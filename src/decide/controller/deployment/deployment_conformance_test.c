/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every recorded sync of the Deployment controller of v1.26 and of v1.33 to v1.36 is decided alike,
 * rollouts of many syncs included. The name of a created ReplicaSet holds a
 * hash of Go's memory layout of the template; such sets are recognised by
 * their image instead.
 */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What the set is called in both: its image, or its name if it is gone. */
static const char *image_of(const struct value *step, const char *name, size_t length)
{
    const struct value *sets = value_find(step, "replicaSets");
    for (uint32_t i = 0; sets && i < sets->count; i++) {
        const char *other = value_find_string(&sets->items[i], "name");
        if (other && strlen(other) == length && strncmp(other, name, length) == 0)
            return value_find_string(&sets->items[i], "image");
    }
    return name;
}

static bool same_actions(const struct value *recorded, const struct value *found)
{
    const struct value *left = value_find(recorded, "actions");
    const struct value *right = value_find(found, "actions");
    if (!left || !right || left->count != right->count)
        return false;
    for (uint32_t i = 0; i < left->count; i++) {
        const char *a = value_find_string(&left->items[i], "rs");
        const char *b = value_find_string(&right->items[i], "rs");
        if (!a || !b ||
            strcmp(image_of(recorded, a, strlen(a)), image_of(found, b, strlen(b))) != 0)
            return false;
        static const char *const fields[] = {"verb", "from", "to"};
        for (size_t f = 0; f < sizeof(fields) / sizeof(*fields); f++)
            if (!conformance_equal(value_find(&left->items[i], fields[f]),
                                   value_find(&right->items[i], fields[f])))
                return false;
    }
    return true;
}

/* "... replica set NAME to 3 from 2": the texts around the name, and the name. */
static bool same_events(const struct value *recorded, const struct value *found)
{
    static const char before[] = "replica set ";
    const struct value *left = value_find(recorded, "events");
    const struct value *right = value_find(found, "events");
    if (!left || !right || left->count != right->count)
        return false;
    for (uint32_t i = 0; i < left->count; i++) {
        const char *a = strstr(left->items[i].text, before);
        const char *b = strstr(right->items[i].text, before);
        if (!a || !b || a - left->items[i].text != b - right->items[i].text ||
            strncmp(left->items[i].text, right->items[i].text, (size_t)(a - left->items[i].text)) !=
                0)
            return false;
        a += strlen(before);
        b += strlen(before);
        const size_t a_length = strcspn(a, " ");
        const size_t b_length = strcspn(b, " ");
        const char *a_name = image_of(recorded, a, a_length);
        const char *b_name = image_of(found, b, b_length);
        if (strcmp(a_name, b_name) != 0 || strcmp(a + a_length, b + b_length) != 0)
            return false;
    }
    return true;
}

static bool same_sets(const struct value *recorded, const struct value *found)
{
    static const char *const fields[] = {"image", "replicas", "revision", "desiredAnnotation",
                                         "maxAnnotation"};
    const struct value *left = value_find(recorded, "replicaSets");
    const struct value *right = value_find(found, "replicaSets");
    if (!left || !right || left->count != right->count)
        return false;
    for (uint32_t i = 0; i < left->count; i++) {
        bool matched = false;
        for (uint32_t j = 0; j < right->count && !matched; j++) {
            matched = true;
            for (size_t f = 0; f < sizeof(fields) / sizeof(*fields); f++)
                matched = matched && conformance_equal(value_find(&left->items[i], fields[f]),
                                                       value_find(&right->items[j], fields[f]));
        }
        if (!matched)
            return false;
    }
    return true;
}

static bool same_step(const struct value *recorded, const struct value *found)
{
    return same_actions(recorded, found) && same_sets(recorded, found) &&
           same_events(recorded, found) &&
           conformance_equal(value_find(recorded, "status"), value_find(found, "status"));
}

static bool same(const struct value *recorded, const struct value *found)
{
    const struct value *left = value_find(recorded, "steps");
    const struct value *right = value_find(found, "steps");
    if (!left)
        return same_step(recorded, found);
    if (!right || left->count != right->count)
        return false;
    for (uint32_t i = 0; i < left->count; i++)
        if (!same_step(&left->items[i], &right->items[i]))
            return false;
    return true;
}

static void recorded_syncs(void **state)
{
    (void)state;
    assert_true(conformance_versions(&decider_deployment, "deployment", 420, 420, same));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_syncs),
    };
    return cmocka_run_group_tests_name("deployment conformance", tests, NULL, NULL);
}
