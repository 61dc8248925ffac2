/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folding never changes what can happen.
 *
 * Each recorded scenario gets copies of its nodes, and copies of the pods on
 * them, by chance; the seed is printed when something is wrong. With the rules
 * of the first and of the last version by turns, the cluster is decided node by node, and folded
 * into classes: every node must fare as its class does, the best classes must be those of the best
 * nodes, and preemption must offer the same candidates with the same victims and choose alike.
 */
#include "decide/scheduler/scheduler_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 2 };

struct growing {
    struct arena *arena;
    uint64_t seed;
    struct objects *objects;
    uint32_t named; /* names given so far */
};

static void add_object(struct growing *growing, struct object object)
{
    struct objects *objects = growing->objects;
    if (objects->count == objects->capacity)
        objects->items =
            vec_grow(growing->arena, objects->items, &objects->capacity, sizeof(*objects->items));
    objects->items[objects->count++] = object;
}

static struct resource_requirements *one_cpu(struct arena *arena)
{
    struct resource_requirements *resources = ARENA_NEW(arena, struct resource_requirements);
    resources->requests.items = ARENA_NEW(arena, struct resource);
    resources->requests.items[0] = (struct resource){"cpu", quantity_of(1)};
    resources->requests.count = 1;
    return resources;
}

/* A few copies request something else than what they are copies of, in ways that old versions do
 * not look at. */
static void resize(struct growing *growing, struct pod *pod)
{
    uint32_t how = scheduler_case_random(&growing->seed, 8);
    if (how == 0) {
        pod->spec.resources = one_cpu(growing->arena);
    } else if (how == 1) {
        struct container_status *status = ARENA_NEW(growing->arena, struct container_status);
        status->name = pod->spec.containers[0].name;
        status->resources = one_cpu(growing->arena);
        pod->status.container_statuses = status;
        pod->status.container_status_count = 1;
    }
}

static void add_pod_copy(struct growing *growing, const struct pod *pod, const char *node_name)
{
    struct pod *copy = arena_copy(growing->arena, pod, sizeof(*pod));
    copy->meta.name = arena_printf(growing->arena, "copy-%u", growing->named++);
    copy->spec.node_name = node_name;
    resize(growing, copy);
    add_object(growing, (struct object){.kind = OBJECT_POD, .as.pod = copy});
}

static void add_node_copy(struct growing *growing, const struct node *node, uint32_t pods_end)
{
    struct node *copy = arena_copy(growing->arena, node, sizeof(*node));
    copy->meta.name = arena_printf(growing->arena, "twin-%u", growing->named++);
    copy->meta.labels.items = arena_copy(growing->arena, node->meta.labels.items,
                                         node->meta.labels.count * sizeof(struct label));
    for (uint32_t i = 0; i < copy->meta.labels.count; i++)
        if (strcmp(copy->meta.labels.items[i].key, LABEL_HOSTNAME) == 0)
            copy->meta.labels.items[i].value = copy->meta.name;
    if (scheduler_case_random(&growing->seed, 4) == 0)
        copy->status.declared_features.count = 0;
    add_object(growing, (struct object){.kind = OBJECT_NODE, .as.node = copy});
    /* A few copies carry something less, so that classes differ in their load. */
    uint32_t left_out = scheduler_case_random(&growing->seed, 12);
    for (uint32_t i = 0; i < pods_end; i++) {
        const struct object *object = &growing->objects->items[i];
        if (object->kind != OBJECT_POD || !object->as.pod->spec.node_name ||
            strcmp(object->as.pod->spec.node_name, node->meta.name) != 0)
            continue;
        if (left_out-- != 0)
            add_pod_copy(growing, object->as.pod, copy->meta.name);
    }
}

/* Some pods twice on their own node, then some nodes several times. */
static void grow_cluster(struct growing *growing)
{
    uint32_t count = growing->objects->count;
    for (uint32_t i = 0; i < count; i++) {
        const struct object object = growing->objects->items[i];
        if (object.kind == OBJECT_POD && object.as.pod->spec.node_name &&
            scheduler_case_random(&growing->seed, 6) == 0)
            add_pod_copy(growing, object.as.pod, object.as.pod->spec.node_name);
    }
    uint32_t pods_end = growing->objects->count;
    for (uint32_t i = 0; i < count; i++) {
        const struct object object = growing->objects->items[i];
        uint32_t copies = scheduler_case_random(&growing->seed, 4);
        for (uint32_t n = 0; object.kind == OBJECT_NODE && n < copies; n++)
            add_node_copy(growing, object.as.node, pods_end);
    }
}

static const char *compare_nodes(const struct scheduler_case *concrete,
                                 const struct scheduler_case *folded)
{
    uint32_t scores = concrete->decision->plan->profile->score_count;
    for (uint32_t i = 0; i < concrete->view.node_count; i++)
        if (!scheduler_case_same_node(&concrete->decision->nodes[i],
                                      &folded->decision->nodes[folded->folding.entry_of_node[i]],
                                      scores))
            return "a node does not fare as its class does";
    return NULL;
}

static const char *compare_best(const struct scheduler_case *concrete,
                                const struct scheduler_case *folded)
{
    for (uint32_t i = 0; i < concrete->view.node_count; i++)
        if (scheduler_case_is_best(concrete, i) !=
            scheduler_case_is_best(folded, folded->folding.entry_of_node[i]))
            return "a node is best and its class is not, or the reverse";
    return NULL;
}

static bool same_victims(const struct scheduler_case *concrete, const struct candidate *node,
                         const struct scheduler_case *folded, const struct candidate *class)
{
    if (folded->folding.entry_of_node[node->entry] != class->entry ||
        node->victim_count != class->victim_count || node->chosen != class->chosen ||
        node->budget_violations != class->budget_violations)
        return false;
    for (uint32_t i = 0; i < node->victim_count; i++) {
        const struct pod *pod = concrete->catalog->pods.items[node->victims[i]]->pod;
        if (fold_pod(&folded->folding, pod) != class->victims[i])
            return false;
    }
    return true;
}

static const char *compare_preemption(const struct scheduler_case *concrete,
                                      const struct scheduler_case *folded)
{
    if (!concrete->preemption || !folded->preemption)
        return concrete->preemption == folded->preemption ? NULL : "preemption in one form only";
    if (!scheduler_case_same_text(concrete->preemption->message, folded->preemption->message))
        return "different reasons against preemption";
    /* More orders than are tried: the two need not try the same. */
    if (concrete->preemption->orders_left_out || folded->preemption->orders_left_out)
        return NULL;
    for (uint32_t c = 0; c < folded->preemption->candidate_count; c++) {
        const struct candidate *class = &folded->preemption->candidates[c];
        bool found = false;
        for (uint32_t n = 0; n < concrete->preemption->candidate_count; n++)
            found |= same_victims(concrete, &concrete->preemption->candidates[n], folded, class);
        if (!found)
            return "a class can make room and none of its nodes can do it so";
    }
    for (uint32_t n = 0; n < concrete->preemption->candidate_count; n++) {
        bool found = false;
        for (uint32_t c = 0; c < folded->preemption->candidate_count; c++)
            found |= same_victims(concrete, &concrete->preemption->candidates[n], folded,
                                  &folded->preemption->candidates[c]);
        if (!found)
            return "a node can make room and its class cannot do it so";
    }
    return NULL;
}

static const char *compare(const struct scheduler_case *concrete,
                           const struct scheduler_case *folded)
{
    if (!scheduler_case_same_text(concrete->decision->error, folded->decision->error))
        return "different errors";
    if (concrete->decision->error)
        return NULL;
    if (concrete->decision->feasible_nodes != folded->decision->feasible_nodes)
        return "different numbers of feasible nodes";
    const char *difference = compare_nodes(concrete, folded);
    if (!difference)
        difference = compare_best(concrete, folded);
    if (!difference)
        difference = compare_preemption(concrete, folded);
    return difference;
}

struct tally {
    uint32_t decisions;
    uint32_t wrong;
    uint64_t nodes;
    uint64_t classes;
    uint32_t preemptions;
};

static void check_scenario(struct arena *arena, const char *id,
                           const struct scheduler_scenario *recorded, void *context)
{
    struct tally *tally = context;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct scheduler_scenario scenario = scheduler_case_copy(arena, recorded);
        if (round % 2 == 1)
            scenario.features = features_of_version(FEATURES_MINOR_LAST);
        uint64_t seed = (uint64_t)tally->decisions + 1;
        struct growing growing = {.arena = arena, .seed = seed, .objects = &scenario.objects};
        grow_cluster(&growing);
        struct scheduler_case concrete;
        struct scheduler_case folded;
        scheduler_case_decide(arena, &scenario, false, &concrete);
        scheduler_case_decide(arena, &scenario, true, &folded);
        const char *difference = compare(&concrete, &folded);
        if (difference && tally->wrong++ < 5)
            print_message("%s, seed %llu: %s\n", id, (unsigned long long)seed, difference);
        tally->decisions++;
        tally->nodes += concrete.view.node_count;
        tally->classes += folded.view.node_count;
        tally->preemptions += concrete.preemption && concrete.preemption->chosen_count > 0;
        scheduler_release(concrete.scheduler);
        scheduler_release(folded.scheduler);
    }
}

static void test_folding_changes_nothing(void **state)
{
    (void)state;
    struct tally tally = {0};
    scheduler_cases_each(check_scenario, &tally);
    print_message("%u clusters of %llu nodes in %llu classes, %u preemptions, %u wrong\n",
                  tally.decisions, (unsigned long long)tally.nodes,
                  (unsigned long long)tally.classes, tally.preemptions, tally.wrong);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.decisions > 4000);
    assert_true(tally.preemptions > 400);
    assert_true(tally.classes < tally.nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folding_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
