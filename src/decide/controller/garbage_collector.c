/* SPDX-License-Identifier: Apache-2.0 */
/* Mirrors attemptToDeleteItem, processDeletingDependentsItem and the orphan
 * worker of pkg/controller/garbagecollector/garbagecollector.go, and the
 * finalizers that the API server's generic store sets, @ v1.26.15; the same up
 * to v1.33. */
#include "decide/controller/garbage_collector.h"

static struct gc_decision decide_deleted(const struct gc_facts *facts)
{
    if (facts->orphan_finalizer)
        return (struct gc_decision){.verb = GC_ORPHANS};
    if (!facts->foreground_finalizer)
        return (struct gc_decision){.verb = GC_NOTHING};
    return (struct gc_decision){.verb = facts->blocking_dependents > 0 ? GC_WAITS
                                                                       : GC_REMOVES_FINALIZER};
}

struct gc_decision gc_decide(const struct gc_facts *facts)
{
    struct gc_decision decision = {.verb = GC_NOTHING};
    if (facts->being_deleted)
        return decide_deleted(facts);
    if (facts->owners_solid + facts->owners_absent + facts->owners_waiting == 0)
        return decision;
    if (facts->owners_solid > 0) {
        if (facts->owners_absent + facts->owners_waiting > 0)
            decision.verb = GC_DROPS_REFERENCES;
        return decision;
    }
    decision.verb = GC_DELETES;
    if (facts->owners_waiting > 0 && facts->dependents > 0) {
        decision.policy = GC_FOREGROUND;
        decision.unblocks = facts->dependent_waits;
    } else if (facts->orphan_finalizer) {
        decision.policy = GC_ORPHAN;
    } else {
        decision.policy = facts->foreground_finalizer ? GC_FOREGROUND : GC_BACKGROUND;
    }
    return decision;
}
