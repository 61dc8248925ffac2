/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The garbage collector. Single decisions by hand, then whole cascades: a
 * Deployment, its ReplicaSet and two pods are deleted under each policy, in
 * every order of steps, and the rules of the policy hold all the way.
 */
#include "decide/controller/garbage_collector.h"

#include "decide/controller/random_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_decisions(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct gc_facts facts;
        struct gc_decision expected;
    } cases[] = {
        {"an object of nobody", {.dependents = 3}, {GC_NOTHING}},
        {"its owner is there", {.owners_solid = 1}, {GC_NOTHING}},
        {"its owner is gone", {.owners_absent = 1}, {GC_DELETES, GC_BACKGROUND}},
        {"all owners are gone, and it wants its dependents orphaned",
         {.owners_absent = 2, .orphan_finalizer = true},
         {GC_DELETES, GC_ORPHAN}},
        {"its owner is gone, and it wants to go in the foreground",
         {.owners_absent = 1, .foreground_finalizer = true},
         {GC_DELETES, GC_FOREGROUND}},
        {"one of two owners is gone",
         {.owners_solid = 1, .owners_absent = 1},
         {GC_DROPS_REFERENCES}},
        {"one of two owners waits",
         {.owners_solid = 1, .owners_waiting = 1},
         {GC_DROPS_REFERENCES}},
        {"its owner waits, and nothing depends on it",
         {.owners_waiting = 1},
         {GC_DELETES, GC_BACKGROUND}},
        {"its owner waits, and something depends on it",
         {.owners_waiting = 1, .dependents = 1},
         {GC_DELETES, GC_FOREGROUND}},
        {"a circle of owners that wait",
         {.owners_waiting = 1, .dependents = 1, .dependent_waits = true},
         {GC_DELETES, GC_FOREGROUND, true}},
        {"it is being deleted", {.being_deleted = true, .owners_absent = 1}, {GC_NOTHING}},
        {"it waits for dependents that block",
         {.being_deleted = true,
          .foreground_finalizer = true,
          .dependents = 2,
          .blocking_dependents = 1},
         {GC_WAITS}},
        {"dependents that do not block keep nobody",
         {.being_deleted = true, .foreground_finalizer = true, .dependents = 2},
         {GC_REMOVES_FINALIZER}},
        {"it orphans its dependents",
         {.being_deleted = true, .orphan_finalizer = true, .dependents = 2},
         {GC_ORPHANS}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct gc_decision found = gc_decide(&cases[i].facts);
        if (found.verb != cases[i].expected.verb || found.policy != cases[i].expected.policy ||
            found.unblocks != cases[i].expected.unblocks)
            fail_msg("%s: verb %d, policy %d", cases[i].name, found.verb, found.policy);
    }
}

/* Object 0 owns 1, which owns 2 and 3; the pods have a grace period. */
enum { DEPLOYMENT, REPLICA_SET, POD_ONE, POD_TWO, OBJECT_COUNT };

static const int owner_of[OBJECT_COUNT] = {-1, DEPLOYMENT, REPLICA_SET, REPLICA_SET};

struct world {
    bool there[OBJECT_COUNT];
    bool owned[OBJECT_COUNT]; /* its owner reference is there */
    bool deleted[OBJECT_COUNT];
    bool foreground[OBJECT_COUNT];
    bool orphan[OBJECT_COUNT];
};

/* What the API server makes of a request to delete: the policy stands in finalizers, and an
 * object that nothing keeps is gone at once. */
static void request(struct world *world, int object, enum gc_policy policy)
{
    const bool has_grace = object >= POD_ONE;
    world->deleted[object] = true;
    world->foreground[object] = policy == GC_FOREGROUND;
    world->orphan[object] = policy == GC_ORPHAN;
    world->there[object] = policy != GC_BACKGROUND || has_grace;
}

static struct gc_facts facts_of(const struct world *world, int object)
{
    struct gc_facts facts = {.being_deleted = world->deleted[object],
                             .foreground_finalizer = world->foreground[object],
                             .orphan_finalizer = world->orphan[object]};
    const int owner = owner_of[object];
    if (owner >= 0 && world->owned[object]) {
        facts.owners_absent = !world->there[owner];
        facts.owners_waiting =
            world->there[owner] && world->deleted[owner] && world->foreground[owner];
        facts.owners_solid = world->there[owner] && !facts.owners_waiting;
    }
    for (int other = 0; other < OBJECT_COUNT; other++)
        if (world->there[other] && world->owned[other] && owner_of[other] == object) {
            facts.dependents++;
            facts.blocking_dependents++;
            facts.dependent_waits |= world->deleted[other] && world->foreground[other];
        }
    return facts;
}

/* One step of the collector or of a kubelet; false if this object has none. */
static bool step(struct world *world, int object)
{
    if (!world->there[object])
        return false;
    const struct gc_facts facts = facts_of(world, object);
    const struct gc_decision decision = gc_decide(&facts);
    switch (decision.verb) {
    case GC_DELETES: request(world, object, decision.policy); return true;
    case GC_REMOVES_FINALIZER:
        world->foreground[object] = false;
        world->there[object] = object >= POD_ONE; /* the kubelet still has to stop it */
        return true;
    case GC_ORPHANS:
        for (int other = 0; other < OBJECT_COUNT; other++)
            world->owned[other] = world->owned[other] && owner_of[other] != object;
        world->orphan[object] = false;
        world->there[object] = false;
        return true;
    case GC_DROPS_REFERENCES: world->owned[object] = false; return true;
    case GC_NOTHING:
    case GC_WAITS: break;
    }
    if ((object == POD_ONE || object == POD_TWO) && world->deleted[object] &&
        !world->foreground[object]) {
        world->there[object] = false; /* its containers have stopped */
        return true;
    }
    return false;
}

static void run_cascade(enum gc_policy policy, uint64_t seed, struct world *world)
{
    struct dice dice = {seed};
    *world = (struct world){{true, true, true, true}, {false, true, true, true}};
    request(world, DEPLOYMENT, policy);
    for (int idle = 0; idle < 50;) {
        const int object = (int)dice_roll(&dice, OBJECT_COUNT);
        idle = step(world, object) ? 0 : idle + 1;
        if (policy == GC_FOREGROUND && world->there[REPLICA_SET] && !world->there[DEPLOYMENT])
            fail_msg("seed %llu: the owner went first", (unsigned long long)seed);
        if (policy == GC_FOREGROUND && !world->there[REPLICA_SET] &&
            (world->there[POD_ONE] || world->there[POD_TWO]))
            fail_msg("seed %llu: the set went before its pods", (unsigned long long)seed);
        if (policy == GC_BACKGROUND && world->there[DEPLOYMENT])
            fail_msg("seed %llu: the owner stays", (unsigned long long)seed);
    }
}

static void test_cascades(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct world world;
        for (int policy = GC_BACKGROUND; policy <= GC_ORPHAN; policy++) {
            run_cascade((enum gc_policy)policy, seed, &world);
            assert_false(world.there[DEPLOYMENT]);
            for (int object = REPLICA_SET; object < OBJECT_COUNT; object++)
                assert_int_equal(world.there[object], policy == GC_ORPHAN);
            assert_int_equal(world.owned[REPLICA_SET], policy != GC_ORPHAN);
            assert_true(world.owned[POD_ONE]); /* only the direct dependents are orphaned */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_cascades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
