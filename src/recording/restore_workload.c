/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes, and the objects that the user made. */
#include "recording/restore_parts.h"

#include <string.h>

/* ---- nodes ---- */

/* Labels that every kubelet sets, and recordings leave out. */
static void write_usual_labels(struct json_out *json, const struct value *given)
{
    static const struct {
        const char *key;
        const char *value;
    } usual[] = {{"kubernetes.io/os", "linux"}, {"kubernetes.io/arch", "amd64"}};
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
        if (!value_find(given, usual[i].key))
            json_string(json, usual[i].key, usual[i].value);
}

bool restore_node(struct restorer *restorer, struct json_out *json, const struct version *version)
{
    static const char *const none[] = {NULL};
    const struct value *line = version->line;
    const char *ready = value_find_string(line, "ready");
    json_string(json, "apiVersion", "v1");
    json_string(json, "kind", "Node");
    json_object_begin(json, "metadata");
    restore_identity(restorer, json, version);
    json_object_begin(json, "labels");
    restore_members(json, value_find(line, "labels"), none);
    write_usual_labels(json, value_find(line, "labels"));
    json_object_end(json);
    json_object_end(json);
    json_object_begin(json, "spec");
    json_boolean(json, "unschedulable", line_says(line, "unschedulable"));
    if (!value_is_null(value_find(line, "taints")))
        value_write_json(json, "taints", value_find(line, "taints"));
    json_object_end(json);
    json_object_begin(json, "status");
    if (!value_is_null(value_find(line, "allocatable"))) {
        value_write_json(json, "allocatable", value_find(line, "allocatable"));
        value_write_json(json, "capacity", value_find(line, "allocatable"));
    }
    json_array_begin(json, "conditions");
    if (ready)
        restore_condition(json, "Ready", ready, value_find_string(line, "readyReason"),
                          restore_time(restorer, version_since(version, "ready")));
    json_array_end(json);
    json_object_end(json);
    return true;
}

/* ---- workloads and policies ---- */

enum { MEMBERS_MOST = 24 };

/* "8487ccbd6f" of "web-8487ccbd6f". */
static const char *hash_of(const char *name)
{
    const char *dash = strrchr(name, '-');
    return dash ? dash + 1 : name;
}

static void write_annotation(struct json_out *json, const struct value *line, const char *key)
{
    const char *value = value_find_string(line, key);
    if (value)
        json_string(json,
                    strcmp(key, "revision") == 0 ? "deployment.kubernetes.io/revision"
                    : strcmp(key, "desired-replicas") == 0
                        ? "deployment.kubernetes.io/desired-replicas"
                        : "deployment.kubernetes.io/max-replicas",
                    value);
}

bool restore_replica_set(struct restorer *restorer, struct json_out *json,
                         const struct version *version)
{
    static const char *const none[] = {NULL};
    const struct value *line = version->line;
    const struct value *owner = value_find(line, "owner");
    const struct value *manifest =
        restore_owner_manifest(restorer->recording, "ReplicaSet", version->thing->namespace,
                               version->thing->name, value_find_string(line, "image"));
    const struct value *spec = value_find(manifest, "spec");
    const char *hash = line_item(owner, 0) ? hash_of(version->thing->name) : NULL;
    const struct value *selector = value_find(spec, "selector");
    static const char *const except[] = {"matchLabels", NULL};
    int64_t replicas = 0;
    if (value_is_null(spec))
        return false;
    value_read_integer(value_find(line, "replicas"), &replicas);
    json_string(json, "apiVersion", "apps/v1");
    json_string(json, "kind", "ReplicaSet");
    json_object_begin(json, "metadata");
    restore_identity(restorer, json, version);
    json_object_begin(json, "labels");
    restore_members(
        json, value_find(value_find(restore_template_of(manifest), "metadata"), "labels"), none);
    if (hash)
        json_string(json, "pod-template-hash", hash);
    json_object_end(json);
    json_object_begin(json, "annotations");
    write_annotation(json, line, "revision");
    write_annotation(json, line, "desired-replicas");
    write_annotation(json, line, "max-replicas");
    json_object_end(json);
    json_object_end(json);
    json_object_begin(json, "spec");
    json_integer(json, "replicas", replicas);
    if (!value_is_null(value_find(spec, "minReadySeconds")))
        value_write_json(json, "minReadySeconds", value_find(spec, "minReadySeconds"));
    json_object_begin(json, "selector");
    restore_members(json, selector, except);
    json_object_begin(json, "matchLabels");
    restore_members(json, value_find(selector, "matchLabels"), none);
    if (hash)
        json_string(json, "pod-template-hash", hash);
    json_object_end(json);
    json_object_end(json);
    restore_template(json, restore_template_of(manifest), value_find_string(line, "image"), hash);
    json_object_end(json);
    restore_status(restorer, json, version);
    return true;
}

/* The generation of a DaemonSet's template: it changes with the image. */
static uint32_t templates_so_far(const struct version *version)
{
    uint32_t generation = 1;
    for (const struct version *at = version_birth(version); at < version; at++) {
        const char *image = value_find_string(at->line, "image");
        const char *next = value_find_string(at[1].line, "image");
        generation += image && next && strcmp(image, next) != 0;
    }
    return generation;
}

/* What the manifest says, but for what the line says of itself. */
static void write_spec(struct json_out *json, const struct version *version,
                       const struct value *spec)
{
    static const char *const own[] = {"replicas", "template", "paused", "hard", NULL};
    static const char *const none[] = {NULL};
    const char *except[MEMBERS_MOST + 8] = {NULL};
    uint32_t count = 0;
    const struct value *line = version->line;
    const struct value *said = value_find(line, "spec");
    const struct value *strategy = value_find(line, "strategy");
    const struct value *policy = value_find(line, "podManagementPolicy");
    const bool is_mapping = !value_is_null(said) && said->kind == VALUE_MAPPING;
    const char *strategy_key =
        strcmp(version->thing->kind, "Deployment") == 0 ? "strategy" : "updateStrategy";
    for (const char *const *key = own; *key; key++)
        except[count++] = *key;
    if (!value_is_null(strategy))
        except[count++] = strategy_key;
    if (!value_is_null(policy))
        except[count++] = "podManagementPolicy";
    if (is_mapping && strcmp(version->thing->kind, "PodDisruptionBudget") == 0) {
        except[count++] = "minAvailable";
        except[count++] = "maxUnavailable";
    }
    if (is_mapping)
        VALUE_EACH_MEMBER(said, member)
        {
            if (count < MEMBERS_MOST)
                except[count++] = member->key;
        }
    restore_members(json, spec, except);
    if (is_mapping)
        restore_members(json, said, none);
    if (!value_is_null(strategy))
        value_write_json(json, strategy_key, strategy);
    if (!value_is_null(policy))
        value_write_json(json, "podManagementPolicy", policy);
}

/* Deployment, StatefulSet, DaemonSet, Job, PodDisruptionBudget and the like:
 * the manifest, with what the line says of size, template, status. */
bool restore_from_manifest(struct restorer *restorer, struct json_out *json,
                           const struct version *version)
{
    static const char *const except_root[] = {"metadata", "spec", "status", NULL};
    static const char *const except_meta[] = {"name",       "namespace",   "creationTimestamp",
                                              "generation", "annotations", NULL};
    static const char *const none[] = {NULL};
    const struct value *line = version->line;
    /* Applied anew it is the same object, and only the spec another. */
    const struct value *first =
        recording_manifest(restorer->recording, version->thing->kind, version->thing->name, NULL);
    const struct value *metadata = value_find(first, "metadata");
    const struct value *manifest =
        recording_manifest(restorer->recording, version->thing->kind, version->thing->name,
                           value_find_string(line, "image"));
    const struct value *spec = value_find(manifest, "spec");
    if (!manifest) {
        problem_error(restorer->problems, value_place(line), NULL,
                      "expected a manifest of %s/%s, found none", version->thing->kind,
                      version->thing->name);
        return false;
    }
    restore_members(json, manifest, except_root);
    json_object_begin(json, "metadata");
    restore_members(json, metadata, except_meta);
    restore_identity(restorer, json, version);
    json_object_begin(json, "annotations");
    restore_members(json, value_find(metadata, "annotations"), none);
    write_annotation(json, line, "revision");
    if (strcmp(version->thing->kind, "DaemonSet") == 0)
        json_string(json, "deprecated.daemonset.template.generation",
                    arena_printf(restorer->recording->arena, "%u", templates_so_far(version)));
    json_object_end(json);
    json_object_end(json);
    json_object_begin(json, "spec");
    write_spec(json, version, spec);
    if (!value_is_null(value_find(line, "replicas")))
        value_write_json(json, "replicas", value_find(line, "replicas"));
    if (line_says(line, "paused"))
        json_boolean(json, "paused", true);
    if (!value_is_null(value_find(line, "hard")))
        value_write_json(json, "hard", value_find(line, "hard"));
    if (!value_is_null(restore_template_of(manifest)))
        restore_template(json, restore_template_of(manifest), value_find_string(line, "image"),
                         NULL);
    json_object_end(json);
    restore_status(restorer, json, version);
    return true;
}
