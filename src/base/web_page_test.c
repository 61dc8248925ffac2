/* SPDX-License-Identifier: Apache-2.0 */
#include "base/web_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void only_names_that_nobody_can_own_are_local(void **state)
{
    static const struct {
        const char *host;
        bool local;
    } cases[] = {
        {NULL, true},
        {"", true},
        {"localhost", true},
        {"LocalHost:8080", true},
        {"127.0.0.1", true},
        {"127.0.0.1:7788", true},
        {"192.0.2.7:7788", true},
        {"[::1]", true},
        {"[::1]:7788", true},
        {"evil.example", false},
        {"localhost.evil.example", false},
        {"localhost:evil.example", false},
        {"localhost:80:80", false},
        {"127.0.0.1.evil.example", false},
        {"127.0.0.1:80.evil.example", false},
        {"127.1", false},
        {"::1", false},
        {"[::1", false},
        {"[::1].evil.example", false},
        {"[localhost]", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        if (web_host_is_local(cases[i].host) != cases[i].local)
            fail_msg("%s", cases[i].host);
}

static void only_pages_of_the_server_are_its_own(void **state)
{
    static const struct {
        const char *origin;
        const char *host;
        bool own;
    } cases[] = {
        {NULL, "localhost:80", true},
        {"", "localhost:80", true},
        {"http://localhost:7788", "localhost:7788", true},
        {"https://LOCALHOST:7788", "localhost:7788", true},
        {"http://localhost:7789", "localhost:7788", false},
        {"http://evil.example", "localhost:7788", false},
        {"http://localhost:7788.evil.example", "localhost:7788", false},
        {"null", "localhost:7788", false},
        {"null", "null", false},
        {"file://localhost", "localhost", false},
        {"http://", "", false},
        {"http://localhost", NULL, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        if (web_origin_is_own(cases[i].origin, cases[i].host) != cases[i].own)
            fail_msg("%s", cases[i].origin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_names_that_nobody_can_own_are_local),
        cmocka_unit_test(only_pages_of_the_server_are_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
