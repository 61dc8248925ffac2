/* SPDX-License-Identifier: Apache-2.0 */
/* Goal: documents of a kind become units with the objects that belong to them, and what is
 * missing or wrong is told as the kind says. Method: a folder made for each case; a unit is
 * told as its name and its objects. */
#include "object/input.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define CHECK(name, rest) \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: " name "}\nspec: {" rest "}\n"
#define SPACE(name) "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: " name "}\n"

static const struct input_kind checks = {
    .kind = "Check",
    .takes_manifests = true,
    .nothing_given = "nothing is given",
    .none_in_file = "no Check here",
    .order = INPUT_SORTED_ONCE,
};

static const struct input_kind documents_alone = {
    .kind = "Check",
    .of_any_version = true,
    .none_in_file = "no Check here",
    .none_found = "no Check anywhere",
};

static const struct input_kind all_objects = {
    .takes_manifests = true,
    .nothing_given = "nothing is given",
    .order = INPUT_SORTED,
};

static const struct input_kind listed = {
    .takes_manifests = true,
    .as_kubectl = true,
    .nothing_given = "nothing is given",
    .order = INPUT_SORTED,
};

static int enter_folder(void **state)
{
    char *folder = strdup("/tmp/fathom-input-XXXXXX");
    *state = folder;
    return folder && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof(command), "rm -rf '%s'", (const char *)*state);
    free(*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void write_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void tell_unit(const struct input_unit *unit, struct text *text)
{
    text_printf(text, "%s:", unit->name);
    for (uint32_t i = 0; i < unit->objects.count; i++)
        text_printf(text, " %s", unit->objects.items[i].meta->name);
    text_append_string(text, unit->root ? "\n" : " (alone)\n");
}

/* `expected` has a line for each unit, then a line for each problem. */
static void check_input(const struct input_kind *kind, const char *file, const char *manifests,
                        bool strict, const char *expected)
{
    struct memory memory;
    struct arena arena;
    struct input input;
    struct problems problems;
    struct text text;
    const struct input_paths paths = {
        .files = &(struct input_path){.name = file},
        .file_count = file ? 1 : 0,
        .manifests = &(struct input_path){.name = manifests},
        .manifest_count = manifests ? 1 : 0,
    };
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    text_init(&text, &memory);
    const bool good = input_read(&arena, kind, &paths, &input);
    input_problems(&arena, kind, &input, strict, &problems);
    for (uint32_t i = 0; i < input.units.count; i++)
        tell_unit(&input.units.items[i], &text);
    for (uint32_t i = 0; i < problems.count; i++)
        text_printf(&text, "%s\n", problem_format(&arena, &problems.items[i]));
    assert_string_equal(text_content(&text), expected);
    assert_true(good || problems.errors > 0);
    assert_true(!good || strict || problems.errors == 0);
    text_release(&text);
    arena_release(&arena);
}

static void a_unit_has_what_stands_beside_it_and_what_is_given(void **state)
{
    (void)state;
    write_file("two.yaml", CHECK("a", "") "---\n" CHECK("b", "") SPACE("beside"));
    write_file("more.yaml", SPACE("more"));
    check_input(&checks, "two.yaml", "more.yaml", false, "a: a beside more\nb: b beside more\n");
    check_input(&checks, NULL, "two.yaml", false, "a: a beside\nb: b beside\n");
}

/* Named files are relative to the Check's; one that was read already is not read again. */
static void named_manifests_are_read_once(void **state)
{
    (void)state;
    write_file("check.yaml", CHECK("a", "manifests: [named.yaml]"));
    write_file("named.yaml", SPACE("named"));
    check_input(&checks, "check.yaml", NULL, false, "a: a named\n");
    check_input(&checks, "./check.yaml", "named.yaml", false, "a: a named\n");
}

static void manifests_alone_are_a_unit_where_that_is_allowed(void **state)
{
    (void)state;
    write_file("more.yaml", SPACE("more"));
    write_file("empty.yaml", "apiVersion: v1\nkind: List\nitems: []\n");
    check_input(&checks, NULL, "more.yaml", false, "manifests: more (alone)\n");
    check_input(&checks, NULL, "empty.yaml", false, "empty.yaml: contains no objects\n");
    check_input(&documents_alone, NULL, "more.yaml", false, "no Check anywhere\n");
}

static void what_is_missing_is_told_as_the_kind_says(void **state)
{
    (void)state;
    write_file("more.yaml", SPACE("more"));
    check_input(&checks, NULL, NULL, false, "nothing is given\n");
    check_input(&checks, "more.yaml", NULL, false, "more.yaml: no Check here\n");
    check_input(&documents_alone, NULL, NULL, false, "no Check anywhere\n");
}

/* Only `fathom/...` is ours, unless the kind takes any; the document alone is not decoded. */
static void documents_are_known_by_kind_and_version(void **state)
{
    (void)state;
    write_file("other.yaml", "apiVersion: example.com/v1\nkind: Check\nmetadata: {name: a}\n");
    check_input(&checks, "other.yaml", NULL, false, "other.yaml: no Check here\n");
    check_input(&documents_alone, "other.yaml", NULL, false, "manifests:\n");
}

static void without_a_kind_all_objects_are_one_unit(void **state)
{
    (void)state;
    write_file("all.yaml", CHECK("a", "") SPACE("more"));
    write_file("bad.yaml", SPACE("good") "---\n{\n");
    check_input(&all_objects, NULL, "all.yaml", false, "manifests: a more (alone)\n");
    check_input(&all_objects, NULL, "bad.yaml", false,
                "manifests: good (alone)\n"
                "bad.yaml:7:1: expected a value\n");
}

/* The last of several objects counts, unless a Check is there, for which they are written. */
static void objects_are_listed_as_kubectl_takes_them(void **state)
{
    (void)state;
    write_file("all.yaml", SPACE("a") SPACE("more") SPACE("a") "---\nreplicas: 3\n");
    check_input(&listed, NULL, "all.yaml", false,
                "manifests: more a (alone)\n"
                "all.yaml:14:1: warning: no manifest (there is neither apiVersion nor kind): left "
                "out\n");
    write_file("check.yaml", CHECK("c", "") SPACE("a") SPACE("a"));
    check_input(&listed, NULL, "check.yaml", false,
                "manifests: c a (alone)\n"
                "check.yaml:10:1: metadata.name: expected each object once, found Namespace a "
                "again after check.yaml:6:1\n");
}

/* A problem that two units have is one problem; strict makes errors of warnings. */
static void problems_are_told_once(void **state)
{
    (void)state;
    write_file("two.yaml", CHECK("a", "") "---\n" CHECK("b", ""));
    write_file("more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n");
    check_input(&checks, "two.yaml", "more.yaml", false,
                "a: a c\nb: b c\nmore.yaml:2:7: warning: kind: ConfigMap is not modelled; the "
                "object is left out\n");
    check_input(&checks, "two.yaml", "more.yaml", true,
                "a: a c\nb: b c\nmore.yaml:2:7: kind: ConfigMap is not modelled; the object is "
                "left out\n");
}

/* What changes no verdict is no error with strict either. */
static void remarks_are_no_errors(void **state)
{
    (void)state;
    write_file("all.yaml", "{scripts: {test: jest}}\n" SPACE("more") "---\n- a\n");
    check_input(&checks, NULL, "all.yaml", true,
                "manifests: more (alone)\n"
                "all.yaml:1:1: warning: no manifest (there is neither apiVersion nor kind): left "
                "out\n"
                "all.yaml:7:1: warning: no manifest (expected an object, found a list): left "
                "out\n");
    write_file("list.yaml", SPACE("more") "---\n- {kind: Node}\n");
    check_input(&checks, NULL, "list.yaml", true,
                "manifests: more (alone)\n"
                "list.yaml:6:1: no manifest (expected an object, found a list): left out\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_unit_has_what_stands_beside_it_and_what_is_given,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(named_manifests_are_read_once, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(manifests_alone_are_a_unit_where_that_is_allowed,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(what_is_missing_is_told_as_the_kind_says, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(documents_are_known_by_kind_and_version, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(without_a_kind_all_objects_are_one_unit, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(objects_are_listed_as_kubectl_takes_them, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(problems_are_told_once, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(remarks_are_no_errors, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
