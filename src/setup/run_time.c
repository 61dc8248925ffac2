/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/run_time.h"

#include "object/time.h"

#include <string.h>

bool run_time_parse(struct arena *arena, const char *text, struct run_time *run_time)
{
    const char *dash = strchr(text, '-');
    const char *first = dash ? arena_strndup(arena, text, (size_t)(dash - text)) : text;
    struct run_time read = {.given = true};
    if (!duration_parse(first, &read.least, NULL))
        return false;
    read.most = read.least;
    if (dash && !duration_parse(dash + 1, &read.most, NULL))
        return false;
    if (read.least < 0 || read.most < read.least || read.most == 0)
        return false;
    *run_time = read;
    return true;
}

struct run_time run_time_of(struct arena *arena, const struct pod_template *template)
{
    struct run_time run_time = {0};
    const char *text = labels_find(&template->meta.annotations, ANNOTATION_RUN_TIME);
    if (text)
        run_time_parse(arena, text, &run_time);
    return run_time;
}
