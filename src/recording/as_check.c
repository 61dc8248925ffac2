/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/as_check.h"

#include "manifest/yaml_writer.h"
#include "recording/as_check_parts.h"

#include <string.h>

/* ---- where it begins ---- */

static bool is_made(const struct converter *converter, const struct version *version)
{
    const struct deed *deed = converter_deed(converter, version->rv);
    return deed && strncmp(deed->action, "create", strlen("create")) == 0;
}

static bool is_cordoned(const struct version *version)
{
    const struct value *spec = value_find(value_find(version->line, "object"), "spec");
    return line_says(version->line, "unschedulable") || line_says(spec, "unschedulable");
}

/* Nodes register and become ready by themselves, which is part of the beginning. */
static bool is_change(const struct converter *converter, const struct version *version)
{
    const bool first = version == version->thing->versions.items;
    if (strcmp(version->thing->kind, "Node") != 0)
        return !first || is_made(converter, version);
    return !first && (version->gone || is_cordoned(version) != is_cordoned(version - 1) ||
                      written_by(converter_deed(converter, version->rv), "user"));
}

static void find_beginning(struct converter *converter)
{
    const struct recording *recording = converter->recording;
    converter->beginning = INT64_MAX;
    for (uint32_t i = 0; i < recording->order.count; i++)
        if (is_change(converter, recording->order.items[i])) {
            converter->beginning = recording->order.items[i]->rv - 1;
            break;
        }
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        converter->observed |= strcmp(thing->kind, "Pod") == 0 && thing->versions.count > 0 &&
                               !is_made(converter, &thing->versions.items[0]);
    }
}

/* ---- objects ---- */

/* Pods, and what workloads made, are in the Check only if it begins with them. */
static bool is_written(const struct converter *converter, const struct version *first)
{
    const char *kind = first->thing->kind;
    if (strcmp(kind, "Event") == 0)
        return false;
    if (strcmp(kind, "Pod") == 0 || strcmp(kind, "ControllerRevision") == 0 ||
        (!value_is_null(value_find(first->line, "owner"))))
        return converter->observed && !is_made(converter, first);
    return strcmp(kind, "ResourceQuota") != 0;
}

/* Is the kind watched, so that its objects are known better than from their manifests? */
static bool is_watched(const struct recording *recording, const char *kind)
{
    for (uint32_t t = 0; t < recording->things.count; t++)
        if (strcmp(recording->things.items[t]->kind, kind) == 0)
            return true;
    return false;
}

/* ---- priorities ---- */

static bool is_given(const struct recording *recording, const char *class)
{
    for (uint32_t i = 0; i < recording->manifests.count; i++) {
        const struct value *root = &recording->manifests.items[i].root;
        const char *kind = value_find_string(root, "kind");
        const char *name = value_find_string(value_find(root, "metadata"), "name");
        if (kind && name && strcmp(kind, "PriorityClass") == 0 && strcmp(name, class) == 0)
            return true;
    }
    return strncmp(class, "system-", strlen("system-")) == 0;
}

/* The priority that pods of the workload have; false: it has no pod. */
static bool find_priority(const struct converter *converter, const struct thing *workload,
                          int64_t *priority)
{
    const struct recording *recording = converter->recording;
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *pod = recording->things.items[t];
        if (strcmp(pod->kind, "Pod") != 0 || pod->versions.count == 0 ||
            converter_owner(converter, &pod->versions.items[0]) != workload)
            continue;
        const struct value *line = pod->versions.items[0].line;
        const struct value *spec = value_find(value_find(line, "object"), "spec");
        if (value_read_integer(value_find(line, "priority"), priority) ||
            value_read_integer(value_find(spec, "priority"), priority))
            return true;
    }
    return false;
}

/* PriorityClasses are not watched: where they are not among the manifests, pods tell their
 * values. */
static void write_priorities(struct converter *converter, struct text *text)
{
    const struct recording *recording = converter->recording;
    sentences written = {0};
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        const struct version *first = converter_first(converter, thing);
        const struct value *root =
            first && is_workload(first) ? restore_value(&converter->restorer, first) : NULL;
        const struct value *template = value_find(value_find(root, "spec"), "template");
        const char *class = value_find_string(value_find(template, "spec"), "priorityClassName");
        int64_t priority = 0;
        bool known = false;
        for (uint32_t i = 0; class && i < written.count; i++)
            known |= strcmp(written.items[i], class) == 0;
        if (!class || known || is_given(recording, class) ||
            !find_priority(converter, thing, &priority))
            continue;
        VEC_PUSH(converter->arena, &written, class);
        text_append_string(text,
                           "---\n# by the priority of its pods\napiVersion: scheduling.k8s.io/v1\n"
                           "kind: PriorityClass\nmetadata:\n  name: ");
        yaml_write_string(text, class);
        text_printf(text, "\nvalue: %lld\n", (long long)priority);
    }
}

/* ---- all objects ---- */

static void write_objects(struct converter *converter, struct text *text)
{
    const struct recording *recording = converter->recording;
    write_priorities(converter, text);
    for (uint32_t i = 0; i < recording->manifests.count; i++) {
        const struct value *root = &recording->manifests.items[i].root;
        const char *kind = value_find_string(root, "kind");
        if (!kind || is_watched(recording, kind) || strcmp(kind, "Pod") == 0 ||
            strcmp(kind, "ResourceQuota") == 0)
            continue;
        text_append_string(text, "---\n");
        yaml_write(text, root, 0);
    }
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct version *first = converter_first(converter, recording->things.items[t]);
        const struct version *guest = converter_guest(converter, recording->things.items[t]);
        if (!guest && (!first || !is_written(converter, first)))
            continue;
        text_append_string(text, "---\n");
        convert_document(converter, guest ? guest : first, guest || converter->observed, text);
    }
}

/* ---- the Check ---- */

static void write_comments(const struct converter *converter, struct text *text)
{
    if (converter->remarks.count > 0)
        text_append_string(text, "#\n# Expressed in another way:\n");
    for (uint32_t i = 0; i < converter->remarks.count; i++)
        text_printf(text, "# - %s\n", converter->remarks.items[i]);
    if (converter->left_out.count > 0)
        text_append_string(text, "#\n# Not expressed, so that the recorded run need not be among "
                                 "those of this Check:\n");
    for (uint32_t i = 0; i < converter->left_out.count; i++)
        text_printf(text, "# - %s\n", converter->left_out.items[i]);
}

static void write_list(struct text *text, const char *name, const sentences *list)
{
    if (list->count == 0)
        return;
    text_printf(text, "  %s:\n", name);
    for (uint32_t i = 0; i < list->count; i++)
        text_printf(text, "  - %s\n", list->items[i]);
}

/* A descheduler is known by the policy that the script of a run gave it. */
static void write_controllers(struct converter *converter, struct text *text)
{
    const struct value *steps = value_find(converter->recording->scenario, "steps");
    for (uint32_t i = 0; steps && i < items_of(steps); i++) {
        const struct value *policy = value_find(&steps->items[i], "policy");
        const char *interval = value_find_string(&steps->items[i], "interval");
        if (value_is_null(policy))
            continue;
        text_append_string(text, "  controllers:\n    descheduler:\n");
        if (interval)
            text_printf(text, "      interval: %s\n", interval);
        text_append_string(text, "      policy:\n");
        yaml_write(text, policy, 8);
        return;
    }
    for (uint32_t i = 0; i < converter->recording->deeds.count; i++)
        if (written_by(&converter->recording->deeds.items[i], "descheduler")) {
            convert_add(converter, &converter->left_out,
                        "a descheduler evicted pods; its policy was not recorded");
            return;
        }
}

static void write_check(struct converter *converter, const char *name, struct text *text)
{
    struct text controllers;
    text_init(&controllers, converter->arena->memory);
    write_controllers(converter, &controllers);
    text_printf(text,
                "# Made by `fathom record --as-check` from %s: %.1f s of a cluster.\n"
                "# Events may come at any time, or never, so this Check has more runs than the one "
                "that was recorded.\n",
                name, converter_end(converter));
    if (!converter->plane.told)
        text_append_string(text, "# The recording does not tell the version of Kubernetes: it is "
                                 "taken for one of 1.26.\n");
    write_comments(converter, text);
    text_append_string(text, "apiVersion: fathom/v1\nkind: Check\nmetadata:\n  name: ");
    yaml_write_string(text, name);
    text_printf(text, "\nspec:\n  kubernetesVersion: \"%s\"\n  start: %s\n  scale: {mode: exact}\n",
                features_version(converter->arena, &converter->plane.features),
                converter->observed || converter->has_guests ? "observed" : "empty");
    text_append_string(text, text_content(&controllers));
    write_list(text, "events", &converter->events);
    write_list(text, "intents", &converter->intents);
    write_objects(converter, text);
    text_release(&controllers);
}

bool recording_as_check(struct recording *recording, struct manifest_reader *reader,
                        const char *name, const struct features *given, struct as_check *made,
                        struct problems *problems)
{
    struct converter converter = {.arena = recording->arena, .recording = recording, .made = made};
    struct text text;
    *made = (struct as_check){0};
    if (!control_plane_read(recording, given, &converter.plane, problems))
        return false;
    restorer_init(&converter.restorer, recording, reader, problems);
    text_init(&text, recording->arena->memory);
    const struct as_check_file check = {"check.yaml", NULL};
    VEC_PUSH(recording->arena, &made->files, check);
    find_beginning(&converter);
    convert_nodes(&converter);
    convert_workloads(&converter);
    convert_pods(&converter);
    convert_load(&converter);
    convert_intents(&converter);
    write_check(&converter, name, &text);
    made->files.items[0].content = text_keep(&text, recording->arena);
    made->left_out = converter.left_out.count;
    text_release(&text);
    restorer_release(&converter.restorer);
    return problems->errors == 0;
}
