/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions as Go compiles them for amd64, where C leaves them undefined.
 *
 * A float64 that does not fit (or is no number) becomes the smallest integer,
 * and integer sums wrap around. Controllers meet such values: a ratio to a
 * status of 0 replicas is infinite or not a number.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_GO_NUMBER_H
#define FATHOM_DECIDE_CONTROLLER_GO_NUMBER_H

#include <stdint.h>

static inline int32_t go_int32_of(double value)
{
    if (value > -2147483649.0 && value < 2147483648.0)
        return (int32_t)value;
    return INT32_MIN;
}

static inline int64_t go_int64_of(double value)
{
    if (value >= -9223372036854775808.0 && value < 9223372036854775808.0)
        return (int64_t)value;
    return INT64_MIN;
}

static inline int32_t go_add_int32(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t go_subtract_int32(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

static inline int64_t go_add_int64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t go_multiply_int64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* Division towards zero; the one quotient that does not fit wraps around. */
static inline int64_t go_divide_int64(int64_t a, int64_t b)
{
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

#endif
