/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C plugins: forms, refusals, and the examples, each of which has to bring its objects
 * about in one round that nobody disturbs, to leave them alone in the next, and to
 * follow a change.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fathom/controller.h"
#include "reconcile/front/front_fixture.h"
#include "reconcile/front/plugin.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Forms ----------------------------------------------------------------------- */

static const struct fathom_controller nobody = {.name = "nobody"};

struct form_call {
    struct front front;
    struct controller_plugin plugin;
    struct plugin_call call;
};

static void form_set_up(struct form_call *form)
{
    front_set_up(&form->front);
    form->plugin = (struct controller_plugin){.table = &nobody};
    form->call = (struct plugin_call){.base = {&plugin_host},
                                      .plugin = &form->plugin,
                                      .arena = &form->front.arena,
                                      .problems = &form->front.problems,
                                      .function = "step"};
}

#define MAKE(form, ...)         \
    front_write(&(form)->front, \
                (const struct datum *)(const void *)fathom_make(&(form)->call.base, __VA_ARGS__))

static void test_forms(void **state)
{
    (void)state;
    struct form_call form;
    form_set_up(&form);
    const struct fathom_value *two = fathom_make(&form.call.base, "2");
    const struct fathom_value *version = plugin_value(datum_version(&form.front.arena, 7));
    assert_string_equal(MAKE(&form, "{b: 'x', \"a\": [1, -2.5, true, null_is_not_here, 3]}"),
                        "null");
    form.call.failed = false;
    assert_string_equal(MAKE(&form, "{b: 'x', \"a\": [1, -2.5, true, {}], c: null}"),
                        "{\"a\":[1,-2.5,true,{}],\"b\":\"x\"}");
    assert_string_equal(MAKE(&form, "{n: '%s-%v%%', v: %v, s: %s, d: %d, gone: %v}", "web", two,
                             version, "it's \"so\"", 5, NULL),
                        "{\"d\":5,\"n\":\"web-2%\",\"s\":\"it's \\\"so\\\"\",\"v\":{\"$rv\":7}}");
    assert_string_equal(MAKE(&form, "'a\\n\\u00e9\\\\'"), "\"a\\n\xc3\xa9\\\\\"");
    assert_false(form.call.failed);
    front_tear_down(&form.front);
}

static void test_forms_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *form;
        const char *message;
    } cases[] = {
        {"{a: 1", "expected ',' or '}' at \"\""},
        {"{a 1}", "expected ':' at \"1}\""},
        {"{: 1}", "expected a key at \": 1}\""},
        {"[1, 2", "expected ',' or ']' at \"\""},
        {"[%v]", "a list with an item that is null at \"]\""},
        {"'abc", "a string that does not end at \"\""},
        {"'a\\q'", "an unknown escape at \"q'\""},
        {"'%x'", "an unknown placeholder (%v, %s, %d and %% are known) at \"x'\""},
        {"%x", "an unknown placeholder (%v, %s and %d are known) at \"x\""},
        {"1 2", "something behind the value at \"2\""},
        {"1-2", "a number that is none at \"1-2\""},
        {"perhaps", "expected a value at \"perhaps\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct form_call form;
        form_set_up(&form);
        assert_null(fathom_make(&form.call.base, cases[i].form, NULL));
        assert_true(form.call.failed);
        assert_string_equal(front_problem(&form.front),
                            arena_printf(&form.front.arena,
                                         "step of nobody: the form that starts with \"%s\": %s",
                                         cases[i].form, cases[i].message));
        front_tear_down(&form.front);
    }
}

static void test_versions_are_not_texts(void **state)
{
    (void)state;
    struct form_call form;
    form_set_up(&form);
    assert_null(
        fathom_make(&form.call.base, "'v%v'", plugin_value(datum_version(&form.front.arena, 7))));
    assert_string_equal(front_problem(&form.front),
                        "step of nobody: a resource version or uid inside the text \"'v%v'\": it "
                        "can be copied and compared, so it has to be a value of its own");
    front_tear_down(&form.front);
}

static void test_paths_that_are_none(void **state)
{
    (void)state;
    struct form_call form;
    form_set_up(&form);
    assert_null(fathom_at(&form.call.base, NULL, "spec..x"));
    assert_string_equal(front_problem(&form.front), "step of nobody: \"spec..x\" is not a path");
    front_tear_down(&form.front);
}

/* --- The examples ------------------------------------------------------------------- */

static void test_rabbitmq(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    front_open(&front, front_file(&front, "examples/controller-rabbitmq/check.yaml"),
               "{plugin: rabbitmq.c}");
    assert_string_equal(front_problem(&front), "no problem");
    front_user(&front, API_CREATE,
               "{\"kind\":\"RabbitmqCluster\",\"metadata\":{\"name\":\"q\",\"namespace\":"
               "\"default\"},\"spec\":{\"replicas\":1,\"image\":\"rabbitmq:3\"}}");
    assert_false(front_matches(&front, "RabbitmqCluster", "q"));
    assert_string_equal(front_round(&front, "RabbitmqCluster", "q"), "done");
    assert_int_equal(front.writes, 10);
    assert_true(front_matches(&front, "RabbitmqCluster", "q"));
    assert_string_equal(front_round(&front, "RabbitmqCluster", "q"), "done");
    assert_int_equal(front.writes, 0);
    front_user(&front, API_UPDATE,
               "{\"kind\":\"RabbitmqCluster\",\"metadata\":{\"name\":\"q\",\"namespace\":"
               "\"default\"},\"spec\":{\"replicas\":3,\"image\":\"rabbitmq:3\"}}");
    assert_false(front_matches(&front, "RabbitmqCluster", "q"));
    assert_string_equal(front_round(&front, "RabbitmqCluster", "q"), "done");
    assert_int_equal(front.writes, 2); /* the server's configuration, the StatefulSet */
    assert_true(front_matches(&front, "RabbitmqCluster", "q"));
    const struct datum *set = front_find(&front, "StatefulSet", "q-server");
    assert_int_equal(datum_number(datum_at(set, "spec.replicas"), 0), 3);
    assert_true(datum_equal(
        datum_at(set, "spec.template.metadata.annotations.serverConfVersion"),
        datum_at(front_find(&front, "ConfigMap", "q-server-conf"), "metadata.resourceVersion")));
    front_tear_down(&front);
}

#define ZOOKEEPER(replicas)                                                                   \
    "{\"kind\":\"ZookeeperCluster\",\"metadata\":{\"name\":\"z\",\"namespace\":\"default\"}," \
    "\"spec\":{\"replicas\":" #replicas ",\"conf\":{\"syncLimit\":2,\"minSessionTimeout\":1," \
    "\"maxSessionTimeout\":9},\"ports\":{\"client\":2181}}}"

static void test_zookeeper(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    front_open(&front, front_file(&front, "examples/controller-zookeeper/check.yaml"),
               "{plugin: zookeeper.c}");
    assert_string_equal(front_problem(&front), "no problem");
    front_user(&front, API_CREATE, ZOOKEEPER(4));
    assert_string_equal(front_round(&front, "ZookeeperCluster", "z"), "done");
    assert_int_equal(front.writes, 6); /* five objects and the status */
    assert_true(front_matches(&front, "ZookeeperCluster", "z"));
    assert_null(front.external);
    front_user(&front, API_UPDATE, ZOOKEEPER(3));
    assert_string_equal(front_round(&front, "ZookeeperCluster", "z"), "done");
    assert_true(front_matches(&front, "ZookeeperCluster", "z"));
    assert_string_equal(
        datum_text(
            datum_at(front.external, "[\"default/z\"].nodes[\"/zookeeper-operator/z\"].data"), ""),
        "CLUSTER_SIZE=3");
    front_user(&front, API_UPDATE, ZOOKEEPER(5));
    assert_string_equal(front_round(&front, "ZookeeperCluster", "z"), "done");
    assert_string_equal(
        datum_text(
            datum_at(front.external, "[\"default/z\"].nodes[\"/zookeeper-operator/z\"].data"), ""),
        "CLUSTER_SIZE=5");
    assert_string_equal(front_round(&front, "ZookeeperCluster", "z"), "done");
    bool valid = true;
    const char *why = NULL;
    assert_true(front.controller.validate(&front.controller, &front.arena,
                                          front_read(&front, ZOOKEEPER(2)), &valid, &why,
                                          &front.problems));
    assert_false(valid);
    assert_string_equal(why, "spec.replicas: must be at least 3");
    front_tear_down(&front);
}

static void test_fluentbit(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    front_open(&front, front_file(&front, "examples/controller-fluentbit/check.yaml"),
               "{plugin: fluentbit.c}");
    assert_string_equal(front_problem(&front), "no problem");
    front_user(&front, API_CREATE,
               "{\"kind\":\"FluentBit\",\"metadata\":{\"name\":\"f\",\"namespace\":\"default\"},"
               "\"spec\":{\"fluentbitConfigName\":\"c\",\"image\":\"fluent-bit:2\",\"volumes\":[{"
               "\"name\":\"mine\"}]}}");
    const struct datum *cr = front_find(&front, "FluentBit", "f");
    struct object_list store = front_store(&front);
    bool desired = true;
    assert_true(front.controller.desired(&front.controller, &front.arena, &store, cr, &desired,
                                         &front.problems));
    assert_false(desired);
    assert_string_equal(front_round(&front, "FluentBit", "f"), "error");
    front_user(&front, API_CREATE,
               "{\"kind\":\"FluentBitConfig\",\"metadata\":{\"name\":\"c\",\"namespace\":"
               "\"default\"},\"spec\":{\"fluentbitConfig\":\"[SERVICE]\"}}");
    assert_string_equal(front_round(&front, "FluentBitConfig", "c"), "done");
    assert_true(front_matches(&front, "FluentBitConfig", "c"));
    store = front_store(&front);
    assert_true(front.controller.desired(&front.controller, &front.arena, &store, cr, &desired,
                                         &front.problems));
    assert_true(desired);
    assert_string_equal(front_round(&front, "FluentBit", "f"), "done");
    assert_int_equal(front.writes, 5);
    assert_true(front_matches(&front, "FluentBit", "f"));
    assert_string_equal(datum_text(datum_at(front_find(&front, "DaemonSet", "f"),
                                            "spec.template.spec.volumes[2].name"),
                                   ""),
                        "mine");
    front_tear_down(&front);
}

/* --- Refusals -------------------------------------------------------------------------- */

static char folder[] = "/tmp/fathom-plugin-test-XXXXXX";

static const char *write_file(struct front *front, const char *name, const char *content)
{
    const char *file = arena_printf(&front->arena, "%s/%s", folder, name);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs(content, stream);
    fclose(stream);
    return file;
}

static void test_plugins_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *source; /* NULL: no file */
        const char *name;
        const char *message; /* behind the folder */
    } cases[] = {
        {NULL, "absent.so", "absent.so: No such file or directory"},
        {"hello", "text.so", "text.so: cannot be loaded: "},
        {"int nothing;", "nothing.c", "nothing.c: has no symbol fathom_controller"},
        {"#include <fathom/controller.h>\n"
         "const struct fathom_controller fathom_controller = {.abi = 99};",
         "abi.c", "abi.c: made for version 99 of fathom/controller.h, this Fathom speaks"},
        {"#include <fathom/controller.h>\n"
         "const struct fathom_controller fathom_controller = {.abi = 1, .size = 9};",
         "size.c", "size.c: its fathom_controller has 9 bytes"},
        {"#include <fathom/controller.h>\n"
         "static const char *const kinds[] = {\"A\", NULL};\n"
         "const struct fathom_controller fathom_controller = {FATHOM_CONTROLLER_HEADER,\n"
         "    .name = \"a\", .custom_kinds = kinds};",
         "init.c", "init.c: its fathom_controller has no init"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct front front;
        front_set_up(&front);
        if (cases[i].source)
            write_file(&front, cases[i].name, cases[i].source);
        assert_false(front_open(&front, arena_printf(&front.arena, "%s/check.yaml", folder),
                                arena_printf(&front.arena, "{plugin: %s}", cases[i].name)));
        const char *expected =
            arena_printf(&front.arena, "%s/check.yaml:1:29: spec.controller.plugin: %s/%s", folder,
                         folder, cases[i].message);
        const char *found = front_problem(&front);
        if (strncmp(found, expected, strlen(expected)) != 0)
            assert_string_equal(found, expected);
        front_tear_down(&front);
    }
}

static void test_source_that_does_not_compile(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    const char *file =
        write_file(&front, "wrong.c", "#include <fathom/controller.h>\nint x = y;\n");
    assert_false(front_open(&front, arena_printf(&front.arena, "%s/check.yaml", folder),
                            "{plugin: wrong.c}"));
    const char *expected = arena_printf(&front.arena, "%s:2:9: ", file);
    assert_memory_equal(front_problem(&front), expected, strlen(expected));
    assert_int_equal(front.problems.count, 2);
    front_tear_down(&front);
}

/* How many shared objects the cache holds. */
static int cached(struct front *front)
{
    DIR *entries = opendir(arena_printf(&front->arena, "%s/fathom/plugins", folder));
    int count = 0;
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries))
        count += strstr(entry->d_name, ".so") != NULL;
    if (entries)
        closedir(entries);
    return count;
}

static const char *const small_plugin =
    "#include <fathom/controller.h>\n#include \"part.h\"\n"
    "static const char *const kinds[] = {KIND, NULL};\n"
    "static const struct fathom_value *init(struct fathom_call *call) { return fathom_make(call, "
    "\"%d\", 5); }\n"
    "static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,\n"
    "    const struct fathom_response *response, const struct fathom_value *local)\n"
    "{ (void)cr; (void)response; (void)local; fathom_fail(call, \"no %s\", \"idea\");\n"
    "  return (struct fathom_answer){0}; }\n"
    "static enum fathom_status status(struct fathom_call *call, const struct fathom_value *local)\n"
    "{ (void)call; (void)local; return FATHOM_RUNNING; }\n"
    "const struct fathom_controller fathom_controller = {FATHOM_CONTROLLER_HEADER, .name = "
    "\"small\",\n"
    "    .custom_kinds = kinds, .init = init, .step = step, .status = status};\n";

static void open_small(struct front *front, const char *kind)
{
    front_set_up(front);
    write_file(front, "part.h", arena_printf(&front->arena, "#define KIND \"%s\"\n", kind));
    write_file(front, "small.c", small_plugin);
    front_open(front, arena_printf(&front->arena, "%s/check.yaml", folder), "{plugin: small.c}");
    assert_string_equal(front_problem(front), "no problem");
    assert_string_equal(front->controller.custom_kinds[0], kind);
}

/* A plugin is compiled again when something that it includes has changed, and only then;
 * a folder that others can write to is not used. */
static void test_cache(void **state)
{
    (void)state;
    struct front front;
    open_small(&front, "A");
    int before = cached(&front);
    front_tear_down(&front);
    open_small(&front, "B");
    assert_int_equal(cached(&front), before + 1);
    front_tear_down(&front);
    open_small(&front, "A");
    assert_int_equal(cached(&front), before + 1);
    const char *plugins = arena_printf(&front.arena, "%s/fathom/plugins", folder);
    assert_int_equal(chmod(plugins, 0777), 0);
    front_tear_down(&front);
    open_small(&front, "C");
    assert_int_equal(cached(&front), before + 1);
    assert_int_equal(chmod(arena_printf(&front.arena, "%s/fathom/plugins", folder), 0700), 0);
    front_tear_down(&front);
}

/* A plugin that gives up says why, and the round fails. */
static void test_gives_up(void **state)
{
    (void)state;
    struct front front;
    open_small(&front, "A");
    front_user(&front, API_CREATE,
               "{\"kind\":\"A\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}}");
    assert_string_equal(front_round(&front, "A", "a"), "failed");
    assert_string_equal(
        front_problem(&front),
        arena_printf(&front.arena,
                     "%s/check.yaml:1:29: spec.controller.plugin: step of small: no "
                     "idea",
                     folder));
    front_tear_down(&front);
}

static int folder_set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    return setenv("XDG_CACHE_HOME", folder, 1);
}

static int folder_tear_down(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command); /* NOLINT: a folder of our own */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_forms_that_are_none),
        cmocka_unit_test(test_versions_are_not_texts),
        cmocka_unit_test(test_paths_that_are_none),
        cmocka_unit_test(test_rabbitmq),
        cmocka_unit_test(test_zookeeper),
        cmocka_unit_test(test_fluentbit),
        cmocka_unit_test(test_plugins_that_are_none),
        cmocka_unit_test(test_source_that_does_not_compile),
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_gives_up),
    };
    return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
