/* SPDX-License-Identifier: Apache-2.0 */
/* metadata and conditions: what every kind has. */

#include "object/schemas.h"

#include <string.h>

static const struct field owner_reference_fields[] = {
    FIELD_STRING("apiVersion", owner_reference, api_version, FIELD_REQUIRED),
    FIELD_BOOLEAN("blockOwnerDeletion", owner_reference, block_owner_deletion, false),
    FIELD_BOOLEAN("controller", owner_reference, controller, false),
    FIELD_STRING("kind", owner_reference, kind, FIELD_REQUIRED),
    FIELD_STRING("name", owner_reference, name, FIELD_REQUIRED),
    FIELD_STRING("uid", owner_reference, uid, 0),
};
static const struct schema owner_reference_schema = SCHEMA(owner_reference, owner_reference_fields);

static const struct field object_meta_fields[] = {
    FIELD_LABELS("annotations", object_meta, annotations),
    FIELD_INSTANT("creationTimestamp", object_meta, creation_time),
    FIELD_OPTIONAL_INT("deletionGracePeriodSeconds", object_meta, deletion_grace_seconds, INT64_MIN,
                       INT64_MAX),
    FIELD_INSTANT("deletionTimestamp", object_meta, deletion_time),
    FIELD_STRINGS("finalizers", object_meta, finalizers, 0),
    FIELD_STRING("generateName", object_meta, generate_name, 0),
    FIELD_INT64("generation", object_meta, generation, 0, 0, INT64_MAX, 0),
    FIELD_LABELS("labels", object_meta, labels),
    FIELD_STRING("name", object_meta, name, 0),
    FIELD_STRING("namespace", object_meta, namespace, 0),
    FIELD_LIST("ownerReferences", object_meta, owners, owner_count, 0, owner_reference_schema),
    FIELD_STRING("resourceVersion", object_meta, resource_version, 0),
    FIELD_STRING("uid", object_meta, uid, 0),
};
static const char *const object_meta_unused[] = {"clusterName", "managedFields", "selfLink", NULL};
const struct schema object_meta_schema =
    SCHEMA_COMPLETE(object_meta, object_meta_fields, object_meta_unused);

static const struct field condition_fields[] = {
    FIELD_INSTANT("lastHeartbeatTime", condition, last_heartbeat_time),
    FIELD_INSTANT("lastTransitionTime", condition, last_transition_time),
    FIELD_INSTANT("lastUpdateTime", condition, last_update_time),
    FIELD_STRING("message", condition, message, 0),
    FIELD_STRING("reason", condition, reason, 0),
    FIELD_STRING("status", condition, status, 0),
    FIELD_STRING("type", condition, type, FIELD_REQUIRED),
};
const struct schema condition_schema = SCHEMA(condition, condition_fields);
