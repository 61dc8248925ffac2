/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods without a controller that a controller takes for its own, because its selector
 * matches their labels: by the rule of decide/claim.h, and by what each kind asks for
 * besides (a StatefulSet for its own name and an ordinal, a DaemonSet for a node).
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
    /* Which node a DaemonSet's pod is for is said by its node, or by its affinity. */
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
