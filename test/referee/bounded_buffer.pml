/* SPDX-License-Identifier: Apache-2.0 */
/* Producers and consumers around a bounded buffer, step for step
 * src/explore/zoo/bounded_buffer.c. A d_step has no choice inside, so each of
 * the (at most three) values is a branch of its own.
 * -DPRODUCERS=2 -DCONSUMERS=2 -DCAPACITY=2 -DVALUES=2. */
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifndef VALUES
#define VALUES 2
#endif

chan buffer = [CAPACITY] of { byte };
byte made[PRODUCERS]; /* 0: nothing in hand */
byte taken[CONSUMERS];

#define ME (_pid - PRODUCERS)

active [PRODUCERS] proctype producer()
{
    do
    :: d_step { made[_pid] == 0 -> made[_pid] = 1 }
    :: d_step { VALUES >= 2 && made[_pid] == 0 -> made[_pid] = 2 }
    :: d_step { VALUES >= 3 && made[_pid] == 0 -> made[_pid] = 3 }
    :: d_step { made[_pid] != 0 && nfull(buffer) -> buffer!made[_pid]; made[_pid] = 0 }
    od
}

active [CONSUMERS] proctype consumer()
{
    do
    :: d_step { taken[ME] == 0 && nempty(buffer) -> buffer?taken[ME] }
    :: d_step { taken[ME] != 0 -> taken[ME] = 0 }
    od
}

ltl first_takes { [] <> (taken[0] != 0) }
