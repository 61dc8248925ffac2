/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/similar_groups.h"

#include <math.h>
#include <string.h>

static const double memory_ratio = 0.015; /* by which capacities may differ */
static const double other_ratio = 0.05;   /* the same for allocatable and free resources */

static bool within(double a, double b, double ratio)
{
    const double larger = fmax(a, b);
    return larger - fmin(a, b) <= larger * ratio;
}

static bool capacities_match(const struct resource_list *a, const struct resource_list *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct quantity *own = &a->items[i].quantity;
        const struct quantity *other = resource_list_find(b, a->items[i].name);
        if (!other)
            return false;
        if (strcmp(a->items[i].name, "memory") != 0) {
            if (quantity_compare(*own, *other) != 0)
                return false;
        } else if (!within((double)quantity_milli_value(*own), (double)quantity_milli_value(*other),
                           memory_ratio)) {
            return false;
        }
    }
    return true;
}

static bool allocatables_match(const struct resource_list *a, const struct resource_list *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct quantity *other = resource_list_find(b, a->items[i].name);
        if (!other || !within((double)quantity_milli_value(a->items[i].quantity),
                              (double)quantity_milli_value(*other), other_ratio))
            return false;
    }
    return true;
}

/* What the pods of a template request of a resource, in thousandths; false if none asks for it. */
static bool requested(struct catalog *catalog, const struct group_template *template,
                      const char *resource, int64_t *milli)
{
    enum { MILLI = 1000 };
    bool asked = false;
    *milli = 0;
    for (uint32_t i = 0; i < template->pod_count; i++) {
        struct amounts requests = {0};
        catalog_pod_requests(catalog, template->pods[i]->unbound, &requests);
        if (strcmp(resource, "cpu") == 0)
            *milli += requests.cpu_milli;
        else if (strcmp(resource, "memory") == 0)
            *milli += requests.memory * MILLI;
        else if (strcmp(resource, "ephemeral-storage") == 0)
            *milli += requests.ephemeral_storage * MILLI;
        for (uint32_t k = 0; k < requests.scalar_count; k++) {
            if (strcmp(catalog->resources.items[requests.scalars[k].resource], resource) != 0)
                continue;
            asked = true;
            *milli += requests.scalars[k].amount * MILLI;
        }
    }
    return asked;
}

static double free_milli(const struct group_template *template, const char *resource,
                         int64_t used_milli)
{
    const struct quantity *allocatable =
        resource_list_find(&template->node->status.allocatable, resource);
    return (double)((allocatable ? quantity_milli_value(*allocatable) : 0) - used_milli);
}

/* Free is what the pods that every node has leave of allocatable. An extended resource is compared
 * if they ask for it, and has to be asked for on both sides. */
static bool free_matches(struct catalog *catalog, const struct group_template *a,
                         const struct group_template *b)
{
    static const char *const usual[] = {"cpu", "memory", "ephemeral-storage", "pods"};
    enum { USUAL = sizeof(usual) / sizeof(usual[0]) };
    int64_t left;
    int64_t right;
    for (uint32_t i = 0; i < USUAL + catalog->resources.count; i++) {
        const char *name = i < USUAL ? usual[i] : catalog->resources.items[i - USUAL];
        const bool asked_left = requested(catalog, a, name, &left);
        const bool asked_right = requested(catalog, b, name, &right);
        if (asked_left != asked_right)
            return false;
        if ((i < USUAL || asked_left) &&
            !within(free_milli(a, name, left), free_milli(b, name, right), other_ratio))
            return false;
    }
    return true;
}

static bool label_is_ignored(const struct cluster_autoscaler *autoscaler, const char *key)
{
    static const char *const keys[] = {
        LABEL_HOSTNAME,
        "failure-domain.beta.kubernetes.io/zone",
        "failure-domain.beta.kubernetes.io/region",
        "topology.kubernetes.io/zone",
        "topology.kubernetes.io/region",
        "beta.kubernetes.io/fluentd-ds-ready",
        "kops.k8s.io/instancegroup",
    };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return string_list_has(&autoscaler->options.ignored_labels, key);
}

static bool labels_match(const struct cluster_autoscaler *autoscaler, const struct labels *a,
                         const struct labels *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const char *other = labels_find(b, a->items[i].key);
        if (!label_is_ignored(autoscaler, a->items[i].key) &&
            (!other || strcmp(other, a->items[i].value) != 0))
            return false;
    }
    return true;
}

bool groups_are_similar(const struct cluster_autoscaler *autoscaler,
                        const struct autoscaler_group *a, const struct autoscaler_group *b)
{
    const struct node *left = a->template->node;
    const struct node *right = b->template->node;
    return capacities_match(&left->status.capacity, &right->status.capacity) &&
           allocatables_match(&left->status.allocatable, &right->status.allocatable) &&
           free_matches(autoscaler->simulation->catalog, a->template, b->template) &&
           labels_match(autoscaler, &left->meta.labels, &right->meta.labels) &&
           labels_match(autoscaler, &right->meta.labels, &left->meta.labels);
}
