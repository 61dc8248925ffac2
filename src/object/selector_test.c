/* SPDX-License-Identifier: Apache-2.0 */
/* Every operator against keys that are there, absent and odd; and the lookups
 * in metadata that selectors stand on. */
#include "object/selector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct label node_labels[] = {
    {"big", "9223372036854775808"},
    {"cores", "8"},
    {"empty", ""},
    {"minus", "-3"},
    {"plus", "+5"},
    {"spaced", " 8 "},
    {"zone", "a"},
};
static const struct labels labels = {node_labels, 7};

#define VALUES(...)                                                                           \
    {                                                                                         \
        (const char *[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *) \
    }
#define NO_VALUES \
    {             \
        NULL, 0   \
    }

static void operators(void **state)
{
    (void)state;
    const struct {
        struct selector_requirement requirement;
        bool matches;
    } cases[] = {
        {{"zone", SELECTOR_IN, VALUES("a")}, true},
        {{"zone", SELECTOR_IN, VALUES("b", "a")}, true},
        {{"zone", SELECTOR_IN, VALUES("b", "c")}, false},
        {{"zone", SELECTOR_IN, VALUES("A")}, false},
        {{"zone", SELECTOR_IN, NO_VALUES}, false},
        {{"empty", SELECTOR_IN, VALUES("")}, true},
        {{"absent", SELECTOR_IN, VALUES("")}, false},
        {{"zone", SELECTOR_NOT_IN, VALUES("a", "b")}, false},
        {{"zone", SELECTOR_NOT_IN, VALUES("b")}, true},
        {{"absent", SELECTOR_NOT_IN, VALUES("b")}, true},
        {{"empty", SELECTOR_EXISTS, NO_VALUES}, true},
        {{"absent", SELECTOR_EXISTS, NO_VALUES}, false},
        {{"empty", SELECTOR_DOES_NOT_EXIST, NO_VALUES}, false},
        {{"absent", SELECTOR_DOES_NOT_EXIST, NO_VALUES}, true},
        {{"cores", SELECTOR_GREATER_THAN, VALUES("7")}, true},
        {{"cores", SELECTOR_GREATER_THAN, VALUES("8")}, false},
        {{"cores", SELECTOR_LESS_THAN, VALUES("9")}, true},
        {{"cores", SELECTOR_LESS_THAN, VALUES("8")}, false},
        {{"cores", SELECTOR_LESS_THAN, VALUES("10")}, true},
        {{"minus", SELECTOR_LESS_THAN, VALUES("-2")}, true},
        {{"minus", SELECTOR_GREATER_THAN, VALUES("-4")}, true},
        {{"plus", SELECTOR_GREATER_THAN, VALUES("4")}, true},
        {{"absent", SELECTOR_GREATER_THAN, VALUES("0")}, false},
        {{"absent", SELECTOR_LESS_THAN, VALUES("0")}, false},
        {{"zone", SELECTOR_GREATER_THAN, VALUES("0")}, false},
        {{"zone", SELECTOR_LESS_THAN, VALUES("0")}, false},
        {{"empty", SELECTOR_LESS_THAN, VALUES("1")}, false},
        {{"spaced", SELECTOR_LESS_THAN, VALUES("9")}, false},
        {{"big", SELECTOR_GREATER_THAN, VALUES("0")}, false},
        {{"cores", SELECTOR_GREATER_THAN, VALUES("x")}, false},
        {{"cores", SELECTOR_GREATER_THAN, VALUES("1.5")}, false},
        {{"cores", SELECTOR_GREATER_THAN, VALUES("1", "2")}, false},
        {{"cores", SELECTOR_GREATER_THAN, NO_VALUES}, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (selector_requirement_matches(&cases[i].requirement, &labels) != cases[i].matches)
            fail_msg("case %zu: %s", i, cases[i].requirement.key);
}

static void label_selectors(void **state)
{
    (void)state;
    struct selector_requirement exists = {"cores", SELECTOR_EXISTS, NO_VALUES};
    struct selector_requirement absent = {"cores", SELECTOR_DOES_NOT_EXIST, NO_VALUES};
    struct label zone_a = {"zone", "a"};
    struct label zone_b = {"zone", "b"};
    struct label missing = {"missing", ""};
    const struct labels none = {NULL, 0};
    const struct label_selector empty = {0};
    assert_true(label_selector_matches(&empty, &labels));
    assert_true(label_selector_matches(&empty, &none));
    const struct {
        struct label_selector selector;
        bool matches;
    } cases[] = {
        {{{&zone_a, 1}, NULL, 0}, true},     {{{&zone_b, 1}, NULL, 0}, false},
        {{{&missing, 1}, NULL, 0}, false},   {{{&zone_a, 1}, &exists, 1}, true},
        {{{&zone_a, 1}, &absent, 1}, false}, {{{&zone_b, 1}, &exists, 1}, false},
        {{{NULL, 0}, &exists, 1}, true},     {{{NULL, 0}, &absent, 1}, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(label_selector_matches(&cases[i].selector, &labels), cases[i].matches);
    assert_true(label_selector_matches(&(struct label_selector){{NULL, 0}, &absent, 1}, &none));
}

static void node_selectors(void **state)
{
    (void)state;
    struct selector_requirement zone_a = {"zone", SELECTOR_IN, VALUES("a")};
    struct selector_requirement zone_b = {"zone", SELECTOR_IN, VALUES("b")};
    struct selector_requirement is_n1 = {"metadata.name", SELECTOR_IN, VALUES("n1")};
    struct selector_requirement not_n1 = {"metadata.name", SELECTOR_NOT_IN, VALUES("n1")};
    struct selector_requirement two = {"metadata.name", SELECTOR_IN, VALUES("n1", "n2")};
    struct selector_requirement exists = {"metadata.name", SELECTOR_EXISTS, VALUES("n1")};
    struct selector_requirement other = {"metadata.uid", SELECTOR_NOT_IN, VALUES("n1")};
    const struct {
        const char *name;
        struct node_selector_term term;
        const char *node;
        bool matches;
    } cases[] = {
        {"an empty term matches nothing", {NULL, 0, NULL, 0}, "n1", false},
        {"a label", {&zone_a, 1, NULL, 0}, "n1", true},
        {"another label", {&zone_b, 1, NULL, 0}, "n1", false},
        {"the name", {NULL, 0, &is_n1, 1}, "n1", true},
        {"another name", {NULL, 0, &is_n1, 1}, "n2", false},
        {"not the name", {NULL, 0, &not_n1, 1}, "n1", false},
        {"not another name", {NULL, 0, &not_n1, 1}, "n2", true},
        {"label and name", {&zone_a, 1, &is_n1, 1}, "n1", true},
        {"label but not name", {&zone_a, 1, &is_n1, 1}, "n2", false},
        {"name but not label", {&zone_b, 1, &is_n1, 1}, "n1", false},
        {"two names are an error", {NULL, 0, &two, 1}, "n1", false},
        {"a field cannot just exist", {NULL, 0, &exists, 1}, "n1", false},
        {"no field but the name", {NULL, 0, &other, 1}, "n1", false},
        {"a node without a name has no fields", {&zone_a, 1, &is_n1, 1}, "", true},
        {"nor has one that is not known", {NULL, 0, &is_n1, 1}, NULL, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (node_selector_term_matches(&cases[i].term, &labels, cases[i].node) != cases[i].matches)
            fail_msg("%s", cases[i].name);

    struct node_selector_term terms[] = {{&zone_b, 1, NULL, 0}, {NULL, 0, &is_n1, 1}};
    assert_true(node_selector_matches(&(struct node_selector){terms, 2}, &labels, "n1"));
    assert_false(node_selector_matches(&(struct node_selector){terms, 2}, &labels, "n2"));
    assert_false(node_selector_matches(&(struct node_selector){NULL, 0}, &labels, "n1"));
}

static void labels_are_found(void **state)
{
    (void)state;
    for (uint32_t count = 0; count <= labels.count; count++) {
        struct labels some = {node_labels, count};
        for (uint32_t i = 0; i < labels.count; i++)
            assert_ptr_equal(labels_find(&some, node_labels[i].key),
                             i < count ? node_labels[i].value : NULL);
        assert_null(labels_find(&some, ""));
        assert_null(labels_find(&some, "coresx"));
        assert_null(labels_find(&some, "zz"));
    }
}

static void controllers_and_conditions_are_found(void **state)
{
    (void)state;
    struct owner_reference owners[] = {{.name = "a"}, {.name = "b", .controller = true}};
    struct object_meta meta = {.owners = owners, .owner_count = 2};
    assert_ptr_equal(object_meta_controller(&meta), &owners[1]);
    meta.owner_count = 1;
    assert_null(object_meta_controller(&meta));

    struct condition items[] = {{.type = "Ready"}, {.type = "DiskPressure"}};
    struct conditions conditions = {items, 2};
    assert_ptr_equal(conditions_find(&conditions, "DiskPressure"), &items[1]);
    assert_null(conditions_find(&conditions, "ready"));
}

static void numbers_and_percentages(void **state)
{
    (void)state;
    static const struct {
        struct int_or_percent value;
        int64_t total;
        int64_t up;
        int64_t down;
    } cases[] = {
        {{false, true, 50}, 10, 0, 0},
        {{true, false, 3}, 10, 3, 3},
        {{true, false, -3}, 10, -3, -3},
        {{true, true, 25}, 10, 3, 2},
        {{true, true, 25}, 4, 1, 1},
        {{true, true, 0}, 10, 0, 0},
        {{true, true, 1}, 1, 1, 0},
        {{true, true, 100}, 7, 7, 7},
        {{true, true, 150}, 3, 5, 4},
        {{true, true, 33}, 100, 33, 33},
        {{true, true, 29}, 100, 29, 29},
        {{true, true, 50}, 0, 0, 0},
        {{true, true, -25}, 10, -2, -3},
        /* float64 has no ...206.09 */
        {{true, true, INT32_MAX},
         INT32_MAX,
         INT64_C(46116860141324208),
         INT64_C(46116860141324208)},
        {{true, true, INT64_MAX}, INT64_MAX, INT64_MAX, INT64_MAX},
        {{true, true, INT64_MIN}, INT64_MAX, INT64_MIN, INT64_MIN},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(int_or_percent_of(cases[i].value, cases[i].total, true), cases[i].up);
        assert_int_equal(int_or_percent_of(cases[i].value, cases[i].total, false), cases[i].down);
    }
    /* Against whole-number arithmetic wherever float64 is exact. */
    for (int64_t percent = 0; percent <= 200; percent++) {
        for (int64_t total = 0; total <= 300; total++) {
            struct int_or_percent value = {true, true, percent};
            assert_int_equal(int_or_percent_of(value, total, true), (percent * total + 99) / 100);
            assert_int_equal(int_or_percent_of(value, total, false), percent * total / 100);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators),
        cmocka_unit_test(label_selectors),
        cmocka_unit_test(node_selectors),
        cmocka_unit_test(labels_are_found),
        cmocka_unit_test(controllers_and_conditions_are_found),
        cmocka_unit_test(numbers_and_percentages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
