/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which line of the manifests causes a violation, and may have to be changed.
 *
 * Steps know who decided and by which plugin, and the plugin's descriptor says which field it
 * goes by; what else matters to an intent is said here. The steps that caused the violation are
 * examined, the last one first. A field that is not there, but should perhaps be, is shown at
 * the mapping that lacks it, with a note.
 */
#include "base/input_file.h"
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "decide/controller/eviction.h"
#include "decide/descheduler/descheduler.h"
#include "decide/scheduler/plugin_field.h"
#include "manifest/document.h"
#include "object/as_written.h"
#include "object/policy.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POD_SPEC "spec.template.spec"

struct finding {
    struct arena *arena;
    const struct report *report;
    const struct verify_result *result;
    struct report_sources *sources;
};

/* ---- fields in documents ---- */

/* The next name of "spec.containers[0].resources", and the index behind it (-1:
 * none); what follows, or NULL. */
static const char *next_part(const char *path, char *name, size_t room, int *index)
{
    const size_t length = strcspn(path, ".[");
    const char *rest = path + length;
    *index = -1;
    snprintf(name, room, "%.*s", (int)length, path);
    if (*rest == '[') {
        *index = (int)strtol(rest + 1, NULL, 10);
        rest = strchr(rest, ']') + 1;
    }
    return *rest == '.' ? rest + 1 : NULL;
}

static bool find_place(const struct value *value, const char *path, bool nearest,
                       struct place *place)
{
    *place = value_place(value);
    for (const char *rest = path; rest;) {
        char name[64];
        int index;
        rest = next_part(rest, name, sizeof(name), &index);
        const struct member *member = value_find_member(value, name);
        if (!member)
            return nearest;
        *place = member_place(value, member);
        value = &member->value;
        if (index < 0)
            continue;
        if (value->kind != VALUE_SEQUENCE || (uint32_t)index >= value->count)
            return nearest;
        value = &value->items[index];
        *place = value_place(value);
    }
    return true;
}

/* The place of a field, or (with `nearest`) of the mapping that should have it. Where something
 * stands for a custom resource, it is the field that the user wrote, there or elsewhere. */
static bool find_field(struct arena *arena, const struct object *object, const char *path,
                       bool nearest, struct place *place)
{
    if (!object || !object->source)
        return false;
    return find_place(written_root(object), written_path(arena, object, path), false, place) ||
           find_place(&object->source->root, path, nearest, place);
}

static void add_place(const struct finding *finding, struct place place, const char *path,
                      const char *note)
{
    for (uint32_t i = 0; i < finding->sources->count; i++) {
        const struct report_source *known = &finding->sources->items[i];
        if (known->place.line == place.line && known->place.file && place.file &&
            strcmp(known->place.file, place.file) == 0)
            return;
    }
    if (place.file && place.line > 0 && finding->sources->count < REPORT_SOURCES_MOST)
        finding->sources->items[finding->sources->count++] =
            (struct report_source){place, path, note};
}

/* True if the field is there. */
static bool add(const struct finding *finding, const struct object *object, const char *path)
{
    struct place place;
    if (!find_field(finding->arena, object, path, false, &place))
        return false;
    add_place(finding, place, written_path(finding->arena, object, path), NULL);
    return true;
}

/* The field, or the note at the mapping that lacks it. */
static void add_or_miss(const struct finding *finding, const struct object *object,
                        const char *path, const char *note)
{
    struct place place;
    if (!add(finding, object, path) && find_field(finding->arena, object, path, true, &place))
        add_place(finding, place, written_path(finding->arena, object, path), note);
}

/* ---- objects ---- */

static const struct object *workload_object(const struct finding *finding, uint32_t workload)
{
    return workload < finding->report->scope->workload_count
               ? finding->report->scope->workloads[workload].object
               : NULL;
}

/* The workload of the intent, or of the last step that has one. */
static uint32_t workload_of(const struct finding *finding)
{
    const struct scope *scope = finding->report->scope;
    const struct object_name *intended = &finding->result->intent->workload;
    for (uint32_t w = 0; intended->name && w < scope->workload_count; w++)
        if (object_name_matches(intended, scope->workloads[w].object))
            return w;
    if (finding->result->whose < scope->workload_count)
        return finding->result->whose;
    for (uint32_t i = finding->result->step_count; i-- > 0;)
        if (finding->result->steps[i].told.workload < scope->workload_count)
            return finding->result->steps[i].told.workload;
    return 0;
}

static const struct object *autoscaler_object(const struct finding *finding, uint32_t workload)
{
    const struct scope *scope = finding->report->scope;
    for (uint32_t i = 0; workload < scope->workload_count && i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            scope->objects->items[i].as.horizontal_pod_autoscaler ==
                scope->workloads[workload].autoscaler)
            return &scope->objects->items[i];
    return NULL;
}

static const struct object *check_object(const struct finding *finding)
{
    const struct objects *objects = finding->report->scope->objects;
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_CHECK)
            return &objects->items[i];
    return NULL;
}

/* ---- the scheduler's and the descheduler's plugins ---- */

static const char *template_field(const struct finding *finding, const char *field)
{
    return arena_printf(finding->arena, POD_SPEC ".%s", field);
}

/* The field of a pod template that a filter goes by: its plugin knows. */
static void add_filter(const struct finding *finding, const struct story_step *step)
{
    const struct object *object = workload_object(finding, step->workload);
    const char *without;
    const struct plugin_field *fields = plugin_fields_of(step->plugin, &without);
    for (const struct plugin_field *field = fields; field && field->path; field++)
        if ((!field->reason || (step->reason && strstr(step->reason, field->reason))) &&
            add(finding, object, template_field(finding, field->path)))
            return;
    if (fields && without)
        add_or_miss(finding, object, template_field(finding, fields->path), without);
}

/* Where the policy names the plugin: somewhere below it, as a key or a value. */
static bool find_word(const struct value *value, const char *word, struct place *place)
{
    if (value->kind == VALUE_STRING && strcmp(value->text, word) == 0) {
        *place = value_place(value);
        return true;
    }
    for (uint32_t i = 0; value->kind == VALUE_SEQUENCE && i < value->count; i++)
        if (find_word(&value->items[i], word, place))
            return true;
    for (uint32_t i = 0; value->kind == VALUE_MAPPING && i < value->count; i++) {
        const struct member *member = &value->members[i];
        if (strcmp(member->key, word) == 0) {
            *place = member_place(value, member);
            return true;
        }
        if (find_word(&member->value, word, place))
            return true;
    }
    return false;
}

static void add_policy(const struct finding *finding, const char *plugin)
{
    const struct objects *objects = finding->report->scope->objects;
    struct place place;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        const struct value *policy = NULL;
        if (object->source && object->kind == OBJECT_CHECK)
            policy =
                value_find(value_find(value_find(&object->source->root, "spec"), "controllers"),
                           "descheduler");
        else if (object->source && object->kind == OBJECT_DESCHEDULER_POLICY)
            policy = &object->source->root;
        if (policy && find_word(policy, plugin, &place)) {
            add_place(finding, place, plugin, NULL);
            return;
        }
    }
}

/* What the plugin enforces that the scheduler does not. */
static void add_what_plugin_enforces(const struct finding *finding, const struct story_step *step)
{
    const char *field = descheduler_plugin_field(step->plugin);
    if (field)
        add(finding, workload_object(finding, step->workload), template_field(finding, field));
}

static void add_taints(const struct finding *finding, const struct story_step *step)
{
    const struct object *object = workload_object(finding, step->workload);
    const struct object *check = check_object(finding);
    const struct scope *scope = finding->report->scope;
    if (!add(finding, object, POD_SPEC ".nodeName"))
        add_or_miss(finding, object, POD_SPEC ".tolerations",
                    "there is no toleration for the node's taint");
    for (uint32_t i = 0; step->node && i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_NODE &&
            strcmp(scope->objects->items[i].meta->name, step->node) == 0)
            add(finding, &scope->objects->items[i], "spec.taints");
    for (uint32_t g = 0; step->node && scope->check && g < scope->check->node_group_count; g++) {
        const char *name = scope->check->node_groups[g].name;
        if (strncmp(name, step->node, strlen(name)) == 0 && step->node[strlen(name)] == '-')
            add(finding, check,
                arena_printf(finding->arena, "spec.nodeGroups[%u].node.spec.taints", g));
    }
}

static void add_budgets(const struct finding *finding, uint32_t workload, bool note_missing)
{
    const struct objects *objects = finding->report->scope->objects;
    const struct object *object = workload_object(finding, workload);
    const struct pod_template *template = object ? workload_template(object) : NULL;
    bool guarded = false;
    for (uint32_t i = 0; template && i < objects->count; i++) {
        const struct pod_disruption_budget *budget = objects->items[i].as.pod_disruption_budget;
        if (objects->items[i].kind != OBJECT_POD_DISRUPTION_BUDGET ||
            strcmp(budget->meta.namespace, object->meta->namespace) != 0 ||
            !eviction_budget_selects(&finding->report->features, budget, &template->meta.labels))
            continue;
        guarded = true;
        if (!add(finding, &objects->items[i], "spec.minAvailable"))
            add(finding, &objects->items[i], "spec.maxUnavailable");
    }
    struct place place;
    if (!guarded && note_missing &&
        find_field(finding->arena, object, "spec.template.metadata.labels", true, &place))
        add_place(finding, place,
                  written_path(finding->arena, object, "spec.template.metadata.labels"),
                  "no PodDisruptionBudget selects these pods");
}

/* The workload that a pod's name begins with: the longest such name. */
static uint32_t workload_of_pod(const struct finding *finding, const char *pod)
{
    const struct scope *scope = finding->report->scope;
    uint32_t found = UINT32_MAX;
    size_t longest = 0;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const char *name = scope->workloads[w].object->meta->name;
        const size_t length = strlen(name);
        if (length > longest && strncmp(pod, name, length) == 0 && pod[length] == '-') {
            found = w;
            longest = length;
        }
    }
    return found;
}

/* What is still on a node that is being drained: the budgets of those pods. */
static void add_drained(const struct finding *finding)
{
    const struct story_picture *picture = &finding->result->picture;
    for (uint32_t n = 0; n < picture->node_count; n++) {
        if (strcmp(picture->nodes[n].condition, "cordoned") != 0)
            continue;
        for (uint32_t i = 0; i < picture->nodes[n].pods.count; i++) {
            const uint32_t workload = workload_of_pod(finding, picture->nodes[n].pods.items[i]);
            if (workload != UINT32_MAX && finding->sources->count == 0)
                add_budgets(finding, workload, false);
        }
    }
}

/* ---- one step of the chain ---- */

static const struct value *spec_value(const struct object *object, const char *field)
{
    return object && object->source ? value_find(value_find(&object->source->root, "spec"), field)
                                    : NULL;
}

/* Is the field the same in both, or in neither? */
static bool same_field(const struct object *before, const struct object *after, const char *field)
{
    const struct value *old = spec_value(before, field);
    const struct value *new = spec_value(after, field);
    return old && new ? value_equal(old, new) : old == new;
}

/* Which field of the workload the manifest changes: its replicas first, since
 * autoscalers write them, too. */
static const char *changed_field(const struct object *before, const struct object *applied)
{
    return applied->kind == OBJECT_DAEMON_SET || (same_field(before, applied, "replicas") &&
                                                  !same_field(before, applied, "template"))
               ? "spec.template"
               : "spec.replicas";
}

/* The manifest that was applied: what it changes, or that it does not say. */
static void add_applied(const struct finding *finding, const struct story_step *step)
{
    const struct scope *scope = finding->report->scope;
    const struct objects *applied = &scope->applied[step->event - scope->check->events];
    for (uint32_t i = 0; i < applied->count; i++)
        if (step->workload == UINT32_MAX ||
            strcmp(applied->items[i].meta->name,
                   scope->workloads[step->workload].object->meta->name) == 0)
            add_or_miss(finding, &applied->items[i],
                        changed_field(workload_object(finding, step->workload), &applied->items[i]),
                        "not given here");
}

/* Why a Job gave up. */
static void add_job(const struct finding *finding, const struct story_step *step)
{
    const struct object *object = workload_object(finding, step->workload);
    if (strcmp(step->action, "fail") == 0)
        add_or_miss(finding, object, "spec.backoffLimit", "no backoffLimit is given: 6");
    else if (strcmp(step->action, "exceed-deadline") == 0)
        add(finding, object, "spec.activeDeadlineSeconds");
}

/* Is this the quota that a refusal names: "exceeded quota: team, requested: ..."? */
static bool names_quota(const char *text, const char *name)
{
    static const char before[] = "quota: ";
    const char *found = text ? strstr(text, before) : NULL;
    const size_t length = strlen(name);
    if (!found || strncmp(found + sizeof(before) - 1, name, length) != 0)
        return false;
    const char after = found[sizeof(before) - 1 + length];
    return after == ',' || after == ':';
}

/* The quota that refuses pods. */
static void add_quota(const struct finding *finding, const struct story_step *step)
{
    const struct object *workload = workload_object(finding, step->workload);
    const struct objects *objects = finding->report->scope->objects;
    for (uint32_t i = 0; workload && i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_RESOURCE_QUOTA &&
            strcmp(objects->items[i].meta->namespace, workload->meta->namespace) == 0 &&
            names_quota(step->detail, objects->items[i].meta->name))
            add(finding, &objects->items[i], "spec.hard");
}

/* The webhook that does not answer, and keeps pods out because of it. */
static void add_webhook(const struct finding *finding, const struct object *object,
                        const struct webhook_configuration *configuration, const char *detail)
{
    for (uint32_t i = 0; i < configuration->webhook_count; i++) {
        const char *name =
            arena_printf(finding->arena, "webhook \"%s\"", configuration->webhooks[i].name);
        if (detail && strstr(detail, name))
            add_or_miss(finding, object,
                        arena_printf(finding->arena, "webhooks[%u].failurePolicy", i),
                        "no failurePolicy is given: Fail");
    }
}

static void add_webhooks(const struct finding *finding, const struct story_step *step)
{
    const struct objects *objects = finding->report->scope->objects;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind == OBJECT_VALIDATING_WEBHOOK_CONFIGURATION)
            add_webhook(finding, object, object->as.validating_webhooks, step->detail);
        else if (object->kind == OBJECT_MUTATING_WEBHOOK_CONFIGURATION)
            add_webhook(finding, object, object->as.mutating_webhooks, step->detail);
    }
}

/* Refusals that the run ends with are why it does not go on, whatever they go back to. */
static void add_refusals(const struct finding *finding)
{
    const struct verify_result *result = finding->result;
    for (uint32_t i = result->step_count; i > 0 && finding->sources->count == 0; i--)
        if (strcmp(result->steps[i - 1].told.actor, "API server") == 0) {
            add_quota(finding, &result->steps[i - 1].told);
            add_webhooks(finding, &result->steps[i - 1].told);
        }
}

/* Does the scheduler decide in the step to drive pods out of their node, for one of the step's
 * workload? (Deleting those that it has chosen, which comes later, is about their workload.) */
static bool is_preemption(const struct story_step *step)
{
    return strcmp(step->actor, "scheduler") == 0 &&
           (strcmp(step->action, "preempt") == 0 || strcmp(step->action, "nominate") == 0);
}

/* What a step of the chain goes back to, if it goes back to a line at all. */
static void add_step(const struct finding *finding, const struct story_step *step)
{
    if (step->plugin && strcmp(step->actor, "scheduler") == 0 && !is_preemption(step))
        add_filter(finding, step);
    else if (is_preemption(step))
        add(finding, workload_object(finding, step->workload), POD_SPEC ".priorityClassName");
    else if (step->plugin) {
        add_policy(finding, step->plugin);
        add_what_plugin_enforces(finding, step);
    } else if (strcmp(step->actor, "taint-manager") == 0)
        add_taints(finding, step);
    else if (strcmp(step->actor, "kubelet") == 0 && strncmp(step->action, "reject", 6) == 0)
        (void)(add(finding, workload_object(finding, step->workload), POD_SPEC ".nodeName") ||
               add(finding, workload_object(finding, step->workload),
                   POD_SPEC ".containers[0].resources.requests"));
    else if (strcmp(step->actor, "pod-garbage-collector") == 0)
        add(finding, workload_object(finding, step->workload), POD_SPEC ".nodeName");
    else if (strcmp(step->actor, "drain") == 0 && strcmp(step->action, "evict") == 0)
        add_budgets(finding, step->workload, true);
    else if (strcmp(step->actor, "HorizontalPodAutoscaler") == 0) {
        const struct object *autoscaler = autoscaler_object(finding, step->workload);
        add(finding, autoscaler, "spec.metrics");
        add(finding, autoscaler, "spec.behavior");
    } else if (strcmp(step->actor, "Job") == 0)
        add_job(finding, step);
    else if (step->event)
        add_applied(finding, step);
}

/* Examines the steps that caused the violation, the nearest ones first, until one gives a line. */
static void add_chain(const struct finding *finding)
{
    const struct verify_result *result = finding->result;
    bool *reached = ARENA_ARRAY(finding->arena, bool, result->step_count + 1);
    for (uint32_t i = 0; i < result->causes.count; i++)
        reached[result->causes.items[i]] = true;
    for (uint32_t i = result->step_count; i > 0 && finding->sources->count == 0; i--) {
        const struct story_step *step = &result->steps[i - 1].told;
        if (!reached[i])
            continue;
        add_step(finding, step);
        for (uint32_t c = 0; c < step->causes.count; c++)
            reached[step->causes.items[c]] = true;
    }
}

/* ---- by what intents blame ---- */

static void add_placement(const struct finding *finding, const struct object *object)
{
    if (add(finding, object, POD_SPEC ".nodeName") ||
        add(finding, object, POD_SPEC ".nodeSelector") ||
        add(finding, object, POD_SPEC ".affinity.nodeAffinity"))
        return;
    add_or_miss(finding, object, POD_SPEC ".nodeSelector",
                "there is neither a nodeSelector nor a node affinity");
}

/* Why pods come to a node that is cordoned. */
static void add_tolerations(const struct finding *finding, const struct object *object)
{
    if (!add(finding, object, POD_SPEC ".nodeName"))
        add(finding, object, POD_SPEC ".tolerations");
}

static void add_panic(const struct finding *finding, const struct object *object)
{
    const struct check *check = finding->report->scope->check;
    add_or_miss(finding, object, POD_SPEC ".containers[0].resources.requests",
                "the pods request nothing");
    for (uint32_t e = 0; check && e < check->event_count; e++)
        if (event_kind_has(check->events[e].kind, EVENT_FACT_PANICS))
            add_place(finding, check->events[e].place, "spec.events", NULL);
}

static void add_limits(const struct finding *finding, uint32_t workload)
{
    const struct object *object = workload_object(finding, workload);
    const struct object *autoscaler = autoscaler_object(finding, workload);
    if (autoscaler)
        add(finding, autoscaler, "spec.maxReplicas");
    if (finding->sources->count == 0 && !add(finding, object, "spec.strategy"))
        add(finding, object, "spec.replicas");
}

/* How the pods of a workload are replaced. */
static void add_strategy(const struct finding *finding, const struct object *object)
{
    if (object && object->kind == OBJECT_STATEFUL_SET)
        add_or_miss(finding, object, "spec.podManagementPolicy",
                    "no podManagementPolicy is given: OrderedReady, each pod waits for those "
                    "before it");
    else if (object && object->kind == OBJECT_DAEMON_SET)
        add_or_miss(finding, object, "spec.updateStrategy",
                    "no updateStrategy is given: RollingUpdate, one pod at a time");
    else
        add_or_miss(finding, object, "spec.strategy",
                    "no strategy is given: RollingUpdate, 25% at a time");
}

/* Why the controller of a workload does not go on. */
static void add_progress(const struct finding *finding, const struct object *object)
{
    const struct verify_result *result = finding->result;
    if (object && object->kind == OBJECT_STATEFUL_SET)
        add_strategy(finding, object);
    else if (object && object->kind == OBJECT_JOB)
        for (uint32_t i = result->step_count; i > 0 && finding->sources->count == 0; i--)
            add_step(finding, &result->steps[i - 1].told);
}

/* What the intent blames whatever the steps were. */
/* What says when the CronJob of the Job starts Jobs. */
static void add_schedule(const struct finding *finding, uint32_t workload)
{
    const struct scope *scope = finding->report->scope;
    const struct object *cron_job =
        workload < scope->workload_count ? scope->workloads[workload].cron_job : NULL;
    if (!cron_job)
        return;
    add(finding, cron_job, "spec.schedule");
    add_or_miss(finding, cron_job, "spec.concurrencyPolicy",
                "without concurrencyPolicy, Jobs start whether or not earlier ones have finished");
}

static void add_own(const struct finding *finding, enum intent_blame blames, uint32_t workload)
{
    const struct object *object = workload_object(finding, workload);
    switch (blames) {
    case BLAMES_PLACEMENT: add_placement(finding, object); break;
    case BLAMES_TOLERATIONS: add_tolerations(finding, object); break;
    case BLAMES_REQUESTS: add_panic(finding, object); break;
    case BLAMES_BUDGETS:
        add_drained(finding);
        if (finding->sources->count == 0)
            add_budgets(finding, workload, false);
        break;
    case BLAMES_SIZE: add_limits(finding, workload); break;
    case BLAMES_SCHEDULE: add_schedule(finding, workload); break;
    case BLAMES_SPREAD:
        add_or_miss(finding, object, POD_SPEC ".topologySpreadConstraints",
                    "there is no constraint that spreads the pods");
        break;
    case BLAMES_STEPS:
    case BLAMES_ROLLOUT:
    case BLAMES_PROGRESS: break;
    }
}

void report_find_sources(struct arena *arena, const struct report *report,
                         const struct verify_result *result, struct report_sources *sources)
{
    const struct finding finding = {arena, report, result, sources};
    const uint32_t workload = workload_of(&finding);
    const struct object *object = workload_object(&finding, workload);
    const enum intent_blame blames = intent_class_of(result->intent)->blames;
    sources->count = 0;
    /* Where there is no run, only the intent itself can be looked at. */
    if (intent_class_of(result->intent)->asks_for_example) {
        add_place(&finding, result->intent->place, "spec.intents", NULL);
        return;
    }
    add_own(&finding, blames, workload);
    if (sources->count == 0)
        add_refusals(&finding);
    if (sources->count == 0)
        add_chain(&finding);
    if (blames == BLAMES_ROLLOUT)
        add_strategy(&finding, object);
    if (blames == BLAMES_PROGRESS && sources->count == 0)
        add_progress(&finding, object);
    /* If nothing else was found, the intent itself. */
    if (sources->count == 0)
        (void)(add(&finding, object, "spec.replicas") || add(&finding, object, "spec"));
    if (sources->count == 0 && object)
        add_place(&finding, object->place, "metadata.name", NULL);
}

void report_source_at(struct arena *arena, const struct object *object, const char *path,
                      struct report_sources *sources)
{
    struct place place;
    if (!find_field(arena, object, path, true, &place) || !place.file)
        return;
    sources->items[0] = (struct report_source){place, written_path(arena, object, path), NULL};
    sources->count = 1;
}

bool report_find_source(struct arena *arena, const struct report *report,
                        const struct verify_result *result, struct report_source *source)
{
    struct report_sources sources = {.count = 0};
    if (result->verdict != VERDICT_VIOLATED)
        return false;
    report_find_sources(arena, report, result, &sources);
    *source = sources.items[0];
    return sources.count > 0;
}

/* Files may have changed meanwhile, or be no files; then there is nothing to quote. */
const char *report_quote(struct arena *arena, struct place place)
{
    enum { QUOTE_MOST = 120 };
    FILE *file = place.file && place.file[0] != '<' ? input_reopen(place.file) : NULL;
    char *line = NULL;
    size_t room = 0;
    ssize_t length = -1;
    const char *quoted = NULL;
    for (uint32_t n = 0; file && n < place.line; n++)
        length = getline(&line, &room, file);
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    if (length > QUOTE_MOST) /* JSON without line breaks: what follows the place */
        quoted = arena_printf(arena, "... %.*s ...", QUOTE_MOST,
                              place.column - 1 < (size_t)length ? line + place.column - 1 : line);
    else if (length > 0)
        quoted = arena_strndup(arena, line, (size_t)length);
    free(line);
    if (file)
        fclose(file);
    return quoted;
}
