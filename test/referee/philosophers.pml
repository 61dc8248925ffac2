/* SPDX-License-Identifier: Apache-2.0 */
/* Dining philosophers, step for step src/explore/zoo/philosophers.c.
 * A loop whose every branch is one d_step has a single control point, so SPIN
 * stores exactly the variables and counts no state between two steps.
 * -DN=3 philosophers; -DPOLITE=1: the last one takes its right fork first. */
#ifndef N
#define N 3
#endif
#ifndef POLITE
#define POLITE 0
#endif

byte at[N]; /* 0 thinking, 1 one fork, 2 eating */
bool fork[N];
byte eating;

#define FIRST  ((POLITE && _pid == N - 1) -> 0 : _pid)
#define SECOND ((POLITE && _pid == N - 1) -> _pid : (_pid + 1) % N)

active [N] proctype philosopher()
{
    do
    :: d_step { at[_pid] == 0 && !fork[FIRST] -> fork[FIRST] = true; at[_pid] = 1 }
    :: d_step { at[_pid] == 1 && !fork[SECOND] -> fork[SECOND] = true; at[_pid] = 2; eating++ }
    :: d_step { at[_pid] == 2 -> fork[FIRST] = false; fork[SECOND] = false; at[_pid] = 0; eating-- }
    od
}

ltl someone_eats { [] <> (eating > 0) }
ltl first_eats { [] <> (at[0] == 2) }
