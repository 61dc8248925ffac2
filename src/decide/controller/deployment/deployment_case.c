/* SPDX-License-Identifier: Apache-2.0 */
/* A Deployment with its ReplicaSets, from objects to the facts that a sync goes by. */
#include "decide/controller/deployment/deployment_case.h"

#include "decide/claim.h"
#include "decide/controller/deployment/template_signature.h"
#include "manifest/document.h"

#include <stdlib.h>
#include <string.h>

#define ANNOTATION_PREFIX "deployment.kubernetes.io/"

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
                .terminating_replicas = set->status.terminating_replicas,
                .min_ready_seconds = set->min_ready_seconds,
                .annotations_stale = annotations_stale(&deployment->meta.annotations, annotations),
                .terminating = set->meta.deletion_time != TIME_NONE,
                .observed = set->meta.generation <= set->status.observed_generation,
                .synced = set->status.observed_generation > 0,
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

const char *const deployment_condition_names[DEPLOYMENT_CONDITION_TYPE_COUNT] = {
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
        .terminating_replicas = status->terminating_replicas,
    };
    for (uint32_t i = 0; i < status->conditions.count; i++)
        for (int type = 0; type < DEPLOYMENT_CONDITION_TYPE_COUNT; type++)
            if (claim_same_text(status->conditions.items[i].type,
                                deployment_condition_names[type]) &&
                !deployment_condition_find(facts, (enum deployment_condition_type)type))
                facts->conditions[facts->condition_count++] = condition_of(
                    &status->conditions.items[i], (enum deployment_condition_type)type);
}

/* What the spec says, after every edit. */
void deployment_case_fill_spec(struct deployment_case *a_case)
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

void deployment_case_fill(struct arena *arena, const struct objects *objects,
                          const struct object *object, const struct features *features,
                          struct deployment_case *a_case)
{
    *a_case = (struct deployment_case){
        .arena = arena,
        .features = *features,
        .deployment = *object->as.deployment,
        .template = value_find(value_find(&object->source->root, "spec"), "template"),
    };
    deployment_case_fill_spec(a_case);
    a_case->facts.revision =
        annotation_number(&a_case->deployment.meta.annotations, ANNOTATION_PREFIX "revision", NULL);
    a_case->facts.zero_most_is_missing = a_case->features.strict_size_annotations;
    a_case->facts.counts_terminating = a_case->features.terminating_replicas;
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

/* Decides, and applies the decision to the case. */
struct deployment_decision *deployment_case_advance(struct deployment_case *a_case,
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
