/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The garbage collector: what becomes of the dependents of a deleted owner.
 *
 * Pure, one object at a time: what it sees of an object, its owners and its
 * dependents (the facts), and the one write that follows. Objects of one class
 * (the pods of a ReplicaSet) have the same facts and are treated alike; each
 * write is a step of its own, and any order of them may happen.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_GARBAGE_COLLECTOR_H
#define FATHOM_DECIDE_CONTROLLER_GARBAGE_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

enum gc_policy {
    GC_BACKGROUND, /* the object at once, its dependents later */
    GC_FOREGROUND, /* dependents that block first, then the object */
    GC_ORPHAN,     /* dependents stay, without this owner */
};

struct gc_facts {
    bool being_deleted;
    bool foreground_finalizer; /* foregroundDeletion */
    bool orphan_finalizer;     /* orphan */
    uint32_t owners_solid;     /* there, and not waiting for their dependents */
    uint32_t owners_absent;    /* gone, or another object of that name */
    uint32_t owners_waiting;   /* being deleted in the foreground */
    uint32_t dependents;
    uint32_t blocking_dependents; /* with blockOwnerDeletion */
    bool dependent_waits;         /* a dependent is itself being deleted in the foreground */
};

enum gc_verb {
    GC_NOTHING,
    GC_WAITS,             /* for its blocking dependents, which are looked at */
    GC_DROPS_REFERENCES,  /* those to absent and waiting owners; another owner keeps it */
    GC_DELETES,           /* with `policy` */
    GC_ORPHANS,           /* takes itself from its dependents, then its orphan finalizer away */
    GC_REMOVES_FINALIZER, /* foregroundDeletion: nothing is left that blocks it */
};

struct gc_decision {
    enum gc_verb verb;
    enum gc_policy policy;
    bool unblocks; /* its references do not block any more, since it may be part of a cycle of
                      owners */
};

struct gc_decision gc_decide(const struct gc_facts *facts);

#endif
