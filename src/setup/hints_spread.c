/* SPDX-License-Identifier: Apache-2.0 */
/* Hints about the labels of nodes that pods are to be spread over: one that no node has spreads
 * nothing, or keeps all pods away. */
#include "setup/hinting.h"

#include "base/suggest.h"
#include "object/as_written.h"
#include "object/node.h"
#include "setup/node_needs.h"
#include "setup/setup.h"

#include <string.h>

/* Labels of places that kubelets and cloud providers set. */
static const char *const known[] = {
    LABEL_HOSTNAME,
    LABEL_ZONE,
    LABEL_REGION,
    LABEL_ZONE_BETA,
    LABEL_REGION_BETA,
    LABEL_INSTANCE,
    LABEL_INSTANCE_BETA,
    "kubernetes.io/arch",
    "kubernetes.io/os",
    "beta.kubernetes.io/arch",
    "beta.kubernetes.io/os",
};
enum { KNOWN = sizeof(known) / sizeof(*known) };

static bool is_known(const char *key)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(key, known[i]) == 0)
            return true;
    return false;
}

/* Do labels with this prefix belong to Kubernetes? Nobody else sets them, but for roles. */
static bool is_reserved(const char *key)
{
    static const char *const ends[] = {"kubernetes.io", "k8s.io"};
    const char *slash = strchr(key, '/');
    const size_t length = slash ? (size_t)(slash - key) : 0;
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        const size_t end = strlen(ends[i]);
        if (length >= end && strncmp(slash - end, ends[i], end) == 0 &&
            (length == end || slash[-(ptrdiff_t)end - 1] == '.'))
            return strncmp(key, "node-role.", strlen("node-role.")) != 0;
    }
    return false;
}

/* What the key is likely to be a slip of; NULL: nothing. */
static const char *likely_key(const char *key)
{
    enum { SLIPS_MOST = 3 };
    static const char *const places[] = {LABEL_HOSTNAME, LABEL_ZONE, LABEL_REGION};
    const char *slash = strrchr(key, '/');
    const char *last = slash ? slash + 1 : key;
    const char *nearest = NULL;
    size_t slips = SLIPS_MOST + 1;
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
        if ((!slash || is_reserved(key)) && strcmp(last, strrchr(places[i], '/') + 1) == 0)
            return places[i];
    for (size_t i = 0; i < KNOWN; i++)
        if (suggest_distance(key, known[i]) < slips) {
            nearest = known[i];
            slips = suggest_distance(key, known[i]);
        }
    return nearest;
}

static bool is_asked_for(const struct labels *labels, const struct affinity *affinity,
                         const char *key)
{
    const struct node_selector *required =
        affinity && affinity->node_affinity ? affinity->node_affinity->required : NULL;
    bool asked = labels_find(labels, key) != NULL;
    for (uint32_t t = 0; required && t < required->term_count; t++)
        for (uint32_t i = 0; i < required->terms[t].match_expression_count; i++)
            asked |= strcmp(required->terms[t].match_expressions[i].key, key) == 0;
    return asked;
}

/* Is it likely that nodes have such a label, for all that is known without them? */
static bool nodes_may_have(const struct pod_spec *spec,
                           const struct topology_spread_constraint *constraint)
{
    const char *key = constraint->topology_key;
    if (is_known(key) || is_asked_for(&spec->node_selector, spec->affinity, key))
        return true;
    if (likely_key(key) || is_reserved(key))
        return false;
    /* What must be there is told as what the nodes need; and who runs the nodes may have labels of
     * their own. */
    return constraint->when_unsatisfiable == DO_NOT_SCHEDULE || strchr(key, '/');
}

/* `given`: nodes are among the objects. */
static bool any_node_has(const struct hinting *hinting, const char *key, bool *given)
{
    *given = false;
    for (uint32_t i = 0; i < hinting->objects->count; i++) {
        const struct object *object = &hinting->objects->items[i];
        if (object->kind != OBJECT_NODE || !object->source)
            continue;
        *given = true;
        if (labels_find(&object->meta->labels, key))
            return true;
    }
    return strcmp(key, LABEL_HOSTNAME) == 0;
}

void hints_look_at_spread(struct hinting *hinting, const struct object *object)
{
    const struct pod_spec *spec = &workload_template(object)->spec;
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++) {
        const struct topology_spread_constraint *constraint = &spec->topology_spread_constraints[i];
        const char *key = constraint->topology_key;
        const char *likely = likely_key(key);
        bool given;
        if (any_node_has(hinting, key, &given) || (!given && nodes_may_have(spec, constraint)))
            continue;
        hint_add(
            hinting, object,
            arena_printf(hinting->arena, "spec.template.spec.topologySpreadConstraints[%u]", i),
            arena_printf(
                hinting->arena, "%s is to be spread over %s, a label that %s: %s",
                written_words(hinting->arena, object), key,
                given ? "no node has" : "neither kubelets nor cloud providers set on nodes",
                constraint->when_unsatisfiable == DO_NOT_SCHEDULE
                    ? "its pods find no node without it"
                    : "nodes without it count for nothing, and its pods may all be on one"),
            !is_known(key) && likely && (!given || any_node_has(hinting, likely, &given))
                ? arena_printf(hinting->arena, "did you mean %s?", likely)
                : NULL);
    }
}
