/* SPDX-License-Identifier: Apache-2.0 */
/* The schemas and enum names that several kinds share, and the checks that go
 * with them. Checks report what the API server would refuse. */
#ifndef FATHOM_OBJECT_SCHEMAS_H
#define FATHOM_OBJECT_SCHEMAS_H

#include "object/pod.h"
#include "object/schema.h"
#include "object/selector.h"
#include "object/taint.h"

extern const struct schema object_meta_schema;
extern const struct schema condition_schema;
/* apiVersion and kind, which were read before the schema was chosen. */
extern const char *const object_unused[];
extern const struct schema label_selector_schema;
extern const struct schema node_selector_schema;
extern const struct schema node_selector_term_schema;
extern const struct schema taint_schema;
extern const struct schema toleration_schema;
extern const struct schema pod_spec_schema;
extern const struct schema pod_template_schema;

extern const struct enum_name protocol_names[];
extern const struct enum_name preemption_policy_names[];

/* How the name of an object must look. */
enum name_rule { NAME_DNS_SUBDOMAIN, NAME_DNS_LABEL, NAME_DNS_1035_LABEL };

/* The name (or generateName), labels, annotations, owners; `path` is that of
 * the metadata. Templates have no name. */
void object_meta_validate(struct reading *reading, const struct path *path,
                          const struct object_meta *meta, enum name_rule rule);
void template_meta_validate(struct reading *reading, const struct path *path,
                            const struct object_meta *meta);
void labels_validate(struct reading *reading, const struct path *path, const struct labels *labels);

/* Adds a label or replaces its value; the labels that others may share stay. */
void labels_set(struct arena *arena, struct labels *labels, const char *key, const char *value);

/* A selector that is given; whether it may be absent or empty depends on the place. */
void label_selector_validate(struct reading *reading, const struct path *path,
                             const struct label_selector *selector);
void node_selector_term_validate(struct reading *reading, const struct path *path,
                                 const struct node_selector_term *term);
void node_selector_validate(struct reading *reading, const struct path *path,
                            const struct node_selector *selector);

/* Quantities must not be negative, and whole where they count things. */
void resource_list_validate(struct reading *reading, const struct path *path,
                            const struct resource_list *list);
/* Also: names a container can ask for, requests within limits. */
void resource_requirements_validate(struct reading *reading, const struct path *path,
                                    const struct resource_requirements *resources);
/* The API server keeps no more than milli precision in its objects. */
void resource_list_round(struct resource_list *list);
/* Can it be requested for a pod as a whole: cpu, memory, huge pages? */
bool resource_is_of_pods(const char *name);
/* May a container have a request below its limit of it? */
bool resource_overcommits(const char *name);
/* Adds what the list does not have. */
void resource_list_complete(struct arena *arena, struct resource_list *list,
                            const struct resource_list *defaults);

void taints_validate(struct reading *reading, const struct path *path, const struct taint *taints,
                     uint32_t count);
void tolerations_validate(struct reading *reading, const struct path *path,
                          const struct toleration *tolerations, uint32_t count);

/* A pod's spec, by itself or in a template. */
void pod_spec_set_defaults(struct arena *arena, struct pod_spec *spec);
void pod_spec_validate(struct reading *reading, const struct path *path,
                       const struct pod_spec *spec);

#endif
