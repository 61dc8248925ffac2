/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd_record_check.h"

#include "base/output_file.h"
#include "cli/input.h"
#include "cli/kubernetes_features.h"
#include "manifest/manifest.h"
#include "recording/as_check.h"
#include "verify/plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The run that --run names, else the latest; 0, with a problem, if there is none. */
static uint32_t choose_run(struct session *session, const char *folder, struct problems *problems)
{
    struct run_numbers runs = {0};
    if (!recording_list(&session->arena, folder, &runs, problems))
        return 0;
    for (uint32_t i = 0; i < runs.count; i++)
        if (runs.items[i] == session->options.run)
            return runs.items[i];
    if (session->options.run == 0)
        return runs.items[runs.count - 1];
    problem_error(problems, (struct place){.file = folder}, NULL,
                  "--run: expected a run of the recording (1 to %u), found %llu",
                  runs.items[runs.count - 1], (unsigned long long)session->options.run);
    return 0;
}

/* "drain-week" of "runs/drain-week/". */
static const char *name_of(struct arena *arena, const char *folder, uint32_t run)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && folder[start - 1] != '/')
        start--;
    return arena_printf(arena, "%.*s-run-%u", (int)(length - start), folder + start, run);
}

static bool write_files(struct session *session, const struct as_check *made,
                        struct problems *problems)
{
    const char *out = session->options.as_check;
    const char *path = out;
    const char *why = mkdir(out, 0777) == 0 || errno == EEXIST ? NULL : strerror(errno);
    struct text text;
    text_init(&text, &session->memory);
    for (uint32_t i = 0; !why && i < made->files.count; i++) {
        const struct as_check_file *written = &made->files.items[i];
        path = arena_printf(&session->arena, "%s/%s", out, written->name);
        text_reset(&text);
        text_append_string(&text, written->content);
        why = output_file_write(path, &text);
    }
    text_release(&text);
    if (why)
        problem_error(problems, (struct place){.file = path}, NULL, "cannot be written: %s", why);
    return !why;
}

/* Reads the Check back, as `fathom verify` would. */
static bool is_valid(struct session *session, const char *path)
{
    struct input input;
    const struct scope_options options = {0};
    session->line.operands.count = 0;
    VEC_PUSH(&session->arena, &session->line.operands, path);
    bool good = session_read(session, &input_checks, &input);
    struct verify_plan *plans =
        ARENA_ARRAY(&session->arena, struct verify_plan, input.units.count + 1);
    good = verify_plans_make(&session->arena, &input, &options, plans) && good;
    return session_accepts(session, &input_checks, &input) && good;
}

static bool convert(struct session *session, const char *folder, struct manifest_reader *reader,
                    struct as_check *made, struct problems *problems)
{
    const struct options *options = &session->options;
    const struct features given = kubernetes_features_read(options, FEATURES_MINOR_LAST, problems);
    struct recording recording;
    const uint32_t run = choose_run(session, folder, problems);
    return run > 0 && problems->errors == 0 &&
           recording_read(&session->arena, reader, folder, run, &recording, problems) &&
           recording_as_check(&recording, reader, name_of(&session->arena, folder, run),
                              options->kubernetes_version ? &given : NULL, made, problems) &&
           write_files(session, made, problems);
}

int cmd_record_check(struct session *session, const char *folder)
{
    struct manifest_reader *reader = manifest_reader_create(&session->memory);
    struct as_check made = {0};
    struct problems problems;
    problems_init(&problems, &session->arena);
    const bool good = convert(session, folder, reader, &made, &problems);
    manifest_reader_free(reader);
    session_complain(session, &problems);
    if (!good)
        return EXIT_INPUT;
    const char *path = arena_printf(&session->arena, "%s/check.yaml", session->options.as_check);
    if (made.left_out > 0)
        session_say(session,
                    "record: %s leaves out %u thing%s that happened; its comments say which", path,
                    made.left_out, made.left_out == 1 ? "" : "s");
    if (!is_valid(session, path)) {
        session_say(session, "record: %s is written, and cannot be verified as it is", path);
        return EXIT_INPUT;
    }
    session_say(session, "record: %s is written; `fathom verify %s` verifies it", path, path);
    return EXIT_HOLDS;
}
