/* SPDX-License-Identifier: Apache-2.0 */
/* What an object uses of a quota, and which names of a quota are about its kind
 * (pkg/quota/v1/evaluator/core @ v1.26.15). */
#ifndef FATHOM_DECIDE_QUOTA_USAGE_H
#define FATHOM_DECIDE_QUOTA_USAGE_H

#include "decide/features.h"
#include "object/pod.h"
#include "object/policy.h"
#include "object/storage.h"

/* A finished pod, and one that should be gone, uses `count/pods` alone. */
bool quota_counts_pod(const struct pod *pod, int64_t now);

/* `charged`: what quota_counts_pod says; always true for a new pod. */
struct resource_list quota_pod_usage(struct arena *arena, const struct features *features,
                                     const struct pod_spec *spec, bool charged);
struct resource_list quota_service_usage(struct arena *arena, const struct service *service);
struct resource_list quota_claim_usage(struct arena *arena,
                                       const struct persistent_volume_claim *claim);
/* Of an object of any other kind: one of its own. */
struct resource_list quota_object_usage(struct arena *arena, const char *api_version,
                                        const char *kind);

/* Whether a name of a quota is about pods, Services, claims. Of other kinds, the names that their
 * usage has. */
bool quota_name_of_pods(const char *name);
bool quota_name_of_services(const char *name);
bool quota_name_of_claims(const char *name);
/* A name that counts objects, of whatever kind. */
bool quota_name_of_objects(const char *name);

/* Do all scopes of the quota match the pod? */
bool quota_matches_pod(const struct features *features, const struct resource_quota *quota,
                       const struct pod_spec *spec);
/* ... the claim? Only its VolumeAttributesClass is one. */
bool quota_matches_claim(const struct resource_quota *quota,
                         const struct persistent_volume_claim *claim);
/* No scope matches an object of another kind. */
bool quota_has_scopes(const struct resource_quota *quota);

/* How LimitRanges of this version add the amounts of a pod's containers. */
enum pod_totals limit_range_totals(const struct features *features);

#endif
