/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disks that two pods of one node cannot share, unless both only read; and
 * claims that only one pod of the cluster may use (ReadWriteOncePod).
 */
#include "decide/scheduler/cycle.h"
#include "decide/scheduler/volume_lookup.h"

#include <string.h>

enum { COUNTER_CONFLICTS, COUNTER_SAME_CLAIM, COUNTER_COUNT };

struct restrictions {
    const char *missing; /* a claim that is not there; NULL */
    /* Of the decision under way: */
    int64_t same_claim; /* uses, in the whole cluster, of claims that the pod needs for itself */
};

static bool is_disk(const struct volume *volume)
{
    return volume->source == VOLUME_GCE_PERSISTENT_DISK ||
           volume->source == VOLUME_AWS_ELASTIC_BLOCK_STORE || volume->source == VOLUME_ISCSI ||
           volume->source == VOLUME_RBD;
}

static bool disks_conflict(const struct volume *left, const struct volume *right)
{
    if (left->source != right->source || !left->disk || !right->disk ||
        strcmp(left->disk, right->disk) != 0)
        return false;
    bool may_be_shared = left->source != VOLUME_AWS_ELASTIC_BLOCK_STORE;
    return !(may_be_shared && left->read_only && right->read_only);
}

/* A claim that the incoming pod must have for itself. */
static bool is_exclusive(const struct plan *plan, const struct volume *volume)
{
    if (!plan->catalog->features.read_write_once_pod || volume->source != VOLUME_PERSISTENT_CLAIM)
        return false;
    const struct persistent_volume_claim *claim =
        volume_find_claim(plan->catalog, plan->shape->pod->meta.namespace, volume->claim_name);
    for (uint32_t i = 0; claim && i < claim->access_modes.count; i++)
        if (strcmp(claim->access_modes.items[i], "ReadWriteOncePod") == 0)
            return true;
    return false;
}

/* Who looks for claims that only one pod may use finds out, before VolumeBinding does, that a claim
 * is not there. */
static const char *find_missing(const struct plan *plan)
{
    const struct pod *pod = plan->shape->pod;
    if (!plan->catalog->features.read_write_once_pod)
        return NULL;
    for (uint32_t i = 0; i < pod->spec.volume_count; i++)
        if (pod->spec.volumes[i].source == VOLUME_PERSISTENT_CLAIM &&
            !volume_find_claim(plan->catalog, pod->meta.namespace, pod->spec.volumes[i].claim_name))
            return pod->spec.volumes[i].claim_name;
    return NULL;
}

static bool same_claim(const struct volume *left, const struct volume *right)
{
    return left->source == VOLUME_PERSISTENT_CLAIM && right->source == VOLUME_PERSISTENT_CLAIM &&
           strcmp(left->claim_name, right->claim_name) == 0;
}

static void prepare(struct plan *plan, struct part *part)
{
    part->filters = false;
    const struct pod_spec *spec = &plan->shape->pod->spec;
    for (uint32_t i = 0; i < spec->volume_count; i++)
        part->filters |= is_disk(&spec->volumes[i]) || is_exclusive(plan, &spec->volumes[i]);
    part->counters = plan_reserve_counters(plan, COUNTER_COUNT);
    struct restrictions *restrictions = ARENA_NEW(plan->catalog->arena, struct restrictions);
    restrictions->missing = find_missing(plan);
    part->state = restrictions;
}

static bool pre_filter(const struct plan *plan, const struct part *part, const struct view *view,
                       struct pre_filter_outcome *outcome)
{
    (void)view;
    const struct restrictions *restrictions = part->state;
    if (!restrictions->missing)
        return true;
    outcome->verdict =
        verdict_no(VERDICT_UNRESOLVABLE,
                   arena_printf(plan->catalog->arena, "persistentvolumeclaim \"%s\" not found",
                                restrictions->missing));
    return false;
}

static void relate(const struct plan *plan, const struct part *part, const struct pod_shape *pod,
                   bool terminating, int64_t *counters)
{
    (void)terminating;
    const struct pod_spec *spec = &plan->shape->pod->spec;
    const struct pod_spec *other = &pod->pod->spec;
    int64_t *own = counters + part->counters;
    bool neighbours = strcmp(pod->pod->meta.namespace, plan->shape->pod->meta.namespace) == 0;
    for (uint32_t i = 0; part->filters && i < spec->volume_count; i++) {
        bool exclusive = neighbours && is_exclusive(plan, &spec->volumes[i]);
        for (uint32_t j = 0; j < other->volume_count; j++) {
            if (is_disk(&spec->volumes[i]))
                own[COUNTER_CONFLICTS] += disks_conflict(&spec->volumes[i], &other->volumes[j]);
            if (exclusive)
                own[COUNTER_SAME_CLAIM] += same_claim(&spec->volumes[i], &other->volumes[j]);
        }
    }
}

static void gather(struct cycle *cycle, const struct part *part)
{
    struct restrictions *restrictions = part->state;
    restrictions->same_claim = 0;
    for (uint32_t entry = 0; entry < cycle->view->node_count; entry++)
        restrictions->same_claim +=
            cycle->records[entry]->load.counters[part->counters + COUNTER_SAME_CLAIM] *
            cycle->view->nodes[entry].count;
}

static struct verdict filter(const struct trial *trial)
{
    const struct restrictions *restrictions = trial->part->state;
    const int64_t *now = trial->now->counters + trial->part->counters;
    const int64_t *base = trial->base->counters + trial->part->counters;
    if (now[COUNTER_CONFLICTS] != 0)
        return verdict_no(VERDICT_UNSCHEDULABLE, "node(s) had no available disk");
    if (restrictions->same_claim + now[COUNTER_SAME_CLAIM] - base[COUNTER_SAME_CLAIM] > 0)
        return verdict_no(VERDICT_UNSCHEDULABLE,
                          "node has pod using PersistentVolumeClaim with the same name and "
                          "ReadWriteOncePod access mode");
    return verdict_feasible();
}

static const struct plugin_reads reads = {.looks_at = volume_looks_at,
                                          .only_room = volume_only_room};

static const struct plugin_field fields[] = {{"volumes", NULL}, {0}};

const struct plugin plugin_volume_restrictions = {
    .name = "VolumeRestrictions",
    .mirrors =
        "pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go @ v1.26.15",
    .events = EVENT_POD_DELETE | EVENT_NODE_ADD | EVENT_STORAGE,
    .global_filter = true, /* for ReadWriteOncePod claims */
    .reads = &reads,
    .fields = fields,
    .prepare = prepare,
    .relate = relate,
    .pre_filter = pre_filter,
    .gather = gather,
    .filter = filter,
};
