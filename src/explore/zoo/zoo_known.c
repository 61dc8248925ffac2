/* SPDX-License-Identifier: Apache-2.0 */
/* The answers. Where a formula gives a count it is in the model's file; SPIN and
 * Rumur, which run the same models in test/referee, agree with all of them. */
#include "explore/zoo/zoo_known.h"

const struct zoo_count zoo_counts[] = {
    {"philosophers n=2", 6, 8, 2},
    {"philosophers n=3", 14, 27, 3},
    {"philosophers n=4", 34, 88, 4},
    {"philosophers n=12", 39202, 304104, 12},
    {"philosophers n=6 polite=1", 169, 638, 6},
    {"token_ring n=3", 36, 120, 6},
    {"token_ring n=4", 96, 416, 8},
    {"token_ring n=12", 73728, 909312, 24},
    {"peterson n=2", 20, 34, 6},
    {"peterson n=3", 288, 651, 14},
    {"peterson n=4", 4752, 13080, 24},
    {"broken_mutex n=2", 9, 16, 4},
    {"broken_mutex n=3", 27, 66, 6},
    {"alternating_bit capacity=2 values=3 lossy=1", 216, 900, 28},
    {"alternating_bit capacity=2 values=3 lossy=0", 216, 576, 28},
    {"alternating_bit capacity=6 values=5", 3920, 20580, 52},
    {"leader_election n=3", 24, 39, 9},
    {"leader_election n=4", 76, 162, 14},
    {"leader_election n=7", 2860, 10439, 35},
    {"bounded_buffer producers=2 consumers=2 capacity=2 values=2", 567, 2160, 12},
    {"bounded_buffer producers=2 consumers=2 capacity=3 values=2", 1215, 4752, 14},
    {"queens n=6", 153, 152, 6},
    {"queens n=8", 2057, 2056, 8},
    {"hanoi n=3", 27, 78, 7},
    {"hanoi n=8", 6561, 19680, 255},
    {"counters n=4 base=3", 81, 324, 8},
    {"counters n=5 base=6 last=2", 2592, 12960, 21},
    {"scramble n=1000 words=10", 1000, 1999, 9},
    {"stabilising_ring n=3 values=3", 27, 45, 0},
    {"stabilising_ring n=5 values=4", 1024, 3328, 0},
    {0},
};

const struct zoo_verdict zoo_verdicts[] = {
    {"philosophers n=5", "deadlock_free", VERDICT_VIOLATED, VERDICT_VIOLATED, 5},
    {"philosophers n=5", "someone_eats", VERDICT_VIOLATED, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"philosophers n=5 polite=1", "deadlock_free", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"philosophers n=5 polite=1", "someone_eats", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"philosophers n=5 polite=1", "first_eats", VERDICT_VIOLATED, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"token_ring n=4", "mutual_exclusion", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"token_ring n=4", "token_returns", VERDICT_HOLDS, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"token_ring n=4", "waiting_enters", VERDICT_VIOLATED, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"peterson n=2", "mutual_exclusion", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"peterson n=2", "no_starvation", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"peterson n=2", "first_enters", VERDICT_HOLDS, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"peterson n=3", "no_starvation", VERDICT_HOLDS, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"broken_mutex n=2", "mutual_exclusion", VERDICT_VIOLATED, VERDICT_VIOLATED, 4},
    {"broken_mutex n=2", "someone_enters", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"broken_mutex n=2", "first_enters", VERDICT_VIOLATED, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"alternating_bit", "in_order", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"alternating_bit", "delivers", VERDICT_VIOLATED, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"alternating_bit lossy=0", "delivers", VERDICT_HOLDS, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"leader_election n=4", "one_leader", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"leader_election n=4", "elects", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"leader_election n=4", "stays_elected", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"bounded_buffer", "deadlock_free", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"bounded_buffer capacity=3", "fills", VERDICT_HOLDS, VERDICT_HOLDS, 6},
    {"bounded_buffer", "someone_takes", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"bounded_buffer", "first_takes", VERDICT_VIOLATED, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"queens n=8", "not_solved", VERDICT_VIOLATED, VERDICT_VIOLATED, 8},
    {"queens n=3", "not_solved", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"queens n=3", "can_be_solved", VERDICT_VIOLATED, VERDICT_VIOLATED, ZOO_ANY_LENGTH},
    {"queens n=8", "every_start_is_solved", VERDICT_VIOLATED, VERDICT_VIOLATED, 4},
    {"hanoi n=7", "not_solved", VERDICT_VIOLATED, VERDICT_VIOLATED, 127},
    {"hanoi n=7", "can_be_solved", VERDICT_HOLDS, VERDICT_HOLDS, 127},
    {"stabilising_ring n=4 values=3", "stabilises", VERDICT_HOLDS, VERDICT_HOLDS, ZOO_ANY_LENGTH},
    {"stabilising_ring n=4 values=2", "stabilises", VERDICT_VIOLATED, VERDICT_VIOLATED,
     ZOO_ANY_LENGTH},
    {0},
};

const char *const zoo_forms[] = {
    "eventually",    "eventually_always", "always_eventually",  "leads_to",
    "no_b_for_ever", "no_bad_a_for_ever", "no_good_a_for_ever", NULL,
};

/*
 * The fairness zoo by hand. A letter pair a column: over fair runs, over all
 * runs; H holds, V violated.
 *
 * The forms: eventually good, eventually always good, always eventually good,
 * asked leads to good, no b for ever, no a for ever that avoids good states and
 * steps of b, no a for ever that visits good states.
 *
 * 0: the a-loop at 0 is all that can avoid state 1, and unfair to b, which is
 *    enabled there all the time. The a-loop at 1 is good and fair for ever.
 * 2: going round 2 and 3, b is disabled in 3, so that run is fair and bad.
 * 5: one run: good and b again and again, but never for good.
 * 7: the a-loop at 8 is unfair to b; going round 8 and 9 is good now and then.
 * 10: one run: good once, then a for ever in a bad state; b is never enabled.
 * 13: one run: it ends in a good state and rests there.
 */
const struct zoo_cage zoo_cages[] = {
    {"fairness_zoo start=0", "HV HV HV HV HH HV VV"},
    {"fairness_zoo start=2", "VV VV VV VV HH VV VV"},
    {"fairness_zoo start=5", "HH VV HH HH VV HH VV"},
    {"fairness_zoo start=7", "HV VV HV HV VV HV VV"},
    {"fairness_zoo start=10", "HH VV VV HH HH VV HH"},
    {"fairness_zoo start=13", "HH HH HH HH HH HH HH"},
    {0},
};
