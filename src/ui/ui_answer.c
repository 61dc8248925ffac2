/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/ui_answer.h"

#include "base/json_out.h"

#include <stdarg.h>

void ui_answer_error(struct ui_answer *answer, unsigned status, const char *format, ...)
{
    struct json_out json;
    struct text sentence;
    va_list arguments;
    text_init(&sentence, answer->text.memory);
    va_start(arguments, format);
    text_vprintf(&sentence, format, arguments);
    va_end(arguments);
    text_reset(&answer->text);
    json_out_init(&json, &answer->text, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "error", text_content(&sentence));
    json_object_end(&json);
    answer->status = status;
    text_release(&sentence);
}
