/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which pods go first. Mirrors ActivePodsWithRanks in pkg/controller/
 * controller_utils.go @ v1.26.15.
 *
 * Ages are compared by the power of two of their nanoseconds, so that among old
 * pods of about the same age the choice is random (by UID) and not always the
 * youngest. That makes the comparison intransitive: pods with exactly the same
 * ready time go on to the next rule, others of the same bucket do not.
 */
#include "decide/controller/replica_set/replica_set_controller.h"

#include "decide/claim.h"
#include "decide/controller/go_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int phase_rank(enum pod_phase phase)
{
    return phase == POD_RUNNING ? 2 : phase == POD_UNKNOWN ? 1 : 0;
}

/* The whole part of the binary logarithm, computed as Go's math.Log2 does;
 * -1 for instants that are not in the past. */
static int64_t bucket(int64_t age)
{
    if (age <= 0)
        return -1;
    int exponent;
    const double fraction = frexp((double)age, &exponent);
    if (fraction == 0.5)
        return exponent - 1;
    return go_int64_of((double)exponent + log(fraction) * (1 / 0.693147180559945309417232121458));
}

static int by_uid(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : 0;
}

/* Instants that are not known count as the latest. */
static int by_age(int64_t a, int64_t b, const char *a_uid, const char *b_uid,
                  enum removal_rule rule, enum removal_rule uid_rule, enum removal_rule *decided)
{
    *decided = rule;
    if (a == AGE_NONE || b == AGE_NONE)
        return a == AGE_NONE ? -1 : 1;
    const int64_t difference = bucket(a) - bucket(b);
    if (difference != 0)
        return difference < 0 ? -1 : 1;
    *decided = uid_rule;
    return by_uid(a_uid, b_uid);
}

int replica_set_compare(const struct replica_set_pod_class *a,
                        const struct replica_set_pod_class *b, enum removal_rule *rule)
{
    enum removal_rule unused = REMOVAL_NOT_ASSIGNED;
    enum removal_rule *decided = rule ? rule : &unused;
    *decided = REMOVAL_NOT_ASSIGNED;
    if (a->assigned != b->assigned)
        return a->assigned ? 1 : -1;
    *decided = REMOVAL_PHASE;
    if (phase_rank(a->phase) != phase_rank(b->phase))
        return phase_rank(a->phase) - phase_rank(b->phase);
    *decided = REMOVAL_NOT_READY;
    if (a->ready != b->ready)
        return a->ready ? 1 : -1;
    *decided = REMOVAL_DELETION_COST;
    if (a->deletion_cost != b->deletion_cost)
        return a->deletion_cost < b->deletion_cost ? -1 : 1;
    *decided = REMOVAL_CROWDED_NODE;
    if (a->node_crowd != b->node_crowd)
        return a->node_crowd > b->node_crowd ? -1 : 1;
    if (a->ready && b->ready && a->ready_age != b->ready_age)
        return by_age(a->ready_age, b->ready_age, a->uid, b->uid, REMOVAL_READY_TIME,
                      REMOVAL_READY_UID, decided);
    *decided = REMOVAL_RESTARTS;
    if (a->restarts != b->restarts)
        return a->restarts > b->restarts ? -1 : 1;
    if (a->sidecar_restarts != b->sidecar_restarts)
        return a->sidecar_restarts > b->sidecar_restarts ? -1 : 1;
    if (a->creation_age != b->creation_age)
        return by_age(a->creation_age, b->creation_age, a->uid, b->uid, REMOVAL_AGE,
                      REMOVAL_AGE_UID, decided);
    *decided = REMOVAL_EQUAL;
    return 0;
}

const char *removal_rule_text(enum removal_rule rule)
{
    static const char *const texts[] = {
        [REMOVAL_EQUAL] = "nothing tells them apart",
        [REMOVAL_NOT_ASSIGNED] = "pods without a node go first",
        [REMOVAL_PHASE] = "pending pods go before running ones",
        [REMOVAL_NOT_READY] = "pods that are not ready go first",
        [REMOVAL_DELETION_COST] = "the lower pod-deletion-cost goes first",
        [REMOVAL_CROWDED_NODE] = "pods on nodes with more pods of the same owner go first",
        [REMOVAL_READY_TIME] = "pods that became ready later go first",
        [REMOVAL_READY_UID] = "ready for about as long: by UID, that is at random",
        [REMOVAL_RESTARTS] = "pods with more restarts go first",
        [REMOVAL_AGE] = "younger pods go first",
        [REMOVAL_AGE_UID] = "about as old: by UID, that is at random",
    };
    return texts[rule];
}

int32_t replica_set_deletion_cost(const struct labels *annotations)
{
    const char *text = labels_find(annotations, "controller.kubernetes.io/pod-deletion-cost");
    if (!text || *text == '+' || (*text == '0' && text[1]))
        return 0;
    const char *digits = *text == '-' ? text + 1 : text;
    if (!*digits || digits[strspn(digits, "0123456789")] || strlen(digits) > 10)
        return 0;
    const long long cost = strtoll(text, NULL, 10);
    return cost < INT32_MIN || cost > INT32_MAX ? 0 : (int32_t)cost;
}

/*
 * All removals. A way is possible unless it keeps a pod that goes before one
 * that it removes. Classes are taken in an order that respects the ranking;
 * once a class keeps a pod, only classes that are not ranked behind it give.
 */
struct rank_removal {
    const struct replica_set_pod_class *pods;
    const uint32_t *order;
    uint32_t count;
    uint32_t *amounts;
    void (*emit)(void *context, const uint32_t *amounts);
    void *context;
    uint64_t ways;
};

static bool may_give(const struct rank_removal *removal, uint32_t position)
{
    const struct replica_set_pod_class *pods = removal->pods;
    const uint32_t class = removal->order[position];
    for (uint32_t i = 0; i < position; i++) {
        const uint32_t other = removal->order[i];
        if (removal->amounts[other] < pods[other].count &&
            replica_set_compare(&pods[other], &pods[class], NULL) < 0)
            return false;
    }
    return true;
}

/* May this class keep pods although those taken from earlier ones are gone? */
static bool may_keep(const struct rank_removal *removal, uint32_t position)
{
    const struct replica_set_pod_class *pods = removal->pods;
    const uint32_t class = removal->order[position];
    for (uint32_t i = 0; i < position; i++) {
        const uint32_t other = removal->order[i];
        if (removal->amounts[other] > 0 &&
            replica_set_compare(&pods[class], &pods[other], NULL) < 0)
            return false;
    }
    return true;
}

/* What later classes can still give if this one keeps a pod. */
static uint32_t room_behind(const struct rank_removal *removal, uint32_t position)
{
    const struct replica_set_pod_class *pods = removal->pods;
    uint32_t room = 0;
    for (uint32_t i = position + 1; i < removal->count; i++)
        if (replica_set_compare(&pods[removal->order[position]], &pods[removal->order[i]], NULL) >=
            0)
            room += pods[removal->order[i]].count;
    return room;
}

static void choose(struct rank_removal *removal, uint32_t position, uint32_t left)
{
    if (position == removal->count) {
        if (left == 0) {
            removal->ways++;
            removal->emit(removal->context, removal->amounts);
        }
        return;
    }
    const uint32_t class = removal->order[position];
    const uint32_t available = removal->pods[class].count;
    const uint32_t most = !may_give(removal, position) ? 0 : left < available ? left : available;
    const uint32_t least = may_keep(removal, position) ? 0 : available;
    const uint32_t room = room_behind(removal, position);
    for (uint32_t amount = most;; amount--) {
        if (amount < least || (amount < available && left - amount > room))
            break;
        removal->amounts[class] = amount;
        choose(removal, position + 1, left - amount);
        if (amount == 0)
            break;
    }
    removal->amounts[class] = 0;
}

uint64_t replica_set_each_removal(struct arena *scratch, const struct replica_set_pod_class *pods,
                                  uint32_t pod_class_count, uint32_t removed,
                                  void (*emit)(void *context, const uint32_t *amounts),
                                  void *context)
{
    const struct arena_mark mark = arena_mark(scratch);
    uint32_t *order = ARENA_ARRAY(scratch, uint32_t, pod_class_count + 1);
    for (uint32_t i = 0; i < pod_class_count; i++) {
        uint32_t at = i;
        while (at > 0 && replica_set_compare(&pods[i], &pods[order[at - 1]], NULL) < 0) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
    struct rank_removal removal = {
        .pods = pods,
        .order = order,
        .count = pod_class_count,
        .amounts = ARENA_ARRAY(scratch, uint32_t, pod_class_count + 1),
        .emit = emit,
        .context = context,
    };
    choose(&removal, 0, removed);
    arena_rewind(scratch, mark);
    return removal.ways;
}
