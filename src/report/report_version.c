/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_out.h"
#include "report/formats.h"
#include "report/program_version.h"

void version_write_text(const struct writer_context *how, const struct program_version *version,
                        struct text *text)
{
    (void)how;
    text_printf(text, "fathom %s\n", version->number);
}

void version_write_json(const struct writer_context *how, const struct program_version *version,
                        struct text *text)
{
    struct json_out json;
    (void)how;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "Version");
    json_string(&json, "version", version->number);
    json_object_end(&json);
    text_append_char(text, '\n');
}
