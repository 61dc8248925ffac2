/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replay_observed.h"

#include "report/report_observed.h"

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

static bool follow_folder(struct session *session, struct manifest_reader *reader,
                          const char *folder, const struct run_numbers *runs,
                          struct observed_report *report, struct problems *problems)
{
    for (uint32_t i = 0; i < runs->count; i++) {
        struct recording recording;
        struct observed_run run = {.folder = last_part(&session->arena, folder),
                                   .number = runs->items[i]};
        if (!recording_read(&session->arena, reader, folder, runs->items[i], &recording,
                            problems) ||
            !follow_recording(&recording, reader, &run.result, problems))
            return false;
        VEC_PUSH(&session->arena, report, run);
    }
    return true;
}

/* The folder's own runs, or those of the folders in it. */
static bool follow_all(struct session *session, const char *folder, struct observed_report *report,
                       struct problems *problems)
{
    struct manifest_reader *reader = manifest_reader_create(&session->memory);
    struct run_numbers runs = {0};
    struct problems none;
    problems_init(&none, &session->arena);
    bool good = true;
    if (recording_list(&session->arena, folder, &runs, &none)) {
        good = follow_folder(session, reader, folder, &runs, report, problems);
    } else {
        struct dirent **entries = NULL;
        const int count = scandir(folder, &entries, NULL, alphasort);
        for (int i = 0; i < count; i++) {
            const char *path = arena_printf(&session->arena, "%s/%s", folder, entries[i]->d_name);
            struct run_numbers inner = {0};
            if (good && entries[i]->d_name[0] != '.' &&
                recording_list(&session->arena, path, &inner, &none))
                good = follow_folder(session, reader, path, &inner, report, problems);
            free(entries[i]);
        }
        free(entries);
        if (good && report->count == 0)
            good = recording_list(&session->arena, folder, &runs, problems);
    }
    manifest_reader_free(reader);
    return good;
}

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    const struct observed_report *report = answer;
    if (strcmp(format, "json") == 0)
        report_observed_json(&session->arena, report, text);
    else
        report_observed_text(&session->arena, report, session->options.verbose, text);
}

int replay_observed(struct session *session, const char *folder)
{
    struct observed_report report = {0};
    struct problems problems;
    problems_init(&problems, &session->arena);
    const bool good = follow_all(session, folder, &report, &problems);
    session_complain(session, &problems);
    if (!good || !session_answer(session, render, &report))
        return EXIT_INPUT;
    switch (observed_verdict(&report)) {
    case OBSERVED_FOLLOWED: return EXIT_HOLDS;
    case OBSERVED_UNDECIDED: return EXIT_UNDECIDED;
    default: return EXIT_VIOLATED;
    }
}
