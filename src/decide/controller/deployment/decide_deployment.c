/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom decide deployment`: syncs of the one Deployment given.
 *
 * A scenario is one sync, or a rollout of several (`input.steps`): before each
 * the user may edit the Deployment, and the ReplicaSets' statuses are set to
 * what their pods would have made of them.
 */
#include "decide/claim.h"
#include "decide/controller/deployment/deployment_case.h"
#include "decide/decider.h"
#include "decide/scenario.h"

#include <stdlib.h>
#include <string.h>

/* The same mapping with one member's value replaced. */
static struct value with_member(struct arena *arena, const struct value *mapping, const char *key,
                                struct value value)
{
    struct member *members =
        arena_copy(arena, mapping->members, mapping->count * sizeof(*mapping->members));
    for (uint32_t i = 0; i < mapping->count; i++)
        if (strcmp(members[i].key, key) == 0)
            members[i].value = value;
    struct value changed = *mapping;
    changed.members = members;
    return changed;
}

static void edit_image(struct deployment_case *a_case, const struct value *image)
{
    struct arena *arena = a_case->arena;
    const struct value *spec = value_find(a_case->template, "spec");
    const struct value *containers = value_find(spec, "containers");
    if (!containers || containers->kind != VALUE_SEQUENCE || containers->count == 0)
        return;
    struct value *items =
        arena_copy(arena, containers->items, containers->count * sizeof(*containers->items));
    items[0] = with_member(arena, &items[0], "image", *image);
    struct value changed = *containers;
    changed.items = items;
    struct value *template = ARENA_NEW(arena, struct value);
    *template = with_member(arena, a_case->template, "spec",
                            with_member(arena, spec, "containers", changed));
    a_case->template = template;
}

static struct int_or_percent read_int_or_percent(const struct value *value)
{
    int64_t number = 0;
    const char *text = NULL;
    if (value_is_null(value))
        return (struct int_or_percent){0};
    if (value_read_integer(value, &number))
        return (struct int_or_percent){.set = true, .value = number};
    if (value_read_string(value, &text))
        return (struct int_or_percent){.set = true, .percent = true, .value = atoll(text)};
    return (struct int_or_percent){0};
}

static void edit(struct deployment_case *a_case, const struct value *edits)
{
    struct deployment *deployment = &a_case->deployment;
    const struct value *image = value_find(edits, "image");
    const struct value *strategy = value_find(edits, "strategy");
    const struct value *replicas = value_find(edits, "replicas");
    const struct value *paused = value_find(edits, "paused");
    int64_t number = 0;
    if (value_is_null(edits))
        return;
    deployment->meta.generation++;
    if (!value_is_null(image))
        edit_image(a_case, image);
    if (replicas && value_read_integer(replicas, &number))
        deployment->replicas = (int32_t)number;
    if (paused)
        value_read_boolean(paused, &deployment->paused);
    if (strategy) {
        const struct value *rolling = value_find(strategy, "rollingUpdate");
        const struct int_or_percent quarter = {.set = true, .percent = true, .value = 25};
        const struct int_or_percent surge = read_int_or_percent(value_find(rolling, "maxSurge"));
        const struct int_or_percent unavailable =
            read_int_or_percent(value_find(rolling, "maxUnavailable"));
        deployment->strategy = claim_same_text(value_find_string(strategy, "type"), "Recreate")
                                   ? DEPLOYMENT_RECREATE
                                   : DEPLOYMENT_ROLLING_UPDATE;
        deployment->max_surge = surge.set ? surge : quarter;
        deployment->max_unavailable = unavailable.set ? unavailable : quarter;
    }
    deployment_case_fill_spec(a_case);
}

/* The set of this name; a set that was created here has a name that the
 * scenario cannot know, so the first unknown name of the scenario is taken to
 * be its name. */
static struct case_set *find_set(struct deployment_case *a_case, const char *name)
{
    for (uint32_t i = 0; i < a_case->sets.count; i++)
        if (strcmp(a_case->sets.items[i].facts.name, name) == 0)
            return &a_case->sets.items[i];
    for (uint32_t i = 0; i < a_case->sets.count; i++)
        if (!a_case->sets.items[i].named) {
            a_case->sets.items[i].named = true;
            a_case->sets.items[i].facts.name = name;
            return &a_case->sets.items[i];
        }
    return NULL;
}

static bool set_statuses(struct deployment_case *a_case, const struct value *statuses,
                         struct problems *problems)
{
    if (value_is_null(statuses) || statuses->kind != VALUE_MAPPING)
        return true;
    bool good = true;
    VALUE_EACH_MEMBER(statuses, member)
    {
        struct case_set *set = find_set(a_case, member->key);
        int64_t replicas = 0;
        int64_t ready = 0;
        int64_t available = 0;
        if (!set) {
            problem_error(problems, member_place(statuses, member), "rsStatus",
                          "there is no ReplicaSet \"%s\"", member->key);
            good = false;
            continue;
        }
        good =
            scenario_read_integer(&member->value, "replicas",
                                  (struct scenario_number){0, 0, INT32_MAX}, &replicas, problems) &&
            scenario_read_integer(&member->value, "ready",
                                  (struct scenario_number){0, 0, INT32_MAX}, &ready, problems) &&
            scenario_read_integer(&member->value, "available",
                                  (struct scenario_number){0, 0, INT32_MAX}, &available,
                                  problems) &&
            good;
        set->facts.status_replicas = (int32_t)replicas;
        set->facts.ready_replicas = (int32_t)ready;
        set->facts.available_replicas = (int32_t)available;
        set->facts.observed = true;
        set->facts.synced = true;
    }
    return good;
}

static bool decide_steps(struct deployment_case *a_case, const struct objects *objects,
                         const struct value *steps, struct json_out *json,
                         struct problems *problems)
{
    bool good = true;
    json_object_begin(json, "result");
    json_array_begin(json, "steps");
    VALUE_EACH_ITEM(steps, step)
    {
        good = scenario_read_time(step, "clock", &a_case->facts.now, problems) && good;
        edit(a_case, value_find(step, "edit"));
        good = set_statuses(a_case, value_find(step, "rsStatus"), problems) && good;
        const struct deployment_decision *decision = deployment_case_advance(a_case, objects);
        deployment_write_decision(json, NULL, a_case, decision);
        /* What was deleted is gone before the next sync. */
        uint32_t kept = 0;
        for (uint32_t i = 0; i < a_case->sets.count; i++)
            if (!deployment_deletes(decision, i))
                a_case->sets.items[kept++] = a_case->sets.items[i];
        a_case->sets.count = kept;
    }
    json_array_end(json);
    json_object_end(json);
    return good;
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    struct deployment_case a_case;
    if (!scenario_read(arena, value, features, &scenario, problems))
        return false;
    const struct object *object = scenario_only(&scenario.objects, OBJECT_DEPLOYMENT, problems);
    if (!object)
        return false;
    deployment_case_fill(arena, &scenario.objects, object, &scenario.features, &a_case);
    const struct value *steps = value_find(scenario.input, "steps");
    if (steps && steps->kind == VALUE_SEQUENCE)
        return decide_steps(&a_case, &scenario.objects, steps, json, problems);
    a_case.facts.now = scenario.clock;
    const struct deployment_decision *decision =
        deployment_case_advance(&a_case, &scenario.objects);
    deployment_write_decision(json, "result", &a_case, decision);
    return true;
}

/* All Deployments of a cluster, one after the other. */
static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    (void)problems;
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_DEPLOYMENT)
            continue;
        struct deployment_case a_case;
        deployment_case_fill(arena, objects, &objects->items[i], &choice->features, &a_case);
        a_case.facts.now = scenario_present(objects);
        const struct deployment_decision *decision = deployment_case_advance(&a_case, objects);
        json_object_begin(json, NULL);
        json_string(json, "namespace", a_case.deployment.meta.namespace);
        json_string(json, "name", a_case.deployment.meta.name);
        deployment_write_decision(json, "decision", &a_case, decision);
        json_object_end(json);
        deployment_write_sentences(sentences, &a_case, decision);
    }
    json_array_end(json);
    return true;
}

const struct decider decider_deployment = {
    .name = "deployment",
    .summary = "how a Deployment resizes its ReplicaSets in its next sync",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
