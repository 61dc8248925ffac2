/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adoption: a controller adopts pods without a controller that its selector matches.
 * The rule is in decide/claim.h; some kinds have further conditions (a StatefulSet
 * the name of the pod, a DaemonSet a node).
 */
#include "setup/observe_adopt.h"
#include "decide/claim.h"
#include "object/workload.h"

#include <stdlib.h>
#include <string.h>

static bool selects(const struct object *owner, const struct object *pod)
{
    const struct label_selector of_controller = {
        .match_labels = owner->kind == OBJECT_REPLICATION_CONTROLLER
                            ? owner->as.replication_controller->selector
                            : (struct labels){0},
    };
    const struct label_selector *selector = NULL;
    switch (owner->kind) {
    case OBJECT_REPLICA_SET: selector = owner->as.replica_set->selector; break;
    case OBJECT_REPLICATION_CONTROLLER: selector = &of_controller; break;
    case OBJECT_STATEFUL_SET: selector = owner->as.stateful_set->selector; break;
    case OBJECT_DAEMON_SET: selector = owner->as.daemon_set->selector; break;
    case OBJECT_JOB: selector = owner->as.job->selector; break;
    default: break;
    }
    return claim_of(pod->meta, owner->kind_name, owner->meta, selector) == CLAIM_ADOPT;
}

bool observe_has_ordinal(const struct object *set, const struct object *pod)
{
    const size_t stem = strlen(set->meta->name);
    if (strncmp(pod->meta->name, set->meta->name, stem) != 0 || pod->meta->name[stem] != '-')
        return false;
    const char *digits = pod->meta->name + stem + 1;
    return *digits && digits[strspn(digits, "0123456789")] == '\0' && strlen(digits) < 6 &&
           strtol(digits, NULL, 10) >= set->as.stateful_set->start_ordinal;
}

bool observe_would_adopt(const struct object *owner, const struct object *pod)
{
    /* A pod of a DaemonSet names its node in spec.nodeName or in its affinity. */
    if (owner->kind == OBJECT_DAEMON_SET && !pod->as.pod->spec.node_name)
        return false;
    return selects(owner, pod) &&
           (owner->kind != OBJECT_STATEFUL_SET || observe_has_ordinal(owner, pod));
}

struct adopters observe_adopters(const struct objects *objects, const struct object *pod)
{
    struct adopters found = {0};
    for (uint32_t i = 0; i < objects->count && !found.other; i++) {
        const struct object *owner = &objects->items[i];
        if (!observe_would_adopt(owner, pod))
            continue;
        if (found.first)
            found.other = owner;
        else
            found.first = owner;
    }
    return found;
}
