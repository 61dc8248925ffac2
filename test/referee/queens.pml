/* SPDX-License-Identifier: Apache-2.0 */
/* Queens on a board, placed row by row, step for step
 * src/explore/zoo/queens.c; a solution violates "never all placed". The masks
 * of attacked columns follow from the placement and add no states. SPIN drops a
 * variable that is only written, so the placement is read once, too.
 * -DN=6, at most 8. */
#ifndef N
#define N 6
#endif

byte column[N]; /* of the queen in each row, counted from 1 */
byte row;
int columns, falling, rising;

#define FREE(c) (row < N && (c) < N && ((columns | falling | rising) & (1 << (c))) == 0)
#define PLACE(c) d_step { FREE(c) -> column[row] = (c) + 1; row++; \
                          columns = columns | (1 << (c)); \
                          falling = (falling | (1 << (c))) << 1; \
                          rising = (rising | (1 << (c))) >> 1; \
                          assert(column[row - 1] > 0 && row < N) }

active proctype player()
{
end:
    do
    :: PLACE(0)
    :: PLACE(1)
    :: PLACE(2)
    :: PLACE(3)
    :: PLACE(4)
    :: PLACE(5)
    :: PLACE(6)
    :: PLACE(7)
    od
}
