/* SPDX-License-Identifier: Apache-2.0 */
/* Fifteen states that tell the temporal forms and weak fairness apart, step
 * for step src/explore/zoo/fairness_zoo.c, where they are drawn. Process a and
 * process b are the two fairness classes. -DSTART=0 picks the cage. */
#ifndef START
#define START 0
#endif

byte s = START;

#define STEP(from, to) :: d_step { s == from -> s = to }

active proctype a()
{
end:
    do
    STEP(0, 0)
    STEP(1, 1)
    STEP(2, 3)
    STEP(3, 2)
    STEP(4, 4)
    STEP(5, 6)
    STEP(7, 8)
    STEP(8, 8)
    STEP(9, 8)
    STEP(10, 11)
    STEP(11, 12)
    STEP(12, 12)
    STEP(13, 14)
    od
}

active proctype b()
{
end:
    do
    STEP(0, 1)
    STEP(2, 4)
    STEP(6, 5)
    STEP(8, 9)
    od
}

#define GOOD  (s == 1 || s == 4 || s == 6 || s == 9 || s == 11 || s == 14)
#define ASKED (s == 0 || s == 2 || s == 5 || s == 7 || s == 10 || s == 13)

ltl eventually { <> GOOD }
ltl eventually_always { <> [] GOOD }
ltl always_eventually { [] <> GOOD }
ltl leads_to { [] (ASKED -> <> GOOD) }
