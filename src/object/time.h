/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instants ("2024-01-01T00:00:00.5+02:00") and durations ("1h5m0.5s") as the
 * API writes them. Both are nanoseconds; an instant counts from 1970 UTC and
 * may be TIME_NONE (object/meta.h). On failure nothing is changed and `*why`
 * (if not NULL) is set to what is wrong, a constant phrase.
 */
#ifndef FATHOM_OBJECT_TIME_H
#define FATHOM_OBJECT_TIME_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* RFC 3339 with any fraction (what is finer than a nanosecond is cut off) and
 * offset. Go's zero time, 0001-01-01T00:00:00Z, means absent: TIME_NONE. Other
 * instants must lie in 1678..2261, where 64 bits of nanoseconds reach. */
bool time_parse(const char *text, int64_t *time_ns, const char **why);
/* In UTC, with as many digits of fraction as are needed. Not for TIME_NONE. */
char *time_format(struct arena *arena, int64_t time_ns);

/* Days since 1970-01-01 of a date, months from 1 on; and back. */
int64_t days_of_date(int64_t year, int64_t month, int64_t day);
void date_of_days(int64_t days, int64_t *year, int64_t *month, int64_t *day);
int64_t days_of_month(int64_t year, int64_t month);

/* As Go's time.ParseDuration: numbers with a unit (ns, us, ms, s, m, h). */
bool duration_parse(const char *text, int64_t *duration_ns, const char **why);
/* As Go prints it: "1h0m0s", "1.5s", "300ms", "0s". */
char *duration_format(struct arena *arena, int64_t duration_ns);

#endif
