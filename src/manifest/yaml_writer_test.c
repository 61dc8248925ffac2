/* SPDX-License-Identifier: Apache-2.0 */
/* Goal: what is written is read as the same tree, and looks as people write it.
 * Method: texts that are read, written and compared; trees that are written and read. */
#include "manifest/yaml_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "manifest/manifest_fixture.h"

static void blocks_are_written_as_people_write_them(void **state)
{
    static const char *const texts[] = {
        "a: 1\nb: two\n",
        "a:\n  b:\n  - c: 1\n    d: []\n  - e\n  - - f\n    - g\nh: {}\n",
        "cpu: \"2\"\nimage: \"app:v1\"\nkey: node.kubernetes.io/not-ready\nempty: \"\"\nno: null\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct fixture fixture;
        struct text written;
        set_up(&fixture);
        text_init(&written, &fixture.memory);
        assert_true(parse(&fixture, texts[i], strlen(texts[i])));
        yaml_write(&written, &fixture.documents.items[0].root, 0);
        if (i < 2)
            assert_string_equal(text_content(&written), texts[i]);
        else /* `no` is a boolean, so a key of this name is quoted */
            assert_non_null(strstr(text_content(&written), "cpu: \"2\"\nimage: \"app:v1\"\n"));
        text_release(&written);
        tear_down(&fixture);
    }
}

static void what_is_written_is_read_as_the_same(void **state)
{
    static const char *const trees[] = {
        "{\"a\":[\"yes\",\"1\",\"null\",\"\",\"~\",\"- x\",\"a: b\",\"#c\",\" d\",\"e "
        "\",\"*f\",\"1e3\"]}",
        "{\"true\":true,\"y\":1,\"1\":null,\"a b\":\"line\\nbreak \\\"quoted\\\" \\u00fc\"}",
        "{\"l\":[[],{},[[1,-2.5]],{\"a\":{\"b\":[{\"c\":[]}]}}]}",
        "{\"port\":\"8080\"}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++) {
        struct fixture first;
        struct fixture second;
        struct text written;
        set_up(&first);
        set_up(&second);
        text_init(&written, &first.memory);
        if (!parse(&first, trees[i], strlen(trees[i])))
            fail_msg("%s", tell(&first));
        yaml_write(&written, &first.documents.items[0].root, 0);
        assert_true(parse(&second, text_content(&written), written.length));
        assert_string_equal(tell(&second), tell(&first));
        text_release(&written);
        tear_down(&second);
        tear_down(&first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_written_as_people_write_them),
        cmocka_unit_test(what_is_written_is_read_as_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
