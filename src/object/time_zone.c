/* SPDX-License-Identifier: Apache-2.0 */
#include "object/time_zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    HEADER_BYTES = 44,
    COUNTS_AT = 20, /* in a header */
    TYPE_BYTES = 6,
    FILE_MOST = 1 << 20,
    SECONDS_PER_HOUR = 3600,
    EAST_MOST = 14, /* Etc/GMT-14 */
    WEST_MOST = 12,
};

static const char database[] = "/usr/share/zoneinfo";

/* ---- files of the database ---- */

struct block {
    uint32_t utc_count;
    uint32_t standard_count;
    uint32_t leap_count;
    uint32_t time_count;
    uint32_t type_count;
    uint32_t character_count;
    uint32_t time_bytes; /* 4 in the first block, 8 in the second */
};

static uint32_t read_number(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool read_header(const unsigned char *bytes, size_t length, uint32_t time_bytes,
                        struct block *block)
{
    if (length < HEADER_BYTES || memcmp(bytes, "TZif", 4) != 0)
        return false;
    uint32_t counts[6];
    for (uint32_t i = 0; i < 6; i++) {
        counts[i] = read_number(bytes + COUNTS_AT + (size_t)4 * i);
        if (counts[i] > FILE_MOST)
            return false;
    }
    *block = (struct block){counts[0], counts[1], counts[2], counts[3],
                            counts[4], counts[5], time_bytes};
    return block->type_count > 0;
}

/* What follows the header of a block. */
static size_t block_bytes(const struct block *block)
{
    return (size_t)block->time_count * (block->time_bytes + 1) +
           (size_t)block->type_count * TYPE_BYTES + block->character_count +
           (size_t)block->leap_count * (block->time_bytes + 4) + block->standard_count +
           block->utc_count;
}

static int64_t read_time(const unsigned char *bytes, uint32_t time_bytes)
{
    const uint32_t high = read_number(bytes);
    if (time_bytes == 4)
        return (int32_t)high;
    return (int64_t)((uint64_t)high << 32 | read_number(bytes + 4));
}

static bool read_block(struct arena *arena, const unsigned char *bytes, const struct block *block,
                       struct time_zone *zone)
{
    const unsigned char *indexes = bytes + (size_t)block->time_count * block->time_bytes;
    const unsigned char *types = indexes + block->time_count;
    zone->first = (int32_t)read_number(types);
    zone->transitions = ARENA_ARRAY(arena, struct zone_transition, block->time_count + 1);
    zone->transition_count = block->time_count;
    for (uint32_t i = 0; i < block->time_count; i++) {
        if (indexes[i] >= block->type_count)
            return false;
        zone->transitions[i] = (struct zone_transition){
            .when = read_time(bytes + (size_t)i * block->time_bytes, block->time_bytes),
            .offset = (int32_t)read_number(types + (size_t)indexes[i] * TYPE_BYTES),
        };
    }
    return true;
}

/* The line after the last block is a rule, or empty. */
static void read_footer(struct arena *arena, const unsigned char *bytes, size_t length,
                        struct time_zone *zone)
{
    if (length < 2 || bytes[0] != '\n')
        return;
    const unsigned char *end = memchr(bytes + 1, '\n', length - 1);
    if (!end)
        return;
    const char *text = arena_printf(arena, "%.*s", (int)(end - bytes - 1), (const char *)bytes + 1);
    zone->has_rule = *text && zone_rule_parse(text, &zone->rule);
}

bool time_zone_parse(struct arena *arena, const unsigned char *bytes, size_t length,
                     struct time_zone *zone)
{
    struct block block;
    *zone = (struct time_zone){0};
    if (!read_header(bytes, length, 4, &block))
        return false;
    size_t at = HEADER_BYTES;
    const bool has_second = bytes[4] >= '2';
    if (has_second) {
        at += block_bytes(&block);
        if (at > length || !read_header(bytes + at, length - at, 8, &block))
            return false;
        at += HEADER_BYTES;
    }
    if (block_bytes(&block) > length - at || !read_block(arena, bytes + at, &block, zone))
        return false;
    at += block_bytes(&block);
    if (has_second)
        read_footer(arena, bytes + at, length - at, zone);
    return true;
}

int64_t time_zone_offset(const struct time_zone *zone, int64_t seconds)
{
    uint32_t low = 0; /* transitions before this one have come */
    uint32_t high = zone->transition_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (zone->transitions[middle].when <= seconds)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == zone->transition_count && zone->has_rule)
        return zone_rule_offset(&zone->rule, seconds);
    return low == 0 ? zone->first : zone->transitions[low - 1].offset;
}

/* ---- names ---- */

/* Etc/GMT-1 is one hour east of Greenwich: POSIX counts westwards. */
static bool parse_fixed(const char *name, int64_t *offset)
{
    static const char *const zero[] = {"",    "UTC",  "Etc/UTC", "UCT",      "Etc/UCT",
                                       "GMT", "Zulu", "Etc/GMT", "Universal"};
    *offset = 0;
    for (size_t i = 0; i < sizeof(zero) / sizeof(zero[0]); i++)
        if (strcmp(name, zero[i]) == 0)
            return true;
    static const char prefix[] = "Etc/GMT";
    if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
        return false;
    const char *sign = name + sizeof(prefix) - 1;
    const bool east = *sign == '-';
    const size_t digits = strspn(sign + 1, "0123456789");
    if ((*sign != '-' && *sign != '+') || digits == 0 || digits > 2 || sign[1 + digits] ||
        (sign[1] == '0' && digits > 1))
        return false;
    const long hours = strtol(sign + 1, NULL, 10);
    *offset = (east ? hours : -hours) * SECONDS_PER_HOUR;
    return hours <= (east ? EAST_MOST : WEST_MOST);
}

static bool is_proper(const char *name)
{
    return *name != '/' && *name != '\\' && !strstr(name, "..");
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool read_zone(struct arena *arena, const char *path, struct time_zone *zone)
{
    FILE *file = is_folder(path) ? NULL : fopen(path, "rb");
    if (!file)
        return false;
    unsigned char *bytes = ARENA_ARRAY(arena, unsigned char, FILE_MOST);
    const size_t length = fread(bytes, 1, FILE_MOST, file);
    fclose(file);
    struct time_zone read;
    if (!time_zone_parse(arena, bytes, length, &read))
        return false;
    if (zone)
        *zone = read;
    return true;
}

enum time_zone_found time_zone_load(struct arena *arena, const char *name, struct time_zone *zone)
{
    int64_t offset;
    if (parse_fixed(name, &offset) || strcmp(name, "Local") == 0) {
        if (zone)
            *zone = (struct time_zone){.first = offset};
        return TIME_ZONE_FOUND;
    }
    if (!is_proper(name))
        return TIME_ZONE_UNKNOWN;
    const char *given = getenv("ZONEINFO");
    const char *folder = given && is_folder(given) ? given : database;
    if (!is_folder(folder))
        return TIME_ZONE_NO_DATABASE;
    return read_zone(arena, arena_printf(arena, "%s/%s", folder, name), zone) ? TIME_ZONE_FOUND
                                                                              : TIME_ZONE_UNKNOWN;
}
