/* SPDX-License-Identifier: Apache-2.0 */
#include "object/admission.h"

#include "object/kind.h"
#include "object/limit_ranger.h"
#include "object/policy.h"
#include "object/runtime_class_admission.h"
#include "object/schemas.h"
#include "object/workload.h"

#include <inttypes.h>
#include <string.h>

enum { TOLERATION_SECONDS = 300 };

/* The classes that every cluster has. */
static const struct {
    const char *name;
    int32_t value;
} system_classes[] = {
    {"system-cluster-critical", 2000000000},
    {"system-node-critical", 2000001000},
};

struct admission {
    struct arena *arena;
    const struct objects *objects;
    const struct objects *cluster; /* the objects that are in the cluster already; NULL: none */
    const struct admission_options *options;
    struct problems *problems;
    const struct priority_class *default_class; /* NULL: none, priority 0 */
    struct map classes_of_pods;  /* PriorityClass -> spec of a pod of a cluster that has it */
    struct map runtimes_of_pods; /* RuntimeClass -> spec of a pod of a cluster that has it */
    VEC(const struct limit_range *) limit_ranges;
};

/* A pod's spec, or that of a template. */
struct subject {
    const struct object *object;
    struct pod_spec *spec;
    struct path path;
};

/* What a priority class means for its pods. */
struct priority {
    const char *class_name;
    int64_t value;
    enum preemption_policy preemption_policy;
};

/* Of several global defaults the lowest counts. */
static void collect(struct admission *admission, const struct objects *objects)
{
    for (uint32_t i = 0; objects && i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        const struct priority_class *lowest = admission->default_class;
        if (object->kind == OBJECT_POD && object->as.pod->spec.priority.set &&
            object->as.pod->spec.priority_class_name)
            map_put(&admission->classes_of_pods, object->as.pod->spec.priority_class_name)->value =
                &object->as.pod->spec;
        if (object->kind == OBJECT_POD && object->as.pod->spec.runtime_class_name &&
            object->as.pod->spec.node_name)
            map_put(&admission->runtimes_of_pods, object->as.pod->spec.runtime_class_name)->value =
                &object->as.pod->spec;
        if (object->kind == OBJECT_LIMIT_RANGE)
            VEC_PUSH(admission->arena, &admission->limit_ranges, object->as.limit_range);
        else if (object->kind == OBJECT_PRIORITY_CLASS &&
                 object->as.priority_class->global_default &&
                 (!lowest || object->as.priority_class->value < lowest->value))
            admission->default_class = object->as.priority_class;
    }
}

static struct priority priority_of_class(const struct priority_class *class)
{
    return (struct priority){.class_name = class->meta.name,
                             .value = class->value,
                             .preemption_policy = class->preemption_policy};
}

static bool find_class(const struct admission *admission, const char *name,
                       struct priority *priority)
{
    const struct object *object =
        objects_find(admission->objects, OBJECT_PRIORITY_CLASS, NULL, name);
    if (!object && admission->cluster)
        object = objects_find(admission->cluster, OBJECT_PRIORITY_CLASS, NULL, name);
    if (object) {
        *priority = priority_of_class(object->as.priority_class);
        return true;
    }
    for (size_t i = 0; i < sizeof(system_classes) / sizeof(system_classes[0]); i++) {
        if (strcmp(system_classes[i].name, name) == 0) {
            *priority = (struct priority){.class_name = name, .value = system_classes[i].value};
            return true;
        }
    }
    return false;
}

/* A dump of a cluster may have pods with priorities of classes that were not dumped. */
static bool find_class_of_pods(const struct admission *admission, const char *name,
                               struct priority *priority)
{
    const struct pod_spec *spec = map_get(&admission->classes_of_pods, name);
    if (spec)
        *priority = (struct priority){.class_name = name,
                                      .value = spec->priority.value,
                                      .preemption_policy = spec->preemption_policy};
    return spec != NULL;
}

static void set_priority(struct pod_spec *spec, struct priority priority)
{
    spec->priority_class_name = priority.class_name;
    spec->priority = (struct optional_int){.set = true, .value = priority.value};
    if (spec->preemption_policy == PREEMPTION_UNSET)
        spec->preemption_policy = priority.preemption_policy;
    if (spec->preemption_policy == PREEMPTION_UNSET)
        spec->preemption_policy = PREEMPT_LOWER_PRIORITY;
}

/*
 * A pod that has a number already comes from a cluster. Its number is kept,
 * unless its class is among the objects and has another value.
 */
static void admit_priority(const struct admission *admission, const struct subject *subject)
{
    struct pod_spec *spec = subject->spec;
    const struct path name_path = path_field(&subject->path, "priorityClassName");
    const struct path number_path = path_field(&subject->path, "priority");
    const bool given = spec->priority.set;
    struct priority priority = {.class_name = spec->priority_class_name,
                                .value = spec->priority.value};
    struct reading reading;
    reading_init(&reading, admission->arena, &subject->object->source->root, admission->problems);
    if (!spec->priority_class_name) {
        if (!given && admission->default_class)
            priority = priority_of_class(admission->default_class);
    } else if (find_class(admission, spec->priority_class_name, &priority)) {
        if (given && spec->priority.value != priority.value)
            reading_error(&reading, &number_path,
                          "expected %" PRId64 ", the value of PriorityClass %s, found %" PRId64,
                          priority.value, priority.class_name, spec->priority.value);
    } else if (!given && !find_class_of_pods(admission, spec->priority_class_name, &priority)) {
        reading_warning(&reading, &name_path,
                        "PriorityClass %s is not given; the API server refuses pods that name it",
                        spec->priority_class_name);
        spec->refusal =
            arena_printf(admission->arena, "forbidden: no PriorityClass with name %s was found",
                         spec->priority_class_name);
    }
    set_priority(spec, priority);
}

/* The class may be among the objects of the cluster or among the new ones. A pod
 * that comes from a running cluster was admitted with its class before. */
static void admit_runtime_class(const struct admission *admission, const struct subject *subject)
{
    struct pod_spec *spec = subject->spec;
    const char *name = spec->runtime_class_name;
    if (!name)
        return;
    const struct object *class = objects_find(admission->objects, OBJECT_RUNTIME_CLASS, NULL, name);
    const struct pod_spec *running = map_get(&admission->runtimes_of_pods, name);
    if (!class && admission->cluster)
        class = objects_find(admission->cluster, OBJECT_RUNTIME_CLASS, NULL, name);
    if (class) {
        const char *refusal = runtime_class_admit(admission->arena, class->as.runtime_class, spec);
        spec->refusal = spec->refusal ? spec->refusal : refusal;
        return;
    }
    if (running) {
        spec->overhead = running->overhead;
        return;
    }
    const struct path name_path = path_field(&subject->path, "runtimeClassName");
    struct reading reading;
    reading_init(&reading, admission->arena, &subject->object->source->root, admission->problems);
    reading_warning(&reading, &name_path,
                    "RuntimeClass %s is not given; the API server refuses pods that name it", name);
    if (!spec->refusal)
        spec->refusal = arena_printf(
            admission->arena, "forbidden: pod rejected: RuntimeClass \"%s\" not found", name);
}

static bool stays_with(const struct pod_spec *spec, const char *taint_key)
{
    for (uint32_t i = 0; i < spec->toleration_count; i++) {
        const struct toleration *toleration = &spec->tolerations[i];
        if ((!*toleration->key || strcmp(toleration->key, taint_key) == 0) &&
            (toleration->effect == TAINT_NO_EXECUTE || toleration->effect == TAINT_EFFECT_ANY))
            return true;
    }
    return false;
}

static void add_default_toleration(struct arena *arena, struct pod_spec *spec,
                                   const char *taint_key, int64_t seconds)
{
    if (stays_with(spec, taint_key))
        return;
    const struct toleration added = {
        .key = taint_key,
        .operator= TOLERATION_EXISTS,
        .value = "",
        .effect = TAINT_NO_EXECUTE,
        .toleration_seconds = {.set = true, .value = seconds ? seconds : TOLERATION_SECONDS},
    };
    tolerations_add(arena, &spec->tolerations, &spec->toleration_count, &added);
}

static void admit_tolerations(const struct admission *admission, const struct subject *subject)
{
    const struct admission_options *options = admission->options;
    if (options->no_default_tolerations || subject->object->kind == OBJECT_DAEMON_SET)
        return;
    add_default_toleration(admission->arena, subject->spec, "node.kubernetes.io/not-ready",
                           options->not_ready_seconds);
    add_default_toleration(admission->arena, subject->spec, "node.kubernetes.io/unreachable",
                           options->unreachable_seconds);
}

/* Refuses the pod, unless something refused it before: the API server stops at the first. */
static void refuse(const struct admission *admission, const char *plugin,
                   const limit_messages *messages, const char **refusal)
{
    if (*refusal || messages->count == 0)
        return;
    const char *all = messages->items[0];
    for (uint32_t i = 1; i < messages->count; i++)
        all = arena_printf(admission->arena, "%s, %s", all, messages->items[i]);
    *refusal = arena_printf(admission->arena, "%s%s", plugin, all);
}

static bool is_in_namespace(const struct limit_range *range, const struct subject *subject)
{
    const char *namespace = subject->object->meta->namespace;
    return range->meta.namespace && namespace && strcmp(range->meta.namespace, namespace) == 0;
}

static void judge_limits(const struct admission *admission, const struct subject *subject,
                         enum pod_totals rule, const char **refusal)
{
    for (uint32_t i = 0; i < admission->limit_ranges.count; i++) {
        limit_messages messages = {0};
        if (!is_in_namespace(admission->limit_ranges.items[i], subject))
            continue;
        limit_range_judge(admission->arena, admission->limit_ranges.items[i], subject->spec, rule,
                          &messages);
        refuse(admission, "forbidden: ", &messages, refusal);
    }
}

/* Limits are completed from all ranges of the namespace, and then each range judges the pod. */
static void admit_limits(const struct admission *admission, const struct subject *subject)
{
    struct pod_spec *spec = subject->spec;
    limit_messages invalid = {0};
    bool limited = false;
    for (uint32_t i = 0; i < admission->limit_ranges.count; i++) {
        if (!is_in_namespace(admission->limit_ranges.items[i], subject))
            continue;
        limit_range_complete(admission->arena, admission->limit_ranges.items[i], spec);
        limited = true;
    }
    if (limited)
        pod_requests_judge(admission->arena, spec, &invalid);
    for (int rule = 0; rule < POD_TOTALS_COUNT; rule++) {
        spec->refusals[rule] = spec->refusal;
        judge_limits(admission, subject, (enum pod_totals)rule, &spec->refusals[rule]);
        refuse(admission, "invalid: ", &invalid, &spec->refusals[rule]);
    }
    spec->refusal = spec->refusals[POD_TOTALS_OF_PODS];
}

static void admit_object(const struct admission *admission, const struct object *object)
{
    const struct path spec = path_field(&path_root, "spec");
    const struct path template_path = path_field(&spec, "template");
    struct pod_template *template = object_pod_template(object);
    struct subject subject = {.object = object};
    if (template) {
        subject.spec = &template->spec;
        subject.path = path_field(&template_path, "spec");
    } else if (object->kind == OBJECT_POD) {
        subject.spec = &object->as.pod->spec;
        subject.path = spec;
    } else {
        return;
    }
    admit_priority(admission, &subject);
    admit_tolerations(admission, &subject);
    admit_runtime_class(admission, &subject);
    admit_limits(admission, &subject);
}

bool objects_admit(struct arena *arena, struct objects *objects,
                   const struct admission_options *options, struct problems *problems)
{
    return objects_admit_into(arena, objects, NULL, options, problems);
}

bool objects_admit_into(struct arena *arena, struct objects *objects, const struct objects *cluster,
                        const struct admission_options *options, struct problems *problems)
{
    static const struct admission_options usual = {0};
    const uint32_t errors = problems->errors;
    struct admission admission = {
        .arena = arena,
        .objects = objects,
        .cluster = cluster,
        .options = options ? options : &usual,
        .problems = problems,
    };
    map_init(&admission.classes_of_pods, arena);
    map_init(&admission.runtimes_of_pods, arena);
    collect(&admission, cluster);
    collect(&admission, objects);
    for (uint32_t i = 0; i < objects->count; i++)
        admit_object(&admission, &objects->items[i]);
    return problems->errors == errors;
}

void objects_add_namespaces(struct arena *arena, struct objects *objects)
{
    const uint32_t given = objects->count;
    for (uint32_t i = 0; i < given; i++) {
        const char *name = objects->items[i].meta->namespace;
        if (!name || !*name || objects_find(objects, OBJECT_NAMESPACE, NULL, name))
            continue;
        struct namespace_object *added = ARENA_NEW(arena, struct namespace_object);
        added->meta.name = name;
        added->meta.creation_time = TIME_NONE;
        added->meta.deletion_time = TIME_NONE;
        labels_set(arena, &added->meta.labels, "kubernetes.io/metadata.name", name);
        struct object object = {.kind = OBJECT_NAMESPACE,
                                .api_version = "v1",
                                .kind_name = "Namespace",
                                .meta = &added->meta};
        object.as.namespace_object = added;
        objects_put(arena, objects, &object);
    }
}
