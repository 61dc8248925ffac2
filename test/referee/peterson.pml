/* SPDX-License-Identifier: Apache-2.0 */
/* Peterson's filter lock, step for step src/explore/zoo/peterson.c; two
 * processes are the algorithm as it is usually shown. -DN=2 processes. */
#ifndef N
#define N 2
#endif

byte at[N]; /* 0 outside, 1 announced, 2 waiting, 3 critical */
byte level[N];
byte victim[N]; /* of level 1 .. N-1 */
byte inside;

/* No other process has reached my level. Written out for up to eight. */
#define AHEAD(k)  ((k) < N && (k) != _pid && level[((k) < N -> (k) : 0)] >= level[_pid])
#define ALONE     (!AHEAD(0) && !AHEAD(1) && !AHEAD(2) && !AHEAD(3) && \
                   !AHEAD(4) && !AHEAD(5) && !AHEAD(6) && !AHEAD(7))
#define MAY_PASS  (victim[level[_pid]] != _pid || ALONE)

active [N] proctype process()
{
    do
    :: d_step { at[_pid] == 0 -> level[_pid] = 1; at[_pid] = 1 }
    :: d_step { at[_pid] == 1 -> victim[level[_pid]] = _pid; at[_pid] = 2 }
    :: d_step { at[_pid] == 2 && MAY_PASS && level[_pid] < N - 1 -> level[_pid] = level[_pid] + 1; at[_pid] = 1 }
    :: d_step { at[_pid] == 2 && MAY_PASS && level[_pid] == N - 1 -> at[_pid] = 3; inside++; assert(inside == 1) }
    :: d_step { at[_pid] == 3 -> level[_pid] = 0; at[_pid] = 0; inside-- }
    od
}

ltl no_starvation { [] (at[0] == 1 -> <> (at[0] == 3)) }
ltl first_enters { [] <> (at[0] == 3) }
