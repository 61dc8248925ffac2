/* SPDX-License-Identifier: Apache-2.0 */
#include "twin/files.h"

#include <stdio.h>
#include <stdlib.h>

void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

void read_text(const char *path, struct text *text)
{
    char bytes[4096];
    size_t count;
    FILE *file = fopen(path, "re");
    if (!file) {
        perror(path);
        exit(2);
    }
    while ((count = fread(bytes, 1, sizeof(bytes), file)) > 0)
        text_append(text, bytes, count);
    fclose(file);
}
