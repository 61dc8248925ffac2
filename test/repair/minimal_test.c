/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patches are minimal, by brute force on random small Checks:
 *
 *     minimal_test [FIRST [CHECKS]]
 *
 * For every patch, each smaller part of it and each cheaper edit of the table is verified as it is:
 * the whole scope, without known runs, and without limits. None of them may hold, unless a
 * guardrail is what refuses it. CHECKS are counted that have a patch.
 */
#include "base/clock.h"
#include "manifest/manifest.h"
#include "object/admission.h"
#include "repair/trial_patch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- random Checks ---- */

static uint32_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

static uint32_t below(uint64_t *seed, uint32_t most)
{
    return next(seed) % most;
}

static bool chance(uint64_t *seed, uint32_t percent)
{
    return below(seed, 100) < percent;
}

static void add_group(struct text *text, uint64_t *seed, const char *name)
{
    text_printf(text,
                "  - {name: %s, count: %u, node: {metadata: {labels: {topology.kubernetes.io/zone: "
                "%s}}, %sstatus: {allocatable: {cpu: '%u', memory: 16Gi, pods: '110'}}}}\n",
                name, 1 + below(seed, 2), name,
                chance(seed, 20) ? "spec: {taints: [{key: own, effect: NoSchedule}]}, " : "",
                1 + below(seed, 3));
}

static void add_deployment(struct text *text, uint64_t *seed, const char *name, uint32_t replicas)
{
    static const char *const requests[] = {"500m", "'1'", "1500m"};
    static const char *const keys[] = {"kubernetes.io/hostname", "topology.kubernetes.io/zone"};
    text_printf(text,
                "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s, namespace: "
                "default}\nspec:\n  replicas: %u\n  selector: {matchLabels: {app: %s}}\n  "
                "template:\n    metadata: {labels: {app: %s}}\n    spec:\n      containers:\n      "
                "- {name: app, image: 'example.org/app:1', resources: {requests: {cpu: %s, memory: "
                "1Gi}}}\n",
                name, replicas, name, name, requests[below(seed, 3)]);
    if (chance(seed, 40))
        text_printf(text,
                    "      topologySpreadConstraints: [{maxSkew: 1, topologyKey: %s, "
                    "whenUnsatisfiable: %s, labelSelector: {matchLabels: {app: %s}}}]\n",
                    keys[below(seed, 2)], chance(seed, 70) ? "DoNotSchedule" : "ScheduleAnyway",
                    name);
    if (chance(seed, 20))
        text_printf(text,
                    "      affinity: {podAntiAffinity: "
                    "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
                    "kubernetes.io/hostname, labelSelector: {matchLabels: {app: %s}}}]}}\n",
                    name);
    if (chance(seed, 20))
        text_printf(text, "      nodeSelector: {topology.kubernetes.io/zone: %s}\n",
                    chance(seed, 50) ? "a" : "b");
}

static void write_check(struct text *text, uint64_t *seed)
{
    static const char *const rules[] = {"maxUnavailable: 1", "maxUnavailable: 0", "minAvailable: 1",
                                        "minAvailable: 2"};
    const bool drained = chance(seed, 60);
    text_append_string(text, "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: check}\nspec:\n"
                             "  nodeGroups:\n");
    add_group(text, seed, "a");
    if (chance(seed, 50))
        add_group(text, seed, "b");
    if (drained)
        text_append_string(text, "  events: [{name: maintenance, atMost: 1, after: settled}]\n");
    text_printf(text, "  intents: [{name: podsSchedulable, mode: eventually}%s]\n",
                drained ? ", {name: drainCompletes}" : "");
    add_deployment(text, seed, "web", 1 + below(seed, 3));
    if (drained && chance(seed, 70))
        text_printf(text,
                    "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, "
                    "namespace: default}\nspec: {%s, selector: {matchLabels: {app: web}}}\n",
                    rules[below(seed, 4)]);
    if (chance(seed, 30))
        add_deployment(text, seed, "other", 1);
}

/* ---- one Check ---- */

struct subject {
    struct memory memory;
    struct arena arena;
    struct input_unit unit;
    struct verify_plan plan;
    struct repair_options options;
};

static bool load(struct subject *subject, uint64_t seed)
{
    struct documents documents = {0};
    struct text text;
    memory_init(&subject->memory, SIZE_MAX);
    arena_init(&subject->arena, &subject->memory);
    subject->unit = (struct input_unit){.name = "check", .file = "<random>"};
    problems_init(&subject->unit.problems, &subject->arena);
    text_init(&text, &subject->memory);
    write_check(&text, &seed);
    const char *kept = text_keep(&text, &subject->arena);
    manifest_parse(&subject->arena, "<random>", kept, strlen(kept), &documents,
                   &subject->unit.problems);
    object_decode(&subject->arena, &documents, NULL, &subject->unit.objects,
                  &subject->unit.problems);
    objects_admit(&subject->arena, &subject->unit.objects, &(struct admission_options){0},
                  &subject->unit.problems);
    subject->unit.root = &documents.items[0].root;
    for (uint32_t i = 0; i < subject->unit.objects.count; i++)
        if (subject->unit.objects.items[i].kind == OBJECT_CHECK)
            subject->unit.object = &subject->unit.objects.items[i];
    subject->options = (struct repair_options){
        .scope = {.nodes_most = INT32_MAX, .pods_most = INT64_MAX},
        .run = {.population.features = features_of_version(FEATURES_MINOR_LAST),
                .states_most = UINT64_MAX,
                .time_most_ms = UINT64_MAX},
        .budget = {.pods = 1, .cpu = 0.25, .memory = 0.25},
        .patches_most = REPAIR_PATCHES_MOST,
        .tries_most = 600,
    };
    if (subject->unit.problems.errors == 0 &&
        verify_plan_make(&subject->arena, &subject->unit, &subject->options.scope, &subject->plan))
        return true;
    fprintf(stderr, "the Check is wrong:\n%s\n", kept);
    exit(1);
}

/* Every intent holds in the whole scope with these edits. */
static bool holds(struct subject *subject, const struct edit_case *of,
                  const struct edit *const *edits, uint32_t count)
{
    struct repair_world world;
    struct verify_report report;
    const char *why;
    bool good = false;
    if (repair_world_make(&subject->memory, of, &subject->plan, &subject->options, edits, count,
                          &world, &why)) {
        verify_run(&world.arena, &subject->memory, &world.plan.scope, world.plan.intents.items,
                   world.plan.intents.count, &subject->options.run, &report);
        good = verify_verdict(&report) == VERDICT_HOLDS;
        verify_release(&report);
    }
    repair_world_release(&world);
    return good;
}

/* It holds, and nothing but a guardrail refuses it. */
static bool is_better(struct subject *subject, struct patch_trials *trials,
                      const struct edit *const *edits, uint32_t count)
{
    struct patch_trial trial;
    if (!holds(subject, &trials->of, edits, count))
        return false;
    trials->runs.count = trials->kept.count - 1;
    while (trials->parts.count > 0 &&
           trials->parts.items[trials->parts.count - 1].run >= trials->runs.count)
        trials->parts.count--;
    patch_try(trials, edits, count, true, &trial);
    const bool refused = trial.stage == STAGE_INVALID || trial.stage == STAGE_KEPT;
    patch_trial_release(&trial);
    return !refused;
}

static bool same_edit(const struct edit *left, const struct edit *right)
{
    return left->row == right->row && strcmp(left->object, right->object) == 0 &&
           strcmp(left->path, right->path) == 0;
}

/* Is it one of the patches, perhaps with another number? */
static bool is_found(const struct repair *repair, const struct edit *edit)
{
    for (uint32_t i = 0; i < repair->patches.count; i++)
        if (repair->patches.items[i].edit_count == 1 &&
            (same_edit(repair->patches.items[i].edits[0], edit) ||
             candidates_clash(repair->patches.items[i].edits[0], edit)))
            return true;
    return false;
}

/* The edits of the table in their order, up to the first one that is a patch. */
static bool cheaper_fail(struct subject *subject, struct patch_trials *trials,
                         const struct repair *repair, uint32_t *tried)
{
    struct repair_candidates ranked = {0};
    struct edits edits = {0};
    edits_make(&trials->of, &edits);
    for (uint32_t i = 0; i < edits.count; i++) {
        const struct repair_candidate candidate = {.edit = &edits.items[i],
                                                   .losses = edits.items[i].row->loss};
        VEC_PUSH(&subject->arena, &ranked, candidate);
    }
    candidates_rank(&ranked);
    for (uint32_t i = 0; i < ranked.count; i++) {
        const struct edit *edit = ranked.items[i].edit;
        if (is_found(repair, edit))
            return true;
        ++*tried;
        if (is_better(subject, trials, &edit, 1)) {
            fprintf(stderr, "cheaper: %s of %s\n", edit->row->name, edit->object);
            return false;
        }
    }
    return true;
}

static bool parts_fail(struct subject *subject, struct patch_trials *trials,
                       const struct repair_patch *patch, uint32_t *tried)
{
    const uint32_t whole = (1U << patch->edit_count) - 1;
    if (!holds(subject, &trials->of, patch->edits, patch->edit_count)) {
        fprintf(stderr, "the patch is no repair\n");
        return false;
    }
    for (uint32_t part = 1; part < whole; part++) {
        const struct edit *edits[REPAIR_EDITS_MOST];
        uint32_t count = 0;
        for (uint32_t i = 0; i < patch->edit_count; i++)
            if (part >> i & 1)
                edits[count++] = patch->edits[i];
        ++*tried;
        if (is_better(subject, trials, edits, count)) {
            fprintf(stderr, "a part of the patch is enough\n");
            return false;
        }
    }
    return true;
}

/* True: it has a patch. */
static bool examine(uint64_t seed, uint32_t *tried, bool *good)
{
    struct subject subject;
    struct repair repair;
    struct repair again = {.plan = NULL};
    load(&subject, seed);
    repair_run(&subject.arena, &subject.memory, &subject.plan, &subject.options, &repair);
    const bool found = repair.end == REPAIR_FOUND;
    if (found) {
        struct patch_trials trials = {.arena = &subject.arena,
                                      .memory = &subject.memory,
                                      .plan = &subject.plan,
                                      .options = &subject.options,
                                      .budget = budget_of(UINT64_MAX),
                                      .states_left = UINT64_MAX,
                                      .states_of_one = UINT64_MAX,
                                      .repair = &again};
        again.before = repair.before;
        repair_case_read(&subject.arena, &subject.plan, &subject.options, &repair.before,
                         &trials.of);
        patch_trials_learn(&trials, &subject.arena, &subject.plan, &subject.plan.scope,
                           &repair.before);
        patch_trials_begin(&trials);
        *good = cheaper_fail(&subject, &trials, &repair, tried);
        for (uint32_t i = 0; i < repair.patches.count; i++)
            *good &= parts_fail(&subject, &trials, &repair.patches.items[i], tried);
    }
    repair_release(&repair);
    arena_release(&subject.arena);
    return found;
}

int main(int count, char **words)
{
    const uint64_t first = count > 1 ? strtoull(words[1], NULL, 10) : 1;
    const uint32_t wanted = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 10;
    uint32_t found = 0;
    uint32_t tried = 0;
    uint64_t seed = first;
    for (; found < wanted && seed < first + 100 * (uint64_t)wanted; seed++) {
        bool good = true;
        found += examine(seed, &tried, &good);
        if (!good) {
            fprintf(stderr, "the seed is %llu\n", (unsigned long long)seed);
            return 1;
        }
    }
    printf("%u patched of %llu random Checks: %u smaller or cheaper changes fail\n", found,
           (unsigned long long)(seed - first), tried);
    return found == wanted ? 0 : 1;
}
