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
#include "base/map.h"
#include "base/vec.h"
#include "explore/explore.h"
#include "manifest/manifest.h"
#include "model/population/population.h"
#include "object/admission.h"
#include "twin/random_check.h"
#include "twin/twin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH_MOST = 400, ACTIONS_MOST = 128 };

/* ---- a graph, counted ---- */

struct graph {
    struct arena arena;
    const struct model *model;
    struct twin *twin; /* NULL: states are folded already */
    struct map states; /* words -> number + 1 */
    struct map folded; /* folded state -> number + 1 */
    struct map edges;  /* folded from, action, folded to */
    VEC(const uint32_t *) words;
    VEC(uint32_t) lengths;
    VEC(uint32_t) depths;
    VEC(uint32_t) folds;
    uint64_t at_depth[DEPTH_MOST];
    uint64_t of_action[ACTIONS_MOST];
    uint32_t depth;
    uint32_t limit;
    bool too_large;
};

struct collector {
    struct step_sink sink;
    struct graph *graph;
    uint32_t from; /* folded */
    bool initial;
};

static const char *key_of(struct graph *graph, const uint32_t *words, uint32_t length)
{
    char *key = arena_allocate(&graph->arena, (size_t)length * 8 + 1);
    for (uint32_t i = 0; i < length; i++)
        snprintf(key + (size_t)i * 8, 9, "%08x", words[i]);
    return key;
}

static uint32_t fold(struct graph *graph, const uint32_t *words, uint32_t state, uint32_t depth)
{
    if (!graph->twin) {
        graph->at_depth[depth]++;
        return state;
    }
    struct text text;
    text_init(&text, graph->arena.memory);
    twin_fold(graph->twin, words, &text);
    struct map_entry *entry =
        map_put(&graph->folded, arena_strdup(&graph->arena, text_content(&text)));
    text_release(&text);
    if (!entry->value) {
        entry->value = (void *)(uintptr_t)graph->folded.count;
        graph->at_depth[depth]++;
    }
    return (uint32_t)(uintptr_t)entry->value - 1;
}

static bool collect(struct step_sink *sink, const struct step *step)
{
    struct collector *collector = (struct collector *)sink;
    struct graph *graph = collector->graph;
    const uint32_t depth = collector->initial ? 0 : graph->depth + 1;
    if (depth >= DEPTH_MOST || graph->words.count >= graph->limit) {
        graph->too_large = true;
        return false;
    }
    struct map_entry *entry = map_put(&graph->states, key_of(graph, step->words, step->length));
    if (!entry->value) {
        const uint32_t number = graph->words.count;
        const uint32_t *copy =
            arena_copy(&graph->arena, step->words, step->length * sizeof(uint32_t));
        entry->value = (void *)(uintptr_t)(number + 1);
        VEC_PUSH(&graph->arena, &graph->words, copy);
        VEC_PUSH(&graph->arena, &graph->lengths, step->length);
        VEC_PUSH(&graph->arena, &graph->depths, depth);
        VEC_PUSH(&graph->arena, &graph->folds, fold(graph, copy, number, depth));
    }
    const uint32_t to = graph->folds.items[(uintptr_t)entry->value - 1];
    if (collector->initial)
        return true;
    struct map_entry *edge = map_put(
        &graph->edges, arena_printf(&graph->arena, "%u %u %u", collector->from, step->action, to));
    if (!edge->value) {
        edge->value = graph;
        graph->of_action[step->action]++;
    }
    return true;
}

static void ignore(struct step_sink *sink, uint32_t class)
{
    (void)sink;
    (void)class;
}

static void graph_build(struct graph *graph, struct memory *memory, const struct model *model,
                        struct twin *twin, uint32_t limit)
{
    memset(graph, 0, sizeof(*graph));
    arena_init(&graph->arena, memory);
    graph->model = model;
    graph->twin = twin;
    graph->limit = limit;
    map_init(&graph->states, &graph->arena);
    map_init(&graph->folded, &graph->arena);
    map_init(&graph->edges, &graph->arena);
    struct collector collector = {{collect, ignore}, graph, 0, true};
    model->initial(model, NULL, &collector.sink);
    collector.initial = false;
    for (uint32_t i = 0; i < graph->words.count && !graph->too_large; i++) {
        graph->depth = graph->depths.items[i];
        collector.from = graph->folds.items[i];
        model->expand(model, NULL, graph->words.items[i], graph->lengths.items[i], &collector.sink);
    }
}

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

enum result { SAME, DIFFERENT, SKIPPED };

static enum result compare_graphs(const struct graph *quotient, const struct graph *naive,
                                  bool tell)
{
    enum result result = SAME;
    if (quotient->words.count != naive->folded.count) {
        if (tell)
            printf("  states: %u in the population, %u folded (%u in the twin)\n",
                   quotient->words.count, naive->folded.count, naive->words.count);
        result = DIFFERENT;
    }
    for (uint32_t d = 0; d < DEPTH_MOST; d++)
        if (quotient->at_depth[d] != naive->at_depth[d]) {
            if (tell)
                printf("  depth %u: %" PRIu64 " states in the population, %" PRIu64 " folded\n", d,
                       quotient->at_depth[d], naive->at_depth[d]);
            result = DIFFERENT;
            break;
        }
    for (uint32_t a = 0; a < ACTIONS_MOST; a++)
        if (quotient->of_action[a] != naive->of_action[a]) {
            if (tell)
                printf("  %s %s: %" PRIu64 " steps in the population, %" PRIu64 " folded\n",
                       population_action_actor(a), population_action_verb(a),
                       quotient->of_action[a], naive->of_action[a]);
            result = DIFFERENT;
        }
    return result;
}

static bool replays(struct memory *memory, const struct model *twin,
                    const struct property *property, const struct path *path);

static struct exploration *explore_all(const struct model *model, struct memory *memory)
{
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    return explore_run(model, &options, memory);
}

/* `numbers` are those of the twin's properties that the population has; NULL: all.
 * Where something is left out paths are of other lengths; `how` says so. */
static enum result compare_verdicts(struct memory *memory, const struct exploration *quotient,
                                    const struct exploration *naive, const struct model *twin,
                                    const uint32_t *numbers, const char *how, bool tell,
                                    uint32_t *replayed)
{
    enum result result = SAME;
    for (uint32_t i = 0; i < quotient->property_count; i++) {
        const struct property_result *left = &quotient->properties[i];
        const struct property_result *right = &naive->properties[numbers ? numbers[i] : i];
        const enum property_kind kind = left->property->kind;
        const bool safety =
            !numbers && (kind == PROPERTY_INVARIANT || kind == PROPERTY_STEP_INVARIANT);
        if (left->verdict != right->verdict ||
            (safety && left->has_path && left->path.step_count != right->path.step_count)) {
            if (tell)
                printf("  %s%s: %s (%u steps) in the population, %s (%u steps) in the twin\n",
                       left->property->name, how, verdict_name(left->verdict),
                       left->has_path ? left->path.step_count : 0, verdict_name(right->verdict),
                       right->has_path ? right->path.step_count : 0);
            result = DIFFERENT;
        } else if (replayed && left->has_path) {
            (*replayed)++;
            if (!replays(memory, twin, left->property, &left->path)) {
                if (tell)
                    printf("  %s: the twin cannot follow the counterexample\n",
                           left->property->name);
                result = DIFFERENT;
            }
        }
    }
    return result;
}

/* ---- counterexamples ---- */

/* All states that a run of these actions can lead to, one step after another. */
struct follower {
    struct step_sink sink;
    struct arena *arena;
    uint32_t action;
    struct map seen;
    VEC(const uint32_t *) next;
    uint64_t marks; /* of the steps taken last */
    uint32_t length;
};

static bool follow_step(struct step_sink *sink, const struct step *step)
{
    struct follower *follower = (struct follower *)sink;
    if (step->action != follower->action)
        return true;
    char *key = arena_allocate(follower->arena, (size_t)step->length * 8 + 1);
    for (uint32_t i = 0; i < step->length; i++)
        snprintf(key + (size_t)i * 8, 9, "%08x", step->words[i]);
    follower->marks |= step->marks;
    struct map_entry *entry = map_put(&follower->seen, key);
    if (!entry->value) {
        const uint32_t *copy =
            arena_copy(follower->arena, step->words, step->length * sizeof(uint32_t));
        entry->value = follower;
        VEC_PUSH(follower->arena, &follower->next, copy);
    }
    return true;
}

static bool start_step(struct step_sink *sink, const struct step *step)
{
    struct follower *follower = (struct follower *)sink;
    const uint32_t *copy =
        arena_copy(follower->arena, step->words, step->length * sizeof(uint32_t));
    follower->length = step->length;
    VEC_PUSH(follower->arena, &follower->next, copy);
    return true;
}

/* Can the twin do what the counterexample does, and is it as bad there? */
static bool replays(struct memory *memory, const struct model *twin,
                    const struct property *property, const struct path *path)
{
    struct arena arena;
    arena_init(&arena, memory);
    struct follower follower = {{start_step, ignore}, .arena = &arena};
    twin->initial(twin, NULL, &follower.sink);
    follower.sink.emit = follow_step;
    for (uint32_t i = 0; i < path->step_count && follower.next.count > 0; i++) {
        const uint32_t **now = follower.next.items;
        const uint32_t count = follower.next.count;
        memset(&follower.next, 0, sizeof(follower.next));
        map_init(&follower.seen, &arena);
        follower.action = path->steps[i].action;
        follower.marks = 0;
        for (uint32_t s = 0; s < count; s++)
            twin->expand(twin, NULL, now[s], follower.length, &follower.sink);
    }
    bool bad = property->kind != PROPERTY_INVARIANT && property->kind != PROPERTY_STEP_INVARIANT;
    if (property->kind == PROPERTY_STEP_INVARIANT)
        bad = follower.marks & property->marks;
    for (uint32_t s = 0; s < follower.next.count && property->kind == PROPERTY_INVARIANT; s++)
        bad = bad || !literals_hold(&property->p, twin->atoms(twin, NULL, follower.next.items[s],
                                                              follower.length));
    const bool good = follower.next.count > 0 && bad;
    arena_release(&arena);
    return good;
}

struct totals {
    uint32_t replayed; /* counterexamples */
    uint32_t clusters;
    uint32_t skipped;
    uint64_t states;
    uint64_t naive_states;
    uint64_t edges;
};

/* ---- what is left out ---- */

/* Intents that say nothing of readiness: it is left out then. */
static bool unaware_of_readiness(enum intent_kind kind)
{
    return kind == INTENT_NO_EVICTION_LOOP || kind == INTENT_PODS_SCHEDULABLE ||
           kind == INTENT_NO_REPLICA_OSCILLATION;
}

/* Those for which the reductions of large setups leave it out. */
static bool patient(enum intent_kind kind)
{
    return kind != INTENT_REPLICAS_AT_LEAST && kind != INTENT_DRAIN_COMPLETES;
}

static bool any(enum intent_kind kind)
{
    (void)kind;
    return true;
}

/* The same with some of the intents, or with reductions. */
static enum result try_reduced(struct trial *trial, const struct setup *setup,
                               const struct twin *twin, const struct exploration *naive,
                               bool (*wanted)(enum intent_kind),
                               enum population_reductions reductions, const char *how, bool tell)
{
    const struct population_options options = {.features = features_of_version(26),
                                               .reductions = reductions};
    struct check_intent intents[16];
    uint32_t numbers[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < trial->check->intent_count && count < 16; i++)
        if (wanted(trial->check->intents[i].kind)) {
            numbers[count] = i;
            intents[count++] = trial->check->intents[i];
        }
    struct population *population = population_create(&trial->memory, &trial->scope, setup, intents,
                                                      count, &options, &trial->problems);
    struct exploration *found = explore_all(population_model(population), &trial->memory);
    const enum result result = population_needs_all(population)
                                   ? SAME
                                   : compare_verdicts(&trial->memory, found, naive,
                                                      twin_model(twin), numbers, how, tell, NULL);
    explore_free(found);
    population_free(population);
    return result;
}

static enum result try_all_reduced(struct trial *trial, const struct setup *setup,
                                   const struct twin *twin, const struct exploration *naive,
                                   bool tell)
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
        if (try_reduced(trial, setup, twin, naive, ways[i].wanted, ways[i].reductions, ways[i].how,
                        tell) != SAME)
            result = DIFFERENT;
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
                                    trial->check->intent_count, model->properties);
    enum result result = SKIPPED;
    if (twin) {
        struct graph quotient;
        struct graph naive;
        graph_build(&quotient, &trial->memory, model, NULL, limit);
        graph_build(&naive, &trial->memory, twin_model(twin), twin, limit);
        if (!quotient.too_large && !naive.too_large && !twin_overflowed(twin) &&
            !population_overflowed(population)) {
            result = compare_graphs(&quotient, &naive, tell);
            uint32_t replayed = 0;
            struct exploration *found = explore_all(model, &trial->memory);
            struct exploration *all = explore_all(twin_model(twin), &trial->memory);
            if (compare_verdicts(&trial->memory, found, all, twin_model(twin), NULL, "", tell,
                                 &replayed) != SAME ||
                try_all_reduced(trial, setup, twin, all, tell) != SAME)
                result = DIFFERENT;
            explore_free(all);
            explore_free(found);
            if (totals) {
                totals->states += quotient.words.count;
                totals->naive_states += naive.words.count;
                totals->edges += quotient.edges.count;
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

static enum result try_seed(uint64_t seed, uint32_t parts, uint32_t limit, bool tell,
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
    if (tell)
        write_text("check.yaml", text_content(&check));
    text_release(&check);
    text_release(&applied);
    return result;
}

/* Leaves parts out as long as the two still differ. */
static void shrink(uint64_t seed, uint32_t limit)
{
    uint32_t parts = PART_ALL;
    for (uint32_t bit = 1; bit < PART_ALL; bit <<= 1)
        if (try_seed(seed, parts & ~bit, limit, false, NULL) == DIFFERENT)
            parts &= ~bit;
    printf("seed %" PRIu64 ", parts %x:\n", seed, parts);
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
        const enum result result = try_seed(seed, PART_ALL, limit, false, &totals);
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
    if (different == 0) {
        unlink(APPLIED_FILE);
        rmdir(folder);
    } else {
        printf("the last one is %s/check.yaml\n", folder);
    }
    return different > 0 || totals.clusters == 0;
}
