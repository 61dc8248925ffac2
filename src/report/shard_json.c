/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a shard, written. An outcome is one line, so that a report of thousands of setups
 * can still be looked at. */
#include "base/hash.h"
#include "base/json_out.h"
#include "report/formats.h"
#include "report/report.h"
#include "report/shard_members.h"
#include "report/shard_report.h"

#include <inttypes.h>
#include <string.h>

static void write_hash(struct arena *arena, struct json_out *json, const char *key, uint64_t hash)
{
    json_string(json, key, arena_printf(arena, "xxh3:%016" PRIx64, hash));
}

static void write_numbers(struct json_out *json, const char *key, const uint32_t *items,
                          uint32_t count)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < count; i++)
        json_unsigned(json, NULL, items[i]);
    json_array_end(json);
}

static void write_run(struct arena *arena, struct json_out *json, const struct shard_run *run)
{
    json_object_begin(json, NULL);
    shard_members_write(json, SHARD_run, run);
    write_numbers(json, "choices", run->choices, run->step_count);
    write_hash(arena, json, "fingerprint", run->fingerprint);
    json_object_end(json);
}

static void write_parts(struct json_out *json, const struct parts *parts)
{
    json_object_begin(json, "parts");
    shard_members_write(json, SHARD_parts, parts);
    json_array_begin(json, "items");
    for (uint32_t i = 0; i < parts->count; i++) {
        const struct decided_part *part = &parts->items[i];
        json_object_begin(json, NULL);
        shard_members_write(json, SHARD_part, part);
        write_numbers(json, "workloads", part->workloads, part->workload_count);
        write_numbers(json, "culprits", part->culprits, OBSTACLE_COUNT);
        json_object_end(json);
    }
    json_array_end(json);
    json_array_begin(json, "couplings");
    for (uint32_t i = 0; i < parts->coupling_count; i++) {
        const struct coupled *coupling = &parts->couplings[i];
        json_object_begin(json, NULL);
        shard_members_write(json, SHARD_coupling, coupling);
        if (coupling->namespace)
            json_string(json, "namespace", coupling->namespace);
        if (coupling->name)
            json_string(json, "name", coupling->name);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void write_outcome(struct arena *arena, struct json_out *json,
                          const struct shard_outcome *outcome)
{
    json_object_begin(json, NULL);
    json_unsigned(json, "setup", outcome->setup);
    shard_members_write(json, SHARD_outcome, outcome);
    if (outcome->states_most != UINT64_MAX)
        json_string(json, "statesMost", arena_printf(arena, "%" PRIu64, outcome->states_most));
    if (outcome->parts)
        write_parts(json, outcome->parts);
    if (outcome->run_count > 0) {
        json_array_begin(json, "runs");
        for (uint32_t i = 0; i < outcome->run_count; i++)
            write_run(arena, json, &outcome->runs[i]);
        json_array_end(json);
    }
    json_object_end(json);
}

/* On one line. */
static void write_outcome_line(const struct writer_context *how, struct json_out *json,
                               const struct shard_outcome *outcome)
{
    struct text line;
    struct json_out inner;
    text_init(&line, how->arena->memory);
    json_out_init(&inner, &line, 0);
    write_outcome(how->arena, &inner, outcome);
    json_raw(json, NULL, text_content(&line));
    text_release(&line);
}

static void write_input(struct arena *arena, struct json_out *json,
                        const struct checkpoint_identity *identity)
{
    json_object_begin(json, "input");
    report_write_strings(json, "arguments", &identity->arguments);
    json_array_begin(json, "files");
    for (uint32_t i = 0; i < identity->files.count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "name", identity->files.items[i].name);
        write_hash(arena, json, "hash", identity->files.items[i].hash);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void write_checks(const struct writer_context *how, struct json_out *json,
                         const struct shard_report *report)
{
    json_array_begin(json, "checks");
    for (uint32_t i = 0; i < report->check_count; i++) {
        const struct shard_check *check = &report->checks[i];
        json_object_begin(json, NULL);
        json_string(json, "check", check->name);
        report_write_strings(json, "intents", &check->intents);
        json_unsigned(json, "setups", check->log.setups);
        json_array_begin(json, "outcomes");
        for (uint32_t o = 0; o < check->log.outcomes.count; o++)
            write_outcome_line(how, json, &check->log.outcomes.items[o]);
        json_array_end(json);
        json_object_end(json);
    }
    json_array_end(json);
}

void shard_write_json(const struct writer_context *how, const struct shard_report *report,
                      struct text *text)
{
    struct json_out json;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "Shard");
    json_string(&json, "fathom", report->identity.version);
    write_hash(how->arena, &json, "build", report->identity.program);
    json_unsigned(&json, "shard", (uint64_t)report->shard.number + 1);
    json_unsigned(&json, "shards", report->shard.count);
    json_boolean(&json, "exhaustive", report->identity.exhaustive);
    write_input(how->arena, &json, &report->identity);
    write_checks(how, &json, report);
    write_hash(how->arena, &json, "checksum", hash_bytes(text_content(text), text->length));
    json_object_end(&json);
    text_append(text, "\n", 1);
}
