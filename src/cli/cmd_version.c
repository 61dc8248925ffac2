/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom version`, and `fathom --version` */
#include "base/json_out.h"
#include "cli/session.h"
#include "cli/version.h"

#include <string.h>

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    (void)session;
    (void)answer;
    if (strcmp(format, "json") != 0) {
        text_append_string(text, "fathom " FATHOM_VERSION "\n");
        return;
    }
    struct json_out json;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "Version");
    json_string(&json, "version", FATHOM_VERSION);
    json_object_end(&json);
    text_append_char(text, '\n');
}

int cmd_version(struct session *session)
{
    return session_answer(session, render, NULL) ? EXIT_HOLDS : EXIT_INPUT;
}
