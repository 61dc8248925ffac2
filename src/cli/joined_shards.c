/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/joined_shards.h"

#include "cli/version.h"

#include <string.h>

/* ---- do they belong together? ---- */

static bool same_checks(const struct shard_report *one, const struct shard_report *other)
{
    bool same = one->check_count == other->check_count;
    for (uint32_t i = 0; same && i < one->check_count; i++)
        same = one->checks[i].log.setups == other->checks[i].log.setups &&
               one->checks[i].intents.count == other->checks[i].intents.count &&
               strcmp(one->checks[i].name, other->checks[i].name) == 0;
    return same;
}

static const char *why_strange(struct arena *arena, const struct shard_report *report,
                               const struct shard_report *first)
{
    const char *why = checkpoint_identity_differs(arena, &report->identity, &first->identity);
    if (why)
        return why;
    if (report->shard.count != first->shard.count)
        return arena_printf(arena, "is one of %u shards, and not of %u", report->shard.count,
                            first->shard.count);
    return same_checks(report, first) ? NULL : "is of other Checks or setups";
}

static bool belong_together(struct session *session, const struct shard_report *reports,
                            uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const char *why = why_strange(&session->arena, &reports[i], &reports[0]);
        if (why) {
            session_say(session, "%s does not belong to %s: it %s", reports[i].file,
                        reports[0].file, why);
            return false;
        }
    }
    return true;
}

/* Does this build read the same files? */
static bool is_of_this_build(struct session *session, const struct shard_report *report)
{
    struct checkpoint_identity now = report->identity;
    now.version = FATHOM_VERSION;
    now.files.items = arena_copy(&session->arena, report->identity.files.items,
                                 report->identity.files.count * sizeof(*now.files.items));
    if (!input_file_hash(&session->memory, "/proc/self/exe", &now.program))
        now.program = 0;
    for (uint32_t i = 0; i < now.files.count; i++)
        if (!input_file_hash(&session->memory, now.files.items[i].name, &now.files.items[i].hash)) {
            session_say(session, "%s was made from %s, which cannot be read", report->file,
                        now.files.items[i].name);
            return false;
        }
    const char *why = checkpoint_identity_differs(&session->arena, &report->identity, &now);
    if (why)
        session_say(session, "%s %s", report->file, why);
    return !why;
}

/* ---- is each there once? ---- */

static bool all_are_there(struct session *session, const struct shard_report *reports,
                          uint32_t count)
{
    struct arena *arena = &session->arena;
    const uint32_t shards = reports[0].shard.count;
    const struct shard_report **by_number = ARENA_ARRAY(arena, const struct shard_report *, shards);
    const char *missing = NULL;
    uint32_t missing_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct shard_report **place = &by_number[reports[i].shard.number];
        if (*place) {
            session_say(session, "shard %u of %u is given twice: %s, %s",
                        reports[i].shard.number + 1, shards, (*place)->file, reports[i].file);
            return false;
        }
        *place = &reports[i];
    }
    for (uint32_t i = 0; i < shards; i++)
        if (!by_number[i] && missing_count++ < 10)
            missing = missing ? arena_printf(arena, "%s, %u", missing, i + 1)
                              : arena_printf(arena, "%u", i + 1);
    if (missing)
        session_say(session, "of %u shards %u %s missing: %s%s", shards, missing_count,
                    missing_count == 1 ? "is" : "are", missing, missing_count > 10 ? ", ..." : "");
    return !missing;
}

/* ---- the outcomes ---- */

static void collect(struct arena *arena, const struct shard_report *reports, uint32_t count,
                    struct joined_shards *joined)
{
    joined->first = &reports[0];
    joined->check_count = reports[0].check_count;
    joined->checks = ARENA_ARRAY(arena, struct known_outcomes, joined->check_count + 1);
    for (uint32_t c = 0; c < joined->check_count; c++) {
        struct known_outcomes *known = &joined->checks[c];
        known->setups = reports[0].checks[c].log.setups;
        known->by_setup = ARENA_ARRAY(arena, const struct shard_outcome *, known->setups + 1);
        for (uint32_t r = 0; r < count; r++) {
            const struct shard_log *log = &reports[r].checks[c].log;
            for (uint32_t i = 0; i < log->outcomes.count; i++)
                known->by_setup[log->outcomes.items[i].setup] = &log->outcomes.items[i];
        }
    }
}

bool joined_shards_read(struct session *session, const struct option_list *files,
                        struct joined_shards *joined)
{
    struct arena *arena = &session->arena;
    struct shard_report *reports = ARENA_ARRAY(arena, struct shard_report, files->count + 1);
    struct problems problems;
    problems_init(&problems, arena);
    for (uint32_t i = 0; i < files->count; i++)
        shard_report_read(arena, files->items[i], &reports[i], &problems);
    session_complain(session, &problems);
    if (problems.errors > 0 || !belong_together(session, reports, files->count) ||
        !all_are_there(session, reports, files->count) || !is_of_this_build(session, &reports[0]))
        return false;
    collect(arena, reports, files->count, joined);
    return true;
}
