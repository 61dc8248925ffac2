/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decisions change only as they must. Each recorded scenario is changed in a
 * way that should not matter and decided again: a taint that the pod
 * tolerates, another order of nodes and pods, other names for nodes, twice as
 * much of everything.
 */
#include "decide/scheduler/plugin_reads.h"
#include "decide/scheduler/scheduler_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The name that a node of the changed scenario had before; NULL: no such name. */
struct change {
    /* False: this scenario cannot be changed in this way. */
    bool (*apply)(struct arena *arena, struct scheduler_scenario *scenario, uint64_t *seed);
    const char *prefix; /* put before the names of nodes */
    uint32_t decided;
    uint32_t wrong;
    uint64_t seed;
};

static uint32_t find_entry(const struct scheduler_case *changed, const char *prefix,
                           const char *name)
{
    size_t length = strlen(prefix);
    for (uint32_t i = 0; i < changed->view.node_count; i++) {
        const char *other = scheduler_case_node_name(changed, i);
        if (strncmp(other, prefix, length) == 0 && strcmp(other + length, name) == 0)
            return i;
    }
    return VIEW_NONE;
}

static bool same_node(const struct scheduler_case *before, uint32_t entry,
                      const struct scheduler_case *after, uint32_t other)
{
    return scheduler_case_same_node(&before->decision->nodes[entry], &after->decision->nodes[other],
                                    before->decision->plan->profile->score_count) &&
           scheduler_case_is_best(before, entry) == scheduler_case_is_best(after, other);
}

static const struct candidate *find_candidate(const struct scheduler_case *result, uint32_t entry)
{
    for (uint32_t i = 0; result->preemption && i < result->preemption->candidate_count; i++)
        if (result->preemption->candidates[i].entry == entry)
            return &result->preemption->candidates[i];
    return NULL;
}

static bool same_candidate(const struct scheduler_case *before, const struct candidate *left,
                           const struct scheduler_case *after, const struct candidate *right)
{
    if (!left || !right)
        return left == right;
    if (left->victim_count != right->victim_count || left->chosen != right->chosen ||
        left->budget_violations != right->budget_violations)
        return false;
    for (uint32_t i = 0; i < left->victim_count; i++) {
        const struct pod *victim = before->catalog->pods.items[left->victims[i]]->pod;
        const struct pod *other = after->catalog->pods.items[right->victims[i]]->pod;
        if (strcmp(victim->meta.name, other->meta.name) != 0 ||
            strcmp(victim->meta.namespace, other->meta.namespace) != 0)
            return false;
    }
    return true;
}

static bool same_decision(const struct scheduler_case *before, const struct scheduler_case *after,
                          const char *prefix)
{
    if (before->decision->error || after->decision->error)
        return scheduler_case_same_text(before->decision->error, after->decision->error);
    if (before->view.node_count != after->view.node_count ||
        !before->preemption != !after->preemption)
        return false;
    for (uint32_t i = 0; i < before->view.node_count; i++) {
        uint32_t other = find_entry(after, prefix, scheduler_case_node_name(before, i));
        if (other == VIEW_NONE || !same_node(before, i, after, other) ||
            !same_candidate(before, find_candidate(before, i), after, find_candidate(after, other)))
            return false;
    }
    return true;
}

static void check_change(struct arena *arena, const char *id,
                         const struct scheduler_scenario *recorded, void *context)
{
    struct change *change = context;
    struct scheduler_scenario scenario = scheduler_case_copy(arena, recorded);
    if (!change->apply(arena, &scenario, &change->seed))
        return;
    struct scheduler_case before;
    struct scheduler_case after;
    scheduler_case_decide(arena, recorded, false, &before);
    scheduler_case_decide(arena, &scenario, false, &after);
    change->decided++;
    if (!same_decision(&before, &after, change->prefix) && change->wrong++ < 5)
        print_message("%s is decided otherwise\n", id);
    scheduler_release(before.scheduler);
    scheduler_release(after.scheduler);
}

static void check_all(struct change change, uint32_t decided_least)
{
    change.prefix = change.prefix ? change.prefix : "";
    scheduler_cases_each(check_change, &change);
    print_message("%u scenarios changed, %u decided otherwise\n", change.decided, change.wrong);
    assert_int_equal(change.wrong, 0);
    assert_true(change.decided >= decided_least);
}

static bool taint_and_tolerate(struct arena *arena, struct scheduler_scenario *scenario,
                               uint64_t *seed)
{
    static const struct taint taint = {
        .key = "example.org/new", .value = "x", .effect = TAINT_NO_SCHEDULE};
    static const struct toleration toleration = {.key = "example.org/new",
                                                 .operator= TOLERATION_EXISTS,
                                                 .value = "",
                                                 .effect = TAINT_NO_SCHEDULE};
    for (uint32_t i = 0; i < scenario->objects.count; i++) {
        struct object *object = &scenario->objects.items[i];
        if (object->kind == OBJECT_NODE && scheduler_case_random(seed, 2) == 0)
            object->as.node->spec.taints[object->as.node->spec.taint_count++] = taint;
    }
    struct pod_spec *spec = &scenario->pod->spec;
    struct toleration *tolerations =
        ARENA_ARRAY(arena, struct toleration, spec->toleration_count + 1);
    if (spec->toleration_count > 0)
        memcpy(tolerations, spec->tolerations, spec->toleration_count * sizeof(*tolerations));
    tolerations[spec->toleration_count++] = toleration;
    spec->tolerations = tolerations;
    return true;
}

static void test_tolerated_taint(void **state)
{
    (void)state;
    check_all((struct change){.apply = taint_and_tolerate}, 2045);
}

static bool shuffle(struct arena *arena, struct scheduler_scenario *scenario, uint64_t *seed)
{
    (void)arena;
    struct objects *objects = &scenario->objects;
    for (uint32_t i = objects->count; i > 1; i--) {
        uint32_t other = scheduler_case_random(seed, i);
        struct object object = objects->items[i - 1];
        objects->items[i - 1] = objects->items[other];
        objects->items[other] = object;
    }
    return true;
}

static void test_order(void **state)
{
    (void)state;
    check_all((struct change){.apply = shuffle}, 2045);
}

static bool rename_nodes(struct arena *arena, struct scheduler_scenario *scenario, uint64_t *seed)
{
    (void)seed;
    const struct objects *objects = &scenario->objects;
    struct node_mentions mentions;
    scheduler_mentions(&mentions, arena, objects, scenario->pod);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_NODE &&
            node_mentions_has(&mentions, objects->items[i].as.node))
            return false;
    for (uint32_t i = 0; i < objects->count; i++) {
        struct object *object = &objects->items[i];
        if (object->kind == OBJECT_POD && object->as.pod->spec.node_name)
            object->as.pod->spec.node_name =
                arena_printf(arena, "zz-%s", object->as.pod->spec.node_name);
        if (object->kind != OBJECT_NODE)
            continue;
        struct object_meta *meta = &object->as.node->meta;
        meta->name = arena_printf(arena, "zz-%s", meta->name);
        for (uint32_t l = 0; l < meta->labels.count; l++)
            if (strcmp(meta->labels.items[l].key, LABEL_HOSTNAME) == 0)
                meta->labels.items[l].value =
                    arena_printf(arena, "zz-%s", meta->labels.items[l].value);
    }
    return true;
}

static void test_names(void **state)
{
    (void)state;
    check_all((struct change){.apply = rename_nodes, .prefix = "zz-"}, 1500);
}

static struct resource_list twice(struct arena *arena, const struct resource_list *list)
{
    struct resource_list doubled = {ARENA_ARRAY(arena, struct resource, list->count + 1),
                                    list->count};
    for (uint32_t i = 0; i < list->count; i++) {
        doubled.items[i] = list->items[i];
        bool is_pods = strcmp(list->items[i].name, "pods") == 0;
        /* What is rounded when it is added up must be rounded before it is doubled. */
        bool is_cpu = strcmp(list->items[i].name, "cpu") == 0;
        struct quantity whole =
            is_cpu ? quantity_of_milli(quantity_milli_value(list->items[i].quantity))
                   : quantity_of(quantity_value(list->items[i].quantity));
        doubled.items[i].quantity = is_pods ? whole : quantity_add(whole, whole);
    }
    return doubled;
}

static struct resource_requirements *double_requirements(struct arena *arena,
                                                         struct resource_requirements *resources)
{
    if (!resources)
        return NULL;
    struct resource_requirements *doubled = ARENA_NEW(arena, struct resource_requirements);
    doubled->requests = twice(arena, &resources->requests);
    doubled->limits = twice(arena, &resources->limits);
    return doubled;
}

/* False: the status of a container that is resized does not tell all. */
static bool double_statuses(struct arena *arena, struct container_status **statuses, uint32_t count)
{
    struct container_status *copies = ARENA_ARRAY(arena, struct container_status, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        copies[i] = (*statuses)[i];
        const struct resource_requirements *has = copies[i].resources;
        if (has && (!resource_list_find(&has->requests, "cpu") ||
                    !resource_list_find(&has->requests, "memory")))
            return false;
        copies[i].resources = double_requirements(arena, copies[i].resources);
        copies[i].allocated_resources = twice(arena, &copies[i].allocated_resources);
    }
    *statuses = copies;
    return true;
}

static bool double_status(struct arena *arena, struct pod_status *status)
{
    status->resources = double_requirements(arena, status->resources);
    status->allocated_resources = twice(arena, &status->allocated_resources);
    return double_statuses(arena, &status->container_statuses, status->container_status_count) &&
           double_statuses(arena, &status->init_container_statuses,
                           status->init_container_status_count);
}

/* Without cpu and memory for every container the scheduler fills in fixed
 * amounts, and overhead is rounded to whole units: neither doubles. */
static bool double_pod(struct arena *arena, struct pod *pod)
{
    struct pod_spec *spec = &pod->spec;
    if (spec->overhead.count > 0)
        return false;
    struct container *lists[] = {spec->containers, spec->init_containers};
    uint32_t counts[] = {spec->container_count, spec->init_container_count};
    for (uint32_t l = 0; l < 2; l++) {
        struct container *copies = ARENA_ARRAY(arena, struct container, counts[l] + 1);
        for (uint32_t i = 0; i < counts[l]; i++) {
            copies[i] = lists[l][i];
            struct resource_list *requests = &copies[i].resources.requests;
            if (!resource_list_find(requests, "cpu") || !resource_list_find(requests, "memory"))
                return false;
            *requests = twice(arena, requests);
        }
        lists[l] = copies;
    }
    spec->containers = lists[0];
    spec->init_containers = lists[1];
    spec->resources = double_requirements(arena, spec->resources);
    return double_status(arena, &pod->status);
}

static bool double_everything(struct arena *arena, struct scheduler_scenario *scenario,
                              uint64_t *seed)
{
    (void)seed;
    for (uint32_t i = 0; i < scenario->objects.count; i++) {
        struct object *object = &scenario->objects.items[i];
        if (object->kind == OBJECT_NODE)
            object->as.node->status.allocatable =
                twice(arena, &object->as.node->status.allocatable);
        if (object->kind == OBJECT_POD && !double_pod(arena, object->as.pod))
            return false;
    }
    return double_pod(arena, scenario->pod);
}

static void test_doubling(void **state)
{
    (void)state;
    check_all((struct change){.apply = double_everything}, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tolerated_taint),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_doubling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
