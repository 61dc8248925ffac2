/* SPDX-License-Identifier: Apache-2.0 */
/* Fields that both versions of DeschedulerPolicy and the arguments of its
 * plugins have in common. */
#ifndef FATHOM_OBJECT_DESCHEDULER_FIELDS_H
#define FATHOM_OBJECT_DESCHEDULER_FIELDS_H

#include "object/descheduler_policy.h"
#include "object/schema.h"

/* A field that a later version of the descheduler has added. */
#define LATER(field) \
    FIELD_REFUSED(field, "not modelled: only later versions of the descheduler know it")

/* How many pods may be evicted, by namespace and by node. */
#define DESCHEDULER_LIMIT_FIELDS                                             \
    FIELD_OPTIONAL_INT("maxNoOfPodsToEvictPerNamespace", descheduler_policy, \
                       evictions_per_namespace_most, 0, INT64_MAX),          \
        FIELD_OPTIONAL_INT("maxNoOfPodsToEvictPerNode", descheduler_policy,  \
                           evictions_per_node_most, 0, INT64_MAX)

/* Arguments may name their type, which the name of the plugin tells already. */
extern const char *const descheduler_type_fields[];

/* A selector that is written as text, "" counting as absent. */
void selector_text_decode(struct reading *reading, const struct path *path,
                          const struct value *value, struct label_selector **target);
void selector_text_encode(struct arena *scratch, struct json_out *json, const char *key,
                          const struct label_selector *selector);

/* `nodeSelector` of a policy. */
extern const struct field_hook descheduler_nodes_hook;

#endif
