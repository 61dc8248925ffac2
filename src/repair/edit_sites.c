/* SPDX-License-Identifier: Apache-2.0 */
/* Where rows of edits.def can be applied. */
#include "object/autoscaler.h"
#include "object/check.h"
#include "object/policy.h"
#include "object/selector.h"
#include "object/workload.h"
#include "repair/edit.h"
#include "setup/setup.h"

#include <string.h>

/* ---- targets ---- */

static bool has_template(enum object_kind kind)
{
    return kind == OBJECT_DEPLOYMENT || kind == OBJECT_STATEFUL_SET || kind == OBJECT_DAEMON_SET ||
           kind == OBJECT_REPLICA_SET || kind == OBJECT_REPLICATION_CONTROLLER ||
           kind == OBJECT_JOB || kind == OBJECT_CRON_JOB;
}

static bool is_target(enum edit_target target, enum object_kind kind)
{
    switch (target) {
    case EDIT_DEPLOYMENT: return kind == OBJECT_DEPLOYMENT;
    case EDIT_SCALED:
    case EDIT_BUDGETED:
        return kind == OBJECT_DEPLOYMENT || kind == OBJECT_STATEFUL_SET ||
               kind == OBJECT_REPLICA_SET || kind == OBJECT_REPLICATION_CONTROLLER;
    case EDIT_WORKLOAD:
    case EDIT_CONTAINER: return has_template(kind);
    case EDIT_STATEFUL_SET: return kind == OBJECT_STATEFUL_SET;
    case EDIT_DAEMON_SET: return kind == OBJECT_DAEMON_SET;
    case EDIT_UPDATED: return kind == OBJECT_STATEFUL_SET || kind == OBJECT_DAEMON_SET;
    case EDIT_JOB: return kind == OBJECT_JOB || kind == OBJECT_CRON_JOB;
    case EDIT_CRON_JOB: return kind == OBJECT_CRON_JOB;
    case EDIT_AUTOSCALER: return kind == OBJECT_HORIZONTAL_POD_AUTOSCALER;
    case EDIT_BUDGET: return kind == OBJECT_POD_DISRUPTION_BUDGET;
    case EDIT_QUOTA: return kind == OBJECT_RESOURCE_QUOTA;
    case EDIT_LIMIT_RANGE: return kind == OBJECT_LIMIT_RANGE;
    case EDIT_WEBHOOK:
        return kind == OBJECT_VALIDATING_WEBHOOK_CONFIGURATION ||
               kind == OBJECT_MUTATING_WEBHOOK_CONFIGURATION;
    case EDIT_DESCHEDULER: return kind == OBJECT_DESCHEDULER_POLICY;
    case EDIT_SERVICE: return kind == OBJECT_SERVICE;
    case EDIT_NODE: return kind == OBJECT_NODE;
    default: return false;
    }
}

/* What a Check says of controllers; NULL: of something else. */
static const char *check_part(enum edit_target target)
{
    switch (target) {
    case EDIT_DESCHEDULER: return "spec.controllers.descheduler.policy";
    case EDIT_SCHEDULER: return "spec.controllers.scheduler";
    case EDIT_CONTROLLER_MANAGER: return "spec.controllers.horizontalPodAutoscaler";
    case EDIT_CLUSTER_AUTOSCALER: return "spec.controllers.clusterAutoscaler";
    default: return NULL;
    }
}

/* ---- sites ---- */

static void add_containers(const struct edit_case *of, struct edit_site site,
                           struct edit_sites *sites)
{
    const struct value *root = &of->documents.items[site.document].source->root;
    const char *list = arena_printf(of->arena, "%s.containers", site.pod);
    const struct value *containers = tree_find_text(of->arena, root, list);
    for (uint32_t i = 0; containers && containers->kind == VALUE_SEQUENCE && i < containers->count;
         i++) {
        site.base = arena_printf(of->arena, "%s[%u]", list, i);
        VEC_PUSH(of->arena, sites, site);
    }
}

/* Every item of a list of the Check. */
static void add_items(const struct edit_case *of, struct edit_site site, const char *path,
                      struct edit_sites *sites)
{
    const struct value *root = &of->documents.items[site.document].source->root;
    const struct value *list = tree_find_text(of->arena, root, path);
    for (uint32_t i = 0; list && list->kind == VALUE_SEQUENCE && i < list->count; i++) {
        site.base = arena_printf(of->arena, "%s[%u]", path, i);
        VEC_PUSH(of->arena, sites, site);
    }
}

static void add_check_parts(const struct edit_case *of, enum edit_target target,
                            struct edit_site site, struct edit_sites *sites)
{
    const struct value *root = &of->documents.items[site.document].source->root;
    const char *part = check_part(target);
    if (target == EDIT_NODE_GROUP)
        add_items(of, site, "spec.nodeGroups", sites);
    if (target == EDIT_RANGE_OF_PODS)
        add_items(of, site, "spec.workloads", sites);
    if (!part || (target != EDIT_CONTROLLER_MANAGER && !tree_find_text(of->arena, root, part)))
        return;
    site.base = part;
    VEC_PUSH(of->arena, sites, site);
}

void edit_sites_find(const struct edit_case *of, enum edit_target target, uint32_t document,
                     struct edit_sites *sites)
{
    const enum object_kind kind = of->documents.items[document].object->kind;
    struct edit_site site = {.document = document, .base = ""};
    const bool cron = kind == OBJECT_CRON_JOB;
    if (has_template(kind)) {
        site.template = cron ? "spec.jobTemplate.spec.template" : "spec.template";
        site.pod = cron ? "spec.jobTemplate.spec.template.spec" : "spec.template.spec";
        site.job = cron ? "spec.jobTemplate.spec" : "spec";
    }
    if (kind == OBJECT_CHECK)
        add_check_parts(of, target, site, sites);
    else if (is_target(target, kind) && target == EDIT_CONTAINER)
        add_containers(of, site, sites);
    else if (is_target(target, kind))
        VEC_PUSH(of->arena, sites, site);
}

const char *edit_full_path(struct arena *arena, const struct edit_site *site, const char *path)
{
    static const struct {
        const char *word;
        size_t offset;
    } words[] = {
        {"$pod", offsetof(struct edit_site, pod)},
        {"$job", offsetof(struct edit_site, job)},
        {"$template", offsetof(struct edit_site, template)},
    };
    for (uint32_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        const size_t length = strlen(words[i].word);
        if (strncmp(path, words[i].word, length) == 0) {
            const char *meaning = *(const char *const *)((const char *)site + words[i].offset);
            return meaning ? arena_printf(arena, "%s%s", meaning, path + length) : NULL;
        }
    }
    if (!*site->base)
        return path;
    return *path ? arena_printf(arena, "%s.%s", site->base, path) : site->base;
}

/* ---- conditions ---- */

static const struct value *root_of(const struct edit_case *of, const struct edit_site *site)
{
    return &of->documents.items[site->document].source->root;
}

static bool is_autoscaled(const struct edit_case *of, const struct object *object)
{
    for (uint32_t i = 0; i < of->objects->count; i++)
        if (of->objects->items[i].kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            autoscaler_targets(of->objects->items[i].as.horizontal_pod_autoscaler, object))
            return true;
    return false;
}

bool edit_budget_guards(const struct object *budget, const struct object *workload)
{
    const struct pod_template *template = object_pod_template(workload);
    const struct pod_disruption_budget *of = budget->as.pod_disruption_budget;
    const char *space = budget->meta->namespace;
    return template && of->selector && workload->meta->namespace && space &&
           strcmp(space, workload->meta->namespace) == 0 &&
           label_selector_matches(of->selector, &template->meta.labels);
}

static bool is_guarded(const struct edit_case *of, const struct object *workload)
{
    for (uint32_t i = 0; i < of->objects->count; i++)
        if (of->objects->items[i].kind == OBJECT_POD_DISRUPTION_BUDGET &&
            edit_budget_guards(&of->objects->items[i], workload))
            return true;
    return false;
}

static bool has_zone(const struct node *node)
{
    return labels_find(&node->meta.labels, "topology.kubernetes.io/zone") != NULL;
}

static bool has_zones(const struct edit_case *of)
{
    for (uint32_t i = 0; i < of->objects->count; i++) {
        const struct object *object = &of->objects->items[i];
        if (object->kind == OBJECT_NODE && has_zone(object->as.node))
            return true;
        for (uint32_t g = 0; object->kind == OBJECT_CHECK && g < object->as.check->node_group_count;
             g++)
            if (has_zone(&object->as.check->node_groups[g].node))
                return true;
    }
    return false;
}

static bool guards_nobody(const struct edit_case *of, const struct object *budget)
{
    for (uint32_t i = 0; i < of->objects->count; i++)
        if (edit_budget_guards(budget, &of->objects->items[i]))
            return false;
    return true;
}

/* What the disruption controller has to know of the controller of every pod that it counts, it
 * cannot know of a Job: the budget then allows no eviction. */
static bool is_stuck_by_jobs(const struct edit_case *of, const struct object *budget)
{
    const struct pod_disruption_budget *own = budget->as.pod_disruption_budget;
    if (!own->max_unavailable.set && !own->min_available.percent)
        return false;
    for (uint32_t i = 0; i < of->objects->count; i++)
        if (of->objects->items[i].kind == OBJECT_JOB &&
            edit_budget_guards(budget, &of->objects->items[i]))
            return true;
    return false;
}

static bool is_balanced(const struct edit_case *of, const struct edit_site *site)
{
    const char *address =
        value_find_string(tree_find_text(of->arena, root_of(of, site), "spec"), "clusterIP");
    return !address || strcmp(address, "None") != 0;
}

/* A claim that the template names is one for all pods. */
static bool shares_a_claim(const struct object *object)
{
    const struct pod_template *template = object_pod_template(object);
    for (uint32_t i = 0; template && i < template->spec.volume_count; i++)
        if (template->spec.volumes[i].source == VOLUME_PERSISTENT_CLAIM)
            return true;
    return false;
}

/* Is the word "is X" true of the value? */
static bool is_value(struct arena *arena, const struct value *value, const char *wanted)
{
    struct value expected;
    return value && tree_read(arena, wanted, &expected) && tree_same(value, &expected);
}

static bool holds(const struct edit_case *of, const struct edit_site *site,
                  const struct value *value, const char *word)
{
    const struct object *object = of->documents.items[site->document].object;
    if (strcmp(word, "present") == 0)
        return !value_is_null(value);
    if (strcmp(word, "absent") == 0)
        return value_is_null(value);
    if (strcmp(word, "autoscaled") == 0)
        return is_autoscaled(of, object);
    if (strcmp(word, "plain") == 0)
        return !is_autoscaled(of, object);
    if (strcmp(word, "unguarded") == 0)
        return !is_guarded(of, object);
    if (strcmp(word, "zoned") == 0)
        return has_zones(of);
    if (strcmp(word, "alone") == 0)
        return guards_nobody(of, object);
    if (strcmp(word, "stuck") == 0)
        return is_stuck_by_jobs(of, object);
    if (strcmp(word, "balanced") == 0)
        return is_balanced(of, site);
    if (strcmp(word, "first") == 0)
        return edit_node_is_first(of, object);
    if (strcmp(word, "claimed") == 0)
        return shares_a_claim(object);
    return false;
}

/* Is the path that of an item beside others? */
static bool is_one_of_several(const struct edit_case *of, const struct value *root,
                              const char *path)
{
    const char *bracket = strrchr(path, '[');
    const size_t length = bracket ? (size_t)(bracket - path) : strlen(path);
    const struct value *list =
        tree_find_text(of->arena, root, arena_strndup(of->arena, path, length));
    return list && list->kind == VALUE_SEQUENCE && list->count > 1;
}

bool edit_condition(const struct edit_case *of, const struct edit_site *site, const char *path,
                    const char *when)
{
    const struct value *root = root_of(of, site);
    const struct value *value = tree_find_text(of->arena, root, path);
    if (strncmp(when, "is ", 3) == 0)
        return is_value(of->arena, value, when + 3);
    if (strcmp(when, "several") == 0)
        return value && is_one_of_several(of, root, path);
    for (const char *rest = when; *rest;) {
        const size_t length = strcspn(rest, " ");
        if (!holds(of, site, value, arena_strndup(of->arena, rest, length)))
            return false;
        rest += length + (rest[length] == ' ');
    }
    return true;
}
