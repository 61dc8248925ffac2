/* SPDX-License-Identifier: Apache-2.0 */
/* What people did to workloads and policies, as events: other sizes and templates,
 * deletions. */
#include "recording/as_check_parts.h"

#include <string.h>

/* ---- one workload ---- */

struct replica_sizes {
    VEC(int64_t) to;
    uint32_t count;
};

static const char *size_member(const struct thing *thing)
{
    return strcmp(thing->kind, "Job") == 0 ? "parallelism" : "replicas";
}

/* Are the specs the same but for the size? */
static bool same_but_size(const struct value *left, const struct value *right, const char *size)
{
    VALUE_EACH_MEMBER(mapping_of(left), member)
    {
        const struct value *other = value_find(right, member->key);
        if (strcmp(member->key, size) != 0 && (!other || !value_equal(&member->value, other)))
            return false;
    }
    VALUE_EACH_MEMBER(mapping_of(right), member)
    {
        if (strcmp(member->key, size) != 0 && !value_find(left, member->key))
            return false;
    }
    return true;
}

static bool has_autoscaler(struct converter *converter, const struct thing *workload)
{
    const struct recording *recording = converter->recording;
    for (uint32_t t = 0; t < recording->things.count; t++)
        if (converter_scaled(converter, recording->things.items[t]) == workload)
            return true;
    return false;
}

static void add_size(struct converter *converter, struct replica_sizes *sizes, int64_t size)
{
    sizes->count++;
    for (uint32_t i = 0; i < sizes->to.count; i++)
        if (sizes->to.items[i] == size)
            return;
    VEC_PUSH(converter->arena, &sizes->to, size);
}

/* The new spec goes into a file of its own, which an event applies. */
static void add_apply(struct converter *converter, const struct version *version)
{
    struct text text;
    text_init(&text, converter->arena->memory);
    const char *name =
        arena_printf(converter->arena, "apply-%u.yaml", converter->made->files.count + 1);
    text_printf(&text, "# %s as it was given at %.1f s\n",
                converter_name(converter, version->thing), version->time);
    convert_document(converter, version, false, &text);
    const struct as_check_file file = {name, text_keep(&text, converter->arena)};
    text_release(&text);
    VEC_PUSH(converter->arena, &converter->made->files, file);
    convert_add(converter, &converter->events, "{name: apply, manifests: [%s]}", name);
}

static void tell_change(struct converter *converter, const struct version *version,
                        struct replica_sizes *sizes)
{
    const struct thing *thing = version->thing;
    const char *size = size_member(thing);
    const struct value *before =
        value_find(restore_value(&converter->restorer, version - 1), "spec");
    const struct value *after = value_find(restore_value(&converter->restorer, version), "spec");
    const struct deed *deed = converter_deed(converter, version->rv);
    int64_t old_size = 0;
    int64_t new_size = 0;
    value_read_integer(value_find(before, size), &old_size);
    value_read_integer(value_find(after, size), &new_size);
    if (!same_but_size(before, after, size)) {
        add_apply(converter, version);
    } else if (old_size != new_size && !written_by(deed, "horizontal-pod-autoscaler")) {
        if (!deed && has_autoscaler(converter, thing))
            convert_add(converter, &converter->remarks,
                        "nobody knows who resized %s to %lld at %.1f s: its autoscaler, it seems",
                        thing->name, (long long)new_size, version->time);
        else
            add_size(converter, sizes, new_size);
    }
}

static void add_scale(struct converter *converter, const struct thing *thing,
                      const struct replica_sizes *sizes)
{
    struct text to;
    if (sizes->count == 0)
        return;
    text_init(&to, converter->arena->memory);
    for (uint32_t i = 0; i < sizes->to.count; i++)
        text_printf(&to, "%s%lld", i ? ", " : "", (long long)sizes->to.items[i]);
    convert_add(converter, &converter->events, "{name: scale, workload: %s, to: [%s], atMost: %u}",
                converter_name(converter, thing), text_content(&to), sizes->count);
    text_release(&to);
}

/* From the first version on; false: it is no object that people look after. */
static void convert_workload(struct converter *converter, const struct thing *thing)
{
    const struct version *first = converter_first(converter, thing);
    const struct version *end = thing->versions.items + thing->versions.count;
    struct replica_sizes sizes = {0};
    uint32_t deletions = 0;
    bool again = false;
    for (const struct version *version = first + 1; version < end; version++) {
        if (version->gone)
            deletions++;
        else if (version[-1].gone)
            again = true;
        else
            tell_change(converter, version, &sizes);
    }
    add_scale(converter, thing, &sizes);
    if (deletions > 0)
        convert_add(converter, &converter->events, "{name: delete, object: %s}",
                    converter_name(converter, thing));
    if (again)
        convert_add(converter, &converter->left_out, "%s was made again after its deletion",
                    converter_name(converter, thing));
}

/* ---- policies ---- */

static bool is_policy(const struct thing *thing)
{
    return strcmp(thing->kind, "PodDisruptionBudget") == 0 ||
           strcmp(thing->kind, "HorizontalPodAutoscaler") == 0 ||
           strcmp(thing->kind, "ResourceQuota") == 0;
}

/* A budget that is made later does not guard pods before that. */
static bool misses_evictions(const struct converter *converter, const struct version *first)
{
    const struct recording *recording = converter->recording;
    for (uint32_t i = 0; i < recording->deeds.count; i++)
        if (strcmp(recording->deeds.items[i].action, "evict") == 0 &&
            converter_commit(converter, &recording->deeds.items[i]) < first->rv)
            return strcmp(first->thing->kind, "PodDisruptionBudget") == 0;
    return false;
}

static void convert_policy(struct converter *converter, const struct thing *thing)
{
    const struct version *first = converter_first(converter, thing);
    const struct version *end = thing->versions.items + thing->versions.count;
    if (first->rv > converter->beginning && misses_evictions(converter, first))
        convert_add(converter, &converter->left_out,
                    "%s was made at %.1f s, after evictions; here it is there from the beginning",
                    converter_name(converter, thing), first->time);
    for (const struct version *version = first + 1; version < end; version++) {
        if (version->gone && strcmp(thing->kind, "ResourceQuota") != 0)
            convert_add(converter, &converter->events, "{name: delete, object: %s}",
                        converter_name(converter, thing));
        else if (!version->gone && !version[-1].gone &&
                 !same_but_size(
                     value_find(restore_value(&converter->restorer, version - 1), "spec"),
                     value_find(restore_value(&converter->restorer, version), "spec"), ""))
            convert_add(converter, &converter->left_out, "%s got another spec at %.1f s",
                        converter_name(converter, thing), version->time);
    }
    if (strcmp(thing->kind, "ResourceQuota") == 0)
        convert_add(converter, &converter->left_out, "%s: quotas are not modelled",
                    converter_name(converter, thing));
}

void convert_workloads(struct converter *converter)
{
    for (uint32_t t = 0; t < converter->recording->things.count; t++) {
        const struct thing *thing = converter->recording->things.items[t];
        const struct version *first = converter_first(converter, thing);
        if (!first)
            continue;
        if (is_workload(first))
            convert_workload(converter, thing);
        else if (is_policy(thing))
            convert_policy(converter, thing);
    }
}
