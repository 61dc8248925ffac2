/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom decide descheduler`: which pods the next cycle evicts.
 *
 * A scenario has `objects`, the `policy`, and `now`. Its `version` says which
 * descheduler decides ("0.28.1"); without one, a policy that uses a field which
 * only v0.28 has is v0.28's, and every other v0.27's. With "outcomes": true the
 * result has all outcomes, by kinds of pods. Profiles of a scenario run one after
 * the other whatever the version, as they did when the cycles were recorded.
 *
 * Given manifests, the version is that of the descheduler's own image, if it is
 * among the objects.
 */
#include "decide/decider.h"
#include "decide/descheduler/descheduler.h"
#include "decide/scenario.h"
#include "object/admission.h"

#include <string.h>

static const char *const mode_names[] = {
    [DESCHEDULER_DELETE] = "delete",
    [DESCHEDULER_STATIC] = "static",
    [DESCHEDULER_GRACEFUL] = "graceful",
};

/* ---- writing ---- */

static const char *pod_name(struct arena *arena, const struct cluster *cluster, uint32_t pod)
{
    const struct pod *object = cluster_kind(cluster, pod)->pod;
    return arena_printf(arena, "%s/%s", object->meta.namespace, cluster->pods[pod].name);
}

static void write_evictions(struct arena *arena, struct json_out *json, const char *key,
                            const struct cluster *cluster, const descheduler_evictions *list,
                            bool rejected)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct descheduler_eviction *eviction = &list->items[i];
        json_object_begin(json, NULL);
        json_string(json, "pod", pod_name(arena, cluster, eviction->pod));
        json_string(json, "node", cluster->nodes[eviction->node].node->meta.name);
        json_string(json, "plugin", descheduler_plugin_name(eviction->plugin));
        if (rejected)
            json_string(json, "why", eviction_refusal_name(eviction->refusal));
        else if (eviction->why)
            json_string(json, "why", eviction->why);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_notes(struct json_out *json, const struct descheduler_result *result)
{
    if (result->notes.count > 0) {
        json_array_begin(json, "notes");
        for (uint32_t i = 0; i < result->notes.count; i++)
            json_string(json, NULL, result->notes.items[i]);
        json_array_end(json);
    }
    if (result->error)
        json_string(json, "error", result->error);
}

static bool same_evictions(const descheduler_evictions *a, const descheduler_evictions *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->items[i].pod != b->items[i].pod || a->items[i].plugin != b->items[i].plugin)
            return false;
    return true;
}

/* Writes the results of the other modes where they differ. */
static void write_modes(struct arena *arena, struct json_out *json, struct descheduler_setup setup,
                        struct cluster *cluster, const descheduler_evictions *evicted)
{
    for (int mode = DESCHEDULER_STATIC; mode <= DESCHEDULER_GRACEFUL; mode++) {
        struct descheduler_result result;
        setup.mode = (enum descheduler_mode)mode;
        descheduler_run(arena, &setup, cluster, false, &result);
        if (same_evictions(evicted, &result.evicted))
            continue;
        json_object_begin(json, mode_names[mode]);
        write_evictions(arena, json, "evicted", cluster, &result.evicted, false);
        json_object_end(json);
    }
}

static void write_loss(struct json_out *json, const struct cluster *cluster,
                       const struct descheduler_loss *loss)
{
    json_object_begin(json, NULL);
    json_string(json, "node", cluster->nodes[loss->node].node->meta.name);
    json_string(json, "plugin", descheduler_plugin_name(loss->plugin));
    json_unsigned(json, "count", loss->count);
    json_array_begin(json, "of");
    for (uint32_t i = 0; i < cluster->nodes[loss->node].pod_count; i++) {
        const struct cluster_pod *pod = &cluster->pods[cluster->nodes[loss->node].first_pod + i];
        if (pod->kind == loss->kind)
            json_string(json, NULL, pod->name);
    }
    json_array_end(json);
    json_object_end(json);
}

/* Which pods are of one kind depends on what the policy's plugins look at. */
static void write_outcomes(struct arena *arena, struct json_out *json,
                           const struct descheduler_setup *setup, const struct features *kubernetes)
{
    struct cluster *cluster =
        cluster_of_objects(arena, kubernetes, setup->objects,
                           descheduler_readers(setup->policy, setup->features), true);
    struct descheduler_outcomes outcomes;
    descheduler_enumerate(arena, setup, cluster, (struct descheduler_limits){0}, &outcomes);
    json_object_begin(json, "outcomes");
    json_boolean(json, "complete", !outcomes.too_many);
    json_array_begin(json, "sets");
    for (uint32_t i = 0; i < outcomes.items.count; i++) {
        json_array_begin(json, NULL);
        for (uint32_t l = 0; l < outcomes.items.items[i].loss_count; l++)
            write_loss(json, cluster, &outcomes.items.items[i].losses[l]);
        json_array_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

/* ---- scenarios ---- */

/* Fields of RemovePodsViolatingTopologySpreadConstraint that are new in v0.28. */
static bool policy_is_newer(const struct value *policy)
{
    const struct value *profiles = value_find(policy, "profiles");
    if (!profiles || profiles->kind != VALUE_SEQUENCE)
        return false;
    VALUE_EACH_ITEM(profiles, profile)
    {
        const struct value *configs = value_find(profile, "pluginConfig");
        if (!configs || configs->kind != VALUE_SEQUENCE)
            continue;
        VALUE_EACH_ITEM(configs, config)
        {
            const struct value *args = value_find(config, "args");
            if (value_find(args, "constraints") || value_find(args, "topologyBalanceNodeFit"))
                return true;
        }
    }
    return false;
}

static bool read_version(const struct value *value, const struct value *policy, int *minor,
                         struct problems *problems)
{
    const struct value *version = value_find(value, "version");
    const char *text = value_find_string(value, "version");
    *minor = policy_is_newer(policy) ? DESCHEDULER_MINOR_LAST : DESCHEDULER_MINOR_FIRST;
    if (value_is_null(version) || (text && descheduler_parse_version(text, minor)))
        return true;
    value_expected(problems, version, "version", "a version of the descheduler, 0.27 or 0.28");
    return false;
}

static bool read_policy(struct arena *arena, const struct value *policy,
                        const struct descheduler_policy **result, struct problems *problems)
{
    struct objects objects = {0};
    struct document *document = ARENA_NEW(arena, struct document);
    if (value_is_null(policy)) {
        problem_error(problems, (struct place){0}, "policy", "expected a DeschedulerPolicy");
        return false;
    }
    document->root = *policy;
    if (!objects_add(arena, &objects, document, NULL, problems))
        return false;
    const struct object *found = scenario_only(&objects, OBJECT_DESCHEDULER_POLICY, problems);
    *result = found ? found->as.descheduler_policy : NULL;
    return found != NULL;
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    struct descheduler_setup setup = {.mode = DESCHEDULER_DELETE, .profiles_in_turn = true};
    struct descheduler_result result;
    const struct value *policy = value_find(value, "policy");
    bool outcomes = false;
    int minor;
    if (!scenario_read(arena, value, features, &scenario, problems) ||
        !read_policy(arena, policy, &setup.policy, problems) ||
        !scenario_read_time(value, "now", &setup.now, problems) ||
        !read_version(value, policy, &minor, problems))
        return false;
    if (setup.now == TIME_NONE)
        setup.now = scenario_present(&scenario.objects);
    setup.features = descheduler_features_of_version(minor);
    setup.objects = &scenario.objects;
    struct cluster *cluster =
        cluster_of_objects(arena, &scenario.features, &scenario.objects,
                           descheduler_readers(setup.policy, setup.features), false);
    descheduler_run(arena, &setup, cluster, false, &result);
    json_object_begin(json, "result");
    write_evictions(arena, json, "evicted", cluster, &result.evicted, false);
    if (result.rejected.count > 0)
        write_evictions(arena, json, "rejected", cluster, &result.rejected, true);
    write_modes(arena, json, setup, cluster, &result.evicted);
    const struct value *wanted = value_find(value, "outcomes");
    if (wanted && value_read_boolean(wanted, &outcomes) && outcomes)
        write_outcomes(arena, json, &setup, &scenario.features);
    write_notes(json, &result);
    json_object_end(json);
    return true;
}

/* ---- manifests ---- */

static void tell_evictions(struct arena *arena, struct text *sentences,
                           const struct cluster *cluster, const struct descheduler_result *result,
                           uint32_t step)
{
    for (uint32_t i = 0; i < result->evicted.count; i++) {
        const struct descheduler_eviction *eviction = &result->evicted.items[i];
        if (eviction->step == step)
            text_printf(sentences, "  evicts %s from %s: %s\n",
                        pod_name(arena, cluster, eviction->pod),
                        cluster->nodes[eviction->node].node->meta.name, eviction->why);
    }
    for (uint32_t i = 0; i < result->rejected.count; i++) {
        const struct descheduler_eviction *eviction = &result->rejected.items[i];
        if (eviction->step == step)
            text_printf(sentences, "  wants to evict %s from %s, but %s\n",
                        pod_name(arena, cluster, eviction->pod),
                        cluster->nodes[eviction->node].node->meta.name,
                        eviction->refusal == REFUSED_NOT_FOUND
                            ? "it is gone already"
                            : eviction_rule_text(eviction->rule));
    }
}

static void tell_result(struct arena *arena, struct text *sentences, const struct cluster *cluster,
                        const struct descheduler_result *result)
{
    for (uint32_t i = 0; i < result->stories.count; i++) {
        const struct descheduler_story *story = &result->stories.items[i];
        text_printf(sentences, "%s%s%s\n", story->profile ? story->profile : "",
                    story->profile ? ": " : "", descheduler_plugin_name(story->plugin));
        for (uint32_t s = 0; s < story->sentences.count; s++)
            text_printf(sentences, "  %s\n", story->sentences.items[s]);
        tell_evictions(arena, sentences, cluster, result, i);
    }
    for (uint32_t i = 0; i < result->notes.count; i++)
        text_printf(sentences, "Nothing runs: %s\n", result->notes.items[i]);
    if (result->error)
        text_printf(sentences, "The descheduler does not start: %s\n", result->error);
}

static void tell_outcomes(struct text *sentences, const struct descheduler_result *result,
                          const struct descheduler_outcomes *outcomes)
{
    text_printf(sentences, "%u eviction%s, %u refused.", result->evicted.count,
                result->evicted.count == 1 ? "" : "s", result->rejected.count);
    if (outcomes->too_many)
        text_append_string(sentences, " Who goes depends on chance, in very many ways.\n");
    else if (outcomes->items.count > 1)
        text_printf(sentences,
                    " Who goes depends on chance: there are %u outcomes that differ in more than "
                    "names; this is the one in which everything goes by name.\n",
                    outcomes->items.count);
    else
        text_append_string(sentences, " No chance is involved but for names.\n");
}

static void write_stories(struct json_out *json, const struct descheduler_result *result)
{
    json_array_begin(json, "plugins");
    for (uint32_t i = 0; i < result->stories.count; i++) {
        const struct descheduler_story *story = &result->stories.items[i];
        json_object_begin(json, NULL);
        json_string(json, "profile", story->profile);
        json_string(json, "plugin", descheduler_plugin_name(story->plugin));
        json_array_begin(json, "saw");
        for (uint32_t s = 0; s < story->sentences.count; s++)
            json_string(json, NULL, story->sentences.items[s]);
        json_array_end(json);
        json_object_end(json);
    }
    json_array_end(json);
}

static bool decide_objects(struct arena *arena, const struct objects *given,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    enum { RUNS_MOST = 20000 };
    struct objects whole = {0};
    for (uint32_t i = 0; i < given->count; i++)
        objects_put(arena, &whole, &given->items[i]);
    objects_add_namespaces(arena, &whole);
    const struct objects *objects = &whole;
    const struct object *policy = scenario_only(objects, OBJECT_DESCHEDULER_POLICY, problems);
    if (!policy)
        return false;
    const struct descheduler_setup setup = {
        .policy = policy->as.descheduler_policy,
        .objects = objects,
        .features = descheduler_features_of_version(descheduler_version_of(objects)),
        .mode = DESCHEDULER_DELETE,
        .now = scenario_present(objects),
    };
    const struct kind_readers readers = descheduler_readers(setup.policy, setup.features);
    struct descheduler_result result;
    struct descheduler_outcomes outcomes;
    struct cluster *cluster = cluster_of_objects(arena, &choice->features, objects, readers, false);
    descheduler_run(arena, &setup, cluster, true, &result);
    descheduler_enumerate(arena, &setup,
                          cluster_of_objects(arena, &choice->features, objects, readers, true),
                          (struct descheduler_limits){.runs_most = RUNS_MOST}, &outcomes);
    text_printf(sentences, "Descheduler v0.%d, %u of %u nodes, %u pods\n", setup.features.minor,
                (uint32_t)cluster->cycle_nodes.value, cluster->node_count, cluster->pod_count);
    tell_result(arena, sentences, cluster, &result);
    tell_outcomes(sentences, &result, &outcomes);

    json_object_begin(json, "result");
    json_string(json, "version", arena_printf(arena, "0.%d", setup.features.minor));
    write_stories(json, &result);
    write_evictions(arena, json, "evicted", cluster, &result.evicted, false);
    write_evictions(arena, json, "rejected", cluster, &result.rejected, true);
    json_unsigned(json, "outcomes", outcomes.items.count);
    json_boolean(json, "outcomesComplete", !outcomes.too_many);
    write_notes(json, &result);
    json_object_end(json);
    return true;
}

const struct decider decider_descheduler = {
    .name = "descheduler",
    .summary = "which pods the next cycle evicts, by which plugin and why",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
