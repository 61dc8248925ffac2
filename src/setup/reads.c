/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/reads.h"

#include "object/autoscaler.h"
#include "object/descheduler_policy.h"
#include "object/policy.h"
#include "object/scheduler_configuration.h"
#include "object/storage.h"
#include "object/workload.h"

#include <string.h>

static void read_key(struct map *map, const char *key)
{
    static char yes;
    if (key)
        map_put(map, key)->value = &yes;
}

bool reads_has(const struct map *map, const char *key)
{
    return map_get(map, key) != NULL;
}

static void read_node_label(struct reads *reads, const char *key)
{
    /* The hostname is an identity: who asks for one mentions the node. */
    if (key && strcmp(key, LABEL_HOSTNAME) != 0)
        read_key(&reads->node_labels, key);
}

/* Spreading by default, volumes and zones go by these whether anybody asks or not. */
void reads_init(struct reads *reads, struct arena *arena)
{
    static const char *const always[] = {
        "topology.kubernetes.io/zone",
        "topology.kubernetes.io/region",
        "failure-domain.beta.kubernetes.io/zone",
        "failure-domain.beta.kubernetes.io/region",
        "node.kubernetes.io/exclude-disruption",
    };
    static const char *const resources[] = {"cpu", "memory", "pods"};
    *reads = (struct reads){.arena = arena};
    node_mentions_init(&reads->mentions, arena);
    map_init(&reads->node_labels, arena);
    map_init(&reads->pod_labels, arena);
    map_init(&reads->images, arena);
    map_init(&reads->resources, arena);
    for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
        read_key(&reads->node_labels, always[i]);
    for (size_t i = 0; i < sizeof(resources) / sizeof(*resources); i++)
        read_key(&reads->resources, resources[i]);
}

/* ---- selectors ---- */

static void read_labels(struct map *map, const struct labels *labels)
{
    for (uint32_t i = 0; i < labels->count; i++)
        read_key(map, labels->items[i].key);
}

static void read_pod_selector(struct reads *reads, const struct label_selector *selector)
{
    if (!selector)
        return;
    read_labels(&reads->pod_labels, &selector->match_labels);
    for (uint32_t i = 0; i < selector->match_expression_count; i++)
        read_key(&reads->pod_labels, selector->match_expressions[i].key);
}

static void read_node_selector(struct reads *reads, const struct label_selector *selector)
{
    if (!selector)
        return;
    for (uint32_t i = 0; i < selector->match_labels.count; i++)
        read_node_label(reads, selector->match_labels.items[i].key);
    for (uint32_t i = 0; i < selector->match_expression_count; i++)
        read_node_label(reads, selector->match_expressions[i].key);
    node_mentions_add_selector(&reads->mentions, selector);
}

static void read_node_term(struct reads *reads, const struct node_selector_term *term)
{
    for (uint32_t i = 0; i < term->match_expression_count; i++)
        read_node_label(reads, term->match_expressions[i].key);
}

static void read_node_terms(struct reads *reads, const struct node_selector *selector)
{
    for (uint32_t i = 0; selector && i < selector->term_count; i++)
        read_node_term(reads, &selector->terms[i]);
}

static void read_node_affinity(struct reads *reads, const struct node_affinity *affinity)
{
    if (!affinity)
        return;
    read_node_terms(reads, affinity->required);
    for (uint32_t i = 0; i < affinity->preferred_count; i++)
        read_node_term(reads, &affinity->preferred[i].preference);
}

static void read_pod_term(struct reads *reads, const struct pod_affinity_term *term)
{
    read_node_label(reads, term->topology_key);
    read_pod_selector(reads, term->label_selector);
    for (uint32_t i = 0; i < term->match_label_keys.count; i++)
        read_key(&reads->pod_labels, term->match_label_keys.items[i]);
    for (uint32_t i = 0; i < term->mismatch_label_keys.count; i++)
        read_key(&reads->pod_labels, term->mismatch_label_keys.items[i]);
}

static void read_pod_affinity(struct reads *reads, const struct pod_affinity *affinity)
{
    if (!affinity)
        return;
    for (uint32_t i = 0; i < affinity->required_count; i++)
        read_pod_term(reads, &affinity->required[i]);
    for (uint32_t i = 0; i < affinity->preferred_count; i++)
        read_pod_term(reads, &affinity->preferred[i].term);
}

static void read_constraint(struct reads *reads,
                            const struct topology_spread_constraint *constraint)
{
    read_node_label(reads, constraint->topology_key);
    read_pod_selector(reads, constraint->label_selector);
    for (uint32_t i = 0; i < constraint->match_label_keys.count; i++)
        read_key(&reads->pod_labels, constraint->match_label_keys.items[i]);
}

/* ---- pods ---- */

/* ImageLocality's name: with a tag. */
static void read_images(struct reads *reads, const struct container *containers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *name = containers[i].image ? containers[i].image : "";
        const char *colon = strrchr(name, ':');
        const char *slash = strrchr(name, '/');
        const bool tagged = colon && (!slash || colon > slash);
        read_key(&reads->images, tagged ? name : arena_printf(reads->arena, "%s:latest", name));
    }
}

static void read_resources(struct reads *reads, const struct resource_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        read_key(&reads->resources, list->items[i].name);
}

static void read_requests(struct reads *reads, const struct container *containers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        read_resources(reads, &containers[i].resources.requests);
}

/* What is read as long as such a pod is anywhere: its requests, and its terms
 * about other pods. */
static void read_presence(struct reads *reads, const struct pod_spec *spec)
{
    read_requests(reads, spec->containers, spec->container_count);
    read_requests(reads, spec->init_containers, spec->init_container_count);
    read_resources(reads, &spec->overhead);
    if (spec->affinity) {
        read_pod_affinity(reads, spec->affinity->pod_affinity);
        read_pod_affinity(reads, spec->affinity->pod_anti_affinity);
    }
}

/* What is read when a node for such a pod is looked for. */
static void read_placing(struct reads *reads, const struct pod_spec *spec)
{
    for (uint32_t i = 0; i < spec->node_selector.count; i++)
        read_node_label(reads, spec->node_selector.items[i].key);
    if (spec->affinity)
        read_node_affinity(reads, spec->affinity->node_affinity);
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++)
        read_constraint(reads, &spec->topology_spread_constraints[i]);
}

static void read_template(struct reads *reads, const struct object *object,
                          const struct pod_template *template,
                          const struct label_selector *selector)
{
    read_presence(reads, &template->spec);
    read_placing(reads, &template->spec);
    read_images(reads, template->spec.containers, template->spec.container_count);
    read_images(reads, template->spec.init_containers, template->spec.init_container_count);
    read_pod_selector(reads, selector);
    node_mentions_add(&reads->mentions, object);
    node_mentions_add_name(&reads->mentions, template->spec.node_name);
}

bool pod_is_pinned(const struct pod *pod)
{
    const struct owner_reference *owner = object_meta_controller(&pod->meta);
    return pod->spec.node_name && owner &&
           (strcmp(owner->kind, "DaemonSet") == 0 || strcmp(owner->kind, "Node") == 0);
}

static void read_pod(struct reads *reads, const struct object *object)
{
    const struct pod *pod = object->as.pod;
    if (pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED)
        return;
    read_presence(reads, &pod->spec);
    if (pod->spec.node_name && (pod_is_pinned(pod) || !reads->pods_in_place))
        return;
    read_placing(reads, &pod->spec);
    node_mentions_add(&reads->mentions, object);
    if (!pod->spec.node_name) {
        read_images(reads, pod->spec.containers, pod->spec.container_count);
        read_images(reads, pod->spec.init_containers, pod->spec.init_container_count);
    }
}

/* ---- configurations ---- */

static void read_scheduler(struct reads *reads, const struct scheduler_configuration *configuration)
{
    reads->all_resources = true;
    for (uint32_t p = 0; p < configuration->profile_count; p++) {
        const struct scheduler_profile *profile = &configuration->profiles[p];
        read_node_affinity(reads, profile->node_affinity.added_affinity);
        node_mentions_add_affinity(&reads->mentions, profile->node_affinity.added_affinity);
        for (uint32_t i = 0; i < profile->pod_topology_spread.default_constraint_count; i++)
            read_constraint(reads, &profile->pod_topology_spread.default_constraints[i]);
    }
}

static void read_policy(struct reads *reads, const struct descheduler_policy *policy)
{
    reads->all_resources = true;
    reads->all_pod_labels = true;
    reads->pods_in_place = true;
    read_node_selector(reads, policy->node_selector);
    for (uint32_t p = 0; p < policy->profile_count; p++)
        read_node_selector(reads, policy->profiles[p].default_evictor.node_selector);
}

static void read_metrics(struct reads *reads, const struct horizontal_pod_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < autoscaler->metric_count; i++)
        reads->container_names |= autoscaler->metrics[i].source == METRIC_CONTAINER_RESOURCE;
}

void reads_add_object(struct reads *reads, const struct object *object)
{
    switch (object->kind) {
    case OBJECT_POD: read_pod(reads, object); break;
    case OBJECT_DEPLOYMENT:
        read_template(reads, object, &object->as.deployment->template,
                      object->as.deployment->selector);
        break;
    case OBJECT_REPLICA_SET:
        read_template(reads, object, &object->as.replica_set->template,
                      object->as.replica_set->selector);
        break;
    case OBJECT_STATEFUL_SET:
        read_template(reads, object, &object->as.stateful_set->template,
                      object->as.stateful_set->selector);
        break;
    case OBJECT_DAEMON_SET:
        read_template(reads, object, &object->as.daemon_set->template,
                      object->as.daemon_set->selector);
        break;
    case OBJECT_JOB:
        read_template(reads, object, &object->as.job->template, object->as.job->selector);
        break;
    case OBJECT_REPLICATION_CONTROLLER:
        read_template(reads, object, &object->as.replication_controller->template, NULL);
        read_labels(&reads->pod_labels, &object->as.replication_controller->selector);
        break;
    case OBJECT_HORIZONTAL_POD_AUTOSCALER:
        read_metrics(reads, object->as.horizontal_pod_autoscaler);
        break;
    case OBJECT_SERVICE: read_labels(&reads->pod_labels, &object->as.service->selector); break;
    case OBJECT_POD_DISRUPTION_BUDGET:
        read_pod_selector(reads, object->as.pod_disruption_budget->selector);
        break;
    case OBJECT_PERSISTENT_VOLUME:
        read_node_terms(reads, object->as.persistent_volume->node_affinity);
        node_mentions_add(&reads->mentions, object);
        break;
    case OBJECT_PERSISTENT_VOLUME_CLAIM: node_mentions_add(&reads->mentions, object); break;
    case OBJECT_STORAGE_CLASS:
        for (uint32_t i = 0; i < object->as.storage_class->allowed_topology_count; i++)
            read_node_term(reads, &object->as.storage_class->allowed_topologies[i]);
        break;
    case OBJECT_SCHEDULER_CONFIGURATION:
        read_scheduler(reads, object->as.scheduler_configuration);
        break;
    case OBJECT_DESCHEDULER_POLICY: read_policy(reads, object->as.descheduler_policy); break;
    default: break;
    }
}

void reads_add_intents(struct reads *reads, const struct check_intent *intents, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct labels *selector = &intents[i].node_selector;
        read_node_label(reads, intents[i].topology_key);
        for (uint32_t l = 0; l < selector->count; l++)
            read_node_label(reads, selector->items[l].key);
        node_mentions_add_labels(&reads->mentions, selector);
    }
}

void reads_add_check(struct reads *reads, const struct check *check)
{
    if (check->controllers.scheduler && check->controllers.scheduler->configuration)
        read_scheduler(reads, check->controllers.scheduler->configuration);
    if (check->controllers.descheduler && check->controllers.descheduler->policy)
        read_policy(reads, check->controllers.descheduler->policy);
    for (uint32_t e = 0; e < check->event_count; e++) {
        const struct check_event *event = &check->events[e];
        read_node_label(reads, event->topology_key);
        node_mentions_add_name(&reads->mentions, event->node);
        node_mentions_add_name(&reads->mentions, event->group);
        node_mentions_add_name(&reads->mentions, event->object.name);
    }
    reads_add_intents(reads, check->intents, check->intent_count);
}

/* ---- slices ---- */

static struct labels slice_labels(const struct reads *reads, const struct labels *labels)
{
    struct labels slice = {
        .items = ARENA_ARRAY(reads->arena, struct label, labels->count + 1),
    };
    for (uint32_t i = 0; i < labels->count; i++)
        if (strcmp(labels->items[i].key, LABEL_HOSTNAME) == 0 ||
            reads_has(&reads->node_labels, labels->items[i].key))
            slice.items[slice.count++] = labels->items[i];
    return slice;
}

static struct resource_list slice_resources(const struct reads *reads,
                                            const struct resource_list *list)
{
    struct resource_list slice = {
        .items = ARENA_ARRAY(reads->arena, struct resource, list->count + 1),
    };
    for (uint32_t i = 0; i < list->count; i++)
        if (reads->all_resources || reads_has(&reads->resources, list->items[i].name))
            slice.items[slice.count++] = list->items[i];
    return slice;
}

/* Images by the names that a pod to be placed knows them by. */
static void slice_images(const struct reads *reads, const struct node *node, struct node *slice)
{
    slice->status.images =
        ARENA_ARRAY(reads->arena, struct container_image, node->status.image_count + 1);
    slice->status.image_count = 0;
    for (uint32_t i = 0; i < node->status.image_count; i++) {
        const struct container_image *image = &node->status.images[i];
        struct container_image kept = {.size_bytes = image->size_bytes};
        kept.names.items = ARENA_ARRAY(reads->arena, const char *, image->names.count + 1);
        for (uint32_t n = 0; n < image->names.count; n++)
            if (reads_has(&reads->images, image->names.items[n]))
                kept.names.items[kept.names.count++] = image->names.items[n];
        if (kept.names.count > 0)
            slice->status.images[slice->status.image_count++] = kept;
    }
}

struct node *reads_slice_node(const struct reads *reads, const struct node *node)
{
    struct node *slice = ARENA_NEW(reads->arena, struct node);
    slice->meta.name = node->meta.name;
    slice->meta.creation_time = TIME_NONE;
    slice->meta.deletion_time = node->meta.deletion_time == TIME_NONE ? TIME_NONE : 0;
    slice->meta.labels = slice_labels(reads, &node->meta.labels);
    slice->spec.unschedulable = node->spec.unschedulable;
    slice->spec.taints = ARENA_ARRAY(reads->arena, struct taint, node->spec.taint_count + 1);
    slice->spec.taint_count = node->spec.taint_count;
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        slice->spec.taints[i] = node->spec.taints[i];
        slice->spec.taints[i].time_added = TIME_NONE;
    }
    slice->status.allocatable = slice_resources(reads, &node->status.allocatable);
    slice_images(reads, node, slice);
    return slice;
}
