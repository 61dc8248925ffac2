/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims that are bound pin the pod to nodes that reach the volume; claims that
 * wait for their first consumer need a free volume, or a provisioner that can
 * make one, for the node. Capacity tracking is not modelled: every provisioner
 * is taken to have capacity.
 *
 * Also mirrors binder.go beside it and FindMatchingVolume of
 * k8s.io/component-helpers/storage/volume.
 */
#include "decide/scheduler/plan.h"
#include "decide/scheduler/volume_lookup.h"
#include "decide/scheduler/volume_match.h"
#include "object/storage_zones.h"

#include <string.h>

/* Why a node cannot serve the volumes; bits of the one fact. */
enum {
    MISFIT_NODE_AFFINITY = 1 << 0,
    MISFIT_NO_VOLUME = 1 << 1,
    MISFIT_LOST_VOLUME = 1 << 2,
};

struct claims {
    const struct persistent_volume_claim **items;
    uint32_t count;
};

struct binding {
    const char *reason; /* why the pod cannot be scheduled anywhere; NULL */
    struct claims bound;
    struct claims to_bind; /* smallest first */
};

static bool claim_is_bound(const struct persistent_volume_claim *claim)
{
    return claim->volume_name && claim->volume_name[0] &&
           labels_find(&claim->meta.annotations, "pv.kubernetes.io/bind-completed");
}

static bool claim_waits(const struct catalog *catalog, const struct persistent_volume_claim *claim)
{
    const struct storage_class *class = volume_find_class(catalog, volume_class_of_claim(claim));
    return class && class->volume_binding_mode == VOLUME_BINDING_WAIT_FOR_FIRST_CONSUMER &&
           (!claim->volume_name || !claim->volume_name[0]);
}

static const char *claim_problem(struct catalog *catalog, const struct volume *volume,
                                 const char *name, const struct persistent_volume_claim *claim)
{
    if (!claim && volume->source == VOLUME_EPHEMERAL_CLAIM)
        return arena_printf(
            catalog->arena,
            "waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\"",
            name);
    if (!claim)
        return arena_printf(catalog->arena, "persistentvolumeclaim \"%s\" not found", name);
    if (claim->phase && strcmp(claim->phase, "Lost") == 0)
        return arena_printf(
            catalog->arena,
            "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\"", name,
            claim->volume_name ? claim->volume_name : "");
    if (claim->meta.deletion_time != TIME_NONE)
        return arena_printf(catalog->arena, "persistentvolumeclaim \"%s\" is being deleted", name);
    return NULL;
}

static void insert_by_size(struct claims *claims, const struct persistent_volume_claim *claim)
{
    uint32_t at = claims->count++;
    while (at > 0 && quantity_compare(*volume_storage(&claims->items[at - 1]->requests),
                                      *volume_storage(&claim->requests)) > 0) {
        claims->items[at] = claims->items[at - 1];
        at--;
    }
    claims->items[at] = claim;
}

static void sort_claims(struct plan *plan, struct binding *binding)
{
    struct catalog *catalog = plan->catalog;
    const struct pod *pod = plan->shape->pod;
    bool unbound = false;
    for (uint32_t i = 0; i < pod->spec.volume_count; i++) {
        const char *name = volume_claim_name(catalog->arena, pod, &pod->spec.volumes[i]);
        if (!name)
            continue;
        const struct persistent_volume_claim *claim =
            volume_find_claim(catalog, pod->meta.namespace, name);
        binding->reason = claim_problem(catalog, &pod->spec.volumes[i], name, claim);
        if (binding->reason)
            return;
        if (claim_is_bound(claim))
            binding->bound.items[binding->bound.count++] = claim;
        else if (claim_waits(catalog, claim))
            insert_by_size(&binding->to_bind, claim);
        else
            unbound = true;
    }
    if (unbound)
        binding->reason = "pod has unbound immediate PersistentVolumeClaims";
}

static void prepare(struct plan *plan, struct part *part)
{
    part->scores = false;
    part->skips = plan->catalog->features.scores_may_skip;
    uint32_t volumes = plan->shape->pod->spec.volume_count;
    struct binding *binding = ARENA_NEW(plan->catalog->arena, struct binding);
    binding->bound.items =
        ARENA_ARRAY(plan->catalog->arena, const struct persistent_volume_claim *, volumes + 1);
    binding->to_bind.items =
        ARENA_ARRAY(plan->catalog->arena, const struct persistent_volume_claim *, volumes + 1);
    part->state = binding;
    sort_claims(plan, binding);
    part->filters = binding->bound.count + binding->to_bind.count > 0;
    part->facts = plan_reserve_facts(plan, 1);
}

static bool pre_filter(const struct plan *plan, const struct part *part, const struct view *view,
                       struct pre_filter_outcome *outcome)
{
    (void)plan;
    (void)view;
    const struct binding *binding = part->state;
    if (!binding->reason)
        return true;
    outcome->verdict = verdict_no(VERDICT_UNRESOLVABLE, binding->reason);
    return false;
}

/* The volume that is pre-bound to the claim, otherwise the smallest that fits;
 * VIEW_NONE if none fits. */
static uint32_t match_volume(const struct catalog *catalog,
                             const struct persistent_volume_claim *claim,
                             const struct node_template *template, const bool *taken)
{
    uint32_t smallest = VIEW_NONE;
    for (uint32_t i = 0; i < catalog->surroundings.volumes.count; i++) {
        const struct persistent_volume *volume = catalog->surroundings.volumes.items[i];
        if (taken[i] || !volume_is_possible(volume, claim))
            continue;
        bool reaches = volume_reaches(volume, template->node);
        if (volume_is_for_claim(volume, claim))
            return reaches ? i : VIEW_NONE;
        if (!reaches || !volume_is_free(volume, claim))
            continue;
        if (smallest == VIEW_NONE ||
            quantity_compare(
                *volume_storage(&catalog->surroundings.volumes.items[smallest]->capacity),
                *volume_storage(&volume->capacity)) > 0)
            smallest = i;
    }
    return smallest;
}

static bool can_provision(const struct catalog *catalog,
                          const struct persistent_volume_claim *claim,
                          const struct node_template *template)
{
    const struct storage_class *class = volume_find_class(catalog, volume_class_of_claim(claim));
    if (!class || !class->provisioner || !class->provisioner[0] ||
        strcmp(class->provisioner, "kubernetes.io/no-provisioner") == 0)
        return false;
    bool reachable = class->allowed_topology_count == 0;
    for (uint32_t i = 0; i < class->allowed_topology_count; i++)
        reachable |= node_selector_term_matches(&class->allowed_topologies[i],
                                                &template->node->meta.labels, "");
    return reachable;
}

static int64_t check_bound(const struct catalog *catalog, const struct claims *bound,
                           const struct node_template *template)
{
    for (uint32_t i = 0; i < bound->count; i++) {
        const struct persistent_volume *volume = volume_find(catalog, bound->items[i]->volume_name);
        if (!volume)
            return MISFIT_LOST_VOLUME;
        if (!volume_reaches(volume, template->node))
            return MISFIT_NODE_AFFINITY;
    }
    return 0;
}

/* A claim with a selected-node annotation waits for a volume on that node. */
static bool promised_elsewhere(const struct claims *claims, const struct node_template *template)
{
    for (uint32_t i = 0; i < claims->count; i++) {
        const char *node =
            labels_find(&claims->items[i]->meta.annotations, "volume.kubernetes.io/selected-node");
        if (node && (template->anonymous || strcmp(node, template->node->meta.name) != 0))
            return true;
    }
    return false;
}

static int64_t check_unbound(const struct catalog *catalog, const struct claims *claims,
                             const struct node_template *template)
{
    if (promised_elsewhere(claims, template))
        return MISFIT_NO_VOLUME;
    bool *taken = ARENA_ARRAY(catalog->arena, bool, catalog->surroundings.volumes.count + 1);
    for (uint32_t i = 0; i < claims->count; i++) {
        const struct persistent_volume_claim *claim = claims->items[i];
        bool promised = labels_find(&claim->meta.annotations, "volume.kubernetes.io/selected-node");
        uint32_t volume = promised ? VIEW_NONE : match_volume(catalog, claim, template, taken);
        if (volume != VIEW_NONE)
            taken[volume] = true;
        else if (!can_provision(catalog, claim, template))
            return MISFIT_NO_VOLUME;
    }
    return 0;
}

static void examine(const struct plan *plan, const struct part *part,
                    const struct node_template *template, int64_t *facts)
{
    const struct binding *binding = part->state;
    if (!part->filters)
        return;
    facts[0] = check_bound(plan->catalog, &binding->bound, template) |
               check_unbound(plan->catalog, &binding->to_bind, template);
}

static struct verdict filter(const struct trial *trial)
{
    static const char *const reasons[] = {
        [1] = "node(s) didn't find available persistent volumes to bind",
        "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
    };
    const char *elsewhere = trial->plan->catalog->features.volume_affinity_named
                                ? "node(s) didn't match PersistentVolume's node affinity"
                                : "node(s) had volume node affinity conflict";
    int64_t misfits = trial->now->facts[trial->part->facts];
    if (!misfits)
        return verdict_feasible();
    const char *reason = misfits & MISFIT_NODE_AFFINITY ? elsewhere : NULL;
    for (uint32_t i = 1; trial->texts && i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (misfits & (1 << i))
            reason = reason ? arena_printf(trial->texts, "%s, %s", reason, reasons[i]) : reasons[i];
    return verdict_no(VERDICT_UNRESOLVABLE, reason);
}

static void read_object(struct reads *reads, const struct object *object)
{
    if (object->kind == OBJECT_PERSISTENT_VOLUME)
        reads_node_selector(reads, object->as.persistent_volume->node_affinity);
    else if (object->kind == OBJECT_PERSISTENT_VOLUME_CLAIM)
        reads_node_name(
            reads, labels_find(&object->meta->annotations, "volume.kubernetes.io/selected-node"));
    else if (object->kind == OBJECT_STORAGE_CLASS) {
        for (uint32_t i = 0; i < object->as.storage_class->allowed_topology_count; i++)
            reads_node_term_labels(reads, &object->as.storage_class->allowed_topologies[i]);
        if (storage_class_is_zonal(object->as.storage_class))
            reads_node_label(reads, LABEL_ZONE);
    }
}

static const struct plugin_reads reads = {
    .of_object = read_object, .looks_at = volume_looks_at, .only_room = volume_only_room};

static const struct plugin_field fields[] = {{"volumes", NULL}, {0}};

const struct plugin plugin_volume_binding = {
    .name = "VolumeBinding",
    .mirrors = "pkg/scheduler/framework/plugins/volumebinding/volume_binding.go @ v1.26.15",
    .weight = 1, /* its scorer is behind a gate that is off: 0 for every node */
    .events = EVENT_STORAGE | EVENT_NODE_ADD | EVENT_NODE_LABEL,
    .reads = &reads,
    .fields = fields,
    .prepare = prepare,
    .examine = examine,
    .pre_filter = pre_filter,
    .filter = filter,
};
