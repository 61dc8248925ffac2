/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/input.h"

#include "manifest/manifest.h"

void input_make_warnings_errors(struct problems *problems)
{
    for (uint32_t i = 0; i < problems->count; i++)
        if (problems->items[i].kind == PROBLEM_WARNING) {
            problems->items[i].kind = PROBLEM_ERROR;
            problems->errors++;
        }
}

bool input_read(struct session *session, struct input *input)
{
    const struct options *options = &session->options;
    const struct place command_line = {0};
    *input = (struct input){0};
    problems_init(&input->problems, &session->arena);
    if (!options->filename.count) {
        problem_error(&input->problems, command_line, NULL,
                      "expected manifests (-f FILE|DIR|-), found nothing");
        return false;
    }
    const struct manifest_paths paths = {
        .items = options->filename.items,
        .count = options->filename.count,
        .recursive = options->recursive,
    };
    struct documents documents = {0};
    manifest_load(&session->arena, &paths, &documents, &input->problems);
    const struct object_options reading = {.namespace = options->name_space};
    object_decode(&session->arena, &documents, &reading, &input->objects, &input->problems);
    /* A mistyped folder must not pass for a folder without mistakes. */
    if (!documents.count && !input->problems.errors)
        problem_error(&input->problems, command_line, NULL,
                      "expected at least one object in the manifests, found none");
    problems_sort(&input->problems);
    if (options->strict)
        input_make_warnings_errors(&input->problems);
    return input->problems.errors == 0;
}
