/* SPDX-License-Identifier: Apache-2.0 */
/* The Towers of Hanoi, step for step src/explore/zoo/hanoi.c: a peg is the set
 * of its disks, the smallest bit lies on top. "Never solved" is violated.
 * -DN=3 disks. */
#ifndef N
#define N 3
#endif

#define ALL ((1 << N) - 1)

int left = ALL, middle, right;

#define TOP(p)     (p & (-p))
#define MAY(a, b)  (a != 0 && (b == 0 || TOP(a) < TOP(b)))
#define MOVE(a, b) d_step { MAY(a, b) -> b = b | TOP(a); a = a & (a - 1); assert(right != ALL) }

active proctype player()
{
    do
    :: MOVE(left, middle)
    :: MOVE(left, right)
    :: MOVE(middle, left)
    :: MOVE(middle, right)
    :: MOVE(right, left)
    :: MOVE(right, middle)
    od
}
