/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/outputs.h"

#include "base/output_file.h"
#include "base/vec.h"
#include "cli/session.h"
#include "manifest/limits.h"
#include "manifest/manifest.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct inputs {
    VEC(const char *) paths;
    uint32_t flat; /* so many of them are read without the folders inside, unless -R is given */
    bool recursive;
};

static void add_inputs(struct arena *arena, struct inputs *inputs, const char *const *paths,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(arena, &inputs->paths, paths[i]);
}

static struct inputs find_inputs(struct session *session)
{
    const struct options *options = &session->options;
    struct arena *arena = &session->arena;
    struct inputs inputs = {.recursive = options->recursive};
    add_inputs(arena, &inputs, options->filename.items, options->filename.count);
    add_inputs(arena, &inputs, session->line.operands.items, session->line.operands.count);
    inputs.flat = inputs.paths.count;
    add_inputs(arena, &inputs, options->kustomize.items, options->kustomize.count);
    add_inputs(arena, &inputs, options->helm.items, options->helm.count);
    add_inputs(arena, &inputs, options->values.items, options->values.count);
    return inputs;
}

/* A report in a folder of manifests is left out when these are read, and may be written again. */
static bool is_report(const char *path)
{
    char start[128] = "";
    FILE *file = fopen(path, "rbe");
    const size_t count = file ? fread(start, 1, sizeof(start) - 1, file) : 0;
    if (file)
        fclose(file);
    start[count] = '\0';
    return strstr(start, "\"kind\": \"Report\"");
}

/* Is the file read with this folder? */
static bool folder_has(const char *folder, const struct stat *file, bool recursive, uint32_t depth)
{
    DIR *directory = depth < FOLDER_DEPTH_MOST ? opendir(folder) : NULL;
    const struct dirent *entry;
    bool found = false;
    while (directory && !found && (entry = readdir(directory))) {
        char path[PATH_MAX];
        struct stat status;
        const int length = snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || length < 0 ||
            (size_t)length >= sizeof(path) || lstat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode))
            found = recursive && folder_has(path, file, recursive, depth + 1);
        else
            found = manifest_is_name(entry->d_name) && stat(path, &status) == 0 &&
                    status.st_dev == file->st_dev && status.st_ino == file->st_ino;
    }
    if (directory)
        closedir(directory);
    return found;
}

static bool is_input(const struct inputs *inputs, const char *path)
{
    struct stat output;
    struct stat input;
    if (stat(path, &output) != 0 || !S_ISREG(output.st_mode))
        return false;
    for (uint32_t i = 0; i < inputs->paths.count; i++) {
        const char *given = inputs->paths.items[i];
        if (stat(given, &input) != 0)
            continue;
        if (input.st_dev == output.st_dev && input.st_ino == output.st_ino)
            return true;
        if (S_ISDIR(input.st_mode) &&
            folder_has(given, &output, inputs->recursive || i >= inputs->flat, 0) &&
            !is_report(path))
            return true;
    }
    return false;
}

static const char *refused(const struct inputs *inputs, const char *path, bool tried)
{
    if (!path)
        return NULL;
    if (is_input(inputs, path))
        return "it is one of the inputs";
    return tried ? output_file_refused(path) : NULL;
}

static bool can_write(struct session *session, const struct inputs *inputs, const char *path,
                      bool tried)
{
    const char *why = refused(inputs, path, tried);
    if (why)
        session_say(session, "%s: cannot be written: %s", path, why);
    return !why;
}

bool outputs_can_write(struct session *session)
{
    const struct options *options = &session->options;
    const struct inputs inputs = find_inputs(session);
    bool good = can_write(session, &inputs, options->checkpoint, false);
    good = can_write(session, &inputs, options->write_kubeconfig, false) && good;
    for (uint32_t i = 0; i < options->output.count; i++)
        good = can_write(session, &inputs, options->output.items[i].file, true) && good;
    return good;
}
