/* SPDX-License-Identifier: Apache-2.0 */
/* A place in the manifests as JSON: violations and findings write it alike. */
#include "report/report.h"

void report_write_source(struct json_out *json, const char *key, const struct report_source *source)
{
    json_object_begin(json, key);
    json_string(json, "file", source->place.file);
    json_unsigned(json, "line", source->place.line);
    json_unsigned(json, "column", source->place.column);
    json_string(json, "path", source->path);
    if (source->note)
        json_string(json, "note", source->note);
    json_object_end(json);
}
