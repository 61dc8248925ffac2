/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shortest {
    char digits[40]; /* with an exponent */
    int exponent;
    int decimals; /* of the same number without one */
};

static struct shortest shortest_of(double number)
{
    enum { DIGITS_MOST = 17 };
    struct shortest shortest;
    int precision = 0;
    do {
        snprintf(shortest.digits, sizeof(shortest.digits), "%.*e", precision, number);
    } while (++precision < DIGITS_MOST && strtod(shortest.digits, NULL) != number);
    shortest.exponent = (int)strtol(strchr(shortest.digits, 'e') + 1, NULL, 10);
    shortest.decimals = precision - 1 - shortest.exponent;
    return shortest;
}

static const char *without_exponent(struct arena *arena, double number, int decimals)
{
    return arena_printf(arena, "%.*f", decimals > 0 ? decimals : 0, number);
}

const char *number_text(struct arena *arena, double number)
{
    enum { EXPONENT_LEAST = -4, EXPONENT_MOST = 5 };
    if (isnan(number))
        return "NaN";
    if (isinf(number))
        return number < 0 ? "-Inf" : "+Inf";
    const struct shortest shortest = shortest_of(number);
    if (shortest.exponent >= EXPONENT_LEAST && shortest.exponent <= EXPONENT_MOST)
        return without_exponent(arena, number, shortest.decimals);
    return arena_strdup(arena, shortest.digits);
}

const char *number_text_of_duration(struct arena *arena, int64_t nanoseconds)
{
    enum { SECOND = 1000000000 };
    const int64_t whole = nanoseconds / SECOND;
    const double seconds = (double)whole + (double)(nanoseconds % SECOND) / SECOND;
    return arena_printf(arena, "%ss",
                        without_exponent(arena, seconds, shortest_of(seconds).decimals));
}
