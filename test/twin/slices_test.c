/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What states leave out is nothing that anybody reads: on random small clusters
 * the states with the readiness of pods, and the steps between them, are those
 * without, if one forgets who has not started yet; and with the reductions of
 * large setups the same states of rest are reached and the same verdicts given.
 *
 *     slices_test FIRST-SEED [HOW-MANY [STATES]]
 *     slices_test FILE...    Checks
 */
#include "cluster/threads/crew.h"
#include "twin/compare.h"
#include "twin/files.h"
#include "twin/flat.h"
#include "twin/random_check.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INTENTS_TRIED_MOST = 24, LIMIT_OF_FILES = 300000, TOLD_MOST = 5 };

/* Statuses of budgets that lag are part of a state, and count ready pods, even if nobody asks. */
#define ALL_PARTS (((UINT64_C(1) << PART_COUNT) - 1) & ~(UINT64_C(1) << PART_LAG))

/* ---- comparisons ---- */

static bool is_within(const struct map *left, const struct map *right, const char *what, bool tell)
{
    bool within = true;
    for (uint32_t i = 0; i < left->count; i++)
        if (!map_get(right, left->entries[i].key)) {
            if (tell && within)
                printf("  %s: %s\n", what, left->entries[i].key);
            within = false;
        }
    return within;
}

static bool are_equal(const struct map *with, const struct map *without, const char *what,
                      bool tell)
{
    const bool lost = !is_within(with, without, what, tell);
    if (lost && tell)
        printf("    (of %u %s, which are lost)\n", with->count, what);
    const bool made = !is_within(without, with, what, tell);
    if (made && tell)
        printf("    (of %u %s, which are made up)\n", without->count, what);
    return !lost && !made;
}

static struct crew *create(struct trial *trial, const struct setup *setup,
                           bool (*wanted)(enum intent_kind), bool aware,
                           enum population_reductions reductions)
{
    static const struct check_intent converges = {.kind = INTENT_CONVERGES};
    const struct population_options options = trial_options(trial, reductions);
    struct check_intent *intents =
        ARENA_ARRAY(&trial->arena, struct check_intent, INTENTS_TRIED_MOST + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < trial->check->intent_count && count < INTENTS_TRIED_MOST; i++)
        if (wanted(trial->check->intents[i].kind))
            intents[count++] = trial->check->intents[i];
    if (aware)
        intents[count++] = converges;
    return crew_create(NULL, &trial->memory, &trial->scope, setup, intents, count, &options,
                       &trial->problems);
}

static bool same_verdicts(struct trial *trial, struct crew *with, struct crew *without, bool tell)
{
    struct explore_options options;
    bool same = true;
    explore_options_init(&options);
    options.all = true;
    struct exploration *left = explore_run(crew_model(with), &options, &trial->memory);
    struct exploration *right = explore_run(crew_model(without), &options, &trial->memory);
    for (uint32_t i = 0; i < right->property_count; i++)
        if (left->properties[i].verdict != right->properties[i].verdict) {
            if (tell)
                printf("  %s %u: %s with, %s without\n", left->properties[i].property->name, i,
                       verdict_name(left->properties[i].verdict),
                       verdict_name(right->properties[i].verdict));
            same = false;
        }
    explore_free(left);
    explore_free(right);
    return same;
}

/* What is left out, and for which intents. */
struct way {
    const char *name;
    bool (*wanted)(enum intent_kind);
    enum population_reductions reductions;
};

static bool leaves_out(const struct way *way, const struct crew *crew)
{
    const struct left_out left_out = left_out_of(crew_worker(crew));
    return way->reductions == REDUCTIONS_NEVER ? left_out.readiness : left_out.creation;
}

static bool same_graphs(const struct way *way, const struct flat_graph *with,
                        const struct flat_graph *without, bool tell)
{
    if (way->reductions == REDUCTIONS_NEVER) {
        const bool states = are_equal(&with->reduced, &without->reduced, "states", tell);
        return are_equal(&with->edges, &without->edges, "steps", tell) && states;
    }
    return without->focus || are_equal(&with->rests, &without->rests, "states of rest", tell);
}

static enum result compare(struct trial *trial, const struct setup *setup, const struct way *way,
                           uint32_t limit, bool tell)
{
    struct crew *without = create(trial, setup, way->wanted, false, way->reductions);
    if (!leaves_out(way, without)) {
        crew_free(without);
        return SKIPPED;
    }
    struct crew *with = create(trial, setup, way->wanted, true, REDUCTIONS_NEVER);
    const uint64_t marks = (UINT64_C(1) << crew_model(without)->property_count) - 1;
    enum result result = TOO_LARGE;
    struct flat_graph full;
    struct flat_graph less;
    flatten(&full, &trial->memory, crew_worker(with), marks, limit);
    flatten(&less, &trial->memory, crew_worker(without), marks, full.too_large ? 1 : limit);
    if (crew_findings(without)->needs_all) {
        result = SKIPPED; /* verify does it again, and leaves nothing out */
    } else if (!full.too_large && !less.too_large && !crew_findings(with)->overflowed &&
               !crew_findings(without)->overflowed) {
        /* By the clock pods have ages, of which readiness is one. */
        const bool graphs =
            trial->scope.time == TIME_CLOCKED || same_graphs(way, &full, &less, tell);
        const bool verdicts = same_verdicts(trial, with, without, tell);
        result = graphs && verdicts ? SAME : DIFFERENT;
        if (result == DIFFERENT && tell)
            printf("  %s; verdicts %s\n", way->name, verdicts ? "agree" : "differ");
    }
    arena_release(&full.arena);
    arena_release(&less.arena);
    crew_free(with);
    crew_free(without);
    return result;
}

static const struct way ways[] = {
    {"without readiness", intent_is_unaware, REDUCTIONS_NEVER},
    {"reduced", intent_is_patient, REDUCTIONS_ALWAYS},
};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

struct counts {
    uint32_t compared[WAYS];
    uint32_t different;
    uint32_t cut; /* something is left out, and the graphs are too large to be compared */
};

static bool try_text(const char *file, const char *text, uint32_t limit, bool tell,
                     struct counts *counts)
{
    struct trial trial;
    bool same = true;
    if (trial_load(&trial, file, text))
        for (uint32_t s = 0; s < WAYS * trial.setups.count; s++) {
            const enum result result =
                compare(&trial, &trial.setups.items[s / WAYS], &ways[s % WAYS], limit, tell);
            counts->compared[s % WAYS] += result == SAME || result == DIFFERENT;
            counts->cut += result == TOO_LARGE;
            same = same && result != DIFFERENT;
        }
    arena_release(&trial.arena);
    return same;
}

static bool try_seed(uint64_t seed, uint64_t parts, uint32_t limit, bool tell,
                     struct counts *counts)
{
    struct random_check made;
    random_check_make(&made, seed, parts);
    write_text(APPLIED_FILE, text_content(&made.applied));
    const bool same = try_text("check.yaml", text_content(&made.check), limit, tell, counts);
    if (tell) {
        char name[64];
        snprintf(name, sizeof(name), "%" PRIu64 ".yaml", seed);
        write_text(name, text_content(&made.check));
    }
    random_check_release(&made);
    return same;
}

/* Leaves parts out as long as there is a difference. */
static void shrink(uint64_t seed, uint32_t limit)
{
    struct counts counts = {0};
    uint64_t parts = ALL_PARTS;
    for (uint32_t part = 0; part < PART_COUNT; part++)
        if (!try_seed(seed, parts & ~(UINT64_C(1) << part), limit, false, &counts))
            parts &= ~(UINT64_C(1) << part);
    printf("seed %" PRIu64 ", parts %" PRIx64 ":\n", seed, parts);
    try_seed(seed, parts, limit, true, &counts);
}

static bool try_file(const char *path, struct counts *counts)
{
    struct memory memory;
    struct text text;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    read_text(path, &text);
    const uint32_t cut = counts->cut;
    const uint32_t compared = counts->compared[0] + counts->compared[1];
    const bool same = try_text(path, text_content(&text), LIMIT_OF_FILES, true, counts);
    text_release(&text);
    printf("%s: %s\n", path,
           !same                                                   ? "different"
           : counts->cut > cut                                     ? "too large to be compared"
           : compared == counts->compared[0] + counts->compared[1] ? "nothing is left out"
                                                                   : "the same");
    return same && counts->cut == cut;
}

/* Where the environment says where the sources are: what takes much luck to come about
 * by chance. */
static void try_checks(struct counts *counts)
{
    static const char *const patterns[] = {"cases/unready-*/check.yaml", "twin/slices/*.yaml"};
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    char pattern[1024];
    for (size_t i = 0; root && i < sizeof(patterns) / sizeof(*patterns); i++) {
        glob_t found;
        snprintf(pattern, sizeof(pattern), "%s/test/%s", root, patterns[i]);
        if (glob(pattern, 0, NULL, &found) != 0) {
            perror(pattern);
            exit(1);
        }
        for (size_t f = 0; f < found.gl_pathc; f++)
            counts->different += !try_file(found.gl_pathv[f], counts);
        globfree(&found);
    }
}

int main(int argc, char **argv)
{
    struct counts counts = {0};
    if (argc > 1 && strchr(argv[1], '.')) {
        for (int i = 1; i < argc; i++)
            counts.different += !try_file(argv[i], &counts);
        return counts.different > 0;
    }
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
    const uint32_t limit = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1500;
    try_checks(&counts);
    char folder[] = "/tmp/fathom-slices-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    for (uint64_t seed = first; seed < first + count; seed++)
        if (!try_seed(seed, ALL_PARTS, limit, false, &counts) && counts.different++ < TOLD_MOST)
            shrink(seed, limit);
    printf("seeds %" PRIu64 "..%" PRIu64 ": %u %s, %u %s, %u differ\n", first, first + count - 1,
           counts.compared[0], ways[0].name, counts.compared[1], ways[1].name, counts.different);
    if (counts.different > 0)
        printf("they are in %s\n", folder);
    else if (unlink(APPLIED_FILE) != 0 || chdir("/") != 0 || rmdir(folder) != 0)
        perror(folder);
    return counts.different > 0 || counts.compared[0] == 0 || counts.compared[1] == 0;
}
