/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a shard, read. Numbers are checked for what they count or refer to, so that a
 * report that somebody changed does no harm; whether it tells the truth cannot be seen. */
#include "base/hash.h"
#include "base/input_file.h"
#include "cluster/population.h"
#include "manifest/limits.h"
#include "manifest/manifest.h"
#include "report/shard_members.h"
#include "report/shard_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct shard_reading {
    struct arena *arena;
    struct problems *problems;
    const char *file;
};

/* ---- values ---- */

static void refuse(const struct shard_reading *reading, const struct value *value, const char *key,
                   const char *wanted)
{
    if (value)
        value_expected(reading->problems, value, key, wanted);
    else
        problem_error(reading->problems, (struct place){.file = reading->file}, key,
                      "expected %s, found nothing", wanted);
}

static uint64_t read_number(const struct shard_reading *reading, const struct value *mapping,
                            const char *key, uint64_t least, uint64_t most)
{
    const struct value *value = value_find(mapping, key);
    int64_t number = 0;
    if (!value_read_integer(value, &number) || number < 0 || (uint64_t)number < least ||
        (uint64_t)number > most)
        refuse(reading, value, key,
               arena_printf(reading->arena, "a number from %" PRIu64 " to %" PRIu64, least, most));
    return (uint64_t)number;
}

static const char *read_text(const struct shard_reading *reading, const struct value *mapping,
                             const char *key)
{
    const char *text = value_find_string(mapping, key);
    if (!text)
        refuse(reading, value_find(mapping, key), key, "a text");
    return text ? text : "";
}

static uint64_t read_hash(const struct shard_reading *reading, const struct value *mapping,
                          const char *key)
{
    static const char start[] = "xxh3:";
    const char *text = read_text(reading, mapping, key);
    char *end = NULL;
    if (strncmp(text, start, sizeof(start) - 1) != 0) {
        refuse(reading, value_find(mapping, key), key, "a hash (xxh3:...)");
        return 0;
    }
    return strtoull(text + sizeof(start) - 1, &end, 16);
}

static const struct value *read_list(const struct shard_reading *reading,
                                     const struct value *mapping, const char *key)
{
    static const struct value none = {.kind = VALUE_SEQUENCE};
    const struct value *list = value_find(mapping, key);
    if (list && list->kind == VALUE_SEQUENCE)
        return list;
    refuse(reading, list, key, "a list");
    return &none;
}

static struct string_list read_texts(const struct shard_reading *reading,
                                     const struct value *mapping, const char *key)
{
    const struct value *list = read_list(reading, mapping, key);
    const char **items = ARENA_ARRAY(reading->arena, const char *, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++)
        if (!value_read_string(&list->items[i], &items[i])) {
            refuse(reading, &list->items[i], key, "a text");
            items[i] = "";
        }
    return (struct string_list){items, list->count};
}

static uint32_t *read_numbers(const struct shard_reading *reading, const struct value *mapping,
                              const char *key, uint32_t *count)
{
    const struct value *list = read_list(reading, mapping, key);
    uint32_t *numbers = ARENA_ARRAY(reading->arena, uint32_t, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        int64_t number = 0;
        if (!value_read_integer(&list->items[i], &number) || number < 0 || number > UINT32_MAX)
            refuse(reading, &list->items[i], key, "a number");
        numbers[i] = (uint32_t)number;
    }
    *count = list->count;
    return numbers;
}

/* ---- outcomes ---- */

static struct shard_run read_run(const struct shard_reading *reading, const struct value *value,
                                 uint32_t intent_count)
{
    struct shard_run run = {0};
    shard_members_read(value, SHARD_run, &run, reading->problems);
    run.choices = read_numbers(reading, value, "choices", &run.step_count);
    run.fingerprint = read_hash(reading, value, "fingerprint");
    if (run.intent >= intent_count || run.reductions > REDUCTIONS_NEVER_LOOPS_REST ||
        run.nodes > NODES_ALL_DISTINGUISHED || run.loop_from > run.step_count)
        refuse(reading, value, "runs", "a run of the model");
    return run;
}

static bool is_part(uint32_t number, uint32_t count)
{
    return number < count || number == UINT32_MAX;
}

static void read_part(const struct shard_reading *reading, const struct value *value,
                      uint32_t count, struct decided_part *part)
{
    uint32_t culprits = 0;
    shard_members_read(value, SHARD_part, part, reading->problems);
    part->workloads = read_numbers(reading, value, "workloads", &part->workload_count);
    const uint32_t *numbers = read_numbers(reading, value, "culprits", &culprits);
    bool good = culprits == OBSTACLE_COUNT && part->workload_count > 0 &&
                is_part(part->like, count) && is_part(part->sibling, count) &&
                part->ended_by <= EXPLORE_OMISSION;
    for (uint32_t i = 0; good && i < culprits; i++) {
        part->culprits[i] = numbers[i];
        good = is_part(numbers[i], count);
    }
    if (!good)
        refuse(reading, value, "parts", "a part of the workloads");
}

static void read_couplings(const struct shard_reading *reading, const struct value *mapping,
                           struct parts *parts)
{
    const struct value *list = read_list(reading, mapping, "couplings");
    parts->couplings = ARENA_ARRAY(reading->arena, struct coupled, list->count + 1);
    parts->coupling_count = list->count;
    for (uint32_t i = 0; i < list->count; i++) {
        struct coupled *coupling = &parts->couplings[i];
        shard_members_read(&list->items[i], SHARD_coupling, coupling, reading->problems);
        coupling->namespace = value_find_string(&list->items[i], "namespace");
        coupling->name = value_find_string(&list->items[i], "name");
        if (coupling->rule >= COUPLING_RULE_COUNT)
            refuse(reading, &list->items[i], "couplings", "two coupled workloads");
    }
}

static struct parts *read_parts(const struct shard_reading *reading, const struct value *value)
{
    struct parts *parts = ARENA_NEW(reading->arena, struct parts);
    const struct value *list = read_list(reading, value, "items");
    shard_members_read(value, SHARD_parts, parts, reading->problems);
    parts->items = ARENA_ARRAY(reading->arena, struct decided_part, list->count + 1);
    parts->count = list->count;
    for (uint32_t i = 0; i < list->count; i++)
        read_part(reading, &list->items[i], list->count, &parts->items[i]);
    read_couplings(reading, value, parts);
    /* Without parts, none of these refers to one. */
    if (parts->together >= TOGETHER_COUNT || parts->blamed > OBSTACLE_COUNT ||
        (parts->count > 0 &&
         (!is_part(parts->stays, parts->count) || !is_part(parts->restless, parts->count) ||
          !is_part(parts->preempts, parts->count) || !is_part(parts->unbounded, parts->count) ||
          !is_part(parts->culprit, parts->count))))
        refuse(reading, value, "parts", "how workloads were decided");
    return parts;
}

static uint64_t read_states_most(const struct shard_reading *reading, const struct value *value)
{
    const char *text = value_find_string(value, "statesMost");
    char *end = NULL;
    if (!text)
        return UINT64_MAX;
    const uint64_t number = strtoull(text, &end, 10);
    if (end == text || *end)
        refuse(reading, value_find(value, "statesMost"), "statesMost", "a number");
    return number;
}

static struct shard_outcome read_outcome(const struct shard_reading *reading,
                                         const struct value *value, uint64_t setup,
                                         uint32_t intent_count)
{
    struct shard_outcome outcome = {.setup = setup};
    const struct value *parts = value_find(value, "parts");
    const struct value *runs = value_find(value, "runs");
    shard_members_read(value, SHARD_outcome, &outcome, reading->problems);
    outcome.states_most = read_states_most(reading, value);
    if (parts)
        outcome.parts = read_parts(reading, parts);
    if (runs)
        runs = read_list(reading, value, "runs");
    outcome.runs = ARENA_ARRAY(reading->arena, struct shard_run, (runs ? runs->count : 0) + 1);
    for (; runs && outcome.run_count < runs->count; outcome.run_count++)
        outcome.runs[outcome.run_count] =
            read_run(reading, &runs->items[outcome.run_count], intent_count);
    const uint64_t intents = intent_count < 64 ? (UINT64_C(1) << intent_count) - 1 : UINT64_MAX;
    if (outcome.ended_by > EXPLORE_OMISSION || (outcome.asked & ~intents) ||
        (outcome.violated & ~outcome.asked) || (outcome.undecided & ~outcome.asked))
        refuse(reading, value, "outcomes", "the outcome of a setup");
    return outcome;
}

/* ---- the whole of it ---- */

static void read_check(const struct shard_reading *reading, const struct value *value,
                       const struct shard *shard, struct shard_check *check)
{
    const struct value *outcomes = read_list(reading, value, "outcomes");
    check->name = read_text(reading, value, "check");
    check->intents = read_texts(reading, value, "intents");
    check->log.arena = reading->arena;
    check->log.setups = read_number(reading, value, "setups", 0, UINT32_MAX);
    for (uint32_t i = 0; i < outcomes->count && reading->problems->errors == 0; i++) {
        const struct value *item = &outcomes->items[i];
        const uint64_t setup = shard_setup(shard, i);
        if (read_number(reading, item, "setup", 0, UINT32_MAX) != setup ||
            setup >= check->log.setups)
            refuse(reading, item, "outcomes",
                   arena_printf(reading->arena, "setup %" PRIu64, setup));
        const struct shard_outcome outcome =
            read_outcome(reading, item, setup, check->intents.count);
        VEC_PUSH(reading->arena, &check->log.outcomes, outcome);
    }
}

static void read_identity(const struct shard_reading *reading, const struct value *value,
                          struct checkpoint_identity *identity)
{
    const struct value *input = value_find(value, "input");
    const struct value *exhaustive = value_find(value, "exhaustive");
    const struct value *files = read_list(reading, input, "files");
    identity->version = read_text(reading, value, "fathom");
    identity->program = read_hash(reading, value, "build");
    if (!value_read_boolean(exhaustive, &identity->exhaustive))
        refuse(reading, exhaustive, "exhaustive", "true or false");
    identity->arguments = read_texts(reading, input, "arguments");
    for (uint32_t i = 0; i < files->count; i++) {
        const struct input_file file = {
            .name = read_text(reading, &files->items[i], "name"),
            .hash = read_hash(reading, &files->items[i], "hash"),
            .readable = true,
        };
        VEC_PUSH(reading->arena, &identity->files, file);
    }
}

static void read_report(const struct shard_reading *reading, const struct value *value,
                        struct shard_report *report)
{
    const struct value *checks = read_list(reading, value, "checks");
    read_identity(reading, value, &report->identity);
    report->shard.count = (uint32_t)read_number(reading, value, "shards", 1, SHARDS_MOST);
    report->shard.number =
        (uint32_t)read_number(reading, value, "shard", 1, report->shard.count) - 1;
    report->checks = ARENA_ARRAY(reading->arena, struct shard_check, checks->count + 1);
    report->check_count = checks->count;
    for (uint32_t i = 0; i < checks->count && reading->problems->errors == 0; i++)
        read_check(reading, &checks->items[i], &report->shard, &report->checks[i]);
}

static bool read_file(const char *path, struct text *content)
{
    char block[8192];
    const int file = input_open(path);
    ssize_t count = -1;
    while (file >= 0 && content->length <= INPUT_BYTES_MOST &&
           (count = read(file, block, sizeof(block))) > 0)
        text_append(content, block, (size_t)count);
    const int error = content->length > INPUT_BYTES_MOST ? EFBIG : errno;
    if (file >= 0)
        close(file);
    errno = error;
    return count == 0;
}

/* The checksum is the last member, and is of all that stands before it. */
static bool is_whole(const struct text *content)
{
    static const char start[] = ",\n  \"checksum\": \"xxh3:";
    const char *text = text_content(content);
    const char *at = NULL;
    for (const char *next = text; (next = strstr(next, start)); next++)
        at = next;
    return at &&
           strtoull(at + sizeof(start) - 1, NULL, 16) == hash_bytes(text, (size_t)(at - text));
}

static void parse(const struct shard_reading *reading, const struct text *content,
                  struct shard_report *report)
{
    struct documents documents = {0};
    const struct place place = {.file = reading->file};
    const bool good = manifest_parse(reading->arena, reading->file, text_content(content),
                                     content->length, &documents, reading->problems);
    const struct value *root = documents.count == 1 ? &documents.items[0].root : NULL;
    const char *kind = value_find_string(root, "kind");
    if (good && (!kind || strcmp(kind, "Shard") != 0))
        problem_error(
            reading->problems, place, NULL,
            "expected the report of a shard (fathom verify --shard), found something else");
    else if (good && !is_whole(content))
        problem_error(reading->problems, place, NULL,
                      "the report is damaged: its checksum is wrong");
    else if (good)
        read_report(reading, root, report);
}

bool shard_report_read(struct arena *arena, const char *path, struct shard_report *report,
                       struct problems *problems)
{
    const struct shard_reading reading = {arena, problems, path};
    const uint32_t errors = problems->errors;
    struct text content;
    *report = (struct shard_report){.file = path};
    text_init(&content, arena->memory);
    if (read_file(path, &content))
        parse(&reading, &content, report);
    else
        problem_error(problems, (struct place){.file = path}, NULL, "cannot be read: %s",
                      input_why(errno));
    text_release(&content);
    return problems->errors == errors;
}

uint64_t shard_report_identity(const struct checkpoint_identity *identity)
{
    uint64_t hash = hash_bytes_seeded(identity->version, strlen(identity->version),
                                      identity->program + identity->exhaustive);
    for (uint32_t i = 0; i < identity->arguments.count; i++)
        hash = hash_bytes_seeded(identity->arguments.items[i],
                                 strlen(identity->arguments.items[i]) + 1, hash);
    for (uint32_t i = 0; i < identity->files.count; i++)
        hash = hash_word(hash ^ identity->files.items[i].hash);
    return hash;
}
