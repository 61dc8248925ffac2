/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time zones of the tz database, as Go's time.LoadLocation finds them: files of
 * RFC 8536 under $ZONEINFO or /usr/share/zoneinfo. Zones of a fixed distance
 * from UTC (UTC, Etc/GMT-1) need no database.
 */
#ifndef FATHOM_OBJECT_TIME_ZONE_H
#define FATHOM_OBJECT_TIME_ZONE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* A day of the year on which the offset changes. */
struct zone_day {
    char form; /* 'M': weekday of a week of a month; 'J': day without leap days; '0': with */
    int month;
    int week; /* 5: the last */
    int weekday;
    int day;
    int64_t seconds; /* after midnight, by the clock before the change */
};

/* What holds after the last transition that a zone lists. */
struct zone_rule {
    int64_t standard; /* seconds east of Greenwich */
    bool has_summer;
    int64_t summer;
    struct zone_day start; /* of summer time */
    struct zone_day end;
};

struct zone_transition {
    int64_t when; /* seconds since 1970 */
    int64_t offset;
};

struct time_zone {
    int64_t first; /* before all transitions */
    struct zone_transition *transitions;
    uint32_t transition_count;
    bool has_rule;
    struct zone_rule rule;
};

enum time_zone_found {
    TIME_ZONE_FOUND,
    TIME_ZONE_UNKNOWN,
    TIME_ZONE_NO_DATABASE, /* the zone may exist, but this machine has no tz database */
};

/* `zone` may be NULL: only whether there is one. */
enum time_zone_found time_zone_load(struct arena *arena, const char *name, struct time_zone *zone);

/* From the bytes of a file of the database; false if they are none. */
bool time_zone_parse(struct arena *arena, const unsigned char *bytes, size_t length,
                     struct time_zone *zone);

/* Seconds east of Greenwich at an instant, in seconds since 1970. */
int64_t time_zone_offset(const struct time_zone *zone, int64_t seconds);

/* The footer of such a file: "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX TZ). */
bool zone_rule_parse(const char *text, struct zone_rule *rule);
int64_t zone_rule_offset(const struct zone_rule *rule, int64_t seconds);

#endif
