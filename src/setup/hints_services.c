/* SPDX-License-Identifier: Apache-2.0 */
/* Hints about Services: one that selects no pod sends requests nowhere. */
#include "setup/hinting.h"

#include "object/policy.h"

#include <string.h>

/* ---- labels that pods have, and no manifest ---- */

static bool is_one_of(const char *key, const char *const *keys)
{
    while (*keys && strcmp(*keys, key) != 0)
        keys++;
    return *keys != NULL;
}

/* "db-2" of StatefulSet db. */
static bool is_pod_of(const struct object *set, const char *pod)
{
    const size_t length = strlen(set->meta->name);
    return strncmp(pod, set->meta->name, length) == 0 && pod[length] == '-' &&
           pod[length + 1 + strspn(pod + length + 1, "0123456789")] == '\0';
}

/* Does the controller of the workload give its pods this label? */
static bool controller_gives(const struct object *workload, const struct label *label)
{
    static const char *const hashes[] = {"controller-revision-hash", "pod-template-generation",
                                         "pod-template-hash", NULL};
    static const char *const job_names[] = {"batch.kubernetes.io/job-name", "job-name", NULL};
    static const char *const indexes[] = {"apps.kubernetes.io/pod-index",
                                          "batch.kubernetes.io/job-completion-index", NULL};
    if (strcmp(label->key, "statefulset.kubernetes.io/pod-name") == 0)
        return workload->kind == OBJECT_STATEFUL_SET && is_pod_of(workload, label->value);
    if (is_one_of(label->key, job_names))
        return workload->kind == OBJECT_JOB && strcmp(label->value, workload->meta->name) == 0;
    return is_one_of(label->key, hashes) || is_one_of(label->key, indexes);
}

static bool has_label(const struct object *workload, const struct label *label)
{
    const char *value = labels_find(hint_labels_of_pods(workload), label->key);
    return (value && strcmp(value, label->value) == 0) || controller_gives(workload, label);
}

static bool selects(const struct labels *selector, const struct object *workload)
{
    for (uint32_t i = 0; i < selector->count; i++)
        if (!has_label(workload, &selector->items[i]))
            return false;
    return true;
}

/* Is the key the business of a program (example.com/leader), and of nobody who writes manifests for
 * all? */
static bool is_of_program(const char *key)
{
    const char *slash = strchr(key, '/');
    static const char *const common[] = {"kubernetes.io/", "k8s.io/"};
    for (size_t i = 0; slash && i < sizeof(common) / sizeof(*common); i++) {
        const size_t length = strlen(common[i]);
        if ((size_t)(slash + 1 - key) >= length &&
            strncmp(slash + 1 - length, common[i], length) == 0)
            return false;
    }
    return slash != NULL;
}

/* A running program may give its own pods a label: the leader, the primary, those that serve a
 * webhook. So it seems if no manifest has the key, and it is a program's or stands beside labels
 * that the pods of a manifest have. */
static bool programs_give(const struct hinting *hinting, const struct object *service)
{
    const struct labels *selector = &service->as.service->selector;
    bool is_known = false;
    const struct label *unknown = NULL;
    for (uint32_t i = 0; i < selector->count; i++) {
        bool has_key = false;
        for (uint32_t k = 0; k < hinting->objects->count; k++) {
            const struct object *object = &hinting->objects->items[k];
            const struct labels *labels = hint_labels_of_pods(object);
            if (!labels || !hint_same_space(service, object))
                continue;
            has_key |= labels_find(labels, selector->items[i].key) != NULL;
            is_known |= has_label(object, &selector->items[i]);
        }
        if (!has_key)
            unknown = &selector->items[i];
    }
    return unknown && (is_known || is_of_program(unknown->key));
}

/* ---- Services ---- */

static bool selects_any(const struct hinting *hinting, const struct object *service)
{
    for (uint32_t i = 0; i < hinting->objects->count; i++) {
        const struct object *object = &hinting->objects->items[i];
        if (hint_labels_of_pods(object) && hint_same_space(service, object) &&
            selects(&service->as.service->selector, object))
            return true;
    }
    return false;
}

void hints_look_at_service(struct hinting *hinting, const struct object *object)
{
    const struct service *service = object->as.service;
    if (service->selector.count == 0 ||
        (service->type && strcmp(service->type, "ExternalName") == 0) ||
        selects_any(hinting, object) || programs_give(hinting, object))
        return;
    hint_look_for_nobody(
        hinting, object,
        arena_printf(hinting->arena, "Service %s/%s", object->meta->namespace, object->meta->name),
        NULL);
}
