/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/checkpoint_file.h"

#include "cli/verify_again.h"
#include "cli/version.h"
#include "verify/checkpoint_identity.h"

#include <string.h>

static bool identify(struct session *session, const struct verify_plan *plans, uint32_t count,
                     bool exhaustive, struct checkpoint_identity *identity)
{
    *identity = (struct checkpoint_identity){.version = FATHOM_VERSION, .exhaustive = exhaustive};
    if (!input_file_hash(&session->memory, "/proc/self/exe", &identity->program))
        identity->program = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct made_from input = verify_again_describe(session, &plans[i], i);
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

static bool resume_from(struct session *session, const char *name,
                        const struct checkpoint_identity *now, struct checkpoint_file *file)
{
    const char *problem = NULL;
    struct checkpoint_identity then = {0};
    file->reader = checkpoint_open(&session->memory, name, &problem);
    const struct checkpoint_part *part =
        file->reader ? checkpoint_find(file->reader, CHECKPOINT_INPUT, 0, 0) : NULL;
    if (part) {
        struct bytes_in in = checkpoint_read(file->reader, part);
        problem = checkpoint_identity_load(&session->arena, &in, &then)
                      ? checkpoint_identity_differs(&session->arena, &then, now)
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
    struct checkpoint_identity identity;
    *file = (struct checkpoint_file){
        .name = session->options.checkpoint ? session->options.checkpoint : resume};
    if (!file->name || session->ranks) /* ranks have files of their own */
        return true;
    if (!identify(session, plans, count, exhaustive, &identity) ||
        (resume && !resume_from(session, resume, &identity, file)))
        return false;
    file->writer = checkpoint_create(&session->memory, file->name);
    struct bytes_out *out =
        checkpoint_begin(file->writer, &(struct checkpoint_part){.kind = CHECKPOINT_INPUT});
    if (out) {
        checkpoint_identity_save(&identity, out);
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
