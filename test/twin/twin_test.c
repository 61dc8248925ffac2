/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The population model against its naive twin, on random small clusters: the
 * same verdict for every intent (also where readiness is left out), counterexamples
 * that the twin can follow, those of safety equally short, as many states modulo
 * symmetry at every depth, and as many steps between them of every action.
 *
 *     twin_test [FIRST SEED] [HOW MANY] [STATES]
 *     twin_test FILE      one Check, as a failing seed leaves it behind
 */
#include "explore/explore.h"
#include "manifest/manifest.h"
#include "model/population/population.h"
#include "object/admission.h"
#include "twin/compare.h"
#include "twin/random_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INTENTS_TRIED_MOST = 24 };

#define ALL_PARTS ((UINT64_C(1) << PART_COUNT) - 1)

/* ---- one cluster ---- */

struct trial {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct objects objects;
    const struct check *check;
    struct scope scope;
    struct setups setups;
};

static bool trial_load(struct trial *trial, const char *file, const char *text)
{
    const struct scope_options options = {0};
    struct documents documents = {0};
    memset(trial, 0, sizeof(*trial));
    memory_init(&trial->memory, SIZE_MAX);
    arena_init(&trial->arena, &trial->memory);
    problems_init(&trial->problems, &trial->arena);
    bool good =
        manifest_parse(&trial->arena, file, text, strlen(text), &documents, &trial->problems) &&
        object_decode(&trial->arena, &documents, NULL, &trial->objects, &trial->problems) &&
        objects_admit(&trial->arena, &trial->objects, &(struct admission_options){0},
                      &trial->problems);
    for (uint32_t i = 0; i < trial->objects.count; i++)
        if (trial->objects.items[i].kind == OBJECT_CHECK)
            trial->check = trial->objects.items[i].as.check;
    good = good && trial->check &&
           scope_build(&trial->arena, &trial->objects, trial->check, &options, &trial->scope,
                       &trial->problems) &&
           population_supports(&trial->scope, trial->check->intents, trial->check->intent_count,
                               &trial->problems);
    for (uint32_t i = 0; !good && i < trial->problems.count; i++)
        printf("%s\n", problem_format(&trial->arena, &trial->problems.items[i]));
    if (good)
        scope_enumerate(&trial->arena, &trial->scope, &trial->setups);
    return good;
}

static void tell_path(const struct path *path)
{
    for (uint32_t i = 0; i < path->step_count; i++)
        printf("    %s %s\n", population_action_actor(path->steps[i].action),
               population_action_verb(path->steps[i].action));
}

static struct exploration *explore_all(struct memory *memory, const struct model *model)
{
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    return explore_run(model, &options, memory);
}

/* `numbers` are those of the twin's properties that the population has; NULL: all.
 * Where the two do not have the same steps (`apart` says why) paths are not
 * equally long. */
static enum result compare_verdicts(struct memory *memory, const struct exploration *quotient,
                                    const struct exploration *naive, const struct model *twin,
                                    const uint32_t *numbers, const char *apart, bool tell,
                                    uint32_t *replayed)
{
    enum result result = SAME;
    for (uint32_t i = 0; i < quotient->property_count; i++) {
        const struct property_result *left = &quotient->properties[i];
        const struct property_result *right = &naive->properties[numbers ? numbers[i] : i];
        const enum property_kind kind = left->property->kind;
        const bool safety =
            !apart && (kind == PROPERTY_INVARIANT || kind == PROPERTY_STEP_INVARIANT);
        if (left->verdict != right->verdict ||
            (safety && left->has_path && left->path.step_count != right->path.step_count)) {
            if (tell)
                printf("  %s%s: %s (%u steps) in the population, %s (%u steps) in the twin\n",
                       left->property->name, apart ? apart : "", verdict_name(left->verdict),
                       left->has_path ? left->path.step_count : 0, verdict_name(right->verdict),
                       right->has_path ? right->path.step_count : 0);
            if (tell)
                tell_path(left->has_path ? &left->path : &right->path);
            result = DIFFERENT;
        } else if (!apart && left->has_path) {
            (*replayed)++;
            if (!twin_follows(memory, twin, left->property, &left->path)) {
                if (tell)
                    printf("  %s: the twin cannot follow the counterexample\n",
                           left->property->name);
                result = DIFFERENT;
            }
        }
    }
    return result;
}

struct totals {
    uint32_t replayed; /* counterexamples */
    uint32_t clusters;
    uint32_t skipped;
    uint64_t states;
    uint64_t naive_states;
    uint64_t edges;
    uint64_t of_action[ACTIONS_MOST];
};

/* ---- what is left out ---- */

/* Intents that say nothing of readiness: it is left out then. */
static bool unaware_of_readiness(enum intent_kind kind)
{
    switch (kind) {
    case INTENT_PODS_SCHEDULABLE:
    case INTENT_NO_REPLICA_SWING:
    case INTENT_NO_REPLICA_OSCILLATION:
    case INTENT_NO_EVICTION_LOOP:
    case INTENT_NODES_HEALTHY:
    case INTENT_NEVER_PREEMPTED:
    case INTENT_NEVER_EVICTED:
    case INTENT_ONLY_ON:
    case INTENT_NEVER_ON: return true;
    default: return false;
    }
}

/* Those for which the reductions of large setups leave it out. */
static bool patient(enum intent_kind kind)
{
    return kind != INTENT_REPLICAS_AT_LEAST && kind != INTENT_DRAIN_COMPLETES &&
           kind != INTENT_NODES_HEALTHY;
}

static bool any(enum intent_kind kind)
{
    (void)kind;
    return true;
}

/* The same with some of the intents, or with reductions. */
static enum result try_reduced(struct trial *trial, const struct setup *setup,
                               const struct exploration *naive, bool (*wanted)(enum intent_kind),
                               enum population_reductions reductions, const char *how, bool tell)
{
    const struct population_options options = {.features = features_of_version(26),
                                               .reductions = reductions};
    struct check_intent intents[INTENTS_TRIED_MOST];
    uint32_t numbers[INTENTS_TRIED_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < trial->check->intent_count && count < INTENTS_TRIED_MOST; i++)
        if (wanted(trial->check->intents[i].kind)) {
            numbers[count] = i;
            intents[count++] = trial->check->intents[i];
        }
    struct population *population = population_create(&trial->memory, &trial->scope, setup, intents,
                                                      count, &options, &trial->problems);
    struct exploration *quotient = explore_all(&trial->memory, population_model(population));
    const enum result result =
        population_needs_all(population)
            ? SAME
            : compare_verdicts(&trial->memory, quotient, naive, NULL, numbers, how, tell, NULL);
    explore_free(quotient);
    population_free(population);
    return result;
}

static enum result try_all_reduced(struct trial *trial, const struct setup *setup,
                                   const struct exploration *naive, bool tell)
{
    const struct {
        bool (*wanted)(enum intent_kind);
        enum population_reductions reductions;
        const char *how;
    } ways[] = {
        {unaware_of_readiness, REDUCTIONS_NEVER, ", sliced"},
        {any, REDUCTIONS_ALWAYS, ", creation first"},
        {patient, REDUCTIONS_ALWAYS, ", creation first and ready at once"},
    };
    enum result result = SAME;
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
        if (try_reduced(trial, setup, naive, ways[i].wanted, ways[i].reductions, ways[i].how,
                        tell) != SAME)
            result = DIFFERENT;
    return result;
}

/* A twin that takes every step, also those that the population leaves out. */
static enum result try_all_steps(struct trial *trial, const struct setup *setup,
                                 const struct model *model, const struct exploration *quotient,
                                 uint32_t limit, bool tell)
{
    struct twin *twin = twin_create(&trial->memory, &trial->scope, setup, trial->check->intents,
                                    trial->check->intent_count, model->properties, TWIN_TAKES_ALL);
    struct explore_options options;
    enum result result = SAME;
    explore_options_init(&options);
    options.all = true;
    options.states_most = (uint64_t)10 * limit;
    struct exploration *naive = explore_run(twin_model(twin), &options, &trial->memory);
    if (naive->complete && !twin_overflowed(twin))
        result = compare_verdicts(&trial->memory, quotient, naive, NULL, NULL, ", all steps taken",
                                  tell, NULL);
    explore_free(naive);
    twin_free(twin);
    return result;
}

static enum result compare(struct trial *trial, const struct setup *setup,
                           const struct model *model, struct twin *twin, uint32_t limit, bool tell,
                           uint32_t *replayed)
{
    struct exploration *quotient = explore_all(&trial->memory, model);
    struct exploration *naive = explore_all(&trial->memory, twin_model(twin));
    enum result result =
        compare_verdicts(&trial->memory, quotient, naive, twin_model(twin), NULL,
                         twin_was_crowded(twin) ? ", in batches" : NULL, tell, replayed);
    if (try_all_reduced(trial, setup, naive, tell) != SAME ||
        (twin_leaves_out(twin) &&
         try_all_steps(trial, setup, model, quotient, limit, tell) != SAME))
        result = DIFFERENT;
    explore_free(naive);
    explore_free(quotient);
    return result;
}

static enum result try_setup(struct trial *trial, const struct setup *setup, uint32_t limit,
                             bool tell, struct totals *totals)
{
    const struct population_options options = {.features = features_of_version(26)};
    struct population *population =
        population_create(&trial->memory, &trial->scope, setup, trial->check->intents,
                          trial->check->intent_count, &options, &trial->problems);
    const struct model *model = population_model(population);
    struct twin *twin = twin_create(&trial->memory, &trial->scope, setup, trial->check->intents,
                                    trial->check->intent_count, model->properties, TWIN_MIRRORS);
    enum result result = SKIPPED;
    if (twin) {
        struct graph quotient;
        struct graph naive;
        graph_build(&quotient, &trial->memory, model, NULL, limit);
        graph_build(&naive, &trial->memory, twin_model(twin), twin, limit);
        if (!quotient.too_large && !naive.too_large && !twin_overflowed(twin) &&
            !population_overflowed(population)) {
            uint32_t replayed = 0;
            result = twin_was_crowded(twin) ? SAME : compare_graphs(&quotient, &naive, tell);
            if (compare(trial, setup, model, twin, limit, tell, &replayed) != SAME)
                result = DIFFERENT;
            if (totals) {
                totals->states += quotient.words.count;
                totals->naive_states += naive.words.count;
                totals->edges += quotient.edges.count;
                for (uint32_t a = 0; a < ACTIONS_MOST; a++)
                    totals->of_action[a] += quotient.of_action[a];
                totals->replayed += replayed;
            }
        }
        arena_release(&quotient.arena);
        arena_release(&naive.arena);
        twin_free(twin);
    }
    population_free(population);
    return result;
}

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

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static enum result try_seed(uint64_t seed, uint64_t parts, uint32_t limit, bool tell,
                            struct totals *totals)
{
    struct memory memory;
    struct text check;
    struct text applied;
    memory_init(&memory, SIZE_MAX);
    text_init(&check, &memory);
    text_init(&applied, &memory);
    random_check(seed, parts, &check, &applied);
    write_text(APPLIED_FILE, text_content(&applied));
    const enum result result = try_text("check.yaml", text_content(&check), limit, tell, totals);
    if (tell) {
        char folder[32];
        snprintf(folder, sizeof(folder), "%" PRIu64, seed);
        if (mkdir(folder, 0777) != 0 || chdir(folder) != 0)
            perror(folder);
        write_text("check.yaml", text_content(&check));
        write_text(APPLIED_FILE, text_content(&applied));
        if (chdir("..") != 0)
            perror(folder);
    }
    text_release(&check);
    text_release(&applied);
    return result;
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

static int try_file(const char *path, uint32_t limit)
{
    struct memory memory;
    struct text text;
    char bytes[4096];
    size_t count;
    FILE *file = fopen(path, "re");
    if (!file) {
        perror(path);
        return 2;
    }
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    while ((count = fread(bytes, 1, sizeof(bytes), file)) > 0)
        text_append(&text, bytes, count);
    fclose(file);
    const enum result result = try_text(path, text_content(&text), limit, true, NULL);
    text_release(&text);
    puts(result == SAME ? "the same" : result == SKIPPED ? "not of the twin's kind" : "different");
    return result == DIFFERENT;
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
    const uint32_t limit = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 2500;
    if (argc == 2 && strchr(argv[1], '.'))
        return try_file(argv[1], 1000000);
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 120;
    struct totals totals = {0};
    uint32_t different = 0;
    char folder[] = "/tmp/fathom-twin-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    for (uint64_t seed = first; seed < first + count; seed++) {
        const enum result result = try_seed(seed, ALL_PARTS, limit, false, &totals);
        totals.clusters += result != SKIPPED;
        totals.skipped += result == SKIPPED;
        if (result != DIFFERENT)
            continue;
        if (different++ < 5)
            shrink(seed, limit);
    }
    printf("seeds %" PRIu64 "..%" PRIu64 ": %u clusters, %u left out (too large); %" PRIu64
           " states (%" PRIu64 " in the twin), %" PRIu64
           " steps, %u counterexamples replayed; %u differ\n",
           first, first + count - 1, totals.clusters, totals.skipped, totals.states,
           totals.naive_states, totals.edges, totals.replayed, different);
    tell_actions(&totals);
    if (different == 0) {
        unlink(APPLIED_FILE);
        rmdir(folder);
    } else {
        printf("they are %s/SEED/check.yaml\n", folder);
    }
    return different > 0 || totals.clusters == 0;
}
