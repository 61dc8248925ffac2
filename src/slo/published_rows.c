/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/published_rows.h"

#include <stdlib.h>
#include <string.h>

FILE *published_rows_open(const char *root, enum published_model model)
{
    char path[4096];
    char names[256];
    snprintf(path, sizeof(path), "%s/test/data/slo/waters-%s.csv", root,
             model == PUBLISHED_NGINX ? "nginx" : "nodejs");
    FILE *file = fopen(path, "r");
    if (!file || !fgets(names, sizeof(names), file))
        bug("%s: cannot be read", path);
    return file;
}

enum { COLUMNS_MOST = 16 };

/* Splits a line at its commas, in place. */
static int split(char *line, char *columns[COLUMNS_MOST])
{
    int count = 0;
    char *next = line;
    while (next && count < COLUMNS_MOST) {
        char *comma = strchr(next, ',');
        columns[count++] = next;
        if (comma)
            *comma = '\0';
        next = comma ? comma + 1 : NULL;
    }
    return count;
}

bool published_row_read(FILE *file, enum published_model model, struct published_row *row)
{
    static const int nginx_columns = 9;
    static const int nodejs_columns = 13;
    char line[256];
    char *columns[COLUMNS_MOST];
    if (!fgets(line, sizeof(line), file))
        return false;
    if (split(line, columns) != (model == PUBLISHED_NGINX ? nginx_columns : nodejs_columns))
        bug("a row of the published data has the wrong number of columns");
    struct published_parameters *parameters = &row->parameters;
    *parameters = published_defaults(model);
    int64_t *const nginx[] = {&parameters->rate, &parameters->pod_min, &parameters->pod_max,
                              &parameters->pods_initially, &parameters->up_percent};
    int64_t *const nodejs[] = {
        &parameters->rate_low,    &parameters->rate_high,      &parameters->seconds_high,
        &parameters->seconds_low, &parameters->processing_ms,  &parameters->pod_min,
        &parameters->pod_max,     &parameters->pods_initially, &parameters->up_percent};
    const int count = model == PUBLISHED_NGINX ? nginx_columns - 4 : nodejs_columns - 4;
    for (int i = 0; i < count; i++)
        *(model == PUBLISHED_NGINX ? nginx[i] : nodejs[i]) = strtoll(columns[i], NULL, 10);
    if (model == PUBLISHED_NGINX)
        parameters->processing_ms = 6; /* of the runs in the appendix */
    row->trials_met = (uint32_t)strtoul(columns[count], NULL, 10);
    row->trials = (uint32_t)strtoul(columns[count + 1], NULL, 10);
    row->predicted = strcmp(columns[count + 2], "Yes") == 0;
    return true;
}
