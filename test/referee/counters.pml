/* SPDX-License-Identifier: Apache-2.0 */
/* Counters that turn over, one step each, step for step
 * src/explore/zoo/counters.c: every combination is reached. One process and
 * whole words, so the state is the plain vector. -DN=4 -DBASE=3; -DLAST=3 is
 * the base of the last counter. Written out for up to ten. */
#ifndef N
#define N 4
#endif
#ifndef BASE
#define BASE 3
#endif
#ifndef LAST
#define LAST BASE
#endif

int counter[N];

#define TURN(i) d_step { (i) < N -> counter[i] = (counter[i] + 1) % ((i) == N - 1 -> LAST : BASE) }

active proctype turner()
{
    do
    :: TURN(0)
#if N > 1
    :: TURN(1)
#endif
#if N > 2
    :: TURN(2)
#endif
#if N > 3
    :: TURN(3)
#endif
#if N > 4
    :: TURN(4)
#endif
#if N > 5
    :: TURN(5)
#endif
#if N > 6
    :: TURN(6)
#endif
#if N > 7
    :: TURN(7)
#endif
#if N > 8
    :: TURN(8)
#endif
#if N > 9
    :: TURN(9)
#endif
    od
}
