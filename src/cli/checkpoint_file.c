/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/checkpoint_file.h"

#include "cli/verify_again.h"
#include "cli/version.h"

#include <string.h>

/* What the verification depends on. */
struct identity {
    const char *version;
    uint64_t program; /* hash of the executable */
    bool exhaustive;
    struct string_list arguments;
    VEC(struct report_file) files;
};

static bool identify(struct session *session, const struct verify_plan *plans, uint32_t count,
                     bool exhaustive, struct identity *identity)
{
    *identity = (struct identity){.version = FATHOM_VERSION, .exhaustive = exhaustive};
    if (!verify_again_hash(session, "/proc/self/exe", &identity->program))
        identity->program = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct report_input input = verify_again_describe(session, &plans[i], i);
        identity->arguments = input.arguments;
        for (uint32_t f = 0; f < input.file_count; f++) {
            if (!input.files[f].readable) {
                session_say(session,
                            "--%s: %s cannot be read a second time to see whether it is still the "
                            "same: give manifests as files",
                            session->options.resume ? "resume" : "checkpoint", input.files[f].name);
                return false;
            }
            VEC_PUSH(&session->arena, &identity->files, input.files[f]);
        }
    }
    return true;
}

static void save_identity(const struct identity *identity, struct bytes_out *out)
{
    bytes_put_text(out, identity->version);
    bytes_put_number(out, identity->program);
    bytes_put_number(out, identity->exhaustive);
    bytes_put_number(out, identity->arguments.count);
    for (uint32_t i = 0; i < identity->arguments.count; i++)
        bytes_put_text(out, identity->arguments.items[i]);
    bytes_put_number(out, identity->files.count);
    for (uint32_t i = 0; i < identity->files.count; i++) {
        bytes_put_text(out, identity->files.items[i].name);
        bytes_put_number(out, identity->files.items[i].hash);
    }
}

static const char *load_text(struct arena *arena, struct bytes_in *in)
{
    const uint64_t length = bytes_get_count(in, 1);
    char *text = ARENA_ARRAY(arena, char, length + 1);
    bytes_get(in, text, length);
    return text;
}

static bool load_identity(struct arena *arena, struct bytes_in *in, struct identity *identity)
{
    VEC(const char *) arguments = {0};
    *identity = (struct identity){.version = load_text(arena, in)};
    identity->program = bytes_get_number(in);
    identity->exhaustive = bytes_get_number(in) != 0;
    const uint64_t argument_count = bytes_get_count(in, sizeof(uint64_t));
    for (uint64_t i = 0; i < argument_count && !in->bad; i++)
        VEC_PUSH(arena, &arguments, load_text(arena, in));
    identity->arguments = (struct string_list){arguments.items, arguments.count};
    const uint64_t file_count = bytes_get_count(in, 2 * sizeof(uint64_t));
    for (uint64_t i = 0; i < file_count && !in->bad; i++) {
        struct report_file file = {.name = load_text(arena, in), .readable = true};
        file.hash = bytes_get_number(in);
        VEC_PUSH(arena, &identity->files, file);
    }
    return !in->bad;
}

static const char *list_text(struct arena *arena, const struct string_list *list)
{
    const char *text = "";
    for (uint32_t i = 0; i < list->count; i++)
        text = arena_printf(arena, "%s%s%s", text, i > 0 ? " " : "", list->items[i]);
    return text;
}

static bool same_lists(const struct string_list *left, const struct string_list *right)
{
    if (left->count != right->count)
        return false;
    for (uint32_t i = 0; i < left->count; i++)
        if (strcmp(left->items[i], right->items[i]) != 0)
            return false;
    return true;
}

/* Why the checkpoint is of something else; NULL: it is not. */
static const char *find_difference(struct arena *arena, const struct identity *then,
                                   const struct identity *now)
{
    if (strcmp(then->version, now->version) != 0)
        return arena_printf(arena, "was written by fathom %s, and this is %s", then->version,
                            now->version);
    if (then->program != now->program)
        return "was written by another build of fathom";
    if (!same_lists(&then->arguments, &now->arguments))
        return arena_printf(arena, "was made with other arguments: \"%s\", and these are \"%s\"",
                            list_text(arena, &then->arguments), list_text(arena, &now->arguments));
    if (then->exhaustive != now->exhaustive)
        return then->exhaustive ? "was made with --all, --heatmap or a picture of all setups"
                                : "was made without --all, --heatmap or a picture of all setups";
    if (then->files.count != now->files.count)
        return arena_printf(arena, "was made from %u files, and these are %u", then->files.count,
                            now->files.count);
    for (uint32_t i = 0; i < then->files.count; i++) {
        const struct report_file *old = &then->files.items[i];
        const struct report_file *new = &now->files.items[i];
        if (strcmp(old->name, new->name) != 0)
            return arena_printf(arena, "was made from other files: %s, and not %s", old->name,
                                new->name);
        if (old->hash != new->hash)
            return arena_printf(arena, "was made from other input: %s has changed", old->name);
    }
    return NULL;
}

static bool resume_from(struct session *session, const char *name, const struct identity *now,
                        struct checkpoint_file *file)
{
    const char *problem = NULL;
    struct identity then = {0};
    file->reader = checkpoint_open(&session->memory, name, &problem);
    const struct checkpoint_part *part =
        file->reader ? checkpoint_find(file->reader, CHECKPOINT_INPUT, 0, 0) : NULL;
    if (part) {
        struct bytes_in in = checkpoint_read(file->reader, part);
        problem = load_identity(&session->arena, &in, &then)
                      ? find_difference(&session->arena, &then, now)
                      : "is damaged";
        checkpoint_done(&in);
    } else if (!problem) {
        problem = "is damaged";
    }
    if (!problem)
        return true;
    session_say(session, "--resume: %s: %s", name, problem);
    if (file->reader)
        checkpoint_close(file->reader);
    file->reader = NULL;
    return false;
}

bool checkpoint_file_open(struct session *session, const struct verify_plan *plans, uint32_t count,
                          bool exhaustive, struct checkpoint_file *file)
{
    const char *resume = session->options.resume;
    struct identity identity;
    *file = (struct checkpoint_file){
        .name = session->options.checkpoint ? session->options.checkpoint : resume};
    if (!file->name)
        return true;
    if (!identify(session, plans, count, exhaustive, &identity) ||
        (resume && !resume_from(session, resume, &identity, file)))
        return false;
    file->writer = checkpoint_create(&session->memory, file->name);
    struct bytes_out *out =
        checkpoint_begin(file->writer, &(struct checkpoint_part){.kind = CHECKPOINT_INPUT});
    if (out) {
        save_identity(&identity, out);
        checkpoint_end(file->writer);
        return true;
    }
    /* Better to know it now than after hours. */
    session_say(session, "%s: %s: %s", session->options.checkpoint ? "--checkpoint" : "--resume",
                file->name, strerror(checkpoint_commit(file->writer)));
    checkpoint_file_close(session, file, false);
    return false;
}

void checkpoint_file_close(struct session *session, struct checkpoint_file *file, bool ended_early)
{
    if (file->writer && ended_early) {
        const int error = checkpoint_commit(file->writer);
        if (error)
            session_say(session, "no checkpoint was written: %s: %s", file->name, strerror(error));
        else if (!session->options.quiet)
            session_say(session, "to go on from here: --resume %s", file->name);
    }
    if (file->writer)
        checkpoint_free(file->writer);
    if (file->reader)
        checkpoint_close(file->reader);
    *file = (struct checkpoint_file){0};
}
