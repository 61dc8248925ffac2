/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide daemonset`: the next sync of a DaemonSet. */
#include "decide/claim.h"
#include "decide/controller/daemon_set/daemon_set_controller.h"
#include "decide/decider.h"
#include "decide/features.h"
#include "decide/scenario.h"

#include <stdlib.h>
#include <string.h>

/* One node, a class of its own, with the set's pods on it. */
struct case_node {
    const char *name;
    VEC(struct daemon_pod) pods;
};

struct set_case {
    struct arena *arena;
    const struct daemon_set *set;
    const char *hash;       /* of the present template; NULL: not known */
    const char *generation; /* of the template, as an annotation says; NULL: not known */
    int64_t now;
    const struct features *features;
    struct toleration *tolerations;
    uint32_t toleration_count;
    VEC(struct case_node) nodes;
    VEC(struct daemon_node_class) classes;
    struct daemon_set_decision *decision;
};

static bool claimed(const struct daemon_set *set, const struct object_meta *meta)
{
    const enum claim claim = claim_of(meta, "DaemonSet", &set->meta, set->selector);
    return claim == CLAIM_OWNED || claim == CLAIM_ADOPT;
}

/* Its node, or the one that its affinity names before it is scheduled. */
static const char *target_node(const struct pod *pod)
{
    if (pod->spec.node_name)
        return pod->spec.node_name;
    const struct node_affinity *affinity =
        pod->spec.affinity ? pod->spec.affinity->node_affinity : NULL;
    for (uint32_t t = 0; affinity && affinity->required && t < affinity->required->term_count;
         t++) {
        const struct node_selector_term *term = &affinity->required->terms[t];
        for (uint32_t f = 0; f < term->match_field_count; f++)
            if (claim_same_text(term->match_fields[f].key, "metadata.name") &&
                term->match_fields[f]
                    .
                    operator== SELECTOR_IN && term->match_fields[f]
                    .values.count == 1)
                return term->match_fields[f].values.items[0];
    }
    return NULL;
}

/* By the hash or by the old generation, whichever is known. If neither is,
 * every pod is taken to be up to date. */
static bool updated(const struct set_case *a_case, const struct labels *labels)
{
    if (!a_case->hash && !a_case->generation)
        return true;
    return claim_same_text(labels_find(labels, "controller-revision-hash"), a_case->hash) ||
           claim_same_text(labels_find(labels, "pod-template-generation"), a_case->generation);
}

static struct daemon_pod pod_of(const struct set_case *a_case, const struct pod *pod)
{
    const bool is_ready = pod_is_ready(pod);
    const int64_t age = age_at(a_case->now, pod_ready_since(pod));
    return (struct daemon_pod){
        .assigned = pod->spec.node_name != NULL,
        .terminating = pod->meta.deletion_time != TIME_NONE,
        .failed = pod->status.phase == POD_FAILED,
        .succeeded = pod->status.phase == POD_SUCCEEDED,
        .ready = is_ready,
        .available =
            pod_is_available(a_case->features, is_ready, age, a_case->set->min_ready_seconds),
        .updated = updated(a_case, &pod->meta.labels),
        .creation_time = pod->meta.creation_time,
        .name = pod->meta.name,
    };
}

static struct case_node *node_named(struct set_case *a_case, const char *name)
{
    for (uint32_t i = 0; i < a_case->nodes.count; i++)
        if (strcmp(a_case->nodes.items[i].name, name) == 0)
            return &a_case->nodes.items[i];
    VEC_PUSH(a_case->arena, &a_case->nodes, ((struct case_node){.name = name}));
    return &a_case->nodes.items[a_case->nodes.count - 1];
}

static void place_pods(struct set_case *a_case, const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind != OBJECT_POD || !claimed(a_case->set, object->meta))
            continue;
        const char *target = target_node(object->as.pod);
        const struct daemon_pod pod = pod_of(a_case, object->as.pod);
        if (!target || (pod.terminating && (pod.failed || pod.succeeded)))
            continue;
        struct case_node *node = node_named(a_case, target);
        VEC_PUSH(a_case->arena, &node->pods, pod);
    }
}

static void decide(struct set_case *a_case, const struct objects *objects)
{
    const struct daemon_set *set = a_case->set;
    a_case->generation =
        labels_find(&set->meta.annotations, "deprecated.daemonset.template.generation");
    daemon_set_tolerations(a_case->arena, &set->template.spec, &a_case->tolerations,
                           &a_case->toleration_count);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_NODE)
            node_named(a_case, objects->items[i].meta->name);
    place_pods(a_case, objects);
    for (uint32_t i = 0; i < a_case->nodes.count; i++) {
        const struct case_node *node = &a_case->nodes.items[i];
        const struct object *object = objects_find(objects, OBJECT_NODE, NULL, node->name);
        struct daemon_node_class class = {.count = 1,
                                          .present = object != NULL,
                                          .pods = node->pods.items,
                                          .pod_count = node->pods.count};
        if (object)
            daemon_set_should_run(set, a_case->tolerations, a_case->toleration_count,
                                  object->as.node, &class.should_run, &class.should_continue);
        VEC_PUSH(a_case->arena, &a_case->classes, class);
    }
    const struct daemon_set_facts facts = {
        .on_delete = set->update_strategy == UPDATE_ON_DELETE,
        .features = a_case->features,
        .max_unavailable = set->max_unavailable,
        .max_surge = set->max_surge,
        .nodes = a_case->classes.items,
        .node_class_count = a_case->classes.count,
    };
    a_case->decision = daemon_set_sync(a_case->arena, &facts);
}

struct names {
    VEC(const char *) list;
};

static void write_names(struct json_out *json, const char *key, struct names *names)
{
    if (names->list.count > 0)
        qsort(names->list.items, names->list.count, sizeof(*names->list.items),
              claim_compare_texts);
    json_array_begin(json, key);
    for (uint32_t i = 0; i < names->list.count; i++)
        json_string(json, NULL, names->list.items[i]);
    json_array_end(json);
}

/* The pods that are deleted in every outcome. */
static struct names removed_pods(const struct set_case *a_case)
{
    struct names names = {0};
    for (uint32_t n = 0; n < a_case->classes.count; n++)
        for (uint32_t p = 0; p < a_case->classes.items[n].pod_count; p++)
            if (a_case->decision->nodes[n].removed[p])
                VEC_PUSH(a_case->arena, &names.list, a_case->classes.items[n].pods[p].name);
    return names;
}

static struct names created_on(const struct set_case *a_case, bool updated)
{
    struct names names = {0};
    for (uint32_t n = 0; n < a_case->classes.count; n++)
        if (updated ? a_case->decision->nodes[n].create_updated : a_case->decision->nodes[n].create)
            VEC_PUSH(a_case->arena, &names.list, a_case->nodes.items[n].name);
    return names;
}

static void write_toleration(struct json_out *json, const struct toleration *toleration)
{
    static const char *const effects[] = {NULL, "NoSchedule", "PreferNoSchedule", "NoExecute"};
    const bool exists = toleration->operator== TOLERATION_EXISTS;
    json_object_begin(json, NULL);
    if (toleration->key && *toleration->key)
        json_string(json, "key", toleration->key);
    json_string(json, "operator", exists ? "Exists" : "Equal");
    if (toleration->value && *toleration->value)
        json_string(json, "value", toleration->value);
    if (toleration->effect != TAINT_EFFECT_ANY)
        json_string(json, "effect", effects[toleration->effect]);
    if (toleration->toleration_seconds.set)
        json_integer(json, "tolerationSeconds", toleration->toleration_seconds.value);
    json_object_end(json);
}

static void write_roll(const struct set_case *a_case, struct json_out *json)
{
    const struct daemon_set_decision *decision = a_case->decision;
    struct names removed = removed_pods(a_case);
    const uint32_t surges = created_on(a_case, true).list.count;
    json_object_begin(json, "roll");
    write_names(json, "deleteUnavailableOld", &removed);
    json_unsigned(json, "deleteAvailableCount", decision->surges ? 0 : decision->replacements);
    json_unsigned(json, "createCount", surges + (decision->surges ? decision->replacements : 0));
    json_object_end(json);
}

static void write_nonzero(struct json_out *json, const char *key, int64_t number)
{
    if (number != 0)
        json_integer(json, key, number);
}

static void write_status(const struct set_case *a_case, struct json_out *json)
{
    const struct daemon_set_decision *decision = a_case->decision;
    json_object_begin(json, "status");
    json_integer(json, "currentNumberScheduled", decision->current_scheduled);
    json_integer(json, "numberMisscheduled", decision->misscheduled);
    json_integer(json, "desiredNumberScheduled", decision->desired_scheduled);
    json_integer(json, "numberReady", decision->ready);
    write_nonzero(json, "observedGeneration", a_case->set->meta.generation);
    write_nonzero(json, "updatedNumberScheduled", decision->updated_scheduled);
    write_nonzero(json, "numberAvailable", decision->available);
    write_nonzero(json, "numberUnavailable", decision->unavailable);
    json_object_end(json);
}

static void write_decision(const struct set_case *a_case, struct json_out *json, const char *key)
{
    struct names created = created_on(a_case, false);
    struct names removed = removed_pods(a_case);
    struct names none = {0};
    json_object_begin(json, key);
    json_object_begin(json, "shouldRunShouldContinue");
    for (uint32_t n = 0; n < a_case->classes.count; n++) {
        if (!a_case->classes.items[n].present)
            continue;
        json_array_begin(json, a_case->nodes.items[n].name);
        json_boolean(json, NULL, a_case->classes.items[n].should_run);
        json_boolean(json, NULL, a_case->classes.items[n].should_continue);
        json_array_end(json);
    }
    json_object_end(json);
    write_names(json, "createOn", &created);
    write_names(json, "delete", a_case->decision->rolls ? &none : &removed);
    if (created.list.count > 0) {
        json_array_begin(json, "tolerations");
        for (uint32_t i = 0; i < a_case->toleration_count; i++)
            write_toleration(json, &a_case->tolerations[i]);
        json_array_end(json);
    }
    if (a_case->decision->rolls)
        write_roll(a_case, json);
    write_status(a_case, json);
    json_object_end(json);
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    if (!scenario_read(arena, value, features, &scenario, problems))
        return false;
    const struct object *object = scenario_only(&scenario.objects, OBJECT_DAEMON_SET, problems);
    if (!object)
        return false;
    struct set_case a_case = {
        .arena = arena,
        .set = object->as.daemon_set,
        .hash = value_find_string(scenario.input, "currentRevisionHash"),
        .now = scenario.clock,
        .features = &scenario.features,
    };
    decide(&a_case, &scenario.objects);
    write_decision(&a_case, json, "result");
    return true;
}

static const char *delete_reason(const struct set_case *a_case,
                                 const struct daemon_node_class *node, const struct daemon_pod *pod)
{
    if (!node->present)
        return "its node is gone";
    if (!node->should_continue)
        return "it may not stay on its node";
    if (pod->failed || pod->succeeded)
        return "it has ended";
    if (a_case->decision->rolls)
        return pod->available ? "the updated pod beside it is available"
                              : "old, and not available anyway";
    return "one pod a node is enough";
}

static void write_deletions(const struct set_case *a_case, struct text *sentences)
{
    for (uint32_t n = 0; n < a_case->classes.count; n++) {
        const struct daemon_node_class *node = &a_case->classes.items[n];
        for (uint32_t p = 0; p < node->pod_count; p++)
            if (a_case->decision->nodes[n].removed[p])
                text_printf(sentences, "  deletes %s on node %s (%s)\n", node->pods[p].name,
                            a_case->nodes.items[n].name,
                            delete_reason(a_case, node, &node->pods[p]));
    }
}

static void write_sentences(const struct set_case *a_case, struct text *sentences)
{
    const struct daemon_set_decision *decision = a_case->decision;
    const struct names created = created_on(a_case, false);
    const struct names surged = created_on(a_case, true);
    const struct names removed = removed_pods(a_case);
    text_printf(sentences, "DaemonSet %s/%s: belongs on %d nodes, is on %d of them\n",
                a_case->set->meta.namespace, a_case->set->meta.name, decision->desired_scheduled,
                decision->current_scheduled);
    for (uint32_t i = 0; i < created.list.count; i++)
        text_printf(sentences, "  creates a pod for node %s\n", created.list.items[i]);
    write_deletions(a_case, sentences);
    for (uint32_t i = 0; i < surged.list.count; i++)
        text_printf(sentences, "  creates an updated pod beside the old one on node %s\n",
                    surged.list.items[i]);
    if (decision->replacements > 0)
        text_printf(sentences, "  %s on any %u of the nodes with an old pod (%s %u)\n",
                    decision->surges ? "creates an updated pod beside the old one"
                                     : "deletes the old pod",
                    decision->replacements, decision->surges ? "maxSurge" : "maxUnavailable",
                    decision->surges ? decision->max_surge : decision->max_unavailable);
    if (created.list.count + surged.list.count + removed.list.count + decision->replacements == 0)
        text_append_string(sentences, "  nothing to create or delete\n");
    if (!a_case->hash && !a_case->generation)
        text_append_string(sentences, "  Nothing says which pods are up to date "
                                      "(deprecated.daemonset.template.generation); all are taken "
                                      "to be.\n");
    text_printf(sentences, "  status: %d ready, %d available, %d up to date, %d misplaced\n",
                decision->ready, decision->available, decision->updated_scheduled,
                decision->misscheduled);
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    (void)problems;
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_DAEMON_SET)
            continue;
        struct set_case a_case = {
            .arena = arena,
            .set = objects->items[i].as.daemon_set,
            .now = scenario_present(objects),
            .features = &choice->features,
        };
        decide(&a_case, objects);
        json_object_begin(json, NULL);
        json_string(json, "namespace", objects->items[i].meta->namespace);
        json_string(json, "name", objects->items[i].meta->name);
        write_decision(&a_case, json, "decision");
        json_object_end(json);
        write_sentences(&a_case, sentences);
    }
    json_array_end(json);
    return true;
}

const struct decider decider_daemonset = {
    .name = "daemonset",
    .summary = "on which nodes a DaemonSet creates or deletes pods in its next sync",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
