/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/import/export.h"

#include <string.h>

change_export *change_export_find(const char *format)
{
    static const struct {
        const char *format;
        change_export *write;
    } formats[] = {
        {"text", change_export_text},     {"json", change_export_json},
        {"otlp", change_export_otlp},     {"jaeger", change_export_jaeger},
        {"chrome", change_export_chrome}, {"folded", change_export_folded},
        {"dot", change_export_dot},       {"html", change_export_html},
    };
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        if (strcmp(formats[i].format, format) == 0)
            return formats[i].write;
    return NULL;
}
