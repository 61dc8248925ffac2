/* SPDX-License-Identifier: Apache-2.0 */
/* Every outcome that the real descheduler was seen to have is among those that
 * the model enumerates, and so is the canonical one. Pods of one kind are
 * interchangeable: outcomes are compared by node and kind. */
#include "manifest/manifest.h"
#include "model/descheduler/descheduler.h"
#include "model/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

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
    struct memory *memory;
    struct arena arena;
    struct manifest_reader *reader;
    int minor;
    struct tally tally;
};

static bool has_plugin(const struct descheduler_policy *policy, const char *name, size_t length)
{
    for (uint32_t p = 0; p < policy->profile_count; p++) {
        const struct descheduler_profile *profile = &policy->profiles[p];
        const struct descheduler_plugin_list *const lists[] = {&profile->deschedule,
                                                               &profile->balance};
        for (int l = 0; l < 2; l++)
            for (uint32_t i = 0; i < lists[l]->count; i++) {
                const char *plugin = descheduler_plugin_name(lists[l]->items[i]);
                if (!name || (strlen(plugin) == length && strncmp(plugin, name, length) == 0))
                    return true;
            }
    }
    return false;
}

/* "namespace/name" or "namespace/name@Plugin". */
static struct descheduler_eviction read_eviction(const struct cluster *cluster,
                                                 const struct descheduler_policy *policy,
                                                 const char *text)
{
    struct descheduler_eviction eviction = {.pod = VIEW_NONE};
    const char *slash = strchr(text, '/');
    const char *at = strchr(text, '@');
    const size_t length = at ? (size_t)(at - slash - 1) : strlen(slash + 1);
    for (uint32_t p = 0; p < cluster->pod_count; p++) {
        const struct pod *pod = cluster_kind(cluster, p)->pod;
        if (strlen(pod->meta.namespace) == (size_t)(slash - text) &&
            strncmp(pod->meta.namespace, text, (size_t)(slash - text)) == 0 &&
            strlen(cluster->pods[p].name) == length &&
            strncmp(cluster->pods[p].name, slash + 1, length) == 0)
            eviction.pod = p;
    }
    assert_int_not_equal(eviction.pod, VIEW_NONE);
    eviction.node = cluster->pods[eviction.pod].node;
    for (int i = 0; i < DESCHEDULER_PLUGIN_COUNT; i++) {
        const char *name = descheduler_plugin_name((enum descheduler_plugin)i);
        if (at ? strcmp(name, at + 1) == 0 : has_plugin(policy, name, strlen(name)))
            eviction.plugin = (enum descheduler_plugin)i;
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
            ARENA_ARRAY(&walk->arena, struct descheduler_eviction, evicted->count + 1);
        for (uint32_t i = 0; i < evicted->count; i++)
            evictions[i] = read_eviction(cluster, policy, evicted->items[i].text);
        walk->tally.sets++;
        const struct signature signature =
            descheduler_outcome_signature(cluster, evictions, evicted->count);
        walk->tally.distinct += signature_set_add(&walk->arena, &seen, signature);
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

static void check_record(struct walk *walk, const struct value *record)
{
    const struct value *natural = value_find(value_find(record, "result"), "natural");
    const char *id = value_find_string(record, "id");
    struct problems problems;
    struct scenario scenario;
    struct objects policies = {0};
    struct document policy = {.root = *value_find(record, "policy")};
    struct descheduler_setup setup = {.rules = descheduler_rules_of(walk->minor),
                                      .profiles_apart = true};
    if (!natural)
        return;
    problems_init(&problems, &walk->arena);
    assert_true(scenario_read(&walk->arena, record, &scenario, &problems));
    assert_true(scenario_read_time(record, "now", &setup.now, &problems));
    assert_true(objects_add(&walk->arena, &policies, &policy, NULL, &problems));
    setup.policy = policies.items[0].as.descheduler_policy;
    setup.objects = &scenario.objects;
    const struct kind_readers readers = descheduler_readers(setup.policy, setup.rules);
    struct cluster *cluster = cluster_of_objects(&walk->arena, &scenario.objects, readers, true);
    struct descheduler_outcomes outcomes;
    struct descheduler_result canonical;
    const struct descheduler_limits limits = {.runs_most = 200000};
    descheduler_enumerate(&walk->arena, &setup, cluster, limits, &outcomes);
    descheduler_run(&walk->arena, &setup, cluster, false, &canonical);
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

static char *read_line(gzFile file, char **line, size_t *capacity)
{
    size_t length = 0;
    for (;;) {
        if (*capacity - length < 65536) {
            *capacity += 65536;
            *line = realloc(*line, *capacity);
            assert_non_null(*line);
        }
        if (!gzgets(file, *line + length, (int)(*capacity - length)))
            return length > 0 ? *line : NULL;
        length += strlen(*line + length);
        if ((*line)[length - 1] == '\n')
            return *line;
    }
}

static struct tally check_corpus(const char *name, int minor)
{
    struct memory memory;
    struct walk walk = {.memory = &memory, .minor = minor};
    char *line = NULL;
    size_t capacity = 0;
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    memory_init(&memory, SIZE_MAX);
    arena_init(&walk.arena, &memory);
    walk.reader = manifest_reader_create(&memory);
    gzFile file = gzopen(
        arena_printf(&walk.arena, "%s/test/data/conformance/%s", root ? root : ".", name), "rb");
    assert_non_null(file);
    const struct arena_mark mark = arena_mark(&walk.arena);
    for (uint32_t number = 1; read_line(file, &line, &capacity); number++) {
        struct problems problems;
        problems_init(&problems, &walk.arena);
        const struct place start = {.file = name, .line = number, .column = 1};
        const struct document *document = manifest_reader_parse_json(
            walk.reader, &walk.arena, start, line, strlen(line), &problems);
        assert_non_null(document);
        check_record(&walk, &document->root);
        arena_rewind(&walk.arena, mark);
    }
    gzclose(file);
    free(line);
    manifest_reader_free(walk.reader);
    arena_release(&walk.arena);
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
    assert_int_equal(tally.records, 897);
    assert_int_equal(tally.missing, 0);
    assert_int_equal(tally.capped, 0);
    assert_int_equal(tally.unseen, 0);
}

static void recorded_outcomes_of_v28(void **state)
{
    (void)state;
    const struct tally tally = check_corpus("desched-v0.28.1-open.jsonl.gz", 28);
    assert_int_equal(tally.records, 300);
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
