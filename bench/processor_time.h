/* SPDX-License-Identifier: Apache-2.0 */
/* What benchmarks measure by: the machine may be busy with other things. */
#ifndef FATHOM_BENCH_PROCESSOR_TIME_H
#define FATHOM_BENCH_PROCESSOR_TIME_H

#include <stdint.h>
#include <time.h>

/* Processor time of the whole process. */
static inline int64_t processor_time_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
