/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ResourceQuota: what admission answers to a request, and what the controller
 * computes (apiserver/pkg/admission/plugin/resourcequota and
 * pkg/controller/resourcequota @ v1.26.15).
 */
#ifndef FATHOM_DECIDE_QUOTA_QUOTA_H
#define FATHOM_DECIDE_QUOTA_QUOTA_H

#include "decide/quota/usage.h"
#include "object/object.h"

/* A request to create or to update one object. */
struct quota_request {
    const struct features *features;             /* of a Pod */
    const struct pod_spec *pod;                  /* of a Pod; else NULL */
    const struct service *service;               /* of a Service; else NULL */
    const struct persistent_volume_claim *claim; /* of a PersistentVolumeClaim; else NULL */
    bool is_update;
    struct resource_list usage;      /* of the object */
    const struct resource_list *old; /* of the object before; NULL: not known */
};

/* Is it one that admission looks at? A pod is not refused on update. */
bool quota_handles(const struct quota_request *request);

/* Is the quota about this object? */
bool quota_matches(const struct resource_quota *quota, const struct quota_request *request);

/* What containers of the pod do not state though the quota demands it ("failed quota: ..."); NULL:
 * they state all. */
const char *quota_unstated(struct arena *arena, const struct features *features,
                           const struct resource_quota *quota, const struct pod_spec *pod);

/* What the API server answers; NULL: it admits the request. `used` has status.used of each quota
 * afterwards. The quotas are those of the namespace, with their status. */
const char *quota_admit(struct arena *arena, const struct resource_quota *const *quotas,
                        uint32_t count, const struct quota_request *request,
                        struct resource_list *used);

/* status.used as the controller computes it from the objects of the namespace. */
struct resource_list quota_recalculate(struct arena *arena, const struct features *features,
                                       const struct resource_quota *quota,
                                       const struct objects *objects, int64_t now);

#endif
