/* SPDX-License-Identifier: Apache-2.0 */
/* Strings are written with their length in front, lists with their count, so
 * that no content of one field can look like the beginning of the next. */
#include "model/pod_fingerprint.h"

#include <string.h>

static void put_number(struct text *text, int64_t number)
{
    char digits[24];
    char *end = digits + sizeof(digits);
    char *next = end;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    *--next = ';';
    do {
        *--next = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0)
        *--next = '-';
    text_append(text, next, (size_t)(end - next));
}

static void put_string(struct text *text, const char *string)
{
    if (!string) {
        text_append(text, "~", 1);
        return;
    }
    size_t length = strlen(string);
    put_number(text, (int64_t)length);
    text_append(text, string, length);
}

static void put_optional(struct text *text, struct optional_int value)
{
    if (value.set)
        put_number(text, value.value);
    else
        text_append(text, "~", 1);
}

static void put_strings(struct text *text, const struct string_list *list)
{
    put_number(text, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        put_string(text, list->items[i]);
}

static void put_labels(struct text *text, const struct labels *labels)
{
    put_number(text, labels->count);
    for (uint32_t i = 0; i < labels->count; i++) {
        put_string(text, labels->items[i].key);
        put_string(text, labels->items[i].value);
    }
}

static void put_resources(struct text *text, const struct resource_list *list)
{
    put_number(text, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        put_string(text, list->items[i].name);
        put_number(text, (int64_t)(list->items[i].quantity.nanos >> 64));
        put_number(text, (int64_t)list->items[i].quantity.nanos);
    }
}

static void put_requirements(struct text *text, const struct selector_requirement *requirements,
                             uint32_t count)
{
    put_number(text, count);
    for (uint32_t i = 0; i < count; i++) {
        put_string(text, requirements[i].key);
        put_number(text, requirements[i].operator);
        put_strings(text, &requirements[i].values);
    }
}

static void put_selector(struct text *text, const struct label_selector *selector)
{
    if (!selector) {
        text_append(text, "~", 1);
        return;
    }
    put_labels(text, &selector->match_labels);
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
    put_number(text, probe->initial_delay_seconds);
    put_number(text, probe->timeout_seconds);
    put_number(text, probe->period_seconds);
    put_number(text, probe->success_threshold);
    put_number(text, probe->failure_threshold);
}

static void put_containers(struct text *text, const struct container *containers, uint32_t count)
{
    put_number(text, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct container *container = &containers[i];
        put_string(text, container->name);
        put_string(text, container->image);
        put_string(text, container->restart_policy);
        put_number(text, container->port_count);
        for (uint32_t p = 0; p < container->port_count; p++) {
            put_number(text, container->ports[p].container_port);
            put_number(text, container->ports[p].host_port);
            put_number(text, container->ports[p].protocol);
            put_string(text, container->ports[p].host_ip);
        }
        put_resources(text, &container->resources.requests);
        put_resources(text, &container->resources.limits);
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
    put_number(text, affinity->required ? (int64_t)affinity->required->term_count : -1);
    for (uint32_t i = 0; affinity->required && i < affinity->required->term_count; i++)
        put_node_term(text, &affinity->required->terms[i]);
    put_number(text, affinity->preferred_count);
    for (uint32_t i = 0; i < affinity->preferred_count; i++) {
        put_number(text, affinity->preferred[i].weight);
        put_node_term(text, &affinity->preferred[i].preference);
    }
}

static void put_pod_term(struct text *text, const struct pod_affinity_term *term)
{
    put_selector(text, term->label_selector);
    put_strings(text, &term->namespaces);
    put_selector(text, term->namespace_selector);
    put_string(text, term->topology_key);
    put_strings(text, &term->match_label_keys);
    put_strings(text, &term->mismatch_label_keys);
}

static void put_pod_affinity(struct text *text, const struct pod_affinity *affinity)
{
    if (!affinity) {
        text_append(text, "~", 1);
        return;
    }
    put_number(text, affinity->required_count);
    for (uint32_t i = 0; i < affinity->required_count; i++)
        put_pod_term(text, &affinity->required[i]);
    put_number(text, affinity->preferred_count);
    for (uint32_t i = 0; i < affinity->preferred_count; i++) {
        put_number(text, affinity->preferred[i].weight);
        put_pod_term(text, &affinity->preferred[i].term);
    }
}

static void put_tolerations(struct text *text, const struct pod_spec *spec)
{
    put_number(text, spec->toleration_count);
    for (uint32_t i = 0; i < spec->toleration_count; i++) {
        const struct toleration *toleration = &spec->tolerations[i];
        put_string(text, toleration->key);
        put_number(text, toleration->operator);
        put_string(text, toleration->value);
        put_number(text, toleration->effect);
        put_optional(text, toleration->toleration_seconds);
    }
}

static void put_spread_constraints(struct text *text, const struct pod_spec *spec)
{
    put_number(text, spec->topology_spread_constraint_count);
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++) {
        const struct topology_spread_constraint *constraint = &spec->topology_spread_constraints[i];
        put_number(text, constraint->max_skew);
        put_string(text, constraint->topology_key);
        put_number(text, constraint->when_unsatisfiable);
        put_selector(text, constraint->label_selector);
        put_optional(text, constraint->min_domains);
        put_number(text, constraint->node_affinity_policy);
        put_number(text, constraint->node_taints_policy);
        put_strings(text, &constraint->match_label_keys);
    }
}

static void put_volumes(struct text *text, const struct pod *pod)
{
    put_number(text, pod->spec.volume_count);
    for (uint32_t i = 0; i < pod->spec.volume_count; i++) {
        const struct volume *volume = &pod->spec.volumes[i];
        put_string(text, volume->name);
        put_number(text, volume->source);
        put_string(text, volume->claim_name);
        put_string(text, volume->disk);
        put_number(text, volume->read_only);
        if (volume->source == VOLUME_EPHEMERAL_CLAIM)
            put_string(text, pod->meta.name);
    }
}

static void put_owner(struct text *text, const struct object_meta *meta)
{
    const struct owner_reference *owner = object_meta_controller(meta);
    put_string(text, owner ? owner->api_version : NULL);
    put_string(text, owner ? owner->kind : NULL);
    put_string(text, owner ? owner->name : NULL);
}

void pod_fingerprint(struct text *text, const struct pod *pod)
{
    const struct pod_spec *spec = &pod->spec;
    put_string(text, pod->meta.namespace);
    put_labels(text, &pod->meta.labels);
    put_owner(text, &pod->meta);
    put_containers(text, spec->containers, spec->container_count);
    put_containers(text, spec->init_containers, spec->init_container_count);
    put_labels(text, &spec->node_selector);
    put_node_affinity(text, spec->affinity ? spec->affinity->node_affinity : NULL);
    put_pod_affinity(text, spec->affinity ? spec->affinity->pod_affinity : NULL);
    put_pod_affinity(text, spec->affinity ? spec->affinity->pod_anti_affinity : NULL);
    put_tolerations(text, spec);
    put_spread_constraints(text, spec);
    put_optional(text, spec->priority);
    put_string(text, spec->priority_class_name);
    put_number(text, spec->preemption_policy);
    put_string(text, spec->scheduler_name);
    put_resources(text, &spec->overhead);
    put_number(text, spec->restart_policy);
    put_number(text, spec->termination_grace_seconds);
    put_optional(text, spec->active_deadline_seconds);
    put_number(text, spec->host_network);
    put_volumes(text, pod);
    put_strings(text, &spec->scheduling_gates);
}
