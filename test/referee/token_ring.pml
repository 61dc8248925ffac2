/* SPDX-License-Identifier: Apache-2.0 */
/* Mutual exclusion by a circulating token, step for step
 * src/explore/zoo/token_ring.c. -DN=3 stations. */
#ifndef N
#define N 3
#endif

byte at[N]; /* 0 idle, 1 waiting, 2 critical */
byte token;

#define HOLDS (token == _pid)

active [N] proctype station()
{
    do
    :: d_step { at[_pid] == 0 -> at[_pid] = 1 }
    :: d_step { at[_pid] == 1 && !HOLDS -> at[_pid] = 0 }
    :: d_step { at[_pid] == 1 && HOLDS -> at[_pid] = 2 }
    :: d_step { at[_pid] == 2 -> at[_pid] = 0; token = (token + 1) % N }
    :: d_step { at[_pid] == 0 && HOLDS -> token = (token + 1) % N }
    od
}

ltl token_returns { [] <> (token == 0) }
ltl waiting_enters { [] (at[0] == 1 -> <> (at[0] == 2)) }
