/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that speak JSON lines: the protocol, spoken by shell scripts that know one
 * answer to each kind of question, and everything that such a program can do wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "reconcile/front/front_fixture.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char folder[] = "/tmp/fathom-program-test-XXXXXX";

/* A shell script with one `case` for each answer; what it does not know ends it. */
static bool open_script(struct front *front, const char *cases)
{
    const char *file = arena_printf(&front->arena, "%s/script.sh", folder);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fprintf(stream,
            "while IFS= read -r line; do\n"
            "printf '%%s\\n' \"$line\" >>asked\n"
            "case $line in\n%s*) echo 'what is this?' >&2; exit 3;;\nesac\ndone\n",
            cases);
    fclose(stream);
    return front_open(front, arena_printf(&front->arena, "%s/check.yaml", folder),
                      "{command: [sh, script.sh]}");
}

#define INIT   "*'\"init\"'*) echo '{\"local\": {\"at\": 1}}';;\n"
#define STATUS "*'\"status\"'*) echo '{\"done\":false,\"error\":true}';;\n"

static const char *const custom_resource =
    "{\"kind\":\"C\",\"metadata\":{\"name\":\"c\",\"namespace\":\"default\"},\"spec\":{}}";

/* What the script was asked last. */
static const char *last_question(struct front *front)
{
    const char *file = arena_printf(&front->arena, "%s/asked", folder);
    FILE *stream = fopen(file, "r");
    assert_non_null(stream);
    static char line[4096];
    char *last = line;
    while (fgets(last, sizeof line, stream))
        continue;
    fclose(stream);
    last[strcspn(last, "\n")] = '\0';
    return last;
}

/* --- The protocol --------------------------------------------------------------- */

struct step_case {
    const char *answer;
    const char *message; /* NULL: none; else how it ends, before "; it was asked" */
    enum api_verb verb;
    const char *kind, *name_space, *name, *object;
};

static bool step(struct front *front, const struct controller_response *response,
                 struct controller_answer *answer)
{
    return front->controller.step(&front->controller, &front->arena,
                                  front_read(front, custom_resource), response,
                                  front_read(front, "{\"at\":2}"), answer, &front->problems);
}

static void open_step_script(struct front *front, const char *answer)
{
    assert_true(open_script(
        front, arena_printf(&front->arena, INIT "*'\"step\"'*) echo '%s';;\n", answer)));
}

static void test_requests(void **state)
{
    (void)state;
    static const struct step_case cases[] = {
        {"{\"local\":3,\"req\":{\"verb\":\"get\",\"key\":{\"kind\":\"Pod\",\"namespace\":\"x\","
         "\"name\":\"p\"}}}",
         NULL, API_GET, "Pod", "x", "p", "null"},
        {"{\"local\":3,\"req\":{\"verb\":\"list\",\"key\":{\"kind\":\"Pod\",\"namespace\":\"x\"}}}",
         NULL, API_LIST, "Pod", "x", "", "null"},
        {"{\"local\":3,\"req\":{\"verb\":\"update\",\"key\":{\"kind\":\"Pod\",\"namespace\":\"x\","
         "\"name\":\"p\"},\"obj\":{\"metadata\":{\"resourceVersion\":{\"$rv\":4}}}}}",
         NULL, API_UPDATE, "Pod", "x", "p", "{\"metadata\":{\"resourceVersion\":{\"$rv\":4}}}"},
        {"{\"local\":3,\"req\":{\"verb\":\"create\",\"obj\":{\"kind\":\"Pod\",\"metadata\":{"
         "\"name\":\"p\"}}}}",
         NULL, API_CREATE, "Pod", "default", "p",
         "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"}}"},
        {"{\"local\":3,\"req\":{\"verb\":\"ext\",\"obj\":[1]}}", NULL, API_EXTERNAL, "", "", "",
         "[1]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct front front;
        struct controller_answer answer;
        front_set_up(&front);
        open_step_script(&front, cases[i].answer);
        assert_true(step(&front, NULL, &answer));
        assert_true(answer.has_request);
        assert_int_equal(datum_number(answer.local, 0), 3);
        assert_int_equal(answer.request.verb, cases[i].verb);
        assert_string_equal(answer.request.key.kind, cases[i].kind);
        assert_string_equal(answer.request.key.name_space, cases[i].name_space);
        assert_string_equal(answer.request.key.name, cases[i].name);
        assert_string_equal(front_write(&front, answer.request.object), cases[i].object);
        front_tear_down(&front);
    }
}

static void test_responses(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    open_step_script(&front, "{\"local\":null}");
    const struct datum *version = datum_version(&front.arena, 3);
    const struct datum *uid = datum_uid(&front.arena, 4);
    const struct datum *items[] = {version, uid};
    const struct {
        struct controller_response response;
        const char *written;
    } cases[] = {
        {{API_OK, datum_list(&front.arena, items, 2)}, "{\"ok\":[{\"$rv\":3},{\"$uid\":4}]}"},
        {{API_OK, NULL}, "{\"ok\":null}"},
        {{API_NOT_FOUND, NULL}, "{\"err\":\"NotFound\"}"},
        {{API_SERVER_TIMEOUT, NULL}, "{\"err\":\"ServerTimeout\"}"},
    };
    struct controller_answer answer;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(step(&front, &cases[i].response, &answer));
        assert_null(answer.local);
        assert_false(answer.has_request);
        assert_string_equal(last_question(&front),
                            arena_printf(&front.arena,
                                         "{\"op\":\"step\",\"cr\":%s,\"resp\":%s,\"local\":{\"at\""
                                         ":2}}",
                                         front_write(&front, front_read(&front, custom_resource)),
                                         cases[i].written));
    }
    assert_true(step(&front, NULL, &answer));
    assert_non_null(strstr(last_question(&front), ",\"resp\":null,\"local\""));
    front_tear_down(&front);
}

static void test_requests_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        const char *wrong;
    } cases[] = {
        {"{\"local\":1,\"req\":7}", "whose req is not an object with a verb"},
        {"{\"local\":1,\"req\":{\"verb\":\"patch\"}}",
         "whose req has the unknown verb \"patch\" (get, list, create, update, updateStatus, "
         "delete and ext are known)"},
        {"{\"local\":1,\"req\":{\"verb\":\"get\",\"key\":{\"kind\":\"Pod\"}}}",
         "whose req to get has no key.name"},
        {"{\"local\":1,\"req\":{\"verb\":\"delete\",\"key\":{\"name\":\"p\"}}}",
         "whose req to delete has no key.kind"},
        {"{\"local\":1,\"req\":{\"verb\":\"create\",\"key\":{\"kind\":\"Pod\"}}}",
         "whose req to create has no obj"},
        {"{\"local\":1,\"req\":{\"verb\":\"get\",\"key\":\"Pod/x\"}}",
         "whose req has a key that is not an object {\"kind\",\"namespace\",\"name\"}"},
        {"{\"req\":null}", "which has no member \"local\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct front front;
        struct controller_answer answer;
        front_set_up(&front);
        open_step_script(&front, cases[i].answer);
        assert_false(step(&front, NULL, &answer));
        const char *expected = arena_printf(&front.arena,
                                            "%s/check.yaml:1:30: spec.controller.command: the "
                                            "program sh script.sh answered %s, %s; it "
                                            "was asked {\"op\":\"step\",",
                                            folder, cases[i].answer, cases[i].wrong);
        if (strncmp(front_problem(&front), expected, strlen(expected)) != 0)
            assert_string_equal(front_problem(&front), expected);
        front_tear_down(&front);
    }
}

/* A program that knows the contract's questions and no others. */
static void test_plain_program(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    assert_true(open_script(&front, INIT STATUS "*'\"match\"'*) echo '{\"match\":true}';;\n"));
    bool done = true;
    bool error = false;
    assert_true(front.controller.status(&front.controller, &front.arena, NULL, &done, &error,
                                        &front.problems));
    assert_false(done);
    assert_true(error);
    front_user(&front, API_CREATE, custom_resource);
    assert_true(front_matches(&front, "C", "c"));
    assert_null(front.controller.safety);
    assert_null(front.controller.validate);
    assert_null(front.controller.custom_kinds);
    front_tear_down(&front);
}

/* One that answers {"op":"safety"} is asked for it, though it does not say so. */
static void test_safety_is_found(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    assert_true(open_script(&front, INIT "*'\"safety\"'*) echo '{\"violated\":\"never\"}';;\n"));
    struct object_list store = front_store(&front);
    const char *violated = NULL;
    assert_true(front.controller.safety(&front.controller, &front.arena, &store, &store, NULL,
                                        &violated, &front.problems));
    assert_string_equal(violated, "never");
    front_tear_down(&front);
}

static void test_hello(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    assert_true(open_script(
        &front,
        INIT "*'\"hello\"'*) echo '{\"operations\":[\"validate\",\"external\"],\"name\":\"mine\","
             "\"customKinds\":[\"C\"],\"userKinds\":[\"Secret\"]}';;\n"
             "*'\"validate\"'*) echo '{\"valid\":false,\"why\":\"too small\"}';;\n"
             "*'\"external\"'*) echo '{\"resp\":{\"err\":\"AlreadyExists\"},\"state\":[1]}';;\n"));
    assert_string_equal(front.controller.name, "mine");
    assert_string_equal(front.controller.custom_kinds[0], "C");
    assert_string_equal(front.controller.user_kinds[0], "Secret");
    assert_null(front.controller.match);
    bool valid = true;
    const char *why = NULL;
    assert_true(front.controller.validate(&front.controller, &front.arena, NULL, &valid, &why,
                                          &front.problems));
    assert_false(valid);
    assert_string_equal(why, "too small");
    struct controller_response response;
    const struct datum *after = NULL;
    struct object_list store = front_store(&front);
    assert_true(front.controller.external(&front.controller, &front.arena, NULL, &store, NULL, 9,
                                          &response, &after, &front.problems));
    assert_int_equal(response.error, API_ALREADY_EXISTS);
    assert_string_equal(front_write(&front, after), "[1]");
    assert_string_equal(last_question(&front), "{\"op\":\"external\",\"content\":null,\"store\":[],"
                                               "\"state\":null,\"fresh\":{\"$rv\":9}}");
    front_tear_down(&front);
}

/* --- What can go wrong ------------------------------------------------------------- */

static void test_bad_programs(void **state)
{
    (void)state;
    static const struct {
        const char *cases;
        const char *message;
    } cases[] = {
        {"", "ended instead of answering (exit code 3), saying what is this?"},
        {"*) kill -9 $$;;\n", "ended instead of answering (killed by signal 9 (Killed))"},
        {"*) sleep 60;;\n",
         "gave no answer within 0.3 s (--controller-timeout; does it flush each line?)"},
        {"*) :;;\n",
         "gave no answer within 0.3 s (--controller-timeout; does it flush each line?)"},
        {"*) printf 'half'; exit 0;;\n",
         "ended in the middle of a line (exit code 0), which begins half"},
        {"*) echo 'hello world';;\n",
         "answered hello world, which cannot be read: no valid JSON: "},
        {"*) echo '{\"local\":1}}';;\n",
         "answered {\"local\":1}}, which cannot be read: no valid JSON: "},
        {"*) echo;;\n", "answered an empty line, which cannot be read: "},
        {"*) echo '[1]';;\n", "answered [1], which is not a JSON object"},
        {"*) echo '{\"lokal\":1}';;\n", "answered {\"lokal\":1}, which has no member \"local\""},
        {"*) printf '{\"local\":1}\\n{\"local\":2}\\n';;\n",
         "answered more than one line to one question, the next is {\"local\":2}?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct front front;
        front_set_up(&front);
        if (strstr(cases[i].message, "0.3 s"))
            front.timeout_ns = 300000000;
        assert_false(open_script(&front, cases[i].cases));
        const char *expected =
            arena_printf(&front.arena,
                         "%s/check.yaml:1:30: spec.controller.command: the program sh script.sh %s",
                         folder, cases[i].message);
        if (strncmp(front_problem(&front), expected, strlen(expected)) != 0)
            assert_string_equal(front_problem(&front), expected);
        assert_non_null(strstr(front_problem(&front), "; it was asked {\"op\":\"init\"}"));
        front_tear_down(&front);
    }
}

/* Programs may pass over questions that they do not know, but not hang. */
static void test_unknown_questions(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    assert_true(open_script(&front, INIT "*'\"hello\"'*|*'\"safety\"'*) continue;;\n"));
    assert_null(front.controller.safety);
    front_tear_down(&front);
    front_set_up(&front);
    front.timeout_ns = 2000000000;
    assert_false(open_script(&front, INIT "*'\"hello\"'*) sleep 60;;\n"));
    assert_non_null(strstr(front_problem(&front),
                           "the program sh script.sh did not answer {\"op\":\"hello\"} within 2 s "
                           "(--controller-timeout), nor the question behind it"));
    front_tear_down(&front);
}

/* Python programs need not flush. */
static void test_unbuffered(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    assert_true(front_open(&front, "check.yaml",
                           "{command: [sh, -c, 'while read -r line; do echo "
                           "\"{\\\"local\\\":$PYTHONUNBUFFERED}\"; done']}"));
    const struct datum *local = NULL;
    assert_true(front.controller.init(&front.controller, &front.arena, &local, &front.problems));
    assert_int_equal(datum_number(local, 0), 1);
    front_tear_down(&front);
}

static void test_no_such_program(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    assert_false(front_open(&front, "check.yaml", "{command: [./absent, x]}"));
    assert_string_equal(
        front_problem(&front),
        "check.yaml:1:30: spec.controller.command: the program ./absent x cannot be "
        "run: No such file or directory");
    front_tear_down(&front);
}

static const char *file_in_folder(struct front *front, const char *name)
{
    return arena_printf(&front->arena, "%s/%s", folder, name);
}

/* What was said without a question is not taken for the answer to the next. The program
 * speaks once its answer was read (`go`), if it is still there, and the next question comes
 * once it has spoken (`said`). */
static void test_speaks_unasked(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    bool done;
    bool error;
    const char *go = file_in_folder(&front, "go");
    const char *said = file_in_folder(&front, "said");
    assert_true(open_script(
        &front, arena_printf(&front.arena,
                             "*'\"hello\"'*) exit;;\n*'\"safety\"'*) exit;;\n"
                             "*'\"init\"'*) echo '{\"local\":1}'; (while [ ! -e %s ]; do sleep "
                             "0.01; done; kill -0 $$ && echo late && : > %s) & ;;\n" STATUS,
                             go, said)));
    fclose(fopen(go, "w"));
    while (access(said, F_OK) != 0)
        usleep(1000);
    assert_false(front.controller.status(&front.controller, &front.arena, NULL, &done, &error,
                                         &front.problems));
    assert_non_null(strstr(front_problem(&front), "spoke without being asked, saying late?"));
    front_tear_down(&front);
}

/* --- Several threads ------------------------------------------------------------------ */

static void *ask_often(void *context)
{
    struct front *front = context;
    struct arena arena;
    struct problems problems;
    arena_init(&arena, &front->memory);
    problems_init(&problems, &arena);
    bool fine = true;
    for (int i = 0; fine && i < 200; i++) {
        const struct datum *local = NULL;
        fine = front->controller.init(&front->controller, &arena, &local, &problems) &&
               datum_number(datum_at(local, "at"), 0) == 1;
    }
    arena_release(&arena);
    return fine ? context : NULL;
}

static void test_threads(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    assert_true(open_script(&front, INIT));
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &front), 0);
    for (int i = 0; i < 3; i++) {
        void *fine = NULL;
        pthread_join(threads[i], &fine);
        assert_non_null(fine);
    }
    front_tear_down(&front);
}

static int folder_set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
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
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_responses),
        cmocka_unit_test(test_requests_that_are_none),
        cmocka_unit_test(test_plain_program),
        cmocka_unit_test(test_safety_is_found),
        cmocka_unit_test(test_hello),
        cmocka_unit_test(test_bad_programs),
        cmocka_unit_test(test_unknown_questions),
        cmocka_unit_test(test_unbuffered),
        cmocka_unit_test(test_no_such_program),
        cmocka_unit_test(test_speaks_unasked),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
