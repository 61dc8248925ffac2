/* SPDX-License-Identifier: Apache-2.0 */
/* From a setup to the model: templates of nodes in every condition, classes of
 * pods in every stage, the initial state. */
#include "manifest/document.h"
#include "model/controller/deployment/template_signature.h"
#include "model/population/clock.h"
#include "model/population/zones.h"
#include "object/policy.h"
#include "object/schemas.h"

#include <assert.h>
#include <string.h>

static struct taint taint_of(const char *key, enum taint_effect effect)
{
    return (struct taint){.key = key, .value = "", .effect = effect, .time_added = TIME_NONE};
}

static struct condition *not_ready(struct arena *arena)
{
    struct condition *ready = ARENA_NEW(arena, struct condition);
    *ready = (struct condition){.type = "Ready",
                                .status = "Unknown",
                                .last_transition_time = TIME_NONE,
                                .last_update_time = TIME_NONE,
                                .last_heartbeat_time = TIME_NONE};
    return ready;
}

/* A copy of the node as it looks to everybody in this condition. */
static struct node *node_in(struct population *population, const struct setup_group *group,
                            const char *name, enum node_condition condition)
{
    struct arena *arena = &population->arena;
    const struct node *node = group->node;
    const char *gone = group->down && !group->unreachable ? TAINT_NOT_READY : TAINT_UNREACHABLE;
    struct node *copy = ARENA_NEW(arena, struct node);
    struct taint *taints = ARENA_ARRAY(arena, struct taint, node->spec.taint_count + 2);
    *copy = *node;
    copy->meta.name = name;
    if (!group->names || !labels_find(&copy->meta.labels, LABEL_HOSTNAME))
        labels_set(arena, &copy->meta.labels, LABEL_HOSTNAME, name);
    if (node->spec.taint_count > 0)
        memcpy(taints, node->spec.taints, node->spec.taint_count * sizeof(*taints));
    copy->spec.taints = taints;
    switch (condition) {
    case NODE_UP:
    case NODE_LOST:
    case NODE_LOST_AWAY:
    case NODE_GONE:
    case NODE_GONE_AWHILE:
    case NODE_CUT:
    case NODE_CUT_AWHILE: break;
    case NODE_CORDONED:
        copy->spec.unschedulable = true;
        taints[copy->spec.taint_count++] = taint_of(TAINT_UNSCHEDULABLE, TAINT_NO_SCHEDULE);
        break;
    default:
        copy->status.conditions = (struct conditions){not_ready(arena), 1};
        /* Who goes into maintenance was cordoned; who fails was not. */
        copy->spec.unschedulable =
            condition == NODE_AWAY && failed_condition(population) != NODE_AWAY;
        taints[copy->spec.taint_count++] = taint_of(gone, TAINT_NO_SCHEDULE);
        if (condition_traits[condition].evicts)
            taints[copy->spec.taint_count++] = taint_of(gone, TAINT_NO_EXECUTE);
        break;
    }
    return copy;
}

/* The number of the node's zone; a zone is known by its first node. */
static uint32_t zone_of(struct population *population, const struct node *node)
{
    if (labels_find(&node->meta.labels, "node.kubernetes.io/exclude-disruption"))
        return UINT32_MAX;
    for (uint32_t k = 0; k < population->node_kinds.count; k++) {
        const uint32_t up = population->node_kinds.items[k].templates[NODE_UP];
        if (population->templates.items[up].zone != UINT32_MAX &&
            zones_are_same(&population->scratch, population->catalog->templates.items[up]->node,
                           node))
            return population->templates.items[up].zone;
    }
    return population->zone_count++;
}

static uint32_t add_template(struct population *population, const char *name, bool named,
                             struct template_info info)
{
    const struct setup_group *group = &population->scope->groups[info.group];
    struct node *node = node_in(population, group, name, info.condition);
    node_press(&population->arena, node, info.pressures);
    const uint32_t template = named ? catalog_add_named_node(population->catalog, node)
                                    : catalog_add_anonymous_node(population->catalog, node);
    assert(template == population->templates.count);
    VEC_PUSH(&population->arena, &population->templates, info);
    if (population->has_daemon_sets)
        add_target_template(population, template);
    return template;
}

/* Can a node of the group be under just these pressures? */
static bool pressure_is_possible(const struct population *population, uint32_t group,
                                 uint32_t pressures, bool passes)
{
    if (population->scope->groups[group].pressures == pressures && !passes)
        return true;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        if (event->kind == EVENT_NODE_PRESSURE && event->recovers == passes &&
            event_pressure(event) == pressures)
            return true;
    }
    return false;
}

static void add_node_kind(struct population *population, uint32_t group, const char *name,
                          bool named)
{
    struct node_kind kind = {.group = group, .named = named};
    const uint32_t number = population->node_kinds.count;
    const uint32_t zone = zone_of(population, population->scope->groups[group].node);
    for (int condition = 0; condition < NODE_CONDITION_COUNT; condition++) {
        const struct template_info info = {.group = group,
                                           .node = number,
                                           .condition = (enum node_condition)condition,
                                           .zone = zone};
        if (condition_is_possible(population, (enum node_condition)condition))
            kind.templates[condition] = add_template(population, name, named, info);
    }
    for (uint32_t pressures = 1; pressures < PRESSURE_MASKS; pressures++)
        for (int passes = 0; passes < 2; passes++) {
            const struct template_info info = {.group = group,
                                               .node = number,
                                               .zone = zone,
                                               .pressures = pressures,
                                               .passes = passes};
            if (pressure_is_possible(population, group, pressures, passes))
                kind.pressed[pressures][passes] = add_template(population, name, named, info);
            population->has_pressure |= kind.pressed[pressures][passes] != 0;
        }
    VEC_PUSH(&population->arena, &population->node_kinds, kind);
}

/* Is this node mentioned by name? Then it is a class of its own. */
static bool mentioned(const struct population *population, const char *name)
{
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].node_name &&
            strcmp(population->revisions.items[r].node_name, name) == 0)
            return true;
    return false;
}

uint32_t first_template(const struct population *population, const struct node_kind *kind)
{
    const struct setup_group *group = &population->scope->groups[kind->group];
    if (group->down)
        return kind->templates[NODE_DOWN];
    return group->pressures != 0 ? kind->pressed[group->pressures][false]
                                 : kind->templates[NODE_UP];
}

static void add_node(struct population *population, struct population_state *state, uint32_t kind,
                     uint32_t count)
{
    const uint32_t template = first_template(population, &population->node_kinds.items[kind]);
    const uint32_t config = catalog_intern_config(population->catalog, template, NULL, 0, NULL, 0);
    assert(state->node_count < state->node_capacity);
    if (count > 0)
        state->nodes[state->node_count++] = (struct view_node){config, count};
}

static void add_nodes(struct population *population, struct population_state *state)
{
    for (uint32_t g = 0; g < population->scope->group_count; g++) {
        const struct setup_group *group = &population->scope->groups[g];
        const int32_t count = population->setup->nodes[g];
        int32_t named = 0;
        for (int32_t n = 1; n <= count; n++) {
            const char *name = group->single
                                   ? group->name
                                   : arena_printf(&population->arena, "%s-%d", group->name, n);
            if (!group->single && (group->names || !mentioned(population, name)))
                continue;
            add_node_kind(population, g, name, true);
            add_node(population, state, population->node_kinds.count - 1, 1);
            named++;
        }
        const int32_t each = population->options.nodes_apart ? 1 : count - named;
        for (int32_t n = named; n < count; n += each) {
            const char *name = arena_printf(&population->arena, "%s-*", group->name);
            add_node_kind(population, g, name, false);
            add_node(population, state, population->node_kinds.count - 1, (uint32_t)each);
        }
    }
}

/* ---- workloads ---- */

int64_t pod_cpu_request(const struct pod_spec *spec)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < spec->container_count; c++) {
        const struct quantity *cpu =
            resource_list_find(&spec->containers[c].resources.requests, "cpu");
        sum += cpu ? quantity_milli_value(*cpu) : 0;
    }
    return sum;
}

/* `like`: a class of pods of the same shape; VIEW_NONE: none is known. */
static uint32_t add_class(struct population *population, const struct pod *pod, uint32_t like,
                          struct class_info info)
{
    const uint32_t class = like == VIEW_NONE ? catalog_add_pod(population->catalog, pod)
                                             : catalog_add_pod_like(population->catalog, pod, like);
    assert(class == population->classes.count);
    VEC_PUSH(&population->arena, &population->classes, info);
    return class;
}

/* The pod as controllers see it in this stage. */
static struct pod *pod_in(struct population *population, const struct pod *pod,
                          enum pod_stage stage)
{
    struct pod *copy = ARENA_NEW(&population->arena, struct pod);
    struct condition *ready = ARENA_NEW(&population->arena, struct condition);
    *copy = *pod;
    copy->status.phase =
        stage == STAGE_STARTING || stage == STAGE_BOUND ? POD_PENDING : POD_RUNNING;
    copy->status.start_time = 0;
    if (stage == STAGE_WAITING) {
        copy->status = pod->status;
        pod_ask_for_target(&population->arena, copy);
        return copy;
    }
    if (stage == STAGE_TERMINATING)
        copy->meta.deletion_time = 0;
    *ready = (struct condition){.type = "Ready",
                                .status = stage == STAGE_READY ? "True" : "False",
                                .last_transition_time = 0,
                                .last_update_time = TIME_NONE,
                                .last_heartbeat_time = TIME_NONE};
    copy->status.conditions = (struct conditions){ready, 1};
    return copy;
}

static void add_classes(struct population *population, uint32_t number)
{
    struct revision *revision = &population->revisions.items[number];
    const uint32_t levels = population->workloads.items[revision->workload].level_count;
    revision->classes = ARENA_ARRAY(&population->arena, uint32_t, (size_t)STAGE_COUNT * levels);
    revision->pending_class = add_class(population, revision->pod, VIEW_NONE,
                                        (struct class_info){number, STAGE_STARTING, 0, 0});
    for (int stage = 0; stage < STAGE_COUNT; stage++) {
        /* Pods that wait for their node ask for it, so their shape is another. */
        uint32_t like = stage == STAGE_WAITING ? VIEW_NONE : revision->pending_class;
        for (uint32_t level = 0; level < levels; level++) {
            const struct pod *pod = pod_in(population, revision->pod, (enum pod_stage)stage);
            like = add_class(population, pod, like,
                             (struct class_info){number, (enum pod_stage)stage, level, 0});
            revision->classes[(uint32_t)stage * levels + level] = like;
        }
    }
}

/* One more template of the workload: a kind of pods, or one for each ordinal. */
uint32_t population_add_revision(struct population *population, uint32_t workload,
                                 const struct pod_template *template, const char *signature)
{
    struct workload *of = &population->workloads.items[workload];
    const uint32_t number = of->revision_count / of->ordinal_count;
    const uint32_t first = population->revisions.count;
    for (uint32_t i = 0; i < of->ordinal_count; i++) {
        const int32_t ordinal =
            of->kind == OBJECT_STATEFUL_SET ? of->first_ordinal + (int32_t)i : -1;
        struct pod *pod = pod_of_template(population, workload, template, number, ordinal);
        const struct revision revision = {
            .workload = workload,
            .number = number,
            .ordinal = ordinal,
            .template = template,
            .owner_meta = of->setup->object->meta,
            .signature = signature,
            .pod = pod,
            .priority = pod->spec.priority.set ? (int32_t)pod->spec.priority.value : 0,
            .request_cpu_milli = pod_cpu_request(&pod->spec),
            .node_name = pod->spec.node_name,
            .never_ready = template_is_never_ready(template),
            .pinned = of->kind == OBJECT_DAEMON_SET,
            .daemon_set = of->kind == OBJECT_DAEMON_SET
                              ? daemon_set_with(&population->arena, of, template)
                              : NULL,
            .outcome = template_outcome(template),
        };
        VEC_PUSH(&population->arena, &population->revisions, revision);
        of->revision_count++;
    }
    return first;
}

static const struct value *template_value(const struct object *object)
{
    return object->source ? value_find(value_find(&object->source->root, "spec"), "template")
                          : NULL;
}

int64_t level_amount(const struct cpu_level *level, int64_t whole)
{
    if (!level->percent)
        return quantity_milli_value(level->value);
    return (int64_t)((double)whole * (double)quantity_milli_value(level->value) / 100000.0);
}

/* What of the pattern is over when the pod becomes ready: its readiness probe
 * does not even ask before its initial delay. */
static uint32_t steps_before_ready(const struct check_event *event, const struct pod_spec *spec)
{
    int64_t delay = 0;
    uint32_t over = 0;
    for (uint32_t c = 0; c < spec->container_count; c++)
        if (spec->containers[c].readiness_probe &&
            spec->containers[c].readiness_probe->initial_delay_seconds > delay)
            delay = spec->containers[c].readiness_probe->initial_delay_seconds;
    while (over + 1 < event->pattern_count &&
           event->pattern[over + 1].after_ns <= delay * NANOSECONDS_PER_SECOND)
        over++;
    return over;
}

/* Level 0 is the usage of a pod that nothing has happened to: its request, or
 * the first step of its pattern. */
static void add_levels(struct population *population, uint32_t number, const struct pod_spec *spec)
{
    struct workload *workload = &population->workloads.items[number];
    const int64_t request = pod_cpu_request(spec);
    VEC(struct pod_level) levels = {0};
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        if (population->events.items[e].workload != number || event->kind != EVENT_CPU_PATTERN)
            continue;
        workload->pattern_steps = event->pattern_count;
        workload->first_level = population->scope->time == TIME_CLOCKED
                                    ? 0 /* by its own clock */
                                    : 2 * steps_before_ready(event, spec);
        for (uint32_t k = 0; k < event->pattern_count; k++) {
            const struct pod_level level = {level_amount(&event->pattern[k].cpu, request)};
            VEC_PUSH(&population->arena, &levels, level);
            VEC_PUSH(&population->arena, &levels, level);
        }
    }
    if (levels.count == 0)
        VEC_PUSH(&population->arena, &levels, ((struct pod_level){request}));
    for (uint32_t e = 0; e < population->events.count; e++) {
        struct population_event *event = &population->events.items[e];
        if (event->workload != number || event->event->kind != EVENT_CPU_CHANGE)
            continue;
        event->first_level = levels.count;
        for (uint32_t l = 0; l < event->event->level_count; l++) {
            const struct pod_level level = {level_amount(&event->event->levels[l], request)};
            VEC_PUSH(&population->arena, &levels, level);
        }
    }
    for (uint32_t e = 0; e < population->events.count; e++) {
        struct population_event *event = &population->events.items[e];
        if (event->workload != number || event->event->kind != EVENT_LOAD)
            continue;
        if (workload->load == 0)
            workload->load = ++population->load_count;
        event->first_level = workload->totals.count;
        for (uint32_t t = 0; t < event->event->total_count; t++)
            VEC_PUSH(&population->arena, &workload->totals,
                     quantity_milli_value(event->event->totals[t]));
        if (!event->event->initial)
            continue;
        VEC_PUSH(&population->arena, &workload->totals,
                 quantity_milli_value(*event->event->initial));
        workload->first_total = workload->totals.count;
    }
    for (uint32_t e = 0; e < population->events.count; e++) {
        struct population_event *event = &population->events.items[e];
        if (event->workload != number || event->event->kind != EVENT_LOAD_PATTERN)
            continue;
        workload->load = ++population->load_count;
        event->first_level = workload->totals.count;
        workload->first_total = workload->totals.count + 1;
        for (uint32_t k = 0; k < event->event->pattern_count; k++)
            VEC_PUSH(&population->arena, &workload->totals,
                     quantity_milli_value(event->event->pattern[k].cpu.value));
    }
    while (population->endpoints && levels.count < ENDING_COUNT)
        VEC_PUSH(&population->arena, &levels, levels.items[0]);
    workload->levels = levels.items;
    workload->level_count = levels.count;
}

static int32_t greater(int64_t a, int64_t b)
{
    return (int32_t)(a > b ? a : b);
}

int32_t population_replicas_most(const struct population *population, uint32_t number)
{
    const struct object *object = population->scope->workloads[number].object;
    int32_t most =
        greater(population->setup->replicas[number], population->setup->autoscaler_max[number]);
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        for (uint32_t i = 0; event->workload == number && i < event->event->to_count; i++)
            most = greater(most, event->event->to[i]);
        const struct objects *applied = &population->scope->applied[e];
        for (uint32_t i = 0; event->event->kind == EVENT_APPLY && i < applied->count; i++)
            if (same_object(&applied->items[i], object))
                most = greater(most, workload_replicas(&applied->items[i]));
    }
    return most;
}

/* A Job that does all its work at once does so at every scale: its completions
 * follow the explored number of pods. */
static struct optional_int completions_of(const struct job *job, int32_t replicas)
{
    const bool at_once = job->completions.set && job->completions.value <= job->parallelism.value;
    return at_once ? (struct optional_int){true, replicas} : job->completions;
}

static void add_workload(struct population *population, uint32_t number)
{
    const struct setup_workload *setup = &population->scope->workloads[number];
    const struct object *object = setup->object;
    const struct pod_template *template = workload_template(object);
    struct workload workload = {
        .kind = object->kind,
        .setup = setup,
        .replicas = population->setup->replicas[number],
        .autoscaler_min = population->setup->autoscaler_min[number],
        .autoscaler_max = population->setup->autoscaler_max[number],
        .first_revision = population->revisions.count,
        .ordinal_count = 1,
        .deployment = object->kind == OBJECT_DEPLOYMENT ? object->as.deployment : NULL,
        .is_set =
            object->kind == OBJECT_REPLICA_SET || object->kind == OBJECT_REPLICATION_CONTROLLER,
        .status_word = UINT32_MAX,
    };
    if (object->kind == OBJECT_STATEFUL_SET) {
        workload.ordinal_count = (uint32_t)greater(population_replicas_most(population, number), 1);
        if (population->options.features.stateful_start_ordinal)
            workload.first_ordinal = object->as.stateful_set->start_ordinal;
        const uint32_t there = observed_ordinals(population->scope, number);
        if (there > workload.ordinal_count + (uint32_t)workload.first_ordinal)
            workload.ordinal_count = there - (uint32_t)workload.first_ordinal;
    }
    if (object->kind == OBJECT_JOB) {
        workload.completions = completions_of(
            object->as.job, setup->comes_later ? workload_replicas(object) : workload.replicas);
        population->has_jobs = true;
    }
    VEC_PUSH(&population->arena, &workload.specs, object);
    VEC_PUSH(&population->arena, &population->workloads, workload);
    add_levels(population, number, &template->spec);
    const uint32_t present =
        population->scope->start == START_OBSERVED
            ? observed_add_revisions(population, number)
            : population_add_revision(
                  population, number, template,
                  template_signature(&population->arena, template_value(object)));
    population->workloads.items[number].present = setup->comes_later ? WORKLOAD_ABSENT : present;
}

static uint32_t find_workload(const struct population *population, const struct object_name *name)
{
    for (uint32_t w = 0; name->name && w < population->scope->workload_count; w++) {
        const struct object *object = population->scope->workloads[w].object;
        if (strcmp(name->kind, object->kind_name) == 0 &&
            strcmp(name->name, object->meta->name) == 0 &&
            (!name->namespace || strcmp(name->namespace, object->meta->namespace) == 0))
            return w;
    }
    return UINT32_MAX;
}

static void add_events_and_intents(struct population *population,
                                   const struct check_intent *intents, uint32_t intent_count)
{
    const struct check *check = population->scope->check;
    for (uint32_t e = 0; check && e < check->event_count; e++) {
        const struct population_event event = {
            .event = &check->events[e],
            .workload = find_workload(population, &check->events[e].object),
        };
        VEC_PUSH(&population->arena, &population->events, event);
        population->remembers_settling |= event.event->after_settled;
        population->deletes |= event.event->kind == EVENT_DELETE;
    }
    /* A rollout may have twice as many replicas as there shall be. */
    for (uint32_t w = 0; w < population->scope->workload_count; w++)
        population->wide |= population_replicas_most(population, w) > REPLICAS_NARROW / 2;
    for (uint32_t i = 0; i < intent_count; i++) {
        const struct intent intent = {
            .source = &intents[i],
            .workload = find_workload(population, &intents[i].workload),
            .monitor = population->monitor_count,
        };
        VEC_PUSH(&population->arena, &population->intents, intent);
        population->endpoints |= intents[i].kind == INTENT_ENDPOINTS_LIVE;
        population->monitor_count += intent_monitors(population, &intent);
    }
}

/* Do both make the workload's controller go about its pods in the same way? (The
 * template and the replicas are looked after elsewhere.) */
static bool same_rules(const struct object *a, const struct object *b)
{
    switch (a->kind) {
    case OBJECT_DEPLOYMENT: {
        const struct deployment *left = a->as.deployment;
        const struct deployment *right = b->as.deployment;
        return left->strategy == right->strategy && left->paused == right->paused &&
               left->min_ready_seconds == right->min_ready_seconds &&
               int_or_percent_equal(left->max_surge, right->max_surge) &&
               int_or_percent_equal(left->max_unavailable, right->max_unavailable);
    }
    case OBJECT_DAEMON_SET: {
        const struct daemon_set *left = a->as.daemon_set;
        const struct daemon_set *right = b->as.daemon_set;
        return left->update_strategy == right->update_strategy &&
               int_or_percent_equal(left->max_surge, right->max_surge) &&
               int_or_percent_equal(left->max_unavailable, right->max_unavailable);
    }
    case OBJECT_STATEFUL_SET: {
        const struct stateful_set *left = a->as.stateful_set;
        const struct stateful_set *right = b->as.stateful_set;
        return left->update_strategy == right->update_strategy &&
               left->partition == right->partition &&
               int_or_percent_equal(left->max_unavailable, right->max_unavailable);
    }
    case OBJECT_JOB: {
        const struct job *left = a->as.job;
        const struct job *right = b->as.job;
        return left->suspend == right->suspend && left->backoff_limit == right->backoff_limit &&
               left->active_deadline_seconds.set == right->active_deadline_seconds.set;
    }
    default: return true;
    }
}

static uint32_t add_spec(struct population *population, uint32_t number,
                         const struct object *object)
{
    struct workload *workload = &population->workloads.items[number];
    for (uint32_t i = 0; i < workload->specs.count; i++)
        if (same_rules(workload->specs.items[i], object))
            return i;
    VEC_PUSH(&population->arena, &workload->specs, object);
    return workload->specs.count - 1;
}

/* What kubectl apply makes of a workload that is there already. A field that
 * was applied before and is missing now is taken back to its default; one that
 * nobody ever applied is left alone. */
static void add_effect(struct population *population, struct population_event *event,
                       uint32_t number, const struct object *applied)
{
    struct workload *workload = &population->workloads.items[number];
    const struct object *before = workload->setup->object;
    const struct value *old_spec = value_find(&before->source->root, "spec");
    const struct value *new_spec = value_find(&applied->source->root, "spec");
    const char *size = applied->kind == OBJECT_JOB ? "parallelism" : "replicas";
    const bool owned = value_find(old_spec, size) != NULL;
    const bool given = value_find(new_spec, size) != NULL;
    const char *signature =
        template_signature(&population->arena, value_find(new_spec, "template"));
    struct apply_effect effect = {
        .workload = number,
        .gives_replicas = given,
        .changes_replicas = given || owned,
        .replicas = workload_replicas(applied),
        .revision = UINT32_MAX,
        .spec = add_spec(population, number, applied),
    };
    for (uint32_t i = 0; i < workload->revision_count; i += workload->ordinal_count)
        if (strcmp(population->revisions.items[workload->first_revision + i].signature,
                   signature) == 0)
            effect.revision = workload->first_revision + i;
    if (effect.revision == UINT32_MAX)
        effect.revision =
            population_add_revision(population, number, workload_template(applied), signature);
    /* What was not there in the beginning has no former manifest to go back to. */
    effect.differs =
        !workload->setup->comes_later && (effect.revision != workload->present || effect.spec != 0);
    VEC_PUSH(&population->arena, &event->effects, effect);
}

/* The revisions of a workload stand together, so all of its events at once. */
static void add_effects(struct population *population, uint32_t number)
{
    const struct object *object = population->scope->workloads[number].object;
    for (uint32_t e = 0; e < population->events.count; e++) {
        if (population->events.items[e].event->kind != EVENT_APPLY)
            continue;
        const struct objects *applied = &population->scope->applied[e];
        for (uint32_t i = 0; i < applied->count; i++)
            if (same_object(&applied->items[i], object))
                add_effect(population, &population->events.items[e], number, &applied->items[i]);
    }
}

/* Every namespace that is used exists, whether its object was given or not. */
static void add_namespaces(struct population *population)
{
    struct surroundings *around = &population->catalog->surroundings;
    for (uint32_t w = 0; w < population->scope->workload_count; w++) {
        const char *name = population->scope->workloads[w].object->meta->namespace;
        bool found = false;
        for (uint32_t n = 0; n < around->namespaces.count && !found; n++)
            found = strcmp(around->namespaces.items[n]->meta.name, name) == 0;
        if (found)
            continue;
        struct namespace_object *added = ARENA_NEW(&population->arena, struct namespace_object);
        added->meta.name = name;
        added->meta.creation_time = TIME_NONE;
        added->meta.deletion_time = TIME_NONE;
        labels_set(&population->arena, &added->meta.labels, "kubernetes.io/metadata.name", name);
        VEC_PUSH(&population->arena, &around->namespaces, added);
    }
}

/* Profiles share a queue, unless they are schedulers of their own. */
static void number_schedulers(struct population *population)
{
    const struct check *check = population->scope->check;
    population->scheduler_count = 1;
    if (!check || !check->controllers.scheduler || !check->controllers.scheduler->separate)
        return;
    population->scheduler_count = population->profiles.count;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        struct revision *revision = &population->revisions.items[r];
        const struct profile *profile =
            profiles_find(&population->profiles, revision->pod->spec.scheduler_name);
        revision->scheduler = profile ? (uint32_t)(profile - population->profiles.items) : 0;
    }
}

/* ---- the whole ---- */

/* The bits of pods with an identity, 32 to a word. */
static uint32_t lay_out_pending(struct population *population, uint32_t word)
{
    uint32_t bit = 32;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        struct revision *revision = &population->revisions.items[r];
        if (revision->never_waits)
            continue;
        if (revision->ordinal < 0)
            bit = 32;
        if (bit == 32) {
            word++;
            bit = 0;
        }
        revision->pending_word = word - 1;
        revision->pending_shift = bit;
        revision->pending_mask = revision->ordinal < 0 ? UINT32_MAX : 1;
        bit = revision->ordinal < 0 ? 32 : bit + 1;
    }
    return word;
}

static void lay_out(struct population *population)
{
    uint32_t word = 0;
    const uint32_t halves = population->wide ? 2 : 1; /* of what is a word if it fits */
    population->count_bits = 1;
    while (population->setup->total_nodes >> population->count_bits > 0)
        population->count_bits++;
    population->word_of_workloads = word;
    word += halves * population->managed_count;
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (population->workloads.items[w].kind == OBJECT_JOB) {
            population->workloads.items[w].status_word = word;
            word += 2;
        } else if (population->workloads.items[w].kind == OBJECT_STATEFUL_SET ||
                   population->workloads.items[w].specs.count > 1) {
            population->workloads.items[w].status_word = word++;
        }
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (revision_has_set(population, r)) {
            population->revisions.items[r].set_word = word;
            word += halves;
        }
    word = lay_out_pending(population, word);
    population->word_of_events = word;
    word += population->events.count;
    population->word_of_loads = word;
    word += population->load_count;
    population->word_of_flags = word++;
    population->word_of_monitors = word;
    word += population->monitor_count;
    population->word_of_clocks = word;
    word += clock_word_count(population);
    population->word_of_nodes = word;
}

/* Readiness can be left out where only what is settled is looked at: the start
 * of a pod then changes nothing that anybody reads (docs/fidelity.md). */
static bool readiness_matters(const struct population *population)
{
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].ordinal >= 0 ||
            population->revisions.items[r].never_ready)
            return true;
    for (uint32_t i = 0; i < population->intents.count; i++)
        switch (population->intents.items[i].source->kind) {
        case INTENT_PODS_SCHEDULABLE:
        case INTENT_NO_REPLICA_SWING:
        case INTENT_NO_REPLICA_OSCILLATION:
        case INTENT_NO_EVICTION_LOOP:
        case INTENT_NODES_HEALTHY:
        case INTENT_NEVER_PREEMPTED:
        case INTENT_NEVER_EVICTED:
        case INTENT_ONLY_ON:
        case INTENT_NEVER_ON: break;
        default: return true;
        }
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].event->kind == EVENT_APPLY ||
            population->events.items[e].event->kind == EVENT_MAINTENANCE)
            return true;
    if (population->clock && clock_delays_readiness(population))
        return true;
    /* The fewer are ready, the more each has to bear. */
    if (population->load_count > 0)
        for (uint32_t e = 0; e < population->events.count; e++)
            if (population->events.items[e].event->kind == EVENT_KERNEL_PANIC)
                return true;
    return population->options.full_interleaving || observed_needs_readiness(population);
}

static const struct population_state *initial_state(struct population *population)
{
    int64_t nodes = 8;
    for (uint32_t g = 0; g < population->scope->group_count; g++)
        nodes += population->setup->nodes[g] + 1;
    struct population_state *state = state_new(population, &population->arena, (uint32_t)nodes);
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        state->replicas[w] = population->workloads.items[w].replicas;
        state->present[w] = population->workloads.items[w].present;
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct workload *of =
            &population->workloads.items[population->revisions.items[r].workload];
        state->sets[r].replicas = of->is_set && !of->setup->comes_later ? of->replicas : -1;
    }
    for (uint32_t w = 0; w < population->workloads.count; w++)
        if (population->workloads.items[w].load > 0)
            state->loads[population->workloads.items[w].load - 1] =
                population->workloads.items[w].first_total;
    add_nodes(population, state);
    find_daemon_places(population);
    state->begun = !population->starts_settled;
    if (population->scope->start == START_OBSERVED) {
        observed_begin(population, state);
        intents_begin(population, state);
    }
    return state;
}

struct beginning {
    struct population *population;
    struct step_sink *sink;
};

static void emit_initial(void *context, struct population_state *state)
{
    const struct beginning *beginning = context;
    uint32_t words[WORDS_MOST];
    const uint32_t length = state_pack(beginning->population, state, words);
    if (length > 0)
        step_sink_emit(beginning->sink, &(struct step){.words = words, .length = length});
    else
        beginning->population->overflow = true;
}

static void initial(const struct model *model, void *worker, struct step_sink *sink)
{
    struct population *population = (struct population *)(uintptr_t)model->context;
    struct beginning beginning = {population, sink};
    const struct arena_mark mark = arena_mark(&population->scratch);
    (void)worker;
    struct population_state *state = state_copy(population, population->initial);
    if (population->clock)
        clock_each_start(population, state, emit_initial, &beginning);
    else
        emit_initial(&beginning, state);
    arena_rewind(&population->scratch, mark);
}

static const char *const action_names[] = {
#define ACTION(constant, actor, verb, fair) actor " " verb,
#include "model/population/actions.def"
#undef ACTION
};

const char *population_action_actor(uint32_t action)
{
    static const char *const actors[] = {
#define ACTION(constant, actor, verb, fair) actor,
#include "model/population/actions.def"
#undef ACTION
    };
    return actors[action];
}

const char *population_action_verb(uint32_t action)
{
    static const char *const verbs[] = {
#define ACTION(constant, actor, verb, fair) verb,
#include "model/population/actions.def"
#undef ACTION
    };
    return verbs[action];
}

static void make_model(struct population *population)
{
    population->model = (struct model){
        .name = "cluster",
        .context = population,
        .length_least = population->word_of_nodes,
        .length_most = WORDS_MOST,
        .actions = action_names,
        .action_count = POPULATION_ACTION_COUNT,
        .fairness_class_count = POPULATION_ACTION_COUNT * population_fairness_subjects(population),
        .atom_count = population->intents.count,
        .mark_count = population->intents.count + 1,
        .properties = population->properties.items,
        .property_count = population->properties.count,
        .initial = initial,
        .expand = population_expand,
        .atoms = population_atoms,
        .describe_step = population_describe_step,
        .describe_state = population_describe_state,
    };
}

/* Enough for most expansions, and for most rankings of a ReplicaSet's pods. */
enum { SCRATCH_BYTES = 32 << 10, REMOVALS_BYTES = 1 << 10 };

struct population *population_create(struct memory *memory, const struct scope *scope,
                                     const struct setup *setup, const struct check_intent *intents,
                                     uint32_t intent_count,
                                     const struct population_options *options,
                                     struct problems *problems)
{
    struct population *population = memory_allocate(memory, sizeof(*population));
    *population = (struct population){
        .memory = memory,
        .scope = scope,
        .setup = setup,
        .options = *options,
        .problems = problems,
        .managed_count = scope->workload_count,
        .starts_settled = scope->start == START_SETTLED || scope->start == START_CANONICAL,
    };
    arena_init(&population->arena, memory);
    arena_init(&population->scratch, memory);
    arena_reserve(&population->scratch, SCRATCH_BYTES);
    arena_init(&population->removals, memory);
    arena_reserve(&population->removals, REMOVALS_BYTES);
    population->catalog = catalog_create(&population->arena, &options->features);
    catalog_surround(population->catalog, scope->objects);
    claims_bind(population);
    const struct check *check = scope->check;
    const bool configured =
        check && check->controllers.scheduler && check->controllers.scheduler->configuration;
    population->profiles =
        configured
            ? profiles_resolve(&population->arena, check->controllers.scheduler->configuration,
                               (struct place){0}, problems)
            : profiles_default(&population->arena);
    add_namespaces(population);
    add_events_and_intents(population, intents, intent_count);
    population->doubts = doubt_is_possible(population);
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        add_workload(population, w);
        add_effects(population, w);
        population->has_daemon_sets |= population->workloads.items[w].kind == OBJECT_DAEMON_SET;
    }
    observed_add_pods(population);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        add_classes(population, r);
    number_schedulers(population);
    add_autoscalers(population);
    add_services(population);
    if (scope->time == TIME_CLOCKED)
        clock_create(population);
    lay_out(population);
    reductions_choose(population);
    population->needs_readiness = !population->ready_at_once && readiness_matters(population);
    population->admission_matters = admission_matters(population);
    population->initial = initial_state(population);
    if (population->clock)
        clock_finish(population);
    find_daemon_places(population);
    population->scheduler =
        scheduler_create(&population->arena, population->catalog, &population->profiles);
    intents_compile(population);
    make_model(population);
    if (scope->start == START_CANONICAL)
        population->initial = canonical_start(population, population->initial);
    return population;
}

void population_free(struct population *population)
{
    struct memory *memory = population->memory;
    scheduler_release(population->scheduler);
    arena_release(&population->removals);
    arena_release(&population->scratch);
    arena_release(&population->arena);
    memory_release(memory, population, sizeof(*population));
}

const struct model *population_model(const struct population *population)
{
    return &population->model;
}

bool population_judged(const struct population *population)
{
    return !population->starts_settled || population->begins;
}

bool population_needs_all(const struct population *population)
{
    return population->needs_all;
}

bool population_parted(const struct population *population)
{
    return population->parted;
}

bool population_overflowed(const struct population *population)
{
    return population->overflow;
}
