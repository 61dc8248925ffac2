/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic that stays at the largest or the smallest number instead of passing it. Quantities and
 * counts come from manifests, which may have any number in them; a sum that wrapped would make the
 * largest request the smallest.
 */
#ifndef FATHOM_BASE_SATURATING_H
#define FATHOM_BASE_SATURATING_H

#include <stdint.h>

static inline int64_t saturating_add(int64_t left, int64_t right)
{
    int64_t sum;
    if (!__builtin_add_overflow(left, right, &sum))
        return sum;
    return right > 0 ? INT64_MAX : INT64_MIN;
}

static inline int64_t saturating_subtract(int64_t left, int64_t right)
{
    int64_t difference;
    if (!__builtin_sub_overflow(left, right, &difference))
        return difference;
    return right < 0 ? INT64_MAX : INT64_MIN;
}

static inline int64_t saturating_multiply(int64_t left, int64_t right)
{
    int64_t product;
    if (!__builtin_mul_overflow(left, right, &product))
        return product;
    return (left < 0) == (right < 0) ? INT64_MAX : INT64_MIN;
}

static inline int32_t saturating_add_32(int32_t left, int32_t right)
{
    const int64_t sum = (int64_t)left + right;
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
}

/* What is no number is 0. */
static inline int64_t saturating_from_double(double number)
{
    if (number != number)
        return 0;
    if (number >= 9223372036854775808.0)
        return INT64_MAX;
    return number <= -9223372036854775808.0 ? INT64_MIN : (int64_t)number;
}

#endif
