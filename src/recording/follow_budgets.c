/* SPDX-License-Identifier: Apache-2.0 */
/* PodDisruptionBudgets, the eviction API, the descheduler. */
#include "decide/claim.h"
#include "decide/controller/eviction.h"
#include "decide/descheduler/descheduler.h"
#include "object/policy.h"
#include "recording/follow_internal.h"
#include "recording/follow_questions.h"

#include <string.h>

static int64_t number_in(const struct value *mapping, const char *key)
{
    int64_t number = 0;
    value_read_integer(value_find(mapping, key), &number);
    return number;
}

bool rule_budget_status(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    static const char *const numbers[] = {"currentHealthy", "desiredHealthy", "expectedPods",
                                          "disruptionsAllowed"};
    const struct value *written = value_find(deed->line, "status");
    const struct value *decision =
        value_find(follower_decide(follower, &decider_pdb, glimpse, deed->name), "status");
    bool good = decision && written;
    if (follower->would.length == 0)
        text_printf(&follower->would,
                    "the disruption controller would write: %lld of %lld healthy, "
                    "%lld allowed",
                    (long long)number_in(decision, "currentHealthy"),
                    (long long)number_in(decision, "desiredHealthy"),
                    (long long)number_in(decision, "disruptionsAllowed"));
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        good = good && number_in(decision, numbers[i]) == number_in(written, numbers[i]);
    return good;
}

/* ---- the eviction API ---- */

static bool has_disrupted(struct follower *follower, struct version *version, const char *pod)
{
    const struct object *object = restore_object(&follower->restorer, version);
    for (uint32_t i = 0; object && i < object->as.pod_disruption_budget->status.disrupted_pod_count;
         i++)
        if (strcmp(object->as.pod_disruption_budget->status.disrupted_pods[i].name, pod) == 0)
            return true;
    return false;
}

/* An eviction that spends a budget writes the pod's name into its status first,
 * and is refused if that is not the newest. So it was decided by the version of
 * the budget just before this write; NULL if there is no such write. */
static struct version *budget_spent(struct follower *follower, const struct deed *deed,
                                    const char *budget)
{
    const struct thing *thing =
        recording_find(follower->recording, "PodDisruptionBudget", deed->namespace, budget);
    for (uint32_t i = thing ? thing->versions.count : 0; i > 1; i--) {
        struct version *version = &thing->versions.items[i - 1];
        if (version->rv < deed->rv && !version->gone && !version[-1].gone &&
            has_disrupted(follower, version, deed->name) &&
            !has_disrupted(follower, version - 1, deed->name))
            return version - 1;
    }
    return NULL;
}

/* The eviction API goes by the budgets' statuses. */
bool rule_evict(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    const struct object *object = glimpse_find(glimpse, OBJECT_POD, deed->name);
    VEC(struct eviction_budget) budgets = {0};
    bool spent = false;
    if (!object)
        return false;
    for (uint32_t i = 0; i < glimpse->objects.count; i++) {
        const struct object *other = &glimpse->objects.items[i];
        if (other->kind == OBJECT_POD_DISRUPTION_BUDGET && is_of_namespace(follower, other->meta) &&
            eviction_budget_selects(&follower->features, other->as.pod_disruption_budget,
                                    &object->meta->labels)) {
            struct version *before = budget_spent(follower, deed, other->meta->name);
            const struct object *then =
                before ? restore_object(&follower->restorer, before) : other;
            struct eviction_budget budget =
                eviction_budget_of((then ? then : other)->as.pod_disruption_budget);
            spent = spent || before;
            budget.observed = true;
            VEC_PUSH(&follower->scratch, &budgets, budget);
        }
    }
    const struct eviction_pod pod = eviction_pod_of(object->as.pod);
    const enum eviction_rule rule =
        eviction_decide(&follower->features, &pod, budgets.items, budgets.count);
    const bool good = eviction_allowed(rule) && (spent || rule != EVICTION_BUDGET_SPENT);
    if (follower->would.length == 0 && !good && eviction_allowed(rule))
        text_printf(&follower->would, "the eviction API would take one off the budget first");
    else if (follower->would.length == 0)
        text_printf(&follower->would, "the eviction API would %s: %s", good ? "agree" : "refuse",
                    eviction_rule_text(rule));
    return good;
}

/* ---- descheduler ---- */

/* The policy of the script's step that started it, or of the manifests. */
static const struct descheduler_policy *policy_of(struct follower *follower,
                                                  const struct deed *deed)
{
    const struct recording *recording = follower->recording;
    const struct value *found = NULL;
    for (const struct deed *step = recording->deeds.items; step < deed; step++) {
        const struct value *policy = value_find(value_find(step->line, "object"), "policy");
        if (!value_is_null(policy))
            found = policy;
    }
    for (uint32_t i = 0; !found && i < recording->manifests.count; i++) {
        const struct value *root = &recording->manifests.items[i].root;
        if (claim_same_text(value_find_string(root, "kind"), "DeschedulerPolicy"))
            found = root;
    }
    if (!found)
        return NULL;
    struct objects objects = {0};
    struct document *document = ARENA_NEW(&follower->scratch, struct document);
    document->root = *found;
    if (!objects_add(&follower->scratch, &objects, document, NULL, follower->problems) ||
        objects.items[0].kind != OBJECT_DESCHEDULER_POLICY)
        return NULL;
    return objects.items[0].as.descheduler_policy;
}

static bool loses(const struct cluster *cluster, const struct descheduler_outcome *outcome,
                  const char *pod)
{
    for (uint32_t i = 0; i < outcome->loss_count; i++)
        for (uint32_t p = 0; p < cluster->pod_count; p++)
            if (cluster->pods[p].kind == outcome->losses[i].kind &&
                cluster->pods[p].node == outcome->losses[i].node &&
                claim_same_text(cluster->pods[p].name, pod))
                return true;
    return false;
}

/* The pod, and those evicted since the view, are all in one outcome of a cycle. */
static bool explains(const struct follower *follower, const struct deed *deed, int64_t since,
                     const struct cluster *cluster, const struct descheduler_outcome *outcome)
{
    if (!loses(cluster, outcome, deed->name))
        return false;
    for (const struct deed *other = deed - 1; other >= follower->recording->deeds.items; other--) {
        if (other->rv >= 0 && other->rv <= since)
            break;
        if (strcmp(other->actor, deed->actor) == 0 && strcmp(other->action, "evict") == 0 &&
            other->rv >= 0 && !other->code && !loses(cluster, outcome, other->name))
            return false;
    }
    return true;
}

bool rule_deschedule(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    const struct descheduler_policy *policy = policy_of(follower, deed);
    if (!policy) {
        follower->blind = true;
        return false;
    }
    const struct descheduler_setup setup = {
        .policy = policy,
        .objects = &glimpse->objects,
        .features = descheduler_features_of_version(DESCHEDULER_MINOR_FIRST),
        .mode = DESCHEDULER_GRACEFUL,
        .now = recording_instant(follower->recording, glimpse->now),
    };
    struct descheduler_outcomes outcomes = {0};
    struct cluster *cluster =
        cluster_of_objects(&follower->scratch, &follower->features, &glimpse->objects,
                           descheduler_readers(policy, setup.features), false);
    descheduler_enumerate(&follower->scratch, &setup, cluster,
                          (struct descheduler_limits){.runs_most = 20000}, &outcomes);
    if (follower->would.length == 0) {
        text_printf(&follower->would, "a cycle of the descheduler has %u outcomes, none with %s",
                    outcomes.items.count, deed->name);
    }
    for (uint32_t i = 0; i < outcomes.items.count; i++)
        if (explains(follower, deed, outlook_rv(&glimpse->outlook, "Pod"), cluster,
                     &outcomes.items.items[i]))
            return rule_evict(follower, deed, glimpse);
    return false;
}
