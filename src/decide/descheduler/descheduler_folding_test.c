/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folding loses nothing and adds nothing. On random small clusters,
 *
 *     - the outcomes of the cluster in which equal pods and nodes are of one kind
 *       are those of the cluster in which every pod and node is a kind of its own;
 *     - so are those of a population, whose pods have no names: over all ways to
 *       name them, where names decide (topology spread up to v0.27);
 *     - skipping states that were seen changes nothing;
 *     - whatever the names, the canonical cycle is one of the outcomes.
 *
 * Outcomes are written down as texts: per node its kind and what it loses.
 */
#include "decide/descheduler/descheduler_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS_MOST = 30000 };

struct bench {
    struct memory memory;
    struct arena arena;
    struct manifest_reader *reader;
    struct random_case a_case;
    struct cluster *base;       /* its kinds are what outcomes are told by */
    uint32_t kind_of_pod[16];   /* of the case */
    struct features kubernetes; /* every case has the next version */
    uint32_t *kind_of_config;   /* of the population's configs */
    struct dice dice;
    uint64_t seed;
    uint32_t number; /* of the case at hand */
    uint32_t skipped;
    uint64_t outcomes;
};

static struct kind_readers readers_of(const struct bench *bench, bool names)
{
    struct kind_readers readers =
        descheduler_readers(bench->a_case.setup.policy, bench->a_case.setup.features);
    readers.names = readers.names && names;
    return readers;
}

static void next_case(struct bench *bench, struct case_shape shape)
{
    random_case_make(&bench->arena, bench->reader, &bench->dice, shape, &bench->a_case);
    bench->base = cluster_of_objects(&bench->arena, &bench->kubernetes, &bench->a_case.objects,
                                     readers_of(bench, false), true);
    for (uint32_t i = 0; i < bench->a_case.pod_count; i++)
        for (uint32_t p = 0; p < bench->base->pod_count; p++)
            if (strcmp(bench->base->pods[p].name, bench->a_case.pods[i]->meta.name) == 0)
                bench->kind_of_pod[i] = bench->base->pods[p].kind;
}

/* Runs `check` on so many random cases. */
static void each_case(uint64_t seed, uint32_t cases, struct case_shape shape,
                      void (*check)(struct bench *bench))
{
    struct bench bench = {.seed = seed, .dice = {seed}};
    memory_init(&bench.memory, SIZE_MAX);
    arena_init(&bench.arena, &bench.memory);
    bench.reader = manifest_reader_create(&bench.memory);
    const struct arena_mark mark = arena_mark(&bench.arena);
    for (bench.number = 0; bench.number < cases; bench.number++) {
        bench.kubernetes = features_of_version(
            FEATURES_MINOR_FIRST +
            (int)(bench.number % (FEATURES_MINOR_LAST - FEATURES_MINOR_FIRST + 1)));
        next_case(&bench, shape);
        check(&bench);
        arena_rewind(&bench.arena, mark);
    }
    printf("%u cases from seed %llu, %llu outcomes, %u too large\n", cases,
           (unsigned long long)seed, (unsigned long long)bench.outcomes, bench.skipped);
    assert_true(bench.skipped < cases / 10);
    manifest_reader_free(bench.reader);
    arena_release(&bench.arena);
}

/* ---- outcomes as texts ---- */

static uint32_t base_kind(const struct bench *bench, const struct pod *pod)
{
    for (uint32_t i = 0; i < bench->a_case.pod_count; i++)
        if (bench->a_case.pods[i] == pod)
            return bench->kind_of_pod[i];
    bug("a pod is not of the case");
}

static uint32_t base_node_kind(const struct bench *bench, const struct cluster *cluster,
                               uint32_t number)
{
    if (!cluster->names_known)
        return bench->kind_of_config[cluster->nodes[number].kind];
    for (uint32_t n = 0; n < bench->base->node_count; n++)
        if (bench->base->nodes[n].node == cluster->nodes[number].node)
            return bench->base->nodes[n].kind;
    bug("a node is not of the case");
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static const char *joined(struct arena *arena, const char **parts, uint32_t count)
{
    const char *all = "";
    if (count > 0)
        qsort(parts, count, sizeof(*parts), compare_texts);
    for (uint32_t i = 0; i < count; i++)
        all = arena_printf(arena, "%s%s;", all, parts[i]);
    return all;
}

static const char *describe(struct bench *bench, const struct cluster *cluster,
                            const struct descheduler_outcome *outcome)
{
    VEC(const char *) nodes = {0};
    for (uint32_t i = 0; i < outcome->loss_count;) {
        const uint32_t node = outcome->losses[i].node;
        VEC(const char *) losses = {0};
        for (; i < outcome->loss_count && outcome->losses[i].node == node; i++)
            for (uint32_t c = 0; c < outcome->losses[i].count; c++)
                VEC_PUSH(&bench->arena, &losses,
                         arena_printf(
                             &bench->arena, "%u by %d",
                             base_kind(bench, cluster->kinds.items[outcome->losses[i].kind].pod),
                             outcome->losses[i].plugin));
        VEC_PUSH(&bench->arena, &nodes,
                 arena_printf(&bench->arena, "node %u: %s", base_node_kind(bench, cluster, node),
                              joined(&bench->arena, losses.items, losses.count)));
    }
    return joined(&bench->arena, nodes.items, nodes.count);
}

struct outcome_texts {
    struct map texts;
    bool complete;
};

static void add_outcomes(struct bench *bench, struct cluster *cluster, bool without_memory,
                         struct outcome_texts *texts)
{
    struct descheduler_outcomes outcomes;
    const struct descheduler_limits limits = {.runs_most = RUNS_MOST,
                                              .without_memory = without_memory};
    descheduler_enumerate(&bench->arena, &bench->a_case.setup, cluster, limits, &outcomes);
    texts->complete = texts->complete && !outcomes.too_many;
    for (uint32_t i = 0; i < outcomes.items.count; i++)
        map_put(&texts->texts, describe(bench, cluster, &outcomes.items.items[i]))->value = texts;
}

static struct outcome_texts outcomes_of(struct bench *bench, struct cluster *cluster,
                                        bool without_memory)
{
    struct outcome_texts texts = {.complete = true};
    map_init(&texts.texts, &bench->arena);
    add_outcomes(bench, cluster, without_memory, &texts);
    return texts;
}

static bool covers(const struct outcome_texts *all, const struct outcome_texts *some)
{
    bool all_there = true;
    MAP_EACH (&some->texts, entry) {
        if (!map_get(&all->texts, entry->key)) {
            printf("  only in one: \"%s\"\n", entry->key);
            all_there = false;
        }
    }
    return all_there;
}

static void expect_same(struct bench *bench, const struct outcome_texts *folded,
                        const struct outcome_texts *concrete)
{
    if (!folded->complete || !concrete->complete) {
        bench->skipped++;
        return;
    }
    bench->outcomes += folded->texts.count;
    if (covers(folded, concrete) && covers(concrete, folded))
        return;
    fail_msg("seed %llu, case %u: %u and %u outcomes", (unsigned long long)bench->seed,
             bench->number, folded->texts.count, concrete->texts.count);
}

/* ---- the cases ---- */

static const struct case_shape any_shape = {
    .nodes_most = 4, .pods_most = 7, .plugin = DESCHEDULER_DEFAULT_EVICTOR};
static const struct case_shape small_shape = {
    .nodes_most = 3, .pods_most = 5, .plugin = DESCHEDULER_DEFAULT_EVICTOR};

static void compare_merged(struct bench *bench)
{
    const struct objects *objects = &bench->a_case.objects;
    const struct kind_readers readers = readers_of(bench, true);
    const struct outcome_texts folded = outcomes_of(
        bench, cluster_of_objects(&bench->arena, &bench->kubernetes, objects, readers, true),
        false);
    const struct outcome_texts concrete = outcomes_of(
        bench, cluster_of_objects(&bench->arena, &bench->kubernetes, objects, readers, false),
        false);
    expect_same(bench, &folded, &concrete);
}

static void equal_pods_are_interchangeable(void **state)
{
    (void)state;
    each_case(20240501, 1500, any_shape, compare_merged);
}

static void compare_memory(struct bench *bench)
{
    struct cluster *cluster =
        cluster_of_objects(&bench->arena, &bench->kubernetes, &bench->a_case.objects,
                           readers_of(bench, true), dice_hit(&bench->dice, 2));
    const struct outcome_texts with = outcomes_of(bench, cluster, false);
    const struct outcome_texts without = outcomes_of(bench, cluster, true);
    expect_same(bench, &with, &without);
}

static void seen_states_lead_to_nothing_new(void **state)
{
    (void)state;
    each_case(20240502, 1000, small_shape, compare_memory);
}

/* ---- populations ---- */

static struct cluster *population_of(struct bench *bench)
{
    struct arena *arena = &bench->arena;
    const struct cluster *base = bench->base;
    struct catalog *catalog = catalog_create(arena, &bench->kubernetes);
    catalog_surround(catalog, &bench->a_case.objects);
    uint32_t *classes = ARENA_ARRAY(arena, uint32_t, base->kinds.count + 1);
    uint32_t *templates = ARENA_ARRAY(arena, uint32_t, base->template_count + 1);
    struct view_node *nodes = ARENA_ARRAY(arena, struct view_node, base->node_count + 1);
    uint32_t *entries = ARENA_ARRAY(arena, uint32_t, base->node_count + 1);
    struct view view = {.catalog = catalog, .nodes = nodes};
    bench->kind_of_config = ARENA_ARRAY(arena, uint32_t, base->node_count + 1);
    for (uint32_t k = 0; k < base->kinds.count; k++)
        classes[k] = catalog_add_pod(catalog, base->kinds.items[k].pod);
    for (uint32_t n = 0; n < base->node_count; n++) {
        const struct cluster_node *node = &base->nodes[n];
        if (entries[node->kind] > 0) {
            nodes[entries[node->kind] - 1].count++;
            continue;
        }
        struct pod_count *counts = ARENA_ARRAY(arena, struct pod_count, node->pod_count + 1);
        for (uint32_t i = 0; i < node->pod_count; i++)
            counts[i] = (struct pod_count){classes[base->pods[node->first_pod + i].kind], 1};
        if (templates[node->template] == 0)
            templates[node->template] = catalog_add_anonymous_node(catalog, node->node) + 1;
        nodes[view.node_count].config = catalog_intern_config(
            catalog, templates[node->template] - 1, counts, node->pod_count, NULL, 0);
        bench->kind_of_config[nodes[view.node_count].config] = node->kind;
        nodes[view.node_count++].count = 1;
        entries[node->kind] = view.node_count;
    }
    view.budgets = view_collect_budgets(arena, catalog, &view.budget_count);
    return cluster_of_view(arena, &view);
}

/* All orders of the pods' names, one after the other; false after the last. */
static bool next_permutation(const char **names, uint32_t count)
{
    uint32_t i = count - 1;
    while (i > 0 && strcmp(names[i - 1], names[i]) >= 0)
        i--;
    if (i == 0)
        return false;
    uint32_t j = count - 1;
    while (strcmp(names[j], names[i - 1]) <= 0)
        j--;
    const char *held = names[i - 1];
    names[i - 1] = names[j];
    names[j] = held;
    for (uint32_t left = i, right = count - 1; left < right; left++, right--) {
        held = names[left];
        names[left] = names[right];
        names[right] = held;
    }
    return true;
}

static void collect_over_names(struct bench *bench, struct outcome_texts *texts)
{
    struct random_case *a_case = &bench->a_case;
    const char *names[16];
    for (uint32_t i = 0; i < 16; i++)
        names[i] = i < a_case->pod_count ? a_case->pods[i]->meta.name : "";
    do {
        for (uint32_t i = 0; i < a_case->pod_count; i++)
            a_case->pods[i]->meta.name = names[i];
        add_outcomes(bench,
                     cluster_of_objects(&bench->arena, &bench->kubernetes, &a_case->objects,
                                        readers_of(bench, true), false),
                     false, texts);
    } while (readers_of(bench, true).names && next_permutation(names, a_case->pod_count));
}

static void compare_populations(struct bench *bench)
{
    const struct outcome_texts folded = outcomes_of(bench, population_of(bench), false);
    struct outcome_texts concrete = {.complete = true};
    map_init(&concrete.texts, &bench->arena);
    collect_over_names(bench, &concrete);
    expect_same(bench, &folded, &concrete);
}

static void populations_have_the_same_outcomes(void **state)
{
    (void)state;
    each_case(20240503, 600, small_shape, compare_populations);
}

static void names_of_a_population_are_any_names(void **state)
{
    struct case_shape shape = small_shape;
    (void)state;
    shape.minor = 27;
    shape.plugin = DESCHEDULER_TOPOLOGY_SPREAD;
    each_case(20240504, 250, shape, compare_populations);
}

static void spread_by_listing_has_the_same_outcomes(void **state)
{
    struct case_shape shape = any_shape;
    (void)state;
    shape.minor = 28;
    shape.plugin = DESCHEDULER_TOPOLOGY_SPREAD;
    each_case(20240505, 600, shape, compare_populations);
}

/* ---- any names ---- */

static void shuffle_names(struct bench *bench, struct dice *dice)
{
    struct random_case *a_case = &bench->a_case;
    for (uint32_t i = a_case->pod_count; i > 1; i--) {
        const uint32_t j = (uint32_t)dice_roll(dice, i);
        const char *held = a_case->pods[i - 1]->meta.name;
        a_case->pods[i - 1]->meta.name = a_case->pods[j]->meta.name;
        a_case->pods[j]->meta.name = held;
    }
}

static void rename_node(struct bench *bench, struct node *node, const char *name)
{
    for (uint32_t p = 0; p < bench->a_case.pod_count; p++)
        if (bench->a_case.pods[p]->spec.node_name == node->meta.name)
            bench->a_case.pods[p]->spec.node_name = name;
    node->meta.name = name;
    for (uint32_t l = 0; l < node->meta.labels.count; l++)
        if (strcmp(node->meta.labels.items[l].key, LABEL_HOSTNAME) == 0)
            node->meta.labels.items[l].value = name;
}

static void shuffle_nodes(struct bench *bench, struct dice *dice)
{
    struct random_case *a_case = &bench->a_case;
    for (uint32_t n = 0; n < a_case->node_count; n++) {
        for (uint32_t p = 0; p < a_case->pod_count; p++)
            if (strcmp(a_case->pods[p]->spec.node_name, a_case->nodes[n]->meta.name) == 0)
                a_case->pods[p]->spec.node_name = a_case->nodes[n]->meta.name;
    }
    for (uint32_t n = 0; n < a_case->node_count; n++)
        rename_node(bench, a_case->nodes[n],
                    arena_printf(&bench->arena, "m%lld-%u", (long long)dice_roll(dice, 100), n));
}

/* By node, as outcomes are. */
static struct descheduler_outcome outcome_of(struct bench *bench, const struct cluster *cluster,
                                             const struct descheduler_result *result)
{
    struct descheduler_outcome outcome = {0};
    outcome.losses = ARENA_ARRAY(&bench->arena, struct descheduler_loss, result->evicted.count + 1);
    for (uint32_t n = 0; n < cluster->node_count; n++)
        for (uint32_t e = 0; e < result->evicted.count; e++)
            if (result->evicted.items[e].node == n)
                outcome.losses[outcome.loss_count++] = (struct descheduler_loss){
                    .node = n,
                    .kind = cluster->pods[result->evicted.items[e].pod].kind,
                    .plugin = result->evicted.items[e].plugin,
                    .count = 1,
                };
    return outcome;
}

static void rename_and_run(struct bench *bench)
{
    enum { NAMINGS = 20 };
    const struct outcome_texts folded = outcomes_of(bench, population_of(bench), false);
    bench->skipped += !folded.complete;
    for (uint32_t naming = 0; naming < NAMINGS && folded.complete; naming++) {
        struct descheduler_result result;
        shuffle_names(bench, &bench->dice);
        shuffle_nodes(bench, &bench->dice);
        struct cluster *cluster =
            cluster_of_objects(&bench->arena, &bench->kubernetes, &bench->a_case.objects,
                               readers_of(bench, true), false);
        descheduler_run(&bench->arena, &bench->a_case.setup, cluster, false, &result);
        const struct descheduler_outcome outcome = outcome_of(bench, cluster, &result);
        const char *text = describe(bench, cluster, &outcome);
        if (!map_get(&folded.texts, text))
            fail_msg("seed %llu, case %u: \"%s\" is none of %u outcomes",
                     (unsigned long long)bench->seed, bench->number, text, folded.texts.count);
    }
}

static void any_canonical_cycle_is_an_outcome(void **state)
{
    (void)state;
    each_case(20240506, 800, any_shape, rename_and_run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_pods_are_interchangeable),
        cmocka_unit_test(seen_states_lead_to_nothing_new),
        cmocka_unit_test(populations_have_the_same_outcomes),
        cmocka_unit_test(names_of_a_population_are_any_names),
        cmocka_unit_test(spread_by_listing_has_the_same_outcomes),
        cmocka_unit_test(any_canonical_cycle_is_an_outcome),
    };
    return cmocka_run_group_tests_name("descheduler folding", tests, NULL, NULL);
}
