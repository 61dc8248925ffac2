/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/descheduler_cluster.h"

#include "decide/descheduler/cluster_sizes.h"
#include "decide/node_fingerprint.h"
#include "decide/node_mentions.h"
#include "decide/scheduler/plugin_reads.h"

#include <stdlib.h>
#include <string.h>

/* ---- parts that both ways of building share ---- */

static uint32_t number_of(struct map *map, const char *key, bool *is_new)
{
    struct map_entry *entry = map_put(map, key);
    *is_new = entry->value == NULL;
    if (*is_new)
        entry->value = (void *)(uintptr_t)map->count;
    return (uint32_t)((uintptr_t)entry->value - 1);
}

static struct cluster *cluster_create(struct arena *arena, const struct features *kubernetes)
{
    struct cluster *cluster = ARENA_NEW(arena, struct cluster);
    cluster->arena = arena;
    cluster->kubernetes = *kubernetes;
    resource_names_init(&cluster->resources, arena);
    map_init(&cluster->namespaces, arena);
    map_init(&cluster->duplicate_groups, arena);
    map_init(&cluster->owners, arena);
    return cluster;
}

static uint32_t namespace_number(struct cluster *cluster, const char *name)
{
    bool is_new;
    const uint32_t number = number_of(&cluster->namespaces, name, &is_new);
    if (is_new)
        VEC_PUSH(cluster->arena, &cluster->namespace_names, name);
    return number;
}

static void find_budgets(struct cluster *cluster, struct pod_kind *kind)
{
    kind->budgets = ARENA_ARRAY(cluster->arena, uint32_t, cluster->budget_objects.count + 1);
    for (uint32_t i = 0; i < cluster->budget_objects.count; i++) {
        const struct pod_disruption_budget *budget = cluster->budget_objects.items[i];
        if (strcmp(budget->meta.namespace, kind->pod->meta.namespace) == 0 &&
            eviction_budget_selects(&cluster->kubernetes, budget, &kind->pod->meta.labels))
            kind->budgets[kind->budget_count++] = i;
    }
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static const char *join(struct arena *arena, const char **parts, uint32_t count, char separator)
{
    size_t bytes = 1;
    for (uint32_t i = 0; i < count; i++)
        bytes += strlen(parts[i]) + 1;
    char *joined = ARENA_ARRAY(arena, char, bytes);
    size_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            joined[used++] = separator;
        memcpy(joined + used, parts[i], strlen(parts[i]));
        used += strlen(parts[i]);
    }
    return joined;
}

static uint32_t owner_number(struct cluster *cluster, const struct owner_key *key)
{
    bool is_new;
    const char *text = arena_printf(cluster->arena, "%s/%s/%s/%s", key->namespace, key->kind,
                                    key->name, key->images);
    const uint32_t number = number_of(&cluster->owners, text, &is_new);
    if (is_new)
        VEC_PUSH(cluster->arena, &cluster->owner_keys, *key);
    return number;
}

/* Duplicates have the same list of (namespace, owner kind, owner name, image). */
static void find_owners(struct cluster *cluster, struct pod_kind *kind)
{
    struct arena *arena = cluster->arena;
    const struct object_meta *meta = &kind->pod->meta;
    const uint32_t image_count = kind->pod->spec.container_count;
    const char **images = ARENA_ARRAY(arena, const char *, image_count + 1);
    VEC(const char *) keys = {0};
    for (uint32_t i = 0; i < image_count; i++)
        images[i] = kind->pod->spec.containers[i].image ? kind->pod->spec.containers[i].image : "";
    qsort(images, image_count, sizeof(*images), compare_texts);
    kind->owners = ARENA_ARRAY(arena, uint32_t, meta->owner_count + 1);
    for (uint32_t o = 0; o < meta->owner_count; o++) {
        const struct owner_key key = {meta->namespace, meta->owners[o].kind, meta->owners[o].name,
                                      join(arena, images, image_count, '#')};
        kind->owners[o] = owner_number(cluster, &key);
        for (uint32_t i = 0; i < image_count; i++)
            VEC_PUSH(
                arena, &keys,
                arena_printf(arena, "%s/%s/%s/%s", key.namespace, key.kind, key.name, images[i]));
    }
    if (keys.count > 0)
        qsort(keys.items, keys.count, sizeof(*keys.items), compare_texts);
    bool is_new;
    kind->duplicate_group =
        number_of(&cluster->duplicate_groups, join(arena, keys.items, keys.count, '\n'), &is_new);
}

static uint32_t add_kind(struct cluster *cluster, const struct pod *pod, uint32_t class)
{
    struct pod_kind kind;
    pod_kind_init(cluster->arena, &cluster->resources, pod, &kind);
    kind.class = class;
    kind.namespace = namespace_number(cluster, pod->meta.namespace);
    find_budgets(cluster, &kind);
    find_owners(cluster, &kind);
    VEC_PUSH(cluster->arena, &cluster->kinds, kind);
    return cluster->kinds.count - 1;
}

static bool node_is_ready(const struct node *node)
{
    for (uint32_t i = 0; i < node->status.conditions.count; i++) {
        const struct condition *condition = &node->status.conditions.items[i];
        if (strcmp(condition->type, "Ready") == 0 && strcmp(condition->status, "True") != 0)
            return false;
    }
    return true;
}

static void fill_node(struct cluster *cluster, struct cluster_node *node)
{
    const struct resource_list *list = &node->node->status.allocatable;
    const uint32_t count = cluster->resources.names.count;
    const struct quantity *pods = resource_list_find(list, "pods");
    node->ready = node_is_ready(node->node);
    node->allocatable = ARENA_ARRAY(cluster->arena, int64_t, count);
    node->has_allocatable = ARENA_ARRAY(cluster->arena, bool, count);
    node->usage = ARENA_ARRAY(cluster->arena, int64_t, count);
    node->allocatable_pods = pods ? quantity_value(*pods) : 0;
    for (uint32_t r = 0; r < count; r++) {
        const struct quantity *quantity =
            resource_list_find(list, cluster->resources.names.items[r]);
        node->has_allocatable[r] = quantity != NULL;
        node->allocatable[r] = quantity ? resource_amount(r, *quantity) : 0;
    }
}

/* Nodes of one template may be different objects that differ in name alone, so
 * what nodes offer is known before kinds are: all resources have numbers. */
static void finish(struct cluster *cluster)
{
    struct arena *arena = cluster->arena;
    for (uint32_t n = 0; n < cluster->node_count; n++)
        for (uint32_t i = 0; i < cluster->nodes[n].node->status.allocatable.count; i++)
            resource_names_number(&cluster->resources,
                                  cluster->nodes[n].node->status.allocatable.items[i].name);
    for (uint32_t n = 0; n < cluster->node_count; n++)
        fill_node(cluster, &cluster->nodes[n]);
    cluster->initial_budgets =
        ARENA_ARRAY(arena, struct eviction_budget, cluster->budget_objects.count + 1);
    for (uint32_t i = 0; i < cluster->budget_objects.count; i++)
        cluster->initial_budgets[i] = eviction_budget_of(cluster->budget_objects.items[i]);
    cluster->budgets =
        ARENA_ARRAY(arena, struct eviction_budget, cluster->budget_objects.count + 1);
    cluster->namespace_evicted = ARENA_ARRAY(arena, uint32_t, cluster->namespace_names.count + 1);
    cluster->fits =
        ARENA_ARRAY(arena, uint8_t, (size_t)cluster->kinds.count * cluster->template_count + 1);
    cluster->by_name = ARENA_ARRAY(arena, uint32_t, cluster->pod_count + 1);
    for (uint32_t p = 0; p < cluster->pod_count; p++)
        cluster->by_name[cluster->pods[p].name_rank] = p;
}

void cluster_reset(struct cluster *cluster)
{
    const uint32_t resources = cluster->resources.names.count;
    for (uint32_t n = 0; n < cluster->node_count; n++) {
        struct cluster_node *node = &cluster->nodes[n];
        memset(node->usage, 0, resources * sizeof(*node->usage));
        node->active_pods = 0;
        node->evicted = 0;
        node->mark = 0;
        node->hidden = (struct signature){0};
        node->history = (struct signature){0};
    }
    for (uint32_t p = 0; p < cluster->pod_count; p++) {
        struct cluster_pod *pod = &cluster->pods[p];
        const struct pod_kind *kind = &cluster->kinds.items[pod->kind];
        pod->presence = POD_PRESENT;
        pod->chosen = false;
        pod->tried = false;
        pod->evictions = (struct signature){0};
        pod->hidden = (struct signature){0};
        if (kind->finished || pod->node == VIEW_NONE)
            continue;
        struct cluster_node *node = &cluster->nodes[pod->node];
        node->active_pods++;
        for (uint32_t i = 0; i < kind->request_count; i++)
            node->usage[kind->requests[i].resource] += kind->requests[i].amount;
    }
    memset(cluster->namespace_evicted, 0,
           cluster->namespace_names.count * sizeof(*cluster->namespace_evicted));
    memcpy(cluster->budgets, cluster->initial_budgets,
           cluster->budget_objects.count * sizeof(*cluster->budgets));
}

/* ---- signatures ---- */

struct signature cluster_pod_signature(const struct cluster *cluster, uint32_t number)
{
    const struct cluster_pod *pod = &cluster->pods[number];
    struct signature signature = signature_mix(pod->evictions, pod->kind);
    signature = signature_mix_all(signature, pod->hidden);
    return signature_mix(signature, (uint64_t)pod->chosen * 2 + pod->tried);
}

struct signature cluster_node_signature(const struct cluster *cluster, uint32_t number)
{
    const struct cluster_node *node = &cluster->nodes[number];
    return signature_mix_all(
        signature_mix(node->history, ((uint64_t)node->mark << 32) | node->kind), node->hidden);
}

void cluster_touch_begin(struct cluster *cluster, uint32_t pod)
{
    const uint32_t node = cluster->pods[pod].node;
    if (node != VIEW_NONE)
        cluster->nodes[node].history =
            signature_subtract(cluster->nodes[node].history, cluster_pod_signature(cluster, pod));
}

void cluster_touch_end(struct cluster *cluster, uint32_t pod)
{
    const uint32_t node = cluster->pods[pod].node;
    if (node != VIEW_NONE)
        cluster->nodes[node].history =
            signature_add(cluster->nodes[node].history, cluster_pod_signature(cluster, pod));
}

static void map_node(const struct cluster *cluster, struct map *numbers, struct domain_map *domains,
                     uint32_t number)
{
    const struct cluster_node *node = &cluster->nodes[number];
    const char *value = labels_find(&node->node->meta.labels, domains->key);
    domains->of_node[number] = VIEW_NONE;
    if (!value)
        return;
    if (node->anonymous && strcmp(domains->key, LABEL_HOSTNAME) == 0) {
        domains->of_node[number] = domains->values.count;
        VEC_PUSH(cluster->arena, &domains->values, NULL);
        return;
    }
    struct map_entry *entry = map_put(numbers, value);
    if (!entry->value) {
        VEC_PUSH(cluster->arena, &domains->values, value);
        entry->value = (void *)(uintptr_t)domains->values.count;
    }
    domains->of_node[number] = (uint32_t)((uintptr_t)entry->value - 1);
}

const struct domain_map *cluster_domains(struct cluster *cluster, const char *key)
{
    for (uint32_t i = 0; i < cluster->domain_maps.count; i++)
        if (strcmp(cluster->domain_maps.items[i]->key, key) == 0)
            return cluster->domain_maps.items[i];
    struct domain_map *domains = ARENA_NEW(cluster->arena, struct domain_map);
    struct map numbers;
    map_init(&numbers, cluster->arena);
    domains->key = key;
    domains->of_node = ARENA_ARRAY(cluster->arena, uint32_t, cluster->node_count + 1);
    for (uint32_t n = 0; n < cluster->node_count; n++)
        map_node(cluster, &numbers, domains, n);
    VEC_PUSH(cluster->arena, &cluster->domain_maps, domains);
    return domains;
}

/* ---- a cluster that was written down ---- */

struct building {
    struct arena *arena;
    struct cluster *cluster;
    const struct objects *objects;
    struct kind_readers readers;
    bool merge;
    struct map kinds;     /* fingerprint -> number + 1 */
    struct map templates; /* fingerprint -> number + 1 */
    struct map node_kinds;
    struct map hostnames; /* how many nodes have it */
    struct node_mentions mentions;
    VEC(const struct node *) nodes;
    VEC(const struct pod *) pods;
};

static int compare_nodes(const void *left, const void *right)
{
    return strcmp((*(const struct node *const *)left)->meta.name,
                  (*(const struct node *const *)right)->meta.name);
}

static int compare_pod_names(const struct pod *a, const struct pod *b)
{
    const int order = strcmp(a->meta.namespace, b->meta.namespace);
    return order != 0 ? order : strcmp(a->meta.name, b->meta.name);
}

static int compare_pods(const void *left, const void *right)
{
    return compare_pod_names(*(const struct pod *const *)left, *(const struct pod *const *)right);
}

static int compare_namespaces(const void *left, const void *right)
{
    return strcmp((*(const struct namespace_object *const *)left)->meta.name,
                  (*(const struct namespace_object *const *)right)->meta.name);
}

static void collect(struct building *building)
{
    struct cluster *cluster = building->cluster;
    scheduler_mentions(&building->mentions, building->arena, building->objects, NULL);
    for (uint32_t i = 0; i < building->objects->count; i++) {
        const struct object *object = &building->objects->items[i];
        if (object->kind == OBJECT_NODE)
            VEC_PUSH(building->arena, &building->nodes, object->as.node);
        else if (object->kind == OBJECT_POD)
            VEC_PUSH(building->arena, &building->pods, object->as.pod);
        else if (object->kind == OBJECT_NAMESPACE)
            VEC_PUSH(cluster->arena, &cluster->namespace_objects, object->as.namespace_object);
        else if (object->kind == OBJECT_POD_DISRUPTION_BUDGET)
            VEC_PUSH(cluster->arena, &cluster->budget_objects, object->as.pod_disruption_budget);
    }
    if (building->nodes.count > 0)
        qsort(building->nodes.items, building->nodes.count, sizeof(*building->nodes.items),
              compare_nodes);
    if (building->pods.count > 0)
        qsort(building->pods.items, building->pods.count, sizeof(*building->pods.items),
              compare_pods);
    if (cluster->namespace_objects.count > 0)
        qsort(cluster->namespace_objects.items, cluster->namespace_objects.count,
              sizeof(*cluster->namespace_objects.items), compare_namespaces);
}

static uint32_t kind_of(struct building *building, const struct pod *pod)
{
    struct cluster *cluster = building->cluster;
    if (!building->merge)
        return add_kind(cluster, pod, cluster->kinds.count);
    struct text text;
    text_init(&text, building->arena->memory);
    pod_kind_fingerprint(&text, pod, building->readers);
    uintptr_t known = (uintptr_t)map_get(&building->kinds, text_content(&text));
    if (!known) {
        known = (uintptr_t)add_kind(cluster, pod, cluster->kinds.count) + 1;
        char *key = arena_strndup(building->arena, text_content(&text), text.length);
        map_put(&building->kinds, key)->value = (void *)known;
    }
    text_release(&text);
    return (uint32_t)(known - 1);
}

/* Equal nodes share a template unless somebody mentions one of them by name. */
static uint32_t template_of(struct building *building, const struct node *node)
{
    struct cluster *cluster = building->cluster;
    const char *hostname = labels_find(&node->meta.labels, LABEL_HOSTNAME);
    const bool shared = hostname && (uintptr_t)map_get(&building->hostnames, hostname) > 1;
    if (!building->merge || shared || node_mentions_has(&building->mentions, node))
        return cluster->template_count++;
    struct text text;
    text_init(&text, building->arena->memory);
    node_fingerprint(&text, node);
    uintptr_t known = (uintptr_t)map_get(&building->templates, text_content(&text));
    if (!known) {
        known = ++cluster->template_count;
        char *key = arena_strndup(building->arena, text_content(&text), text.length);
        map_put(&building->templates, key)->value = (void *)known;
    }
    text_release(&text);
    return (uint32_t)(known - 1);
}

static int compare_numbers(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Nodes of one template with the same pods are of one kind. */
static uint32_t node_kind_of(struct building *building, const struct cluster_node *node)
{
    struct cluster *cluster = building->cluster;
    uint32_t *kinds = ARENA_ARRAY(building->arena, uint32_t, node->pod_count + 1);
    struct text text;
    bool is_new;
    for (uint32_t i = 0; i < node->pod_count; i++)
        kinds[i] = cluster->pods[node->first_pod + i].kind;
    qsort(kinds, node->pod_count, sizeof(*kinds), compare_numbers);
    text_init(&text, building->arena->memory);
    text_printf(&text, "%u", node->template);
    for (uint32_t i = 0; i < node->pod_count; i++)
        text_printf(&text, " %u", kinds[i]);
    char *key = arena_strndup(building->arena, text_content(&text), text.length);
    text_release(&text);
    return number_of(&building->node_kinds, key, &is_new);
}

static void place_pods(struct building *building, uint32_t node, const char *name)
{
    struct cluster *cluster = building->cluster;
    for (uint32_t i = 0; i < building->pods.count; i++) {
        const struct pod *pod = building->pods.items[i];
        if (!pod || (name && (!pod->spec.node_name || strcmp(pod->spec.node_name, name) != 0)))
            continue;
        cluster->pods[cluster->pod_count++] = (struct cluster_pod){
            .kind = kind_of(building, pod), .node = node, .name_rank = i, .name = pod->meta.name};
        building->pods.items[i] = NULL;
    }
}

static void count_hostnames(struct building *building)
{
    for (uint32_t n = 0; n < building->nodes.count; n++) {
        const char *hostname = labels_find(&building->nodes.items[n]->meta.labels, LABEL_HOSTNAME);
        if (!hostname)
            continue;
        struct map_entry *entry = map_put(&building->hostnames, hostname);
        entry->value = (void *)((uintptr_t)entry->value + 1);
    }
}

struct cluster *cluster_of_objects(struct arena *arena, const struct features *kubernetes,
                                   const struct objects *objects, struct kind_readers readers,
                                   bool merge)
{
    struct building building = {.arena = arena,
                                .cluster = cluster_create(arena, kubernetes),
                                .objects = objects,
                                .readers = readers,
                                .merge = merge};
    struct cluster *cluster = building.cluster;
    map_init(&building.kinds, arena);
    map_init(&building.templates, arena);
    map_init(&building.node_kinds, arena);
    map_init(&building.hostnames, arena);
    collect(&building);
    count_hostnames(&building);
    cluster->names_known = true;
    cluster->kinds_unique = !merge;
    cluster->node_count = building.nodes.count;
    cluster->nodes = ARENA_ARRAY(arena, struct cluster_node, cluster->node_count + 1);
    cluster->pods = ARENA_ARRAY(arena, struct cluster_pod, building.pods.count + 1);
    for (uint32_t n = 0; n < cluster->node_count; n++) {
        struct cluster_node *node = &cluster->nodes[n];
        *node = (struct cluster_node){.node = building.nodes.items[n],
                                      .entry = n,
                                      .stands_for = 1,
                                      .template = template_of(&building, building.nodes.items[n]),
                                      .first_pod = cluster->pod_count};
        place_pods(&building, n, node->node->meta.name);
        node->pod_count = cluster->pod_count - node->first_pod;
        node->kind = node_kind_of(&building, node);
    }
    place_pods(&building, VIEW_NONE, NULL);
    finish(cluster);
    return cluster;
}

/* ---- a population ---- */

static uint32_t kind_of_class(struct cluster *cluster, const struct catalog *catalog,
                              uint32_t *kind_of_classes, uint32_t class)
{
    if (kind_of_classes[class] == 0)
        kind_of_classes[class] = add_kind(cluster, catalog->pods.items[class]->pod, class) + 1;
    return kind_of_classes[class] - 1;
}

static void add_pods(struct cluster *cluster, uint32_t kind, uint32_t count, uint32_t node)
{
    for (uint32_t i = 0; i < count; i++) {
        cluster->pods[cluster->pod_count] =
            (struct cluster_pod){.kind = kind, .node = node, .name_rank = cluster->pod_count};
        cluster->pod_count++;
    }
}

static uint32_t count_pods(const struct view *view)
{
    uint64_t count = 0;
    for (uint32_t e = 0; e < view->node_count; e++)
        count += (uint64_t)view->catalog->configs.items[view->nodes[e].config]->pod_count *
                 view->nodes[e].count;
    for (uint32_t i = 0; i < view->pending_count; i++)
        count += view->pending[i].count;
    if (count >= UINT32_MAX)
        bug("a population of %llu pods is too large", (unsigned long long)count);
    return (uint32_t)count;
}

static void add_nodes(struct cluster *cluster, const struct view *view, uint32_t entry,
                      uint32_t nodes, uint32_t *kind_of_classes)
{
    const struct node_config *config = view->catalog->configs.items[view->nodes[entry].config];
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t number = cluster->node_count++;
        struct cluster_node *node = &cluster->nodes[number];
        *node = (struct cluster_node){.node = config->template->node,
                                      .kind = config->id,
                                      .entry = entry,
                                      .stands_for = 1,
                                      .template = config->template->id,
                                      .anonymous = config->template->anonymous,
                                      .first_pod = cluster->pod_count};
        for (uint32_t p = 0; p < config->pod_entry_count; p++)
            add_pods(cluster,
                     kind_of_class(cluster, view->catalog, kind_of_classes, config->pods[p].pod),
                     config->pods[p].count, number);
        node->pod_count = cluster->pod_count - node->first_pod;
    }
    if (nodes == 0)
        return;
    cluster->nodes[cluster->node_count - 1].stands_for += view->nodes[entry].count - nodes;
    cluster->nodes[cluster->node_count - 1].last_alike = true;
}

struct cluster *cluster_of_view(struct arena *arena, const struct view *view)
{
    const struct catalog *catalog = view->catalog;
    struct cluster *cluster = cluster_create(arena, &catalog->features);
    uint32_t *kind_of_classes = ARENA_ARRAY(arena, uint32_t, catalog->pods.count + 1);
    uint32_t *copies = ARENA_ARRAY(arena, uint32_t, view->node_count + 1);
    const uint32_t pod_count = count_pods(view);
    size_t node_count = 0;
    for (uint32_t e = 0; e < view->node_count; e++)
        node_count += copies[e] = cluster_copies(view, view->nodes[e], pod_count);
    cluster->catalog = catalog;
    cluster->nodes = ARENA_ARRAY(arena, struct cluster_node, node_count + 1);
    cluster->pods = ARENA_ARRAY(arena, struct cluster_pod, pod_count + 1);
    cluster->template_count = catalog->templates.count;
    for (uint32_t i = 0; i < catalog->surroundings.namespaces.count; i++)
        VEC_PUSH(arena, &cluster->namespace_objects, catalog->surroundings.namespaces.items[i]);
    if (cluster->namespace_objects.count > 0)
        qsort(cluster->namespace_objects.items, cluster->namespace_objects.count,
              sizeof(*cluster->namespace_objects.items), compare_namespaces);
    for (uint32_t i = 0; i < view->budget_count; i++)
        VEC_PUSH(arena, &cluster->budget_objects, view->budgets[i].budget);
    for (uint32_t e = 0; e < view->node_count; e++)
        add_nodes(cluster, view, e, copies[e], kind_of_classes);
    for (uint32_t i = 0; i < view->pending_count; i++)
        add_pods(cluster, kind_of_class(cluster, catalog, kind_of_classes, view->pending[i].pod),
                 view->pending[i].count, VIEW_NONE);
    finish(cluster);
    for (uint32_t i = 0; i < view->budget_count; i++)
        cluster->initial_budgets[i] = view->budgets[i].status;
    return cluster;
}
