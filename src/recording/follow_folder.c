/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/follow_folder.h"

#include "manifest/manifest.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char *last_part(struct arena *arena, const char *path)
{
    char *copy = arena_strdup(arena, path);
    size_t length = strlen(copy);
    while (length > 1 && copy[length - 1] == '/')
        copy[--length] = '\0';
    const char *slash = strrchr(copy, '/');
    return slash && slash[1] ? slash + 1 : copy;
}

static bool follow_runs(struct arena *arena, struct manifest_reader *reader, const char *folder,
                        const struct run_numbers *runs, const struct features *features,
                        struct followed_report *report, struct problems *problems)
{
    for (uint32_t i = 0; i < runs->count; i++) {
        struct recording recording;
        struct followed_run run = {.folder = last_part(arena, folder), .number = runs->items[i]};
        if (!recording_read(arena, reader, folder, runs->items[i], &recording, problems) ||
            !follow_recording(&recording, reader, features, &run.result, problems))
            return false;
        VEC_PUSH(arena, report, run);
    }
    return true;
}

bool follow_folder(struct arena *arena, const char *folder, const struct features *features,
                   struct followed_report *report, struct problems *problems)
{
    struct manifest_reader *reader = manifest_reader_create(arena->memory);
    struct run_numbers runs = {0};
    struct problems none;
    problems_init(&none, arena);
    bool good = true;
    if (recording_list(arena, folder, &runs, &none)) {
        good = follow_runs(arena, reader, folder, &runs, features, report, problems);
    } else {
        struct dirent **entries = NULL;
        const int count = scandir(folder, &entries, NULL, alphasort);
        for (int i = 0; i < count; i++) {
            const char *path = arena_printf(arena, "%s/%s", folder, entries[i]->d_name);
            struct run_numbers inner = {0};
            if (good && entries[i]->d_name[0] != '.' && recording_list(arena, path, &inner, &none))
                good = follow_runs(arena, reader, path, &inner, features, report, problems);
            free(entries[i]);
        }
        free(entries);
        if (good && report->count == 0)
            good = recording_list(arena, folder, &runs, problems);
    }
    manifest_reader_free(reader);
    return good;
}
