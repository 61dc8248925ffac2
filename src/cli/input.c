/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/input.h"

const struct input_kind input_manifests = {
    .takes_manifests = true,
    .nothing_given = "expected manifests (-f FILE|DIR|-), found nothing",
    .order = INPUT_SORTED,
};

const struct input_kind input_checks = {
    .kind = "Check",
    .takes_manifests = true,
    .admits = true,
    .nothing_given = "expected a Check or manifests (-f FILE|DIR|-), found nothing",
    .none_in_file = "expected a Check (apiVersion: fathom/v1), found none; manifests are given "
                    "with -f",
    .order = INPUT_SORTED_ONCE,
};

const struct input_kind input_objectives = {
    .kind = "ServiceObjective",
    .takes_manifests = true,
    .admits = true,
    .none_in_file = "expected a ServiceObjective (apiVersion: fathom/v1), found none; manifests "
                    "are given with -f",
    .none_found = "expected a ServiceObjective, found none",
};

const struct input_kind input_controller_checks = {
    .kind = "ControllerCheck",
    .nothing_given = "expected the file of a ControllerCheck",
    .none_in_file = "expected a ControllerCheck (apiVersion: fathom/v1), found none",
};

const struct input_kind input_controller = {
    .kind = "ControllerCheck",
    .of_any_version = true,
    .nothing_given = "expected a ControllerCheck file",
    .none_in_file = "expected a document of kind ControllerCheck",
};

bool session_read(struct session *session, const struct input_kind *kind, struct input *input)
{
    const struct options *options = &session->options;
    const struct input_paths paths = {
        .files = session->line.operands.items,
        .file_count = kind->kind ? session->line.operands.count : 0,
        .manifests = options->filename.items,
        .manifest_count = options->filename.count,
        .recursive = options->recursive,
        .name_space = options->name_space,
    };
    return input_read(&session->arena, kind, &paths, input);
}

void session_problems(struct session *session, const struct input_kind *kind,
                      const struct input *input, struct problems *problems)
{
    input_problems(&session->arena, kind, input, session->options.strict, problems);
}

bool session_accepts(struct session *session, const struct input_kind *kind,
                     const struct input *input)
{
    struct problems problems;
    session_problems(session, kind, input, &problems);
    session_complain(session, &problems);
    return problems.errors == 0;
}
