/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Controllers written down as data: a list of resources, each with a template, that
 * are got, then created or updated, one after the other.
 *
 *     machine:
 *       resources:
 *       - kind: ConfigMap
 *         name: "{name}-pages"
 *         template: {data: {title: {cr: spec.title}}}
 *         remember: {pages: metadata.resourceVersion}
 *       - kind: StatefulSet
 *         name: "{name}"
 *         template:
 *           metadata: {annotations: {pages: {remembered: pages}}}
 *           spec: {replicas: {cr: spec.replicas}, serviceName: "{name}"}
 *         update: [spec.replicas]
 *         ownedOnly: true
 *         remember: {ready: status.readyReplicas}
 *       status: {readyReplicas: {remembered: ready, otherwise: 0}}
 *       immutable: [spec.storage]
 *
 * A machine is a plugin that is built in: it uses what include/fathom/parts.h offers to
 * every plugin, with the check's templates for functions.
 */
#ifndef FATHOM_RECONCILE_FRONT_MACHINE_H
#define FATHOM_RECONCILE_FRONT_MACHINE_H

#include "object/reading.h"
#include "reconcile/front/plugin.h"

/* Reads the mapping at `path`; `plugin` becomes that machine. False after problems. */
bool machine_read(struct reading *reading, const struct path *path, const struct value *value,
                  struct controller_plugin *plugin);

/* --- Templates ---------------------------------------------------------------
 * A template is a value in which {cr: PATH} stands for what the custom resource has
 * there, {remembered: NAME} for what the memory has (with `otherwise: VALUE` beside it,
 * for that if there is nothing), {literal: VALUE} for a value that is to be taken as it
 * is, and texts may hold {name}, {namespace}, {cr: PATH} and {remembered: NAME}; {{ and }}
 * are braces. */

struct template_names {
    const char *const *items; /* of what is remembered already */
    uint32_t count;
};

/* Whether it can be filled in; every mistake is reported where it stands. */
void machine_template_validate(struct reading *reading, const struct path *path,
                               const struct value *value, const struct template_names *remembered);
void template_text_validate(struct reading *reading, const struct path *path, const char *text,
                            const struct template_names *remembered);

/* What fills it in. */
struct template_source {
    struct plugin_call *call;
    const struct datum *custom_resource;
    const struct datum *local;
};

const struct datum *template_fill(const struct template_source *source, const struct datum *form);
const char *template_fill_text(const struct template_source *source, const char *text);

#endif
