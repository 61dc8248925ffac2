/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods and claims the scopes of a quota match. */
#include "decide/pod_qos.h"
#include "decide/quota/usage.h"

#include <string.h>

static bool is_terminating(const struct pod_spec *spec)
{
    return spec->active_deadline_seconds.set && spec->active_deadline_seconds.value >= 0;
}

static bool reaches_out(const struct pod_affinity_term *term)
{
    return term->namespaces.count > 0 || term->namespace_selector;
}

static bool affinity_reaches_out(const struct pod_affinity *affinity)
{
    for (uint32_t i = 0; affinity && i < affinity->required_count; i++)
        if (reaches_out(&affinity->required[i]))
            return true;
    for (uint32_t i = 0; affinity && i < affinity->preferred_count; i++)
        if (reaches_out(&affinity->preferred[i].term))
            return true;
    return false;
}

static bool lists(const struct string_list *values, const char *text)
{
    for (uint32_t i = 0; i < values->count; i++)
        if (strcmp(values->items[i], text) == 0)
            return true;
    return false;
}

static bool class_fits(const struct scope_requirement *requirement, const char *class)
{
    const bool has_class = class && *class;
    switch (requirement->operator) {
    case SCOPE_IN: return has_class && lists(&requirement->values, class);
    case SCOPE_NOT_IN: return !has_class || !lists(&requirement->values, class);
    case SCOPE_EXISTS: return has_class;
    case SCOPE_DOES_NOT_EXIST: return !has_class;
    }
    return false;
}

static bool is_best_effort(const struct features *features, const struct pod_spec *spec)
{
    return pod_qos_of(features, spec) == POD_BEST_EFFORT;
}

static bool requirement_matches(const struct features *features,
                                const struct scope_requirement *requirement,
                                const struct pod_spec *spec)
{
    const char *scope = requirement->scope ? requirement->scope : "";
    if (strcmp(scope, "Terminating") == 0)
        return is_terminating(spec);
    if (strcmp(scope, "NotTerminating") == 0)
        return !is_terminating(spec);
    if (strcmp(scope, "BestEffort") == 0)
        return is_best_effort(features, spec);
    if (strcmp(scope, "NotBestEffort") == 0)
        return !is_best_effort(features, spec);
    if (strcmp(scope, "PriorityClass") == 0)
        return class_fits(requirement, spec->priority_class_name);
    if (strcmp(scope, "CrossNamespacePodAffinity") == 0)
        return spec->affinity && (affinity_reaches_out(spec->affinity->pod_affinity) ||
                                  affinity_reaches_out(spec->affinity->pod_anti_affinity));
    return false;
}

bool quota_matches_pod(const struct features *features, const struct resource_quota *quota,
                       const struct pod_spec *spec)
{
    for (uint32_t i = 0; i < quota->scopes.count; i++) {
        const struct scope_requirement requirement = {.scope = quota->scopes.items[i],
                                                      .operator= SCOPE_EXISTS };
        if (!requirement_matches(features, &requirement, spec))
            return false;
    }
    for (uint32_t i = 0; i < quota->scope_requirement_count; i++)
        if (!requirement_matches(features, &quota->scope_requirements[i], spec))
            return false;
    return true;
}

static bool claim_fits(const struct scope_requirement *requirement,
                       const struct persistent_volume_claim *claim)
{
    return requirement->scope && strcmp(requirement->scope, "VolumeAttributesClass") == 0 &&
           class_fits(requirement, claim->attributes_class);
}

bool quota_matches_claim(const struct resource_quota *quota,
                         const struct persistent_volume_claim *claim)
{
    for (uint32_t i = 0; i < quota->scopes.count; i++) {
        const struct scope_requirement requirement = {.scope = quota->scopes.items[i],
                                                      .operator= SCOPE_EXISTS };
        if (!claim_fits(&requirement, claim))
            return false;
    }
    for (uint32_t i = 0; i < quota->scope_requirement_count; i++)
        if (!claim_fits(&quota->scope_requirements[i], claim))
            return false;
    return true;
}

bool quota_has_scopes(const struct resource_quota *quota)
{
    return quota->scopes.count > 0 || quota->scope_requirement_count > 0;
}
