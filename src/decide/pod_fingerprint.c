/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/pod_fingerprint.h"

#include "decide/fingerprint.h"
#include "decide/scheduler/plugin.h"
#include "decide/scheduler/plugin_reads.h"

static void put_requirements(struct text *text, const struct selector_requirement *requirements,
                             uint32_t count)
{
    fingerprint_number(text, count);
    for (uint32_t i = 0; i < count; i++) {
        fingerprint_string(text, requirements[i].key);
        fingerprint_number(text, requirements[i].operator);
        fingerprint_strings(text, &requirements[i].values);
    }
}

static void put_selector(struct text *text, const struct label_selector *selector)
{
    if (!selector) {
        text_append(text, "~", 1);
        return;
    }
    fingerprint_labels(text, &selector->match_labels);
    put_requirements(text, selector->match_expressions, selector->match_expression_count);
}

static void put_node_term(struct text *text, const struct node_selector_term *term)
{
    put_requirements(text, term->match_expressions, term->match_expression_count);
    put_requirements(text, term->match_fields, term->match_field_count);
}

static void put_probe(struct text *text, const struct probe *probe)
{
    if (!probe) {
        text_append(text, "~", 1);
        return;
    }
    fingerprint_number(text, probe->initial_delay_seconds);
    fingerprint_number(text, probe->timeout_seconds);
    fingerprint_number(text, probe->period_seconds);
    fingerprint_number(text, probe->success_threshold);
    fingerprint_number(text, probe->failure_threshold);
}

static void put_containers(struct text *text, const struct container *containers, uint32_t count)
{
    fingerprint_number(text, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct container *container = &containers[i];
        fingerprint_string(text, container->name);
        fingerprint_string(text, container->image);
        fingerprint_string(text, container->restart_policy);
        fingerprint_number(text, container->restarts_all);
        fingerprint_number(text, container->port_count);
        for (uint32_t p = 0; p < container->port_count; p++) {
            fingerprint_number(text, container->ports[p].container_port);
            fingerprint_number(text, container->ports[p].host_port);
            fingerprint_number(text, container->ports[p].protocol);
            fingerprint_string(text, container->ports[p].host_ip);
        }
        fingerprint_resources(text, &container->resources.requests);
        fingerprint_resources(text, &container->resources.limits);
        put_probe(text, container->readiness_probe);
        put_probe(text, container->liveness_probe);
        put_probe(text, container->startup_probe);
    }
}

static void put_node_affinity(struct text *text, const struct node_affinity *affinity)
{
    if (!affinity) {
        text_append(text, "~", 1);
        return;
    }
    fingerprint_number(text, affinity->required ? (int64_t)affinity->required->term_count : -1);
    for (uint32_t i = 0; affinity->required && i < affinity->required->term_count; i++)
        put_node_term(text, &affinity->required->terms[i]);
    fingerprint_number(text, affinity->preferred_count);
    for (uint32_t i = 0; i < affinity->preferred_count; i++) {
        fingerprint_number(text, affinity->preferred[i].weight);
        put_node_term(text, &affinity->preferred[i].preference);
    }
}

static void put_pod_term(struct text *text, const struct pod_affinity_term *term)
{
    put_selector(text, term->label_selector);
    fingerprint_strings(text, &term->namespaces);
    put_selector(text, term->namespace_selector);
    fingerprint_string(text, term->topology_key);
    fingerprint_strings(text, &term->match_label_keys);
    fingerprint_strings(text, &term->mismatch_label_keys);
}

static void put_pod_affinity(struct text *text, const struct pod_affinity *affinity)
{
    if (!affinity) {
        text_append(text, "~", 1);
        return;
    }
    fingerprint_number(text, affinity->required_count);
    for (uint32_t i = 0; i < affinity->required_count; i++)
        put_pod_term(text, &affinity->required[i]);
    fingerprint_number(text, affinity->preferred_count);
    for (uint32_t i = 0; i < affinity->preferred_count; i++) {
        fingerprint_number(text, affinity->preferred[i].weight);
        put_pod_term(text, &affinity->preferred[i].term);
    }
}

static void put_spread_constraints(struct text *text, const struct pod_spec *spec)
{
    fingerprint_number(text, spec->topology_spread_constraint_count);
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++) {
        const struct topology_spread_constraint *constraint = &spec->topology_spread_constraints[i];
        fingerprint_number(text, constraint->max_skew);
        fingerprint_string(text, constraint->topology_key);
        fingerprint_number(text, constraint->when_unsatisfiable);
        put_selector(text, constraint->label_selector);
        fingerprint_optional(text, constraint->min_domains);
        fingerprint_number(text, constraint->node_affinity_policy);
        fingerprint_number(text, constraint->node_taints_policy);
        fingerprint_strings(text, &constraint->match_label_keys);
    }
}

static void put_volumes(struct text *text, const struct pod *pod)
{
    fingerprint_number(text, pod->spec.volume_count);
    for (uint32_t i = 0; i < pod->spec.volume_count; i++) {
        const struct volume *volume = &pod->spec.volumes[i];
        fingerprint_string(text, volume->name);
        fingerprint_number(text, volume->source);
        fingerprint_string(text, volume->claim_name);
        fingerprint_string(text, volume->disk);
        fingerprint_string(text, volume->image);
        fingerprint_number(text, volume->read_only);
        if (volume->source == VOLUME_EPHEMERAL_CLAIM)
            fingerprint_string(text, pod->meta.name);
    }
}

static void put_requirements_of(struct text *text, const struct resource_requirements *resources)
{
    if (!resources) {
        text_append(text, "~", 1);
        return;
    }
    fingerprint_resources(text, &resources->requests);
    fingerprint_resources(text, &resources->limits);
}

/* What containers have and were promised; nothing if the status does not tell. */
static void put_resizes(struct text *text, const struct container_status *statuses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!statuses[i].resources)
            continue;
        fingerprint_number(text, i);
        fingerprint_string(text, statuses[i].name);
        put_requirements_of(text, statuses[i].resources);
        fingerprint_resources(text, &statuses[i].allocated_resources);
    }
}

static void put_resize(struct text *text, const struct pod_status *status)
{
    const struct condition *pending = conditions_find(&status->conditions, "PodResizePending");
    put_resizes(text, status->container_statuses, status->container_status_count);
    text_append(text, "~", 1);
    put_resizes(text, status->init_container_statuses, status->init_container_status_count);
    put_requirements_of(text, status->resources);
    fingerprint_resources(text, &status->allocated_resources);
    fingerprint_string(text, pending ? pending->reason : NULL);
}

static void put_owner(struct text *text, const struct object_meta *meta)
{
    const struct owner_reference *owner = object_meta_controller(meta);
    fingerprint_string(text, owner ? owner->api_version : NULL);
    fingerprint_string(text, owner ? owner->kind : NULL);
    fingerprint_string(text, owner ? owner->name : NULL);
}

void pod_fingerprint(struct text *text, const struct pod *pod)
{
    const struct pod_spec *spec = &pod->spec;
    fingerprint_string(text, pod->meta.namespace);
    fingerprint_labels(text, &pod->meta.labels);
    put_owner(text, &pod->meta);
    put_containers(text, spec->containers, spec->container_count);
    put_containers(text, spec->init_containers, spec->init_container_count);
    fingerprint_labels(text, &spec->node_selector);
    put_node_affinity(text, spec->affinity ? spec->affinity->node_affinity : NULL);
    put_pod_affinity(text, spec->affinity ? spec->affinity->pod_affinity : NULL);
    put_pod_affinity(text, spec->affinity ? spec->affinity->pod_anti_affinity : NULL);
    fingerprint_tolerations(text, spec->tolerations, spec->toleration_count);
    put_spread_constraints(text, spec);
    fingerprint_optional(text, spec->priority);
    fingerprint_string(text, spec->priority_class_name);
    fingerprint_number(text, spec->preemption_policy);
    fingerprint_string(text, spec->scheduler_name);
    fingerprint_resources(text, &spec->overhead);
    put_requirements_of(text, spec->resources);
    put_resize(text, &pod->status);
    fingerprint_number(text, spec->restart_policy);
    fingerprint_number(text, spec->termination_grace_seconds);
    fingerprint_optional(text, spec->active_deadline_seconds);
    fingerprint_number(text, spec->host_network);
    fingerprint_number(text, spec->host_users);
    put_volumes(text, pod);
    fingerprint_strings(text, &spec->scheduling_gates);
    const uint32_t more = scheduler_reads_pods_by();
    if (more & PLUGIN_READS_POD_NAME)
        fingerprint_string(text, pod->meta.name);
    if (more & PLUGIN_READS_POD_ANNOTATIONS)
        fingerprint_labels(text, &pod->meta.annotations);
}
