/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a quantity. What is read and written is read as the same number
 * and written as the same text; arithmetic saturates instead of overflowing. A
 * binary quantity may be written without a suffix (1.953125Ki is 2000), and is
 * a decimal one from then on (2k), as upstream. */
#include "harness.h"

#include "object/quantity.h"

#include <string.h>

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    const char *text = arena_strndup(arena, bytes, count);
    struct quantity quantity;
    const char *why = NULL;
    if (!quantity_parse(text, &quantity, &why)) {
        FUZZ_REQUIRE(why && why[0]);
        return;
    }
    const char *written = quantity_format_text(arena, quantity);
    struct quantity again;
    FUZZ_REQUIRE(quantity_parse(written, &again, NULL));
    FUZZ_REQUIRE(quantity_compare(quantity, again) == 0);
    FUZZ_REQUIRE(quantity.format != again.format ||
                 strcmp(quantity_format_text(arena, again), written) == 0);
    FUZZ_REQUIRE(quantity.format == again.format || again.format == QUANTITY_DECIMAL_SI);

    again.nanos = -again.nanos;
    const struct quantity nothing = quantity_add(quantity, again);
    again.nanos = -again.nanos;
    const struct quantity twice = quantity_add(quantity, again);
    FUZZ_REQUIRE(quantity_compare(nothing, quantity_of(0)) == 0);
    const int sign = quantity_compare(quantity, nothing);
    FUZZ_REQUIRE(sign >= 0 ? quantity_compare(twice, quantity) >= 0
                           : quantity_compare(twice, quantity) <= 0);
    FUZZ_REQUIRE(sign == 0 || (quantity_value(quantity) > 0) == (sign > 0));
    FUZZ_REQUIRE(sign == 0 || (quantity_milli_value(quantity) > 0) == (sign > 0));
}
