/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The population model against its naive twin, on random small clusters: the
 * same verdict for every intent (also where readiness is left out), counterexamples
 * that the twin can follow, those of safety equally short, as many states modulo
 * symmetry at every depth, and as many steps between them of every action.
 *
 *     twin_test           a sample, up to the first difference
 *     twin_test FIRST-SEED [HOW-MANY [STATES [TEXT]]]     those with TEXT in them
 *     twin_test FILE [STATES]     one Check, as a failing seed leaves it behind
 *
 * Where the environment says where the sources are, the Checks of test/twin/checks
 * come first: what takes much luck to come about by chance.
 */
#include "cluster/population.h"
#include "twin/compare.h"
#include "twin/files.h"
#include "twin/random_check.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIMIT_OF_FILES = 1000000 };

#define ALL_PARTS ((UINT64_C(1) << PART_COUNT) - 1)

static enum result try_text(const char *file, const char *text, uint32_t limit, bool tell,
                            struct totals *totals)
{
    struct trial trial;
    enum result result = SKIPPED;
    if (trial_load(&trial, file, text))
        for (uint32_t s = 0; s < trial.setups.count && result != DIFFERENT; s++)
            result = try_setup(&trial, &trial.setups.items[s], limit, tell, totals);
    arena_release(&trial.arena);
    return result;
}

static enum result try_seed(uint64_t seed, uint64_t parts, uint32_t limit, bool tell,
                            struct totals *totals)
{
    struct random_check made;
    random_check_make(&made, seed, parts);
    write_text(APPLIED_FILE, text_content(&made.applied));
    const enum result result =
        try_text("check.yaml", text_content(&made.check), limit, tell, totals);
    if (tell) {
        char folder[32];
        snprintf(folder, sizeof(folder), "%" PRIu64, seed);
        if (mkdir(folder, 0777) != 0 || chdir(folder) != 0)
            perror(folder);
        write_text("check.yaml", text_content(&made.check));
        write_text(APPLIED_FILE, text_content(&made.applied));
        if (chdir("..") != 0)
            perror(folder);
    }
    random_check_release(&made);
    return result;
}

/* Does the random Check of the seed have the text in it? */
static bool has_text(uint64_t seed, const char *wanted)
{
    struct random_check made;
    random_check_make(&made, seed, ALL_PARTS);
    const bool found = strstr(text_content(&made.check), wanted) != NULL;
    random_check_release(&made);
    return found;
}

/* Leaves parts out as long as the two still differ. */
static void shrink(uint64_t seed, uint32_t limit)
{
    uint64_t parts = ALL_PARTS;
    for (uint32_t part = 0; part < PART_COUNT; part++)
        if (try_seed(seed, parts & ~(UINT64_C(1) << part), limit, false, NULL) == DIFFERENT)
            parts &= ~(UINT64_C(1) << part);
    printf("seed %" PRIu64 ", parts %" PRIx64 ":\n", seed, parts);
    try_seed(seed, parts, limit, true, NULL);
}

static enum result try_file(const char *path, uint32_t limit, bool tell)
{
    struct memory memory;
    struct text text;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    read_text(path, &text);
    const enum result result = try_text(path, text_content(&text), limit, tell, NULL);
    text_release(&text);
    if (tell)
        printf("%s: %s\n", path,
               result == SAME      ? "the same"
               : result == SKIPPED ? "not of the twin's kind"
                                   : "different");
    return result;
}

/* How many of the Checks are not the same in both. */
static uint32_t try_checks(uint32_t limit)
{
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    uint32_t different = 0;
    char pattern[1024];
    glob_t found;
    if (!root)
        return 0;
    snprintf(pattern, sizeof(pattern), "%s/test/twin/checks/*.yaml", root);
    if (glob(pattern, 0, NULL, &found) != 0) {
        perror(pattern);
        return 1;
    }
    for (size_t i = 0; i < found.gl_pathc; i++)
        different += try_file(found.gl_pathv[i], limit, true) != SAME;
    globfree(&found);
    return different;
}

static void tell_actions(const struct totals *totals)
{
    printf("steps:");
    for (uint32_t a = 0; a < ACTIONS_MOST; a++)
        if (totals->of_action[a] > 0)
            printf(" %s-%s %" PRIu64, population_action_actor(a), population_action_verb(a),
                   totals->of_action[a]);
    puts("");
}

int main(int argc, char **argv)
{
    const uint32_t limit = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1500;
    const bool brief = argc == 1;
    if (argc > 1 && strchr(argv[1], '.'))
        return try_file(argv[1], argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : LIMIT_OF_FILES,
                        true) == DIFFERENT;
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 240;
    struct totals totals = {0};
    uint32_t different = try_checks(LIMIT_OF_FILES);
    if (brief && different > 0)
        return 1;
    char folder[] = "/tmp/fathom-twin-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    for (uint64_t seed = first; seed < first + count; seed++) {
        if (argc > 4 && !has_text(seed, argv[4]))
            continue;
        const enum result result = try_seed(seed, ALL_PARTS, limit, false, &totals);
        totals.clusters += result != SKIPPED;
        totals.skipped += result == SKIPPED;
        if (result != DIFFERENT)
            continue;
        if (different++ < 5 && !brief)
            shrink(seed, limit);
        if (brief)
            break;
    }
    printf("seeds %" PRIu64 "..%" PRIu64 ": %u clusters, %u left out (too large); %" PRIu64
           " states (%" PRIu64 " in the twin), %" PRIu64
           " steps, %u counterexamples replayed, %u of them loops; %u loops forget a node, %u "
           "are fair to each node only, %u serve no pod of a kind; %u with workloads one at a "
           "time, %u "
           "with guesses; %u in parts, which show %u intents; %u differ\n",
           first, first + count - 1, totals.clusters, totals.skipped, totals.states,
           totals.naive_states, totals.edges, totals.replayed, totals.loops, totals.unfair,
           totals.turns, totals.lazy, totals.focus, totals.guessed, totals.parts, totals.by_parts,
           different);
    tell_actions(&totals);
    if (different == 0) {
        unlink(APPLIED_FILE);
        rmdir(folder);
    } else {
        printf("they are %s/SEED/check.yaml\n", folder);
    }
    return different > 0 || totals.clusters == 0;
}
