/* SPDX-License-Identifier: Apache-2.0 */
/* docs/expressions.md lists every name and every field that expressions can ask for. */
#include "cluster/ask/expression_cluster.h"

#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAGE_BYTES_MOST = 1 << 16 };

static const char *read_page(void)
{
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    assert_non_null(root);
    FILE *file = fopen(arena_printf(&arena, "%s/docs/expressions.md", root), "rb");
    assert_non_null(file);
    char *page = arena_allocate(&arena, PAGE_BYTES_MOST);
    assert_true(fread(page, 1, PAGE_BYTES_MOST - 1, file) > 0);
    fclose(file);
    return page;
}

static void assert_listed(const char *page, const char *name, const char *of)
{
    if (!strstr(page, arena_printf(&arena, "`%s`", name)))
        fail_msg("%s of a %s is missing in docs/expressions.md", name, of);
}

static void everything_is_documented(void **state)
{
    const char *page = read_page();
    const struct expression_cluster cluster = expression_cluster(NULL, NULL, NULL);
    const struct expression_class *const classes[] = {
        cluster.classes->pod,      cluster.classes->node,       cluster.classes->taint,
        cluster.classes->zone,     cluster.classes->autoscaler, cluster.classes->budget,
        cluster.classes->workload, cluster.classes->event};
    (void)state;
    for (uint32_t i = 0; i < cluster_environment.variable_count; i++)
        assert_listed(page, cluster_environment.variables[i].name, "cluster");
    for (size_t c = 0; c < sizeof(classes) / sizeof(classes[0]); c++)
        for (uint32_t i = 0; i < classes[c]->field_count; i++)
            assert_listed(page, classes[c]->fields[i].name, classes[c]->name);
}

/* What a field would be called elsewhere is no field, and says what to ask instead. */
static void what_is_missing_is_no_field(void **state)
{
    const struct expression_cluster cluster = expression_cluster(NULL, NULL, NULL);
    const struct expression_class *const classes[] = {cluster.classes->pod, cluster.classes->node};
    (void)state;
    for (size_t c = 0; c < 2; c++)
        for (uint32_t i = 0; i < classes[c]->missing_count; i++) {
            assert_null(expression_class_find(classes[c], classes[c]->missing[i].name));
            assert_true(strlen(classes[c]->missing[i].instead) > 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_documented),
                                       cmocka_unit_test(what_is_missing_is_no_field)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
