/* SPDX-License-Identifier: Apache-2.0 */
/* What Jobs read of their pods: how they ended, and which index they are for. */
#include "recording/restore_parts.h"

#include <string.h>

/* How the first container ended, which is what policies of Jobs go by. Whoever writes the time down
 * leaves out fractions of a second, so it is earlier than it was seen by up to one. */
void restore_ending(struct restorer *restorer, struct json_out *json, const struct version *version,
                    const struct value *spec)
{
    const struct value *containers = value_find(spec, "containers");
    const char *name = containers && containers->kind == VALUE_SEQUENCE && containers->count > 0
                           ? value_find_string(&containers->items[0], "name")
                           : NULL;
    int64_t code = 0;
    if (!name || !value_read_integer(value_find(version->line, "exitCode"), &code))
        return;
    json_array_begin(json, "containerStatuses");
    json_object_begin(json, NULL);
    json_string(json, "name", name);
    json_string(json, "image", "");
    json_string(json, "imageID", "");
    json_boolean(json, "ready", false);
    json_integer(json, "restartCount", 0);
    json_object_begin(json, "state");
    json_object_begin(json, "terminated");
    json_integer(json, "exitCode", code);
    json_string(json, "finishedAt",
                restore_time(restorer, version_since(version, "exitCode") - 1.0));
    json_object_end(json);
    json_object_end(json);
    json_object_end(json);
    json_array_end(json);
}

/* The index that an Indexed Job gave the pod. Since 1.28 it is a label, too. */
#define INDEX "batch.kubernetes.io/job-completion-index"
static const char *index_of(const struct version *version)
{
    return value_find_string(value_find(version->line, "labels"), INDEX);
}

/* Had the pod failed at that commit? */
static bool has_failed(const struct thing *pod, int64_t rv)
{
    for (uint32_t i = 0; i < pod->versions.count && pod->versions.items[i].rv < rv; i++) {
        const char *phase = value_find_string(pod->versions.items[i].line, "phase");
        if (phase && strcmp(phase, "Failed") == 0)
            return true;
    }
    return false;
}

/* How many pods of the same Job and index had failed when the pod was made: it says so itself. */
static uint32_t failures_before(const struct recording *recording, const struct version *version)
{
    const struct value *owner = value_find(version->line, "owner");
    const int64_t birth = version_birth(version)->rv;
    uint32_t failures = 0;
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        const struct version *first = thing->versions.items;
        if (strcmp(thing->kind, "Pod") != 0 || thing == version->thing || !index_of(first) ||
            strcmp(index_of(first), index_of(version)) != 0 ||
            !value_equal(value_find(first->line, "owner"), owner))
            continue;
        failures += has_failed(thing, birth);
    }
    return failures;
}

/* Those of the template, and what an Indexed Job adds. */
void restore_annotations(struct restorer *restorer, struct json_out *json,
                         const struct version *version, const struct value *job,
                         const struct value *annotations)
{
    static const char *const none[] = {NULL};
    const struct recording *recording = restorer->recording;
    const char *index = index_of(version);
    if (value_is_null(annotations) && !index)
        return;
    json_object_begin(json, "annotations");
    restore_members(json, annotations, none);
    if (index)
        json_string(json, INDEX, index);
    if (index && !value_is_null(value_find(value_find(job, "spec"), "backoffLimitPerIndex")))
        json_string(json, "batch.kubernetes.io/job-index-failure-count",
                    arena_printf(recording->arena, "%u", failures_before(recording, version)));
    json_object_end(json);
}
