/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shard_run.h"

#include "cli/interrupt.h"
#include "cli/verify_again.h"
#include "cli/verify_one.h"
#include "cli/version.h"
#include "report/report.h"

#include <string.h>

bool shard_accepts_options(const struct session *session)
{
    const struct options *options = &session->options;
    if (!options->shard && options->shard_notes) {
        session_say(session, "--shard-notes: only shards have notes (--shard)");
        return false;
    }
    if (!options->shard)
        return true;
    if (options->checkpoint || options->resume || options->learn_scale) {
        session_say(session,
                    "--shard: cannot be combined with --checkpoint, --resume or --learn-scale");
        return false;
    }
    for (uint32_t i = 0; i < options->output.count; i++)
        if (!format_find(RESULT_SHARD, options->output.items[i].format)) {
            session_say(session,
                        "--shard: its report is json or text; fathom join has the other formats");
            return false;
        }
    return true;
}

static bool add_file(struct session *session, const struct input_file *file,
                     struct checkpoint_identity *identity)
{
    for (uint32_t i = 0; i < identity->files.count; i++)
        if (strcmp(identity->files.items[i].name, file->name) == 0)
            return true;
    if (!file->readable) {
        session_say(
            session,
            "%s cannot be read a second time, which those who join the shards must do: give "
            "manifests as files",
            file->name);
        return false;
    }
    VEC_PUSH(&session->arena, &identity->files, *file);
    return true;
}

/* Shards take turns with setups that are listed before anything is explored. */
static bool sizes_are_known(const struct session *session, const struct verify_plan *plan)
{
    for (uint32_t g = 0; g < plan->scope.group_count; g++)
        if (plan->scope.groups[g].open) {
            session_say(session,
                        "--shard: Check %s: node group %s has no maximum, so that sizes are not "
                        "known before they are explored (count: {max: N} gives it one)",
                        plan->unit->name, plan->scope.groups[g].name);
            return false;
        }
    return true;
}

bool shard_identify(struct session *session, const struct verify_plan *plans, uint32_t count,
                    bool exhaustive, struct checkpoint_identity *identity)
{
    bool good = true;
    *identity = (struct checkpoint_identity){
        .version = FATHOM_VERSION,
        .exhaustive = exhaustive,
        .arguments = verify_again_shard_arguments(session),
    };
    if (!input_file_hash(&session->memory, "/proc/self/exe", &identity->program))
        identity->program = 0;
    for (uint32_t i = 0; good && i < count; i++)
        good = sizes_are_known(session, &plans[i]);
    for (uint32_t i = 0; good && i < count; i++) {
        const struct made_from input =
            made_from_plan(&session->arena, &plans[i], i, identity->arguments);
        struct input_file own = {.name = plans[i].unit->file};
        if (own.name) {
            own.readable = input_file_hash(&session->memory, own.name, &own.hash);
            good = add_file(session, &own, identity);
        }
        for (uint32_t f = 0; good && f < input.file_count; f++)
            good = add_file(session, &input.files[f], identity);
    }
    return good;
}

static struct string_list labels_of(struct arena *arena, const struct verify_plan *plan)
{
    const char **labels = ARENA_ARRAY(arena, const char *, plan->intents.count + 1);
    for (uint32_t i = 0; i < plan->intents.count; i++)
        labels[i] = intent_format_option(arena, &plan->intents.items[i]);
    return (struct string_list){labels, plan->intents.count};
}

int shard_run(struct session *session, const struct verify_settings *settings,
              const struct verify_plan *plans, uint32_t count)
{
    struct arena *arena = &session->arena;
    struct shard_report report = {
        .shard = settings->run.shard,
        .checks = ARENA_ARRAY(arena, struct shard_check, count + 1),
        .check_count = count,
    };
    struct verify_options options = settings->run;
    bool interrupted = false;
    if (!shard_identify(session, plans, count, options.exhaustive, &report.identity))
        return EXIT_INPUT;
    const struct shard_notes notes = {session->options.shard_notes,
                                      shard_report_identity(&report.identity)};
    options.notes = notes.folder ? &notes : NULL;
    options.interrupted = interrupt_listen();
    for (uint32_t i = 0; i < count; i++) {
        const struct verify_settings own = verify_settings_of(settings, i);
        struct shard_check *check = &report.checks[i];
        struct verify_report found;
        check->name = plans[i].unit->name;
        check->intents = labels_of(arena, &plans[i]);
        check->log.arena = arena;
        options.unit = i;
        options.log = &check->log;
        options.population = own.run.population;
        verify_one(session, &own, &plans[i], &options, &found);
        interrupted |= found.ended_by == EXPLORE_INTERRUPTED;
        verify_release(&found);
    }
    /* Without -o, as pods and tasks run it, it is what fathom join reads. */
    const struct output usual = {"json", NULL};
    if (session->options.output.count == 0)
        VEC_PUSH(arena, &session->options.output, usual);
    /* Whether anything is violated is known when the shards are joined. */
    return session_report(session, RESULT_SHARD, &report,
                          interrupted ? VERDICT_UNDECIDED : VERDICT_HOLDS);
}
