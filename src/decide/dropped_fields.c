/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/dropped_fields.h"

#include "decide/pod_requests.h"
#include "manifest/document.h"
#include "object/autoscaler.h"
#include "object/check.h"
#include "object/policy.h"
#include "object/workload.h"

#include <stddef.h>

static bool has_sidecar(const struct pod_spec *spec)
{
    for (uint32_t i = 0; i < spec->init_container_count; i++)
        if (container_restarts_always(&spec->init_containers[i]))
            return true;
    return false;
}

static bool has_gates(const struct pod_spec *spec)
{
    return spec->scheduling_gates.count > 0;
}

static bool has_min_domains(const struct pod_spec *spec)
{
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++)
        if (spec->topology_spread_constraints[i].min_domains.set)
            return true;
    return false;
}

static bool has_spread_keys(const struct pod_spec *spec)
{
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++)
        if (spec->topology_spread_constraints[i].match_label_keys.count > 0)
            return true;
    return false;
}

static bool term_has_keys(const struct pod_affinity_term *term)
{
    return term->match_label_keys.count > 0 || term->mismatch_label_keys.count > 0;
}

static bool terms_have_keys(const struct pod_affinity *affinity)
{
    for (uint32_t i = 0; affinity && i < affinity->required_count; i++)
        if (term_has_keys(&affinity->required[i]))
            return true;
    for (uint32_t i = 0; affinity && i < affinity->preferred_count; i++)
        if (term_has_keys(&affinity->preferred[i].term))
            return true;
    return false;
}

static bool has_affinity_keys(const struct pod_spec *spec)
{
    return spec->affinity && (terms_have_keys(spec->affinity->pod_affinity) ||
                              terms_have_keys(spec->affinity->pod_anti_affinity));
}

static bool has_resources(const struct pod_spec *spec)
{
    return spec->resources != NULL;
}

static bool has_restart_rules(const struct pod_spec *spec)
{
    for (uint32_t i = 0; i < spec->container_count; i++)
        if (spec->containers[i].restart_policy || spec->containers[i].restart_code_count > 0)
            return true;
    return false;
}

static const struct {
    size_t feature;
    const char *path; /* below the pod's spec */
    bool (*is_used)(const struct pod_spec *spec);
} fields[] = {
    {offsetof(struct features, pod_scheduling_readiness), "schedulingGates", has_gates},
    {offsetof(struct features, min_domains), "topologySpreadConstraints.minDomains",
     has_min_domains},
    {offsetof(struct features, spread_match_label_keys), "topologySpreadConstraints.matchLabelKeys",
     has_spread_keys},
    {offsetof(struct features, sidecar_containers), "initContainers.restartPolicy", has_sidecar},
    {offsetof(struct features, affinity_match_label_keys), "affinity.matchLabelKeys",
     has_affinity_keys},
    {offsetof(struct features, pod_level_resources), "resources", has_resources},
    {offsetof(struct features, container_restart_rules), "containers.restartPolicyRules",
     has_restart_rules},
};

/* ---- of other objects ---- */

/* The Job of an object, or the one that it makes; NULL: none. */
static const struct job *job_of(const struct object *object)
{
    return object->kind == OBJECT_JOB        ? object->as.job
           : object->kind == OBJECT_CRON_JOB ? &object->as.cron_job->job_template
                                             : NULL;
}

static bool has_replacement_policy(const struct object *object)
{
    const struct job *job = job_of(object);
    return job && job->pod_replacement_policy != REPLACEMENT_UNSET;
}

static bool has_limit_per_index(const struct object *object)
{
    const struct job *job = job_of(object);
    return job && (job->backoff_limit_per_index.set || job->max_failed_indexes.set);
}

static bool has_success_policy(const struct object *object)
{
    const struct job *job = job_of(object);
    return job && job->success_policy;
}

static bool has_manager(const struct object *object)
{
    const struct job *job = job_of(object);
    return job && job->managed_by;
}

static bool has_start_ordinal(const struct object *object)
{
    return object->kind == OBJECT_STATEFUL_SET && object->as.stateful_set->start_ordinal != 0;
}

static bool has_eviction_policy(const struct object *object)
{
    return object->kind == OBJECT_POD_DISRUPTION_BUDGET &&
           object->as.pod_disruption_budget->unhealthy_eviction_policy == UNHEALTHY_ALWAYS_ALLOW;
}

static bool has_tolerance(const struct object *object)
{
    if (object->kind != OBJECT_HORIZONTAL_POD_AUTOSCALER)
        return false;
    const struct horizontal_pod_autoscaler *autoscaler = object->as.horizontal_pod_autoscaler;
    return autoscaler->scale_up.tolerance || autoscaler->scale_down.tolerance;
}

static const struct {
    size_t feature;
    const char *kind;
    const char *path;
    bool (*is_used)(const struct object *object);
} object_fields[] = {
    {offsetof(struct features, job_managed_by), "Jobs", "managedBy", has_manager},
    {offsetof(struct features, job_pod_replacement_policy), "Jobs", "podReplacementPolicy",
     has_replacement_policy},
    {offsetof(struct features, job_limit_per_index), "Jobs", "backoffLimitPerIndex",
     has_limit_per_index},
    {offsetof(struct features, job_success_policy), "Jobs", "successPolicy", has_success_policy},
    {offsetof(struct features, stateful_start_ordinal), "StatefulSets", "ordinals.start",
     has_start_ordinal},
    {offsetof(struct features, unhealthy_eviction_policy), "PodDisruptionBudgets",
     "unhealthyPodEvictionPolicy", has_eviction_policy},
    {offsetof(struct features, hpa_configurable_tolerance), "HorizontalPodAutoscalers",
     "behavior.tolerance", has_tolerance},
};

static bool is_on(const struct features *features, size_t offset)
{
    return *(const bool *)((const char *)features + offset);
}

static void warn_of_objects(const struct features *features, const struct objects *objects,
                            struct problems *problems)
{
    for (size_t f = 0; f < sizeof(object_fields) / sizeof(object_fields[0]); f++) {
        bool told = is_on(features, object_fields[f].feature);
        for (uint32_t i = 0; !told && i < objects->count; i++) {
            if (!object_fields[f].is_used(&objects->items[i]))
                continue;
            problem_warning(problems, objects->items[i].place, object_fields[f].path,
                            "Kubernetes 1.%d drops this field of %s: nothing depends on it",
                            features->minor, object_fields[f].kind);
            told = true;
        }
    }
}

/* The cluster autoscaler of the version has one planner, whatever the flags of a Check say. */
static void warn_of_planner(const struct features *features, const struct objects *objects,
                            struct problems *problems)
{
    for (uint32_t i = 0; features->autoscaler_parallel_only && i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_CHECK)
            continue;
        const struct check_cluster_autoscaler *autoscaler =
            objects->items[i].as.check->controllers.cluster_autoscaler;
        const struct value *flag =
            autoscaler ? value_find(autoscaler->flags, "parallel-drain") : NULL;
        bool asked = true;
        if (flag && value_read_boolean(flag, &asked) && !asked)
            problem_warning(problems, value_place(flag),
                            "spec.controllers.clusterAutoscaler.flags.parallel-drain",
                            "the autoscaler of 1.%d has no other planner: it is taken to be true",
                            features->minor);
    }
}

void dropped_fields_warn(const struct features *features, const struct objects *objects,
                         struct problems *problems)
{
    warn_of_objects(features, objects, problems);
    warn_of_planner(features, objects, problems);
    for (size_t f = 0; f < sizeof(fields) / sizeof(fields[0]); f++) {
        bool told = is_on(features, fields[f].feature);
        for (uint32_t i = 0; !told && i < objects->count; i++) {
            const struct object *object = &objects->items[i];
            const struct pod_template *template = object_pod_template(object);
            if (!template && object->kind != OBJECT_POD)
                continue;
            if (!fields[f].is_used(template ? &template->spec : &object->as.pod->spec))
                continue;
            problem_warning(problems, object->place, fields[f].path,
                            "Kubernetes 1.%d drops this field of pods: nothing depends on it",
                            features->minor);
            told = true;
        }
    }
}
