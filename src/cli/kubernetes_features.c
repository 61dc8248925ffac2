/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/kubernetes_features.h"

#include "manifest/document.h"
#include "object/check.h"
#include "setup/cluster_version.h"

#include <string.h>

static const struct place command_line = {0};

static const char *const gates_form = "NAME=true or NAME=false, separated by commas";

/* One gate, "NAME=true"; false after a problem. */
static bool set_gate(const char *text, size_t length, struct features *features,
                     struct problems *problems)
{
    const char *equals = memchr(text, '=', length);
    const size_t name_length = equals ? (size_t)(equals - text) : length;
    const char *value = equals ? equals + 1 : text + length;
    const size_t value_length = length - (size_t)(value - text);
    const bool on = value_length == 4 && strncmp(value, "true", 4) == 0;
    const bool off = value_length == 5 && strncmp(value, "false", 5) == 0;
    const char *name = arena_strndup(problems->arena, text, name_length);
    if (!on && !off) {
        problem_error(problems, command_line, "--feature-gates", "expected %s, found \"%.*s\"",
                      gates_form, (int)length, text);
        return false;
    }
    if (features_set(features, name, on))
        return true;
    problem_error(problems, command_line, "--feature-gates",
                  "%s is not a gate that the model knows", name);
    return false;
}

static void read_gates(const char *text, struct features *features, struct problems *problems)
{
    while (text && *text) {
        const size_t length = strcspn(text, ",");
        if (!set_gate(text, length, features, problems))
            return;
        text += length;
        text += *text == ',';
    }
}

struct features kubernetes_features_read_or(const struct options *options,
                                            const struct features *otherwise,
                                            struct problems *problems)
{
    struct features features = *otherwise;
    if (options->kubernetes_version && !features_of_text(options->kubernetes_version, &features))
        problem_error(problems, command_line, "--kubernetes-version",
                      "expected a version from " FEATURES_RANGE ", found \"%s\"",
                      options->kubernetes_version);
    read_gates(options->feature_gates, &features, problems);
    return features;
}

struct features kubernetes_features_read(const struct options *options, int otherwise,
                                         struct problems *problems)
{
    const struct features features = features_of_version(otherwise);
    return kubernetes_features_read_or(options, &features, problems);
}

/* What a Check states; false if it states nothing that is known. */
static bool read_check(struct input_unit *unit, struct features *features)
{
    const bool is_check = unit->object && unit->object->kind == OBJECT_CHECK;
    const struct check *check = is_check ? unit->object->as.check : NULL;
    if (!check || !check->kubernetes_version)
        return false;
    if (features_of_text(check->kubernetes_version, features))
        return true;
    const struct value *spec = value_find(&unit->object->source->root, "spec");
    value_expected(&unit->problems, value_find(spec, "kubernetesVersion"), "spec.kubernetesVersion",
                   "a version from " FEATURES_RANGE);
    return false;
}

/* Has an API server kept one of them? */
static bool is_dump(const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].meta->uid && objects->items[i].meta->resource_version)
            return true;
    return false;
}

/* What the API server of a live cluster says of itself, else what its objects say. */
static bool find_cluster(struct arena *arena, const struct input *input,
                         const struct input_unit *unit, struct cluster_version *cluster)
{
    if (!input->api_server || !features_of_text(input->api_server, &cluster->features))
        return cluster_version_find(arena, &unit->objects, cluster);
    cluster->known = true;
    cluster->release = input->api_server;
    cluster->sentence = arena_printf(arena, "Kubernetes 1.%d (%s by the API server of the cluster)",
                                     cluster->features.minor, cluster->release);
    return true;
}

/* Who verifies a cluster by the rules of another version has to see it: in a warning, and in the
 * first line of the report. */
static void settle_by_option(struct arena *arena, const struct options *options,
                             const struct input *input, struct input_unit *unit,
                             struct kubernetes_rules *rules)
{
    struct cluster_version cluster;
    if (!find_cluster(arena, input, unit, &cluster) ||
        cluster.features.minor == rules->features.minor)
        return;
    problem_warning(&unit->problems, command_line, "--kubernetes-version",
                    "the cluster is at %s, but the rules of %s apply", cluster.release,
                    options->kubernetes_version);
    rules->sentence = arena_printf(arena,
                                   "Kubernetes 1.%d (by --kubernetes-version; the cluster "
                                   "is at %s)",
                                   rules->features.minor, cluster.release);
}

static void warn_of_cluster(const struct cluster_version *cluster, struct input_unit *unit)
{
    struct features stated;
    if (!cluster->known)
        problem_warning(&unit->problems, command_line, NULL,
                        "the cluster is at %s, which is not known: the rules of 1.%d apply",
                        cluster->release, cluster->features.minor);
    if (read_check(unit, &stated) && stated.minor != cluster->features.minor)
        problem_warning(&unit->problems, unit->object->place, "spec.kubernetesVersion",
                        "the cluster is at %s, whose rules apply, and not those of 1.%d",
                        cluster->release, stated.minor);
}

static void warn_of_untold(const struct features *features, struct input_unit *unit)
{
    if (is_dump(&unit->objects))
        problem_warning(&unit->problems, command_line, NULL,
                        "nothing tells the version of the cluster that these objects are from: "
                        "the rules of 1.%d apply (add its nodes, or give "
                        "--kubernetes-version)",
                        features->minor);
}

const struct kubernetes_rules *kubernetes_rules_settle(struct arena *arena,
                                                       const struct options *options,
                                                       struct input *input,
                                                       const struct features *usual)
{
    const uint32_t count = input->units.count;
    struct kubernetes_rules *rules = ARENA_ARRAY(arena, struct kubernetes_rules, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        struct input_unit *unit = &input->units.items[i];
        struct cluster_version cluster;
        rules[i].features = *usual;
        if (options->kubernetes_version) {
            settle_by_option(arena, options, input, unit, &rules[i]);
            continue;
        }
        if (find_cluster(arena, input, unit, &cluster)) {
            rules[i].features = cluster.features;
            rules[i].sentence = cluster.sentence;
            warn_of_cluster(&cluster, unit);
        } else if (!read_check(unit, &rules[i].features)) {
            if (unit->problems.errors > 0)
                return NULL;
            warn_of_untold(&rules[i].features, unit);
        }
        read_gates(options->feature_gates, &rules[i].features, &input->problems);
    }
    return options->kubernetes_version || input->problems.errors == 0 ? rules : NULL;
}

bool kubernetes_features_settle(struct arena *arena, const struct options *options,
                                struct input *input, struct features *features,
                                const char **sentence)
{
    const struct kubernetes_rules *rules = kubernetes_rules_settle(arena, options, input, features);
    *sentence = NULL;
    for (uint32_t i = 0; rules && i < input->units.count; i++) {
        if (i > 0 && !features_equal(features, &rules[i].features)) {
            problem_error(&input->problems, command_line, NULL,
                          "expected Checks of one Kubernetes version, found 1.%d and 1.%d: take "
                          "them one by one, or give --kubernetes-version",
                          features->minor, rules[i].features.minor);
            return false;
        }
        *features = rules[i].features;
        *sentence = rules[i].sentence;
    }
    return rules != NULL;
}
