/* SPDX-License-Identifier: Apache-2.0 */
/* PersistentVolume, PersistentVolumeClaim, StorageClass: as far as scheduling looks at them. */
#ifndef FATHOM_OBJECT_STORAGE_H
#define FATHOM_OBJECT_STORAGE_H

#include "object/meta.h"
#include "object/quantity.h"
#include "object/selector.h"

struct claim_reference {
    const char *namespace;
    const char *name;
    const char *uid;
};

struct persistent_volume {
    struct object_meta meta;
    struct resource_list capacity;
    struct string_list access_modes;
    const char *storage_class_name; /* "" when absent */
    const char *volume_mode;        /* "Filesystem" */
    struct claim_reference *claim;  /* NULL: free */
    struct node_selector *node_affinity;
    const char *csi_driver;
    const char *disk_source; /* the member of its spec that says what disk it is, of plugins that
                                attach disks to nodes; NULL: of none of them but maybe `csi` */
    const char *phase;
};

struct persistent_volume_claim {
    struct object_meta meta;
    struct resource_list requests;
    struct string_list access_modes;
    const char *storage_class_name; /* NULL and "" differ */
    const char *attributes_class;   /* NULL: none */
    const char *volume_mode;
    const char *volume_name; /* NULL: not bound */
    struct label_selector *selector;
    const char *phase;
};

enum volume_binding_mode { VOLUME_BINDING_IMMEDIATE, VOLUME_BINDING_WAIT_FOR_FIRST_CONSUMER };

struct storage_class {
    struct object_meta meta;
    const char *provisioner;
    enum volume_binding_mode volume_binding_mode;
    struct labels parameters;
    struct node_selector_term *allowed_topologies;
    uint32_t allowed_topology_count;
};

#endif
