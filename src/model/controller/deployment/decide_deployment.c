/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom decide deployment`: syncs of the one Deployment given.
 *
 * A scenario is one sync, or a rollout of several (`input.steps`): before each
 * the user may edit the Deployment, and the ReplicaSets' statuses are set to
 * what their pods would have made of them.
 */
#include "model/claim.h"
#include "model/controller/deployment/deployment.h"
#include "model/controller/deployment/template_signature.h"
#include "model/decider.h"
#include "model/features.h"
#include "model/scenario.h"
#include "object/time.h"

#include <stdlib.h>
#include <string.h>

#define ANNOTATION_PREFIX "deployment.kubernetes.io/"

/* A ReplicaSet with what only this file needs to know of it. */
struct case_set {
    struct replica_set_facts facts;
    const char *uid;
    const char *image;     /* of the first container; "" if there is none */
    const char *signature; /* of the template */
    bool named;            /* false: created here, and nobody has called it by its name yet */
};

struct deployment_case {
    struct arena *arena;
    struct deployment deployment; /* a copy that edits change */
    const struct value *template; /* its source */
    struct deployment_facts facts;
    struct features features;
    VEC(struct case_set) sets;
    uint32_t created;
};

static int64_t annotation_number(const struct labels *annotations, const char *name,
                                 struct optional_int *number)
{
    const char *text = labels_find(annotations, name);
    char *end = NULL;
    const long long value = text ? strtoll(text, &end, 10) : 0;
    const bool valid = text && *text && !*end;
    if (number)
        *number = (struct optional_int){valid, valid ? value : 0};
    return valid ? value : 0;
}

/* Annotations of the Deployment that are not passed on to its sets. */
static bool copied_annotation(const char *key)
{
    static const char *const kept[] = {
        "kubectl.kubernetes.io/last-applied-configuration",
        ANNOTATION_PREFIX "revision",
        ANNOTATION_PREFIX "revision-history",
        ANNOTATION_PREFIX "desired-replicas",
        ANNOTATION_PREFIX "max-replicas",
        "deprecated.deployment.rollback.rollbackTo",
    };
    for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
        if (strcmp(kept[i], key) == 0)
            return false;
    return true;
}

static bool annotations_stale(const struct labels *wanted, const struct labels *present)
{
    for (uint32_t i = 0; i < wanted->count; i++) {
        const char *value = labels_find(present, wanted->items[i].key);
        if (copied_annotation(wanted->items[i].key) &&
            (!value || strcmp(value, wanted->items[i].value) != 0))
            return true;
    }
    return false;
}

static const char *image_of(const struct value *template)
{
    const struct value *containers = value_find(value_find(template, "spec"), "containers");
    const char *image = NULL;
    if (containers && containers->kind == VALUE_SEQUENCE && containers->count > 0)
        image = value_find_string(&containers->items[0], "image");
    return image ? image : "";
}

/* A size that the controller wrote down. Since 1.32 anything but the digits of
 * a size is as if it were absent. */
static struct optional_int annotated_size(const struct features *features,
                                          const struct labels *annotations, const char *name)
{
    struct optional_int size;
    annotation_number(annotations, name, &size);
    const char *text = labels_find(annotations, name);
    if (features->strict_size_annotations && size.set &&
        (size.value < 0 || size.value > INT32_MAX || text[strspn(text, "0123456789")]))
        size = (struct optional_int){0};
    return size;
}

static struct case_set set_of(struct arena *arena, const struct features *features,
                              const struct object *object, const struct deployment *deployment)
{
    const struct replica_set *set = object->as.replica_set;
    const struct labels *annotations = &set->meta.annotations;
    const struct value *template =
        value_find(value_find(&object->source->root, "spec"), "template");
    struct case_set result = {
        .uid = set->meta.uid,
        .image = image_of(template),
        .signature = template_signature(arena, template),
        .named = true,
        .facts =
            {
                .name = set->meta.name,
                .creation_time = set->meta.creation_time,
                .replicas = set->replicas,
                .status_replicas = set->status.replicas,
                .ready_replicas = set->status.ready_replicas,
                .available_replicas = set->status.available_replicas,
                .min_ready_seconds = set->min_ready_seconds,
                .annotations_stale = annotations_stale(&deployment->meta.annotations, annotations),
                .terminating = set->meta.deletion_time != TIME_NONE,
                .observed = set->meta.generation <= set->status.observed_generation,
                .revision = annotation_number(annotations, ANNOTATION_PREFIX "revision", NULL),
            },
    };
    result.facts.desired =
        annotated_size(features, annotations, ANNOTATION_PREFIX "desired-replicas");
    result.facts.most = annotated_size(features, annotations, ANNOTATION_PREFIX "max-replicas");
    const struct condition *failure = conditions_find(&set->status.conditions, "ReplicaFailure");
    if (failure) {
        result.facts.failure = failure->reason ? failure->reason : "";
        result.facts.failure_time = failure->last_transition_time;
    }
    return result;
}

static bool claimed(const struct deployment *deployment, const struct object_meta *meta)
{
    const enum claim claim = claim_of(meta, "Deployment", &deployment->meta, deployment->selector);
    return claim == CLAIM_OWNED || claim == CLAIM_ADOPT;
}

static struct deployment_condition condition_of(const struct condition *condition,
                                                enum deployment_condition_type type)
{
    return (struct deployment_condition){
        .type = type,
        .status = claim_same_text(condition->status, "True")    ? TRISTATE_TRUE
                  : claim_same_text(condition->status, "False") ? TRISTATE_FALSE
                                                                : TRISTATE_UNSET,
        .reason = deployment_reason_of(condition->reason),
        .reason_text = condition->reason,
        .last_update_time = condition->last_update_time,
        .last_transition_time = condition->last_transition_time,
    };
}

static const char *const condition_types[] = {
    [DEPLOYMENT_AVAILABLE] = "Available",
    [DEPLOYMENT_PROGRESSING] = "Progressing",
    [DEPLOYMENT_REPLICA_FAILURE] = "ReplicaFailure",
};

static void fill_status(const struct deployment_status *status,
                        struct deployment_status_facts *facts)
{
    *facts = (struct deployment_status_facts){
        .observed_generation = status->observed_generation,
        .replicas = status->replicas,
        .updated_replicas = status->updated_replicas,
        .ready_replicas = status->ready_replicas,
        .available_replicas = status->available_replicas,
        .unavailable_replicas = status->unavailable_replicas,
    };
    for (uint32_t i = 0; i < status->conditions.count; i++)
        for (int type = 0; type < DEPLOYMENT_CONDITION_TYPE_COUNT; type++)
            if (claim_same_text(status->conditions.items[i].type, condition_types[type]) &&
                !deployment_condition_find(facts, (enum deployment_condition_type)type))
                facts->conditions[facts->condition_count++] = condition_of(
                    &status->conditions.items[i], (enum deployment_condition_type)type);
}

/* What the spec says, after every edit. */
static void fill_spec(struct deployment_case *a_case)
{
    const struct deployment *deployment = &a_case->deployment;
    struct deployment_facts *facts = &a_case->facts;
    facts->generation = deployment->meta.generation;
    facts->replicas = deployment->replicas;
    facts->paused = deployment->paused;
    facts->terminating = deployment->meta.deletion_time != TIME_NONE;
    facts->selects_everything = deployment->selector &&
                                deployment->selector->match_labels.count == 0 &&
                                deployment->selector->match_expression_count == 0;
    facts->recreate = deployment->strategy == DEPLOYMENT_RECREATE;
    facts->min_ready_seconds = deployment->min_ready_seconds;
    facts->history_limit = deployment->revision_history_limit;
    facts->progress_deadline_seconds = deployment->progress_deadline_seconds;
    deployment_resolve_fenceposts(deployment, &facts->max_surge, &facts->max_unavailable);
}

static void fill_case(struct arena *arena, const struct objects *objects,
                      const struct object *object, int minor, struct deployment_case *a_case)
{
    *a_case = (struct deployment_case){
        .arena = arena,
        .features = features_of_version(minor),
        .deployment = *object->as.deployment,
        .template = value_find(value_find(&object->source->root, "spec"), "template"),
    };
    fill_spec(a_case);
    a_case->facts.revision =
        annotation_number(&a_case->deployment.meta.annotations, ANNOTATION_PREFIX "revision", NULL);
    a_case->facts.zero_most_is_missing = a_case->features.strict_size_annotations;
    fill_status(&a_case->deployment.status, &a_case->facts.status);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_REPLICA_SET &&
            claimed(&a_case->deployment, objects->items[i].meta))
            VEC_PUSH(arena, &a_case->sets,
                     set_of(arena, &a_case->features, &objects->items[i], &a_case->deployment));
}

/* Pods of sets other than the one with the present template. */
static uint32_t count_old_pods(const struct deployment_case *a_case, const struct objects *objects,
                               const char *signature)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind != OBJECT_POD || object->as.pod->status.phase == POD_SUCCEEDED ||
            object->as.pod->status.phase == POD_FAILED)
            continue;
        const struct owner_reference *owner = object_meta_controller(object->meta);
        for (uint32_t s = 0; owner && s < a_case->sets.count; s++) {
            const struct case_set *set = &a_case->sets.items[s];
            const bool owns = owner->uid && set->uid
                                  ? claim_same_text(owner->uid, set->uid)
                                  : claim_same_text(owner->name, set->facts.name);
            if (owns && strcmp(set->signature, signature) != 0)
                count++;
        }
    }
    return count;
}

/* Decides, and makes what was decided the case's present. */
static struct deployment_decision *advance(struct deployment_case *a_case,
                                           const struct objects *objects)
{
    struct arena *arena = a_case->arena;
    const char *signature = template_signature(arena, a_case->template);
    struct replica_set_facts *facts =
        ARENA_ARRAY(arena, struct replica_set_facts, a_case->sets.count + 1);
    for (uint32_t i = 0; i < a_case->sets.count; i++) {
        facts[i] = a_case->sets.items[i].facts;
        facts[i].present_template = strcmp(a_case->sets.items[i].signature, signature) == 0;
    }
    a_case->facts.old_pods_unfinished = count_old_pods(a_case, objects, signature);
    const char *name =
        arena_printf(arena, "%s-new%u", a_case->deployment.meta.name, a_case->created + 1);
    struct deployment_decision *decision =
        deployment_sync(arena, &a_case->facts, facts, a_case->sets.count, name);
    for (uint32_t i = 0; i < a_case->sets.count; i++)
        a_case->sets.items[i].facts = decision->sets[i];
    if (decision->set_count > a_case->sets.count) {
        const struct case_set created = {
            .facts = decision->sets[decision->set_count - 1],
            .image = image_of(a_case->template),
            .signature = signature,
        };
        VEC_PUSH(arena, &a_case->sets, created);
        a_case->created++;
    }
    a_case->facts.status = decision->status;
    a_case->facts.revision = decision->revision;
    return decision;
}

static void write_action(struct json_out *json, const struct deployment_decision *decision,
                         const struct deployment_action *action)
{
    static const char *const verbs[] = {"create", "scale", "annotate", "delete"};
    json_object_begin(json, NULL);
    json_string(json, "verb", verbs[action->verb]);
    json_string(json, "rs", decision->sets[action->set].name);
    json_integer(json, "from", action->from);
    json_integer(json, "to", action->to);
    json_object_end(json);
}

static const char *optional_text(struct arena *arena, struct optional_int number)
{
    return number.set ? arena_printf(arena, "%lld", (long long)number.value) : "";
}

static bool deleted(const struct deployment_decision *decision, uint32_t set)
{
    for (uint32_t i = 0; i < decision->actions.count; i++)
        if (decision->actions.items[i].verb == DEPLOYMENT_DELETE &&
            decision->actions.items[i].set == set)
            return true;
    return false;
}

static void write_set(struct arena *arena, struct json_out *json, const struct case_set *set)
{
    const struct optional_int revision = {set->facts.revision > 0, set->facts.revision};
    json_object_begin(json, NULL);
    json_string(json, "name", set->facts.name);
    json_string(json, "image", set->image);
    json_integer(json, "replicas", set->facts.replicas);
    json_string(json, "revision", optional_text(arena, revision));
    json_string(json, "desiredAnnotation", optional_text(arena, set->facts.desired));
    json_string(json, "maxAnnotation", optional_text(arena, set->facts.most));
    json_object_end(json);
}

/* By name, as a list of the API is. */
static void write_sets(struct json_out *json, const struct deployment_case *a_case,
                       const struct deployment_decision *decision)
{
    const char *last = "";
    json_array_begin(json, "replicaSets");
    for (uint32_t written = 0; written < decision->set_count; written++) {
        uint32_t next = UINT32_MAX;
        for (uint32_t i = 0; i < decision->set_count; i++) {
            const char *name = a_case->sets.items[i].facts.name;
            if (strcmp(name, last) > 0 &&
                (next == UINT32_MAX || strcmp(name, a_case->sets.items[next].facts.name) < 0))
                next = i;
        }
        if (next == UINT32_MAX)
            break;
        last = a_case->sets.items[next].facts.name;
        if (!deleted(decision, next))
            write_set(a_case->arena, json, &a_case->sets.items[next]);
    }
    json_array_end(json);
}

static void write_condition(struct arena *arena, struct json_out *json,
                            const struct deployment_condition *condition)
{
    static const char *const statuses[] = {"Unknown", "False", "True"};
    json_object_begin(json, NULL);
    json_string(json, "type", condition_types[condition->type]);
    json_string(json, "status", statuses[condition->status]);
    json_string(json, "reason", deployment_reason_text(condition->reason, condition->reason_text));
    if (condition->last_update_time != TIME_NONE)
        json_string(json, "lastUpdateTime", time_format(arena, condition->last_update_time));
    if (condition->last_transition_time != TIME_NONE)
        json_string(json, "lastTransitionTime",
                    time_format(arena, condition->last_transition_time));
    json_object_end(json);
}

static void write_status(struct arena *arena, struct json_out *json,
                         const struct deployment_decision *decision)
{
    const struct deployment_status_facts *status = &decision->status;
    const struct optional_int revision = {decision->revision > 0, decision->revision};
    json_object_begin(json, "status");
    json_integer(json, "replicas", status->replicas);
    json_integer(json, "updatedReplicas", status->updated_replicas);
    json_integer(json, "readyReplicas", status->ready_replicas);
    json_integer(json, "availableReplicas", status->available_replicas);
    json_integer(json, "unavailableReplicas", status->unavailable_replicas);
    json_string(json, "revision", optional_text(arena, revision));
    json_array_begin(json, "conditions");
    for (int type = 0; type < DEPLOYMENT_CONDITION_TYPE_COUNT; type++) {
        const struct deployment_condition *condition =
            deployment_condition_find(status, (enum deployment_condition_type)type);
        if (condition)
            write_condition(arena, json, condition);
    }
    json_array_end(json);
    json_object_end(json);
}

static const char *event_text(const struct deployment_case *a_case,
                              const struct deployment_decision *decision,
                              const struct deployment_action *action)
{
    struct arena *arena = a_case->arena;
    const char *name = decision->sets[action->set].name;
    const bool scales =
        action->verb == DEPLOYMENT_SCALE || (action->verb == DEPLOYMENT_CREATE && action->to > 0);
    if (scales && a_case->features.events_from_to)
        return arena_printf(arena, "Scaled %s replica set %s from %d to %d",
                            action->to > action->from ? "up" : "down", name, action->from,
                            action->to);
    if (action->verb == DEPLOYMENT_CREATE && action->to > 0)
        return arena_printf(arena, "Scaled up replica set %s to %d", name, action->to);
    if (action->verb == DEPLOYMENT_SCALE)
        return arena_printf(arena, "Scaled %s replica set %s to %d from %d",
                            action->to > action->from ? "up" : "down", name, action->to,
                            action->from);
    return NULL;
}

static void write_decision(struct json_out *json, const char *key,
                           const struct deployment_case *a_case,
                           const struct deployment_decision *decision)
{
    json_object_begin(json, key);
    json_array_begin(json, "actions");
    for (uint32_t i = 0; i < decision->actions.count; i++)
        write_action(json, decision, &decision->actions.items[i]);
    json_array_end(json);
    write_sets(json, a_case, decision);
    write_status(a_case->arena, json, decision);
    json_array_begin(json, "events");
    for (uint32_t i = 0; i < decision->actions.count; i++) {
        const char *event = event_text(a_case, decision, &decision->actions.items[i]);
        if (event)
            json_string(json, NULL,
                        arena_printf(a_case->arena, "Normal ScalingReplicaSet %s", event));
    }
    json_array_end(json);
    json_object_end(json);
}

/* The same mapping with one member's value replaced. */
static struct value with_member(struct arena *arena, const struct value *mapping, const char *key,
                                struct value value)
{
    struct member *members =
        arena_copy(arena, mapping->members, mapping->count * sizeof(*mapping->members));
    for (uint32_t i = 0; i < mapping->count; i++)
        if (strcmp(members[i].key, key) == 0)
            members[i].value = value;
    struct value changed = *mapping;
    changed.members = members;
    return changed;
}

static void edit_image(struct deployment_case *a_case, const struct value *image)
{
    struct arena *arena = a_case->arena;
    const struct value *spec = value_find(a_case->template, "spec");
    const struct value *containers = value_find(spec, "containers");
    if (!containers || containers->kind != VALUE_SEQUENCE || containers->count == 0)
        return;
    struct value *items =
        arena_copy(arena, containers->items, containers->count * sizeof(*containers->items));
    items[0] = with_member(arena, &items[0], "image", *image);
    struct value changed = *containers;
    changed.items = items;
    struct value *template = ARENA_NEW(arena, struct value);
    *template = with_member(arena, a_case->template, "spec",
                            with_member(arena, spec, "containers", changed));
    a_case->template = template;
}

static struct int_or_percent read_int_or_percent(const struct value *value)
{
    int64_t number = 0;
    const char *text = NULL;
    if (value_is_null(value))
        return (struct int_or_percent){0};
    if (value_read_integer(value, &number))
        return (struct int_or_percent){.set = true, .value = number};
    if (value_read_string(value, &text))
        return (struct int_or_percent){.set = true, .percent = true, .value = atoll(text)};
    return (struct int_or_percent){0};
}

static void edit(struct deployment_case *a_case, const struct value *edits)
{
    struct deployment *deployment = &a_case->deployment;
    const struct value *image = value_find(edits, "image");
    const struct value *strategy = value_find(edits, "strategy");
    const struct value *replicas = value_find(edits, "replicas");
    const struct value *paused = value_find(edits, "paused");
    int64_t number = 0;
    if (value_is_null(edits))
        return;
    deployment->meta.generation++;
    if (!value_is_null(image))
        edit_image(a_case, image);
    if (replicas && value_read_integer(replicas, &number))
        deployment->replicas = (int32_t)number;
    if (paused)
        value_read_boolean(paused, &deployment->paused);
    if (strategy) {
        const struct value *rolling = value_find(strategy, "rollingUpdate");
        const struct int_or_percent quarter = {.set = true, .percent = true, .value = 25};
        const struct int_or_percent surge = read_int_or_percent(value_find(rolling, "maxSurge"));
        const struct int_or_percent unavailable =
            read_int_or_percent(value_find(rolling, "maxUnavailable"));
        deployment->strategy = claim_same_text(value_find_string(strategy, "type"), "Recreate")
                                   ? DEPLOYMENT_RECREATE
                                   : DEPLOYMENT_ROLLING_UPDATE;
        deployment->max_surge = surge.set ? surge : quarter;
        deployment->max_unavailable = unavailable.set ? unavailable : quarter;
    }
    fill_spec(a_case);
}

/* The set of this name; a set that was created here has a name that nobody
 * else can know, so the first unknown name is taken for it. */
static struct case_set *find_set(struct deployment_case *a_case, const char *name)
{
    for (uint32_t i = 0; i < a_case->sets.count; i++)
        if (strcmp(a_case->sets.items[i].facts.name, name) == 0)
            return &a_case->sets.items[i];
    for (uint32_t i = 0; i < a_case->sets.count; i++)
        if (!a_case->sets.items[i].named) {
            a_case->sets.items[i].named = true;
            a_case->sets.items[i].facts.name = name;
            return &a_case->sets.items[i];
        }
    return NULL;
}

static bool set_statuses(struct deployment_case *a_case, const struct value *statuses,
                         struct problems *problems)
{
    if (value_is_null(statuses) || statuses->kind != VALUE_MAPPING)
        return true;
    bool good = true;
    VALUE_EACH_MEMBER(statuses, member)
    {
        struct case_set *set = find_set(a_case, member->key);
        int64_t replicas = 0;
        int64_t ready = 0;
        int64_t available = 0;
        if (!set) {
            problem_error(problems, member_place(statuses, member), "rsStatus",
                          "there is no ReplicaSet \"%s\"", member->key);
            good = false;
            continue;
        }
        good = scenario_read_integer(&member->value, "replicas", 0, &replicas, problems) &&
               scenario_read_integer(&member->value, "ready", 0, &ready, problems) &&
               scenario_read_integer(&member->value, "available", 0, &available, problems) && good;
        set->facts.status_replicas = (int32_t)replicas;
        set->facts.ready_replicas = (int32_t)ready;
        set->facts.available_replicas = (int32_t)available;
        set->facts.observed = true;
    }
    return good;
}

static bool decide_steps(struct deployment_case *a_case, const struct objects *objects,
                         const struct value *steps, struct json_out *json,
                         struct problems *problems)
{
    bool good = true;
    json_object_begin(json, "result");
    json_array_begin(json, "steps");
    VALUE_EACH_ITEM(steps, step)
    {
        good = scenario_read_time(step, "clock", &a_case->facts.now, problems) && good;
        edit(a_case, value_find(step, "edit"));
        good = set_statuses(a_case, value_find(step, "rsStatus"), problems) && good;
        const struct deployment_decision *decision = advance(a_case, objects);
        write_decision(json, NULL, a_case, decision);
        /* What was deleted is gone before the next sync. */
        uint32_t kept = 0;
        for (uint32_t i = 0; i < a_case->sets.count; i++)
            if (!deleted(decision, i))
                a_case->sets.items[kept++] = a_case->sets.items[i];
        a_case->sets.count = kept;
    }
    json_array_end(json);
    json_object_end(json);
    return good;
}

static bool decide_scenario(struct arena *arena, const struct value *value, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    struct deployment_case a_case;
    if (!scenario_read(arena, value, &scenario, problems))
        return false;
    const struct object *object = scenario_only(&scenario.objects, OBJECT_DEPLOYMENT, problems);
    if (!object)
        return false;
    fill_case(arena, &scenario.objects, object, scenario.kubernetes_minor, &a_case);
    const struct value *steps = value_find(scenario.input, "steps");
    if (steps && steps->kind == VALUE_SEQUENCE)
        return decide_steps(&a_case, &scenario.objects, steps, json, problems);
    a_case.facts.now = scenario.clock;
    const struct deployment_decision *decision = advance(&a_case, &scenario.objects);
    write_decision(json, "result", &a_case, decision);
    return true;
}

static const char *branch_sentence(struct arena *arena, const struct deployment_case *a_case,
                                   const struct deployment_decision *decision)
{
    switch (decision->branch) {
    case DEPLOYMENT_BRANCH_REFUSED:
        return "Its selector selects every pod, so the controller leaves it alone.";
    case DEPLOYMENT_BRANCH_STATUS_ONLY:
        return "It is being deleted: only the status is brought up to date.";
    case DEPLOYMENT_BRANCH_PAUSED:
        return "It is paused: sizes may change, but nothing is rolled out.";
    case DEPLOYMENT_BRANCH_SCALING:
        return "The number of replicas was changed: the sets are resized in proportion before any "
               "rollout goes on.";
    case DEPLOYMENT_BRANCH_RECREATE:
        return "Recreate: all old pods go before the first new one is made.";
    case DEPLOYMENT_BRANCH_ROLLING:
        return arena_printf(arena,
                            "RollingUpdate of %d replicas: at most %d pods (surge %d), at least "
                            "%d available (unavailable %d).",
                            a_case->facts.replicas, decision->surge_limit, a_case->facts.max_surge,
                            decision->availability_floor, a_case->facts.max_unavailable);
    }
    return "";
}

/* What allowed a rolling update to resize this set; nothing in other branches. */
static const char *scale_reason(const struct deployment_case *a_case,
                                const struct deployment_decision *decision,
                                const struct deployment_action *action)
{
    int64_t pods = 0;
    if (decision->branch != DEPLOYMENT_BRANCH_ROLLING)
        return "";
    for (uint32_t i = 0; i < decision->actions.count; i++)
        if (decision->actions.items[i].verb == DEPLOYMENT_CREATE)
            pods -= decision->actions.items[i].to;
        else if (decision->actions.items[i].verb == DEPLOYMENT_SCALE)
            pods += decision->actions.items[i].from - decision->actions.items[i].to;
    for (uint32_t i = 0; i < decision->set_count; i++)
        pods += decision->sets[i].replicas;
    if (action->to > action->from)
        return arena_printf(a_case->arena, ": %lld pods so far, %d allowed", (long long)pods,
                            decision->surge_limit);
    return arena_printf(a_case->arena, ": %d pods are available, %d must be",
                        decision->status.available_replicas, decision->availability_floor);
}

static void write_sentences(struct text *sentences, const struct deployment_case *a_case,
                            const struct deployment_decision *decision)
{
    struct arena *arena = a_case->arena;
    const struct deployment_status_facts *status = &decision->status;
    text_printf(sentences, "Deployment %s/%s\n  %s\n", a_case->deployment.meta.namespace,
                a_case->deployment.meta.name, branch_sentence(arena, a_case, decision));
    bool acted = false;
    for (uint32_t i = 0; i < decision->actions.count; i++) {
        const struct deployment_action *action = &decision->actions.items[i];
        const char *name = decision->sets[action->set].name;
        if (action->verb == DEPLOYMENT_CREATE)
            text_printf(sentences, "  creates a ReplicaSet for the present template with %d pods\n",
                        action->to);
        else if (action->verb == DEPLOYMENT_DELETE)
            text_printf(sentences, "  deletes %s, beyond the history limit of %d\n", name,
                        a_case->facts.history_limit);
        else if (action->verb == DEPLOYMENT_SCALE)
            text_printf(sentences, "  scales the %s ReplicaSet %s %s from %d to %d%s\n",
                        action->set == decision->new_set ? "new" : "old", name,
                        action->to > action->from ? "up" : "down", action->from, action->to,
                        scale_reason(a_case, decision, action));
        else
            text_printf(sentences, "  updates the annotations of %s\n", name);
        acted = true;
    }
    if (!acted)
        text_append_string(sentences, "  nothing to do in this sync\n");
    text_printf(sentences,
                "  status: %d pods, %d updated, %d ready, %d available, %d unavailable\n",
                status->replicas, status->updated_replicas, status->ready_replicas,
                status->available_replicas, status->unavailable_replicas);
    for (uint32_t i = 0; i < status->condition_count; i++)
        text_printf(sentences, "  %s: %s\n", condition_types[status->conditions[i].type],
                    deployment_reason_text(status->conditions[i].reason,
                                           status->conditions[i].reason_text));
}

/* All Deployments of a cluster, one after the other. */
static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    (void)problems;
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_DEPLOYMENT)
            continue;
        struct deployment_case a_case;
        fill_case(arena, objects, &objects->items[i], choice->minor, &a_case);
        a_case.facts.now = scenario_present(objects);
        const struct deployment_decision *decision = advance(&a_case, objects);
        json_object_begin(json, NULL);
        json_string(json, "namespace", a_case.deployment.meta.namespace);
        json_string(json, "name", a_case.deployment.meta.name);
        write_decision(json, "decision", &a_case, decision);
        json_object_end(json);
        write_sentences(sentences, &a_case, decision);
    }
    json_array_end(json);
    return true;
}

const struct decider decider_deployment = {
    .name = "deployment",
    .summary = "how a Deployment resizes its ReplicaSets in its next sync",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
