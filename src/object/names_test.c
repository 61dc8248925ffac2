/* SPDX-License-Identifier: Apache-2.0 */
/* Names at the borders of what Kubernetes accepts. */
#include "object/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define X63 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static const struct {
    const char *text;
    bool label, subdomain, label_1035, qualified, value, port;
} cases[] = {
    /*  text                 label  subdom 1035   qualif value  port */
    {"web", true, true, true, true, true, true},
    {"web-1", true, true, true, true, true, true},
    {"1web", true, true, false, true, true, true},
    {"8080", true, true, false, true, true, false},
    {"", false, false, false, false, true, false},
    {"-web", false, false, false, false, false, false},
    {"web-", false, false, false, false, false, false},
    {"web--1", true, true, true, true, true, false},
    {"Web", false, false, false, true, true, false},
    {"web_1", false, false, false, true, true, false},
    {"web.example", false, true, false, true, true, false},
    {"web..example", false, false, false, true, true, false},
    {"web.example.", false, false, false, false, false, false},
    {"example.com/App_1", false, false, false, true, false, false},
    {"example.com/", false, false, false, false, false, false},
    {"/app", false, false, false, false, false, false},
    {"a/b/c", false, false, false, false, false, false},
    {"Example.com/app", false, false, false, false, false, false},
    {X63, true, true, true, true, true, false},
    {X63 "x", false, true, false, false, false, false},
    {X63 "/" X63, false, false, false, true, false, false},
    {X63 "." X63 "." X63 "." X63, false, false, false, false, false, false},
    {"exactly-fifteen", true, true, true, true, true, true},
    {"sixteen-letters-", false, false, false, false, false, false},
    {"w\xC3\xA9"
     "b",
     false, false, false, false, false, false},
};

static void names_are_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *text = cases[i].text;
        if (name_is_dns_label(text) != cases[i].label ||
            name_is_dns_subdomain(text) != cases[i].subdomain ||
            name_is_dns_1035_label(text) != cases[i].label_1035 ||
            name_is_qualified(text) != cases[i].qualified ||
            name_is_label_value(text) != cases[i].value || name_is_port_name(text) != cases[i].port)
            fail_msg("\"%s\"", text);
    }
}

static void sets_know_few_and_many_names(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    struct memory memory;
    struct arena arena;
    struct name_set set;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    name_set_init(&set, &arena);
    for (int i = 0; i < COUNT; i++) {
        const char *name = arena_printf(&arena, "n%d", i);
        assert_false(name_set_has(&set, name));
        assert_true(name_set_add(&set, name));
        for (int k = 0; k <= i; k++)
            assert_false(name_set_add(&set, arena_printf(&arena, "n%d", k)));
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_told_apart),
        cmocka_unit_test(sets_know_few_and_many_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
