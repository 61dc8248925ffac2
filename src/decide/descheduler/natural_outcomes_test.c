/* SPDX-License-Identifier: Apache-2.0 */
/* Every outcome that the real descheduler was seen to have is among those that
 * the model enumerates, and so is the canonical one. Pods of one kind are
 * interchangeable: outcomes are compared by node and kind. */
#include "decide/conformance.h"
#include "decide/descheduler/descheduler.h"
#include "decide/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Every record, but for sanitizers, under which it would take long. */
#ifdef __SANITIZE_ADDRESS__
enum { STRIDE = 4 };
#else
enum { STRIDE = 1 };
#endif

struct tally {
    uint32_t records;
    uint32_t varied;   /* of them, with more than one recorded outcome */
    uint32_t sets;     /* recorded outcomes */
    uint32_t distinct; /* of them, by kinds of pods */
    uint32_t missing;
    uint32_t unseen; /* records with one recorded outcome and several enumerated ones */
    uint32_t capped;
    uint64_t outcomes; /* enumerated ones */
    uint64_t runs;
    uint64_t runs_most; /* for one record */
    char runs_most_id[16];
};

struct walk {
    struct arena *arena; /* of the record at hand */
    int minor;
    uint32_t position;
    struct tally tally;
};

static bool runs_plugin(const struct descheduler_policy *policy, enum descheduler_plugin plugin)
{
    for (uint32_t p = 0; p < policy->profile_count; p++) {
        const struct descheduler_profile *profile = &policy->profiles[p];
        const struct descheduler_plugin_list *const lists[] = {&profile->deschedule,
                                                               &profile->balance};
        for (int l = 0; l < 2; l++)
            for (uint32_t i = 0; i < lists[l]->count; i++)
                if (lists[l]->items[i] == plugin)
                    return true;
    }
    return false;
}

/* "namespace/name" or "namespace/name@Plugin". */
static struct descheduler_eviction read_eviction(struct arena *arena, const struct cluster *cluster,
                                                 const struct descheduler_policy *policy,
                                                 const char *text)
{
    struct descheduler_eviction eviction = {.pod = VIEW_NONE};
    const char *at = strchr(text, '@');
    for (uint32_t p = 0; p < cluster->pod_count; p++) {
        const char *name =
            arena_printf(arena, "%s/%s%s", cluster_kind(cluster, p)->pod->meta.namespace,
                         cluster->pods[p].name, at ? at : "");
        if (strcmp(name, text) == 0)
            eviction.pod = p;
    }
    assert_int_not_equal(eviction.pod, VIEW_NONE);
    eviction.node = cluster->pods[eviction.pod].node;
    for (int i = 0; i < DESCHEDULER_PLUGIN_COUNT; i++) {
        const enum descheduler_plugin plugin = (enum descheduler_plugin)i;
        if (at ? strcmp(descheduler_plugin_name(plugin), at + 1) == 0 : runs_plugin(policy, plugin))
            eviction.plugin = plugin;
    }
    return eviction;
}

static bool is_enumerated(const struct descheduler_outcomes *outcomes, struct signature signature)
{
    for (uint32_t i = 0; i < outcomes->items.count; i++)
        if (signature_equal(outcomes->items.items[i].signature, signature))
            return true;
    return false;
}

static void check_sets(struct walk *walk, const char *id, const struct value *sets,
                       struct cluster *cluster, const struct descheduler_policy *policy,
                       const struct descheduler_outcomes *outcomes)
{
    struct signature_set seen = {0};
    VALUE_EACH_ITEM(sets, set)
    {
        const struct value *evicted = value_find(set, "evicted");
        struct descheduler_eviction *evictions =
            ARENA_ARRAY(walk->arena, struct descheduler_eviction, evicted->count + 1);
        for (uint32_t i = 0; i < evicted->count; i++)
            evictions[i] = read_eviction(walk->arena, cluster, policy, evicted->items[i].text);
        walk->tally.sets++;
        const struct signature signature =
            descheduler_outcome_signature(cluster, evictions, evicted->count);
        walk->tally.distinct += signature_set_add(walk->arena, &seen, signature);
        if (is_enumerated(outcomes, signature))
            continue;
        if (walk->tally.missing++ < 5) {
            printf("%s: not among %u outcomes:", id, outcomes->items.count);
            for (uint32_t i = 0; i < evicted->count; i++)
                printf(" %s", evicted->items[i].text);
            printf("\n");
        }
    }
}

static void check_record(void *context, struct arena *arena, const struct value *record)
{
    struct walk *walk = context;
    const struct value *natural = value_find(value_find(record, "result"), "natural");
    const char *id = value_find_string(record, "id");
    const struct features kubernetes = features_of_version(FEATURES_MINOR_FIRST);
    struct problems problems;
    struct scenario scenario;
    struct objects policies = {0};
    struct document policy = {.root = *value_find(record, "policy")};
    struct descheduler_setup setup = {.features = descheduler_features_of_version(walk->minor),
                                      .profiles_in_turn = true};
    walk->arena = arena;
    if (!natural || walk->position++ % STRIDE != 0)
        return;
    problems_init(&problems, walk->arena);
    assert_true(scenario_read(walk->arena, record, &kubernetes, &scenario, &problems));
    assert_true(scenario_read_time(record, "now", &setup.now, &problems));
    assert_true(objects_add(walk->arena, &policies, &policy, NULL, &problems));
    setup.policy = policies.items[0].as.descheduler_policy;
    setup.objects = &scenario.objects;
    const struct kind_readers readers = descheduler_readers(setup.policy, setup.features);
    struct cluster *cluster =
        cluster_of_objects(walk->arena, &scenario.features, &scenario.objects, readers, true);
    struct descheduler_outcomes outcomes;
    struct descheduler_result canonical;
    const struct descheduler_limits limits = {.runs_most = 200000};
    descheduler_enumerate(walk->arena, &setup, cluster, limits, &outcomes);
    descheduler_run(walk->arena, &setup, cluster, false, &canonical);
    walk->tally.records++;
    walk->tally.outcomes += outcomes.items.count;
    walk->tally.runs += outcomes.runs;
    walk->tally.capped += outcomes.too_many;
    if (outcomes.too_many)
        printf("%s: more than %llu runs\n", id, (unsigned long long)outcomes.runs);
    if (outcomes.runs > walk->tally.runs_most) {
        walk->tally.runs_most = outcomes.runs;
        snprintf(walk->tally.runs_most_id, sizeof(walk->tally.runs_most_id), "%s", id);
    }
    if (!is_enumerated(&outcomes, descheduler_outcome_signature(cluster, canonical.evicted.items,
                                                                canonical.evicted.count))) {
        printf("%s: the canonical outcome is not enumerated\n", id);
        walk->tally.missing++;
    }
    const struct value *sets = value_find(natural, "sets");
    if (!sets) {
        walk->tally.unseen += outcomes.items.count > 1;
        return;
    }
    walk->tally.varied++;
    check_sets(walk, id, sets, cluster, setup.policy, &outcomes);
}

static struct tally check_corpus(const char *name, int minor)
{
    struct walk walk = {.minor = minor};
    conformance_each(name, check_record, &walk);
    printf("%s: %u records (%u with several outcomes), %u recorded outcomes, %u by kinds, "
           "%u missing; %u where none but one was seen have more; %llu enumerated in %llu runs, %u "
           "capped; most runs: %llu (%s)\n",
           name, walk.tally.records, walk.tally.varied, walk.tally.sets, walk.tally.distinct,
           walk.tally.missing, walk.tally.unseen, (unsigned long long)walk.tally.outcomes,
           (unsigned long long)walk.tally.runs, walk.tally.capped,
           (unsigned long long)walk.tally.runs_most, walk.tally.runs_most_id);
    return walk.tally;
}

static void recorded_outcomes_of_v27(void **state)
{
    (void)state;
    const struct tally tally = check_corpus("desched-v0.27.1-open.jsonl.gz", 27);
    assert_int_equal(tally.records, (897 + STRIDE - 1) / STRIDE);
    assert_int_equal(tally.missing, 0);
    assert_int_equal(tally.capped, 0);
    assert_int_equal(tally.unseen, 0);
}

static void recorded_outcomes_of_v28(void **state)
{
    (void)state;
    const struct tally tally = check_corpus("desched-v0.28.1-open.jsonl.gz", 28);
    assert_int_equal(tally.records, (300 + STRIDE - 1) / STRIDE);
    assert_int_equal(tally.missing, 0);
    assert_int_equal(tally.capped, 0);
    assert_int_equal(tally.unseen, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_outcomes_of_v27),
        cmocka_unit_test(recorded_outcomes_of_v28),
    };
    return cmocka_run_group_tests_name("natural outcomes", tests, NULL, NULL);
}
