/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/scaling_picture.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/taint_ages.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/homes.h"
#include "cluster/state/nodes.h"
#include "cluster/state/nominations.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/view.h"
#include "object/schemas.h"
#include "setup/setup.h"

/* ---- pods ---- */

/* The owner of pods has no UID in the model; its name serves as well. */
static const struct pod *owned_pod(struct arena *arena, const struct pod *pod)
{
    struct pod *copy = arena_copy(arena, pod, sizeof(*pod));
    if (pod->meta.owner_count == 0)
        return copy;
    struct owner_reference *owner =
        arena_copy(arena, &pod->meta.owners[0], sizeof(pod->meta.owners[0]));
    owner->uid = arena_printf(arena, "%s/%s/%s", owner->kind, pod->meta.namespace, owner->name);
    copy->meta.owners = owner;
    copy->meta.owner_count = 1;
    return copy;
}

/* A pod of the revision, marked by the revision's number plus one. */
static struct autoscaler_pod *create_pod(struct worker *worker,
                                         struct scaling_prototypes *prototypes,
                                         const struct pod *pod, const struct revision *revision)
{
    struct autoscaler_pod *made = autoscaler_pod_create(&worker->arena, &prototypes->kinds,
                                                        owned_pod(&worker->arena, pod), NULL);
    made->mark = (uint32_t)(revision - worker->population->revisions.items) + 1;
    return made;
}

/* The pods of the revision with their volume in each place: a simulation puts them nowhere else. */
static struct autoscaler_pod **pods_at_home(struct worker *worker,
                                            struct scaling_prototypes *prototypes,
                                            const struct revision *revision)
{
    const struct population *population = worker->population;
    struct arena *arena = &worker->arena;
    if (revision->home == 0)
        return NULL;
    struct autoscaler_pod **pods =
        ARENA_ARRAY(arena, struct autoscaler_pod *, home_place_count(population));
    for (uint32_t p = 0; p < home_place_count(population); p++)
        pods[p] =
            create_pod(worker, prototypes,
                       population->catalog->pods.items[revision->home_classes[p]]->pod, revision);
    return pods;
}

struct scaling_prototypes *scaling_prototypes(struct worker *worker)
{
    const struct population *population = worker->population;
    struct arena *arena = &worker->arena;
    if (worker->scaling_prototypes)
        return worker->scaling_prototypes;
    struct scaling_prototypes *made = ARENA_NEW(arena, struct scaling_prototypes);
    pod_kinds_init(&made->kinds, arena);
    made->pods = ARENA_ARRAY(arena, struct autoscaler_pod *, population->revisions.count + 1);
    made->at_home = ARENA_ARRAY(arena, struct autoscaler_pod **, population->revisions.count + 1);
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        const struct pod *waits =
            home_is_awaited(population, r)
                ? population->catalog->pods.items[revision->open_classes[0]]->pod
                : revision->pod;
        made->pods[r] = create_pod(worker, made, waits, revision);
        made->at_home[r] = pods_at_home(worker, made, revision);
    }
    worker->scaling_prototypes = made;
    return made;
}

struct picturing {
    struct worker *worker;
    const struct state *state;
    struct scaling_picture *picture;
    const struct scaling_prototypes *prototypes;
    uint32_t pod_count; /* so many pods have names */
};

/* Another pod of the revision. */
static struct autoscaler_pod *new_pod(struct picturing *picturing, uint32_t revision,
                                      struct pod **pod)
{
    struct arena *arena = &picturing->worker->scratch;
    const uint32_t place = home_place(picturing->worker->population, picturing->state, revision);
    const struct autoscaler_pod *prototype =
        place > 0 ? picturing->prototypes->at_home[revision][place - 1]
                  : picturing->prototypes->pods[revision];
    struct autoscaler_pod *copy = arena_copy(arena, prototype, sizeof(*prototype));
    *pod = arena_copy(arena, prototype->pod, sizeof(*prototype->pod));
    copy->pod = *pod;
    copy->name = copy->hint_key = arena_printf(arena, "pod-%u", picturing->pod_count++);
    (*pod)->meta.name = copy->name;
    return copy;
}

/* A pod that terminates on a node whose kubelet does not work has done so for longer than it may:
 * any time may have passed. Filters do not count pods that terminate. */
static void terminate(struct arena *arena, struct autoscaler_pod *added, struct pod *pod,
                      bool works)
{
    struct pod *unbound = arena_copy(arena, added->unbound, sizeof(*added->unbound));
    pod->meta.deletion_time = works ? AUTOSCALING_NOW_SECONDS * (int64_t)NANOSECONDS_PER_SECOND : 0;
    unbound->meta.deletion_time = pod->meta.deletion_time;
    added->unbound = unbound;
}

static void add_pods_of(struct picturing *picturing, const struct node *node,
                        const struct node_config *config)
{
    struct worker *worker = picturing->worker;
    const bool works = condition_traits[config_condition(worker, config->id)].works;
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct class_info *info = class_info(worker, config->pods[p].pod);
        for (uint32_t i = 0; i < config->pods[p].count; i++) {
            struct pod *pod;
            struct autoscaler_pod *added = new_pod(picturing, info->revision, &pod);
            pod->spec.node_name = node->meta.name;
            if (info->stage == STAGE_TERMINATING)
                terminate(&worker->scratch, added, pod, works);
            VEC_PUSH(&worker->scratch, &picturing->picture->lists.scheduled, added);
        }
    }
}

static void add_waiting(struct picturing *picturing, uint32_t revision, const char *nominated)
{
    struct pod *pod;
    struct autoscaler_pod *added = new_pod(picturing, revision, &pod);
    pod->status.nominated_node_name = nominated;
    VEC_PUSH(&picturing->worker->scratch, &picturing->picture->lists.unschedulable, added);
}

/* Pods for which a place is kept on the node. */
static void add_nominated(struct picturing *picturing, const struct node *node,
                          const struct node_config *config)
{
    for (uint32_t p = 0; p < config->nominated_entry_count; p++)
        for (uint32_t i = 0; i < config->nominated[p].count; i++)
            add_waiting(picturing,
                        class_info(picturing->worker, config->nominated[p].pod)->revision,
                        node->meta.name);
}

/* The scheduler has found no node for the others that wait. What it does not look at has no
 * condition that says so; pods of DaemonSets, which ask for one node alone, fit no new one. */
static void add_pending(struct picturing *picturing)
{
    const struct population *population = picturing->worker->population;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        const uint32_t kept =
            state_nominations(picturing->worker, picturing->state, revision->pending_class);
        if (revision->gated || revision->node_name ||
            !profiles_find(&population->profiles, revision->pod->spec.scheduler_name))
            continue;
        for (uint32_t i = kept; i < picturing->state->pending[r]; i++)
            add_waiting(picturing, r, NULL);
    }
}

/* ---- nodes ---- */

static struct conditions ready(struct arena *arena)
{
    const struct condition condition = {
        .type = "Ready",
        .status = "True",
        .last_transition_time = TIME_NONE,
        .last_update_time = TIME_NONE,
        .last_heartbeat_time = TIME_NONE,
    };
    return (struct conditions){arena_copy(arena, &condition, sizeof(condition)), 1};
}

static const struct node *name_node(struct picturing *picturing, const struct node_config *config,
                                    const char *name)
{
    struct arena *arena = &picturing->worker->scratch;
    const struct node_template *template = config->template;
    struct node *node = arena_copy(arena, template->node, sizeof(*template->node));
    node->meta.name = name;
    node->meta.creation_time = TIME_NONE;
    node->spec.provider_id = name;
    if (template->anonymous)
        labels_set(arena, &node->meta.labels, LABEL_HOSTNAME, name);
    if (condition_traits[config_condition(picturing->worker, config->id)].ready)
        node->status.conditions = ready(arena);
    if (node->status.capacity.count == 0)
        node->status.capacity = node->status.allocatable;
    return node;
}

bool config_has_movers(const struct worker *worker, const struct node_config *config)
{
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (!class_revision(worker, config->pods[p].pod)->pinned)
            return true;
    return false;
}

/* With clocks: does the time run after which a node of the config is removed? */
static bool is_timed(struct worker *worker, uint32_t config)
{
    const enum node_condition condition = config_condition(worker, config);
    return worker->population->clock &&
           (condition_is_unneeded(condition) || !condition_traits[condition].ready);
}

bool removal_is_due(struct worker *worker, const struct state *state, uint32_t entry)
{
    const uint32_t config = state->nodes[entry].config;
    const uint32_t number = config_scaled_group(worker, config);
    if (number == UINT32_MAX || !is_timed(worker, config))
        return false;
    const struct scaled_group *group = &worker->population->autoscaling->groups[number];
    return node_is_older(worker, state, entry,
                         condition_traits[config_condition(worker, config)].ready
                             ? group->unneeded_time
                             : group->unready_time);
}

static void add_nodes(struct picturing *picturing, uint32_t entry)
{
    struct worker *worker = picturing->worker;
    const struct node_config *config = state_config(worker, picturing->state, entry);
    const bool leaving = config_condition(worker, config->id) == NODE_LEAVING;
    for (uint32_t i = 0; i < picturing->state->nodes[entry].count; i++) {
        const char *name = arena_printf(&worker->scratch, "node-%u-%u", entry, i);
        const struct picture_node node = {
            .node = name_node(picturing, config, name),
            .entry = entry,
            .group = config_scaled_group(worker, config->id),
            .leaving = leaving,
            .has_movers = leaving && config_has_movers(worker, config),
            .is_timed = is_timed(worker, config->id),
            .is_due = removal_is_due(worker, picturing->state, entry),
        };
        VEC_PUSH(&worker->scratch, &picturing->picture->nodes, node);
        VEC_PUSH(&worker->scratch, &picturing->picture->lists.nodes, node.node);
        add_pods_of(picturing, node.node, config);
        add_nominated(picturing, node.node, config);
    }
}

bool instance_is_given_up(struct worker *worker, const struct state *state, uint32_t entry)
{
    return worker->population->clock &&
           config_is_lost_instance(worker, state->nodes[entry].config) &&
           node_is_older(worker, state, entry,
                         worker->population->autoscaling->options.provision_time);
}

static void count_groups(struct picturing *picturing)
{
    struct worker *worker = picturing->worker;
    const struct state *state = picturing->state;
    const struct autoscaling *autoscaling = worker->population->autoscaling;
    struct scaling_picture *picture = picturing->picture;
    picture->targets = ARENA_ARRAY(&worker->scratch, int64_t, autoscaling->group_count + 1);
    picture->given_up = ARENA_ARRAY(&worker->scratch, int64_t, autoscaling->group_count + 1);
    picture->lost = ARENA_ARRAY(&worker->scratch, int64_t, autoscaling->group_count + 1);
    picture->ordered = ARENA_ARRAY(&worker->scratch, int64_t, autoscaling->group_count + 1);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t group = config_scaled_group(worker, state->nodes[n].config);
        const enum node_condition condition = config_condition(worker, state->nodes[n].config);
        if (group == UINT32_MAX || condition == NODE_ABSENT)
            continue;
        picture->targets[group] += state->nodes[n].count;
        if (condition_is_to_come(condition))
            picture->ordered[group] += state->nodes[n].count;
        if (config_is_lost_instance(worker, state->nodes[n].config))
            picture->lost[group] += state->nodes[n].count;
        if (instance_is_given_up(worker, state, n))
            picture->given_up[group] += state->nodes[n].count;
    }
}

/* ---- other objects ---- */

static void add_budgets(struct picturing *picturing)
{
    struct arena *arena = &picturing->worker->scratch;
    uint32_t count;
    const struct view_budget *budgets = state_budgets(picturing->worker, picturing->state, &count);
    for (uint32_t b = 0; b < count; b++) {
        struct pod_disruption_budget *budget =
            arena_copy(arena, budgets[b].budget, sizeof(*budgets[b].budget));
        budget->status.disruptions_allowed = budgets[b].status.disruptions_allowed;
        VEC_PUSH(arena, &picturing->picture->lists.budgets, budget);
    }
}

/* Of ReplicaSets and ReplicationControllers it matters how many replicas they are to have. */
static struct optional_int replicas_of(const struct population *population,
                                       const struct state *state, uint32_t revision)
{
    const uint32_t workload = population->revisions.items[revision].workload;
    if (revision_has_set(population, revision))
        return (struct optional_int){true, state->sets[revision].replicas};
    if (population->workloads.items[workload].kind == OBJECT_REPLICATION_CONTROLLER)
        return (struct optional_int){true, state->replicas[workload]};
    return (struct optional_int){0};
}

static void add_controllers(struct picturing *picturing)
{
    const struct population *population = picturing->worker->population;
    const struct state *state = picturing->state;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        const struct object_meta *meta = &revision->pod->meta;
        const bool managed = revision->workload < population->managed_count;
        if (meta->owner_count > 0 &&
            (!managed || state->present[revision->workload] != WORKLOAD_ABSENT))
            autoscaler_world_add_controller(&picturing->picture->world, meta->owners[0].kind,
                                            meta->namespace, meta->owners[0].name,
                                            replicas_of(population, state, r));
    }
    for (uint32_t i = 0; i < population->scope->objects->count; i++)
        if (population->scope->objects->items[i].kind == OBJECT_DAEMON_SET)
            VEC_PUSH(&picturing->worker->scratch, &picturing->picture->lists.daemon_sets,
                     population->scope->objects->items[i].as.daemon_set);
}

void scaling_picture(struct worker *worker, const struct state *state,
                     struct scaling_picture *picture)
{
    struct picturing picturing = {.worker = worker,
                                  .state = state,
                                  .picture = picture,
                                  .prototypes = scaling_prototypes(worker)};
    *picture = (struct scaling_picture){0};
    autoscaler_world_init(&picture->world, &worker->scratch);
    picture->world.kinds = picturing.prototypes->kinds;
    for (uint32_t n = 0; n < state->listed_count; n++)
        add_nodes(&picturing, n);
    add_pending(&picturing);
    count_groups(&picturing);
    add_budgets(&picturing);
    add_controllers(&picturing);
}
