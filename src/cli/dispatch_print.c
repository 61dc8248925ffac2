/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/dispatch_print.h"

#include "base/input_file.h"
#include "cli/shard_run.h"
#include "report/dispatch.h"

#include <stdio.h>
#include <string.h>

/* An object of Kubernetes is at most 1 MiB, in etcd's own encoding. */
enum { MAP_BYTES_MOST = 1000000, NAME_MOST = 52 };

typedef VEC(struct dispatch_file) dispatch_files;

/* ---- the files ---- */

static void add_file(struct session *session, dispatch_files *files, const char *name)
{
    struct dispatch_file file = {.name = name};
    char block[8192];
    for (uint32_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].name, name) == 0)
            return;
    FILE *stream = name[0] != '<' ? input_reopen(name) : NULL;
    if (!stream)
        return;
    text_init(&file.content, &session->memory);
    for (size_t read; (read = fread(block, 1, sizeof(block), stream)) > 0;)
        text_append(&file.content, block, read);
    fclose(stream);
    VEC_PUSH(&session->arena, files, file);
}

static void add_files_of(struct session *session, dispatch_files *files,
                         const struct problems *problems)
{
    for (uint32_t i = 0; i < problems->count; i++)
        if (problems->items[i].place.file)
            add_file(session, files, problems->items[i].place.file);
}

/* All that were read: also those of which only a warning is left. */
static dispatch_files collect_files(struct session *session, const struct input *input,
                                    const struct checkpoint_identity *identity)
{
    dispatch_files files = {0};
    for (uint32_t i = 0; i < identity->files.count; i++)
        add_file(session, &files, identity->files.items[i].name);
    add_files_of(session, &files, &input->problems);
    for (uint32_t i = 0; i < input->units.count; i++)
        add_files_of(session, &files, &input->units.items[i].problems);
    return files;
}

/* A path below the working folder, which a volume can have, too. */
static bool is_below(const char *name)
{
    if (name[0] == '/' || !name[0])
        return false;
    const char *part = name;
    do {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2]))
            return false;
        part = strchr(part, '/');
    } while (part);
    return true;
}

static bool fits_map(struct session *session, const dispatch_files *files)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < files->count; i++) {
        bytes += files->items[i].content.length + strlen(files->items[i].name);
        if (!is_below(files->items[i].name)) {
            session_say(
                session,
                "%s: pods find their files below one folder: name them relative to this one, "
                "and without \"..\"",
                files->items[i].name);
            return false;
        }
    }
    if (bytes > MAP_BYTES_MOST)
        session_say(session, "the files have %zu bytes together, and a ConfigMap holds %d", bytes,
                    MAP_BYTES_MOST);
    return bytes <= MAP_BYTES_MOST;
}

/* ---- names ---- */

/* As a DNS label: objects are called by it. */
static const char *label_of(struct arena *arena, const char *name)
{
    char *label = arena_strdup(arena, name);
    size_t length = 0;
    for (const char *from = name; *from && length < NAME_MOST; from++) {
        const bool letter = (*from >= 'a' && *from <= 'z') || (*from >= '0' && *from <= '9');
        const char lower = *from >= 'A' && *from <= 'Z' ? (char)(*from - 'A' + 'a') : '-';
        if (letter || lower != '-' || (length > 0 && label[length - 1] != '-'))
            label[length++] = letter ? *from : lower;
    }
    while (length > 0 && label[length - 1] == '-')
        length--;
    label[length] = '\0';
    return length > 0 ? label : "verification";
}

/* ---- the command ---- */

static struct string_list add_timeout(struct session *session, struct string_list arguments)
{
    VEC(const char *) all = {0};
    for (uint32_t i = 0; i < arguments.count; i++)
        VEC_PUSH(&session->arena, &all, arguments.items[i]);
    if (session->options.timeout)
        VEC_PUSH(&session->arena, &all,
                 arena_printf(&session->arena, "--timeout=%s", session->options.timeout));
    return (struct string_list){all.items, all.count};
}

static void release(dispatch_files *files)
{
    for (uint32_t i = 0; i < files->count; i++)
        text_release(&files->items[i].content);
}

int dispatch_print(struct session *session, const struct input *input,
                   const struct verify_plan *plans, uint32_t count, bool exhaustive)
{
    const struct dispatch_request *request = session->dispatch;
    struct arena *arena = &session->arena;
    struct checkpoint_identity identity;
    struct text text;
    if (!shard_identify(session, plans, count, exhaustive, &identity))
        return EXIT_INPUT;
    dispatch_files files = collect_files(session, input, &identity);
    const bool good = !request->kubernetes || fits_map(session, &files);
    const struct dispatch dispatch = {
        .name = request->name
                    ? request->name
                    : label_of(arena, arena_printf(arena, "fathom-%s", plans[0].unit->name)),
        .image = request->image,
        .name_space = request->name_space,
        .claim = request->claim,
        .arguments = add_timeout(session, identity.arguments),
        .files = files.items,
        .file_count = files.count,
        .shards = request->shards,
        .cpus = request->cpus,
        .memory_bytes = request->memory_bytes,
    };
    text_init(&text, &session->memory);
    if (good && request->kubernetes)
        dispatch_write_kubernetes(arena, &dispatch, &text);
    else if (good)
        dispatch_write_slurm(arena, &dispatch, &text);
    fwrite(text_content(&text), 1, text.length, stdout); /* main looks at it */
    text_release(&text);
    release(&files);
    return good ? EXIT_HOLDS : EXIT_INPUT;
}
