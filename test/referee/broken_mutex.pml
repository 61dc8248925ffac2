/* SPDX-License-Identifier: Apache-2.0 */
/* Test and set in two steps: an incorrect mutex, step for step
 * src/explore/zoo/broken_mutex.c. -DN=2 processes. */
#ifndef N
#define N 2
#endif

byte at[N]; /* 0 outside, 1 saw the lock free, 2 critical */
byte inside; /* the lock counts who set it */

active [N] proctype process()
{
    do
    :: d_step { at[_pid] == 0 && inside == 0 -> at[_pid] = 1 }
    :: d_step { at[_pid] == 1 -> at[_pid] = 2; inside++; assert(inside == 1) }
    :: d_step { at[_pid] == 2 -> at[_pid] = 0; inside-- }
    od
}

ltl first_enters { [] <> (at[0] == 2) }
