/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects as people write them. The cluster's own additions are left out: statuses, uids,
 * dates, taints of the node controller. What became of the pods of a template is added, as
 * the annotations by which a Check knows it.
 */
#include "manifest/yaml_writer.h"
#include "recording/as_check_parts.h"

#include <string.h>

/* ---- what became of pods ---- */

/* Pods that have a node for this long have had time to become ready. */
#define TIME_TO_READY 3.0

static const char *image_of(const struct version *version)
{
    const char *said = value_find_string(version->line, "image");
    const struct value *object = value_find(version->line, "object");
    const struct value *containers = value_find(value_find(object, "spec"), "containers");
    if (!said && items_of(containers) > 0)
        said = value_find_string(&containers->items[0], "image");
    return said;
}

static bool condition_holds(const struct value *status, const char *type)
{
    const struct value *conditions = value_find(status, "conditions");
    for (uint32_t i = 0; conditions && i < items_of(conditions); i++) {
        const char *its_type = value_find_string(&conditions->items[i], "type");
        const char *truth = value_find_string(&conditions->items[i], "status");
        if (its_type && truth && strcmp(its_type, type) == 0)
            return strcmp(truth, "True") == 0;
    }
    return false;
}

static bool is_ready(const struct version *version)
{
    return line_says(version->line, "ready") ||
           condition_holds(value_find(value_find(version->line, "object"), "status"), "Ready");
}

static const char *phase_of(const struct version *version)
{
    const char *said = value_find_string(version->line, "phase");
    const struct value *status = value_find(value_find(version->line, "object"), "status");
    return said ? said : value_find_string(status, "phase");
}

struct fate {
    bool ready;  /* some pod was */
    bool waited; /* some pod had a node for long enough */
    bool succeeded;
    bool failed;
};

static void add_fate(const struct converter *converter, const struct thing *pod, struct fate *fate)
{
    double bound = -1;
    double until = converter_end(converter);
    for (uint32_t i = 0; i < pod->versions.count; i++) {
        const struct version *version = &pod->versions.items[i];
        const char *phase = phase_of(version);
        fate->ready |= is_ready(version);
        fate->succeeded |= phase && strcmp(phase, "Succeeded") == 0;
        fate->failed |= phase && strcmp(phase, "Failed") == 0;
        if (bound < 0 && value_find_string(version->line, "nodeName"))
            bound = version->time;
        if (version->gone || line_says(version->line, "deleting"))
            until = version->time < until ? version->time : until;
    }
    fate->waited |= bound >= 0 && until - bound >= TIME_TO_READY;
}

/* Of the workload's pods with this image. */
static struct fate fate_of(const struct converter *converter, const struct thing *workload,
                           const char *image)
{
    const struct recording *recording = converter->recording;
    struct fate fate = {0};
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        const char *its_image = strcmp(thing->kind, "Pod") == 0 && thing->versions.count > 0
                                    ? image_of(&thing->versions.items[0])
                                    : NULL;
        if (its_image && (!image || strcmp(its_image, image) == 0) &&
            converter_owner(converter, &thing->versions.items[0]) == workload)
            add_fate(converter, thing, &fate);
    }
    return fate;
}

const struct version *converter_guest(const struct converter *converter, const struct thing *pod)
{
    const struct version *found = NULL;
    if (strcmp(pod->kind, "Pod") != 0 || pod->versions.count == 0 ||
        !value_is_null(value_find(pod->versions.items[0].line, "owner")) ||
        !written_by(converter_deed(converter, pod->versions.items[0].rv), "user"))
        return NULL;
    for (uint32_t i = 0; i < pod->versions.count; i++) {
        const struct version *version = &pod->versions.items[i];
        if (version->gone || line_says(version->line, "deleting"))
            break;
        if (value_find_string(version->line, "nodeName") && !(found && is_ready(found)))
            found = version;
    }
    return found;
}

/* ---- documents ---- */

static bool is_one_of(const char *key, const char *const *keys)
{
    for (; *keys; keys++)
        if (strcmp(key, *keys) == 0)
            return true;
    return false;
}

/* The object is begun with its first member, and left out without any. */
struct maybe {
    struct json_out *json;
    const char *name;
    bool begun;
};

static void maybe_begin(struct maybe *maybe)
{
    if (!maybe->begun)
        json_object_begin(maybe->json, maybe->name);
    maybe->begun = true;
}

static void maybe_end(const struct maybe *maybe)
{
    if (maybe->begun)
        json_object_end(maybe->json);
}

static void write_annotations(struct maybe *maybe, const struct value *annotations)
{
    static const char *const added[] = {"kubectl.kubernetes.io/last-applied-configuration",
                                        "deployment.kubernetes.io/revision",
                                        "deprecated.daemonset.template.generation", NULL};
    VALUE_EACH_MEMBER(mapping_of(annotations), member)
    {
        if (is_one_of(member->key, added))
            continue;
        maybe_begin(maybe);
        value_write_json(maybe->json, member->key, &member->value);
    }
}

static void write_metadata(struct json_out *json, const struct value *metadata)
{
    static const char *const kept[] = {"name", "namespace", "labels", NULL};
    struct maybe annotations = {json, "annotations", false};
    json_object_begin(json, "metadata");
    VALUE_EACH_MEMBER(mapping_of(metadata), member)
    {
        if (is_one_of(member->key, kept))
            value_write_json(json, member->key, &member->value);
    }
    write_annotations(&annotations, value_find(metadata, "annotations"));
    maybe_end(&annotations);
    json_object_end(json);
}

static void write_fate(struct converter *converter, struct maybe *annotations,
                       const struct version *version, const struct value *template)
{
    const struct value *containers = value_find(value_find(template, "spec"), "containers");
    const char *image =
        items_of(containers) > 0 ? value_find_string(&containers->items[0], "image") : NULL;
    const struct fate fate = fate_of(converter, version->thing, image);
    const bool job = strcmp(version->thing->kind, "Job") == 0;
    const bool never_ready = !job && fate.waited && !fate.ready;
    if ((job && fate.failed) || never_ready)
        maybe_begin(annotations);
    if (job && fate.failed)
        json_string(annotations->json, "fathom.dev/outcome", fate.succeeded ? "either" : "fails");
    if (never_ready)
        json_string(annotations->json, "fathom.dev/never-ready", "true");
}

static void write_template(struct converter *converter, struct json_out *json,
                           const struct version *version, const struct value *template)
{
    static const char *const except[] = {"annotations", "creationTimestamp", NULL};
    const struct value *metadata = value_find(template, "metadata");
    static const char *const except_metadata[] = {"metadata", NULL};
    json_object_begin(json, "template");
    json_object_begin(json, "metadata");
    restore_members(json, mapping_of(metadata), except);
    struct maybe annotations = {json, "annotations", false};
    write_annotations(&annotations, value_find(metadata, "annotations"));
    write_fate(converter, &annotations, version, template);
    maybe_end(&annotations);
    json_object_end(json);
    restore_members(json, mapping_of(template), except_metadata);
    json_object_end(json);
}

static void write_manifest(struct converter *converter, struct json_out *json,
                           const struct version *version, const struct value *root)
{
    const struct value *spec = value_find(root, "spec");
    static const char *const parts[] = {"metadata", "spec", "status", NULL};
    restore_members(json, mapping_of(root), parts);
    write_metadata(json, value_find(root, "metadata"));
    json_object_begin(json, "spec");
    VALUE_EACH_MEMBER(mapping_of(spec), member)
    {
        if (strcmp(member->key, "template") == 0)
            write_template(converter, json, version, &member->value);
        else
            value_write_json(json, member->key, &member->value);
    }
    json_object_end(json);
}

/* Those of the node controller say how the node is, which events do in a Check. */
static void write_taints(struct json_out *json, const struct value *taints, bool *begun)
{
    for (uint32_t i = 0; taints && i < items_of(taints); i++) {
        const char *key = value_find_string(&taints->items[i], "key");
        if (!key || strncmp(key, "node.kubernetes.io/", strlen("node.kubernetes.io/")) == 0)
            continue;
        if (!*begun) {
            json_object_begin(json, "spec");
            json_array_begin(json, "taints");
        }
        *begun = true;
        value_write_json(json, NULL, &taints->items[i]);
    }
}

static void write_node(struct converter *converter, struct json_out *json,
                       const struct version *version, const struct value *root)
{
    const struct value *status = value_find(root, "status");
    json_string(json, "apiVersion", "v1");
    json_string(json, "kind", "Node");
    write_metadata(json, value_find(root, "metadata"));
    bool tainted = false;
    write_taints(json, value_find(value_find(root, "spec"), "taints"), &tainted);
    write_taints(json, converter_late_taints(converter, version->thing), &tainted);
    if (tainted) {
        json_array_end(json);
        json_object_end(json);
    }
    json_object_begin(json, "status");
    if (!value_is_null(value_find(status, "allocatable")))
        value_write_json(json, "allocatable", value_find(status, "allocatable"));
    json_array_begin(json, "conditions");
    restore_condition(json, "Ready", "True", NULL, NULL);
    json_array_end(json);
    json_object_end(json);
}

/* As `kubectl get -o yaml` gives it, but for what only takes room. */
static void write_whole(struct json_out *json, const struct value *root)
{
    static const char *const except[] = {"apiVersion", "kind", "metadata", NULL};
    static const char *const bulk[] = {"managedFields", NULL};
    const struct value *metadata = value_find(root, "metadata");
    json_string(json, "apiVersion", value_find_string(root, "apiVersion"));
    json_string(json, "kind", value_find_string(root, "kind"));
    json_object_begin(json, "metadata");
    restore_members(json, mapping_of(metadata), bulk);
    json_object_end(json);
    restore_members(json, mapping_of(root), except);
}

void convert_document(struct converter *converter, const struct version *version, bool whole,
                      struct text *text)
{
    const struct value *root = restore_value(&converter->restorer, version);
    struct text json_text;
    struct json_out json;
    if (!root)
        return;
    text_init(&json_text, converter->arena->memory);
    json_out_init(&json, &json_text, 0);
    json_object_begin(&json, NULL);
    if (whole)
        write_whole(&json, root);
    else if (strcmp(version->thing->kind, "Node") == 0)
        write_node(converter, &json, version, root);
    else
        write_manifest(converter, &json, version, root);
    json_object_end(&json);
    const struct document *document = manifest_reader_parse_json(
        converter->restorer.reader, converter->arena, value_place(version->line),
        text_content(&json_text), json_text.length, converter->restorer.problems);
    if (document)
        yaml_write(text, &document->root, 0);
    text_release(&json_text);
}
