/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/input.h"

#include "cli/live_cluster.h"
#include "cli/render.h"
#include "manifest/manifest.h"

#include <string.h>
#include <sys/stat.h>

const struct input_kind input_manifests = {
    .takes_manifests = true,
    .nothing_given = "expected manifests (-f FILE|DIR|-), found nothing",
    .order = INPUT_SORTED,
};

const struct input_kind input_listed = {
    .takes_manifests = true,
    .as_kubectl = true,
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

const struct input_kind input_init = {
    .takes_manifests = true,
    .nothing_given = "expected manifests (FILE|DIR), or a cluster (-A), found nothing",
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

/* ---- what the command line names ---- */

/* Files, folders and texts, sorted by how they are read. */
struct named_input {
    VEC(struct input_path) files;     /* with documents of the kind */
    VEC(struct input_path) manifests; /* as with -f */
    struct input_texts texts;
    const char *api_server; /* the version of a live cluster; NULL: there is none */
};

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Has it a document of ours? What cannot be read is a Check that is wrong, and so is a pipe, which
 * cannot be read twice. Documents with nothing to tell of are kept, not to be read twice. */
static bool is_of_ours(struct session *session, struct input_path *path)
{
    static const char group[] = "fathom/";
    const struct manifest_paths paths = {.items = &path->name, .count = 1, .lenient = true};
    struct documents *documents = ARENA_NEW(&session->arena, struct documents);
    struct problems unheard;
    struct stat status;
    problems_init(&unheard, &session->arena);
    if (stat(path->name, &status) != 0 || !S_ISREG(status.st_mode) ||
        !manifest_load(&session->arena, &paths, documents, &unheard))
        return true;
    if (unheard.count == 0)
        path->documents = documents;
    for (uint32_t i = 0; i < documents->count; i++) {
        const char *version = value_find_string(&documents->items[i].root, "apiVersion");
        if (version && strncmp(version, group, sizeof(group) - 1) == 0)
            return true;
    }
    return documents->count == 0;
}

static void name_manifests(struct session *session, struct input_path path,
                           struct named_input *named, struct problems *problems)
{
    const bool folder = is_folder(path.name);
    const enum render_kind kind =
        folder ? render_kind_of(&session->arena, path.name) : RENDER_NOTHING;
    if (kind != RENDER_NOTHING)
        render(session, kind, path.name, &named->texts, problems);
    else if (!folder || !session->options.recursive ||
             render_refuse_inside(session, path.name, problems))
        VEC_PUSH(&session->arena, &named->manifests, path);
}

/* An operand of `verify` may be a Check, or manifests as with -f. */
static void name_operand(struct session *session, const struct input_kind *kind, const char *name,
                         struct named_input *named, struct problems *problems)
{
    struct input_path path = {.name = name};
    const bool manifests =
        kind == &input_init ||
        (kind == &input_checks && session->line.command == COMMAND_VERIFY &&
         (strcmp(name, "-") == 0 || is_folder(name) || !is_of_ours(session, &path)));
    if (manifests)
        name_manifests(session, path, named, problems);
    else
        VEC_PUSH(&session->arena, &named->files, path);
}

static void name_all(struct session *session, const struct input_kind *kind,
                     struct named_input *named, struct problems *problems)
{
    const struct options *options = &session->options;
    for (uint32_t i = 0; (kind->kind || kind == &input_init) && i < session->line.operands.count;
         i++)
        name_operand(session, kind, session->line.operands.items[i], named, problems);
    for (uint32_t i = 0; i < options->filename.count; i++)
        name_manifests(session, (struct input_path){.name = options->filename.items[i]}, named,
                       problems);
    for (uint32_t i = 0; i < options->kustomize.count; i++)
        render(session, RENDER_KUSTOMIZE, options->kustomize.items[i], &named->texts, problems);
    for (uint32_t i = 0; i < options->helm.count; i++)
        render(session, RENDER_HELM, options->helm.items[i], &named->texts, problems);
    if (live_cluster_is_meant(session))
        live_cluster_read(session, &named->texts, &named->api_server, problems);
}

bool session_read(struct session *session, const struct input_kind *kind, struct input *input)
{
    struct named_input named = {0};
    struct problems problems;
    problems_init(&problems, &session->arena);
    name_all(session, kind, &named, &problems);
    const struct input_paths paths = {
        .files = named.files.items,
        .file_count = named.files.count,
        .manifests = named.manifests.items,
        .manifest_count = named.manifests.count,
        .texts = named.texts,
        .recursive = session->options.recursive,
        .name_space = session->options.name_space,
    };
    /* Without what could not be rendered there may be nothing, which is then no problem more. */
    bool good = problems.errors == 0;
    if (good || named.files.count + named.manifests.count + named.texts.count > 0) {
        good = input_read(&session->arena, kind, &paths, input) && good;
    } else {
        *input = (struct input){0};
        problems_init(&input->problems, &session->arena);
    }
    input->api_server = named.api_server;
    for (uint32_t i = 0; i < problems.count; i++) {
        VEC_PUSH(&session->arena, &input->problems, problems.items[i]);
        input->problems.errors += problems.items[i].kind == PROBLEM_ERROR;
    }
    return good;
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
