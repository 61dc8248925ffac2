/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t clock_peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

/* How much is resident, and how much of that belongs to files. */
static void read_pages(uint64_t *resident, uint64_t *of_files)
{
    unsigned long long pages = 0, shared = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    /* Size, resident size, and what of it is of files, in pages. */
    if (file && fscanf(file, "%*u %llu %llu", &pages, &shared) != 2)
        pages = shared = 0;
    if (file)
        fclose(file);
    *resident = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    *of_files = shared * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t clock_resident_bytes(void)
{
    uint64_t resident, of_files;
    read_pages(&resident, &of_files);
    return resident;
}

uint64_t clock_private_bytes(void)
{
    uint64_t resident, of_files;
    read_pages(&resident, &of_files);
    return resident > of_files ? resident - of_files : 0;
}
