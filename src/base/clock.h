/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's clocks: for limits, progress and statistics, never for a verdict. */
#ifndef FATHOM_BASE_CLOCK_H
#define FATHOM_BASE_CLOCK_H

#include <stdint.h>

int64_t clock_now_ns(void);          /* monotonic */
uint64_t clock_peak_bytes(void);     /* largest resident size of the process */
uint64_t clock_resident_bytes(void); /* its present one; 0: the machine does not tell */
uint64_t clock_private_bytes(void);  /* of that, what belongs to no file */

#endif
