/* SPDX-License-Identifier: Apache-2.0 */
#include "report/decision.h"
#include "report/formats.h"

static void write(const struct decided *decision, const struct text *source, struct text *text)
{
    text_append(text, text_content(source), source->length);
    if (!source->length)
        text_printf(text,
                    "Nothing to decide: none of the objects concerns the controller \"%s\".\n",
                    decision->controller);
}

void decided_write_text(const struct writer_context *how, const struct decided *decision,
                        struct text *text)
{
    (void)how;
    write(decision, &decision->sentences, text);
}

void decided_write_json(const struct writer_context *how, const struct decided *decision,
                        struct text *text)
{
    (void)how;
    write(decision, &decision->json, text);
}
