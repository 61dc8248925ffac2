/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_OBJECT_NODE_H
#define FATHOM_OBJECT_NODE_H

#include "object/meta.h"
#include "object/quantity.h"
#include "object/taint.h"

#define LABEL_HOSTNAME      "kubernetes.io/hostname"
#define TAINT_NOT_READY     "node.kubernetes.io/not-ready"
#define TAINT_UNREACHABLE   "node.kubernetes.io/unreachable"
#define TAINT_UNSCHEDULABLE "node.kubernetes.io/unschedulable"

struct container_image {
    struct string_list names;
    int64_t size_bytes;
};

struct node_spec {
    bool unschedulable;
    struct taint *taints;
    uint32_t taint_count;
    const char *provider_id;
};

struct node_status {
    struct resource_list capacity;
    struct resource_list allocatable; /* defaulted to the capacity */
    struct conditions conditions;
    struct container_image *images;
    uint32_t image_count;
    struct string_list declared_features; /* 1.36 on */
    const char *kubelet_version;          /* nodeInfo.kubeletVersion: v1.31.4 */
};

struct node {
    struct object_meta meta;
    struct node_spec spec;
    struct node_status status;
};

#endif
