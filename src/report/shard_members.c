/* SPDX-License-Identifier: Apache-2.0 */
#include "report/shard_members.h"

#include "base/error.h"
#include "verify/shard.h"

#include <stddef.h>
#include <string.h>

typedef struct shard_outcome member_of_outcome;
typedef struct shard_run member_of_run;
typedef struct parts member_of_parts;
typedef struct decided_part member_of_part;
typedef struct coupled member_of_coupling;

struct shard_member {
    enum shard_struct kind;
    const char *name;
    size_t offset;
    size_t bytes;
    bool bits; /* a list of the numbers of the bits that are set */
};

#define MEMBER(of, member, name, bits)                                                          \
    {SHARD_##of, name, offsetof(member_of_##of, member), sizeof(((member_of_##of *)0)->member), \
     bits},

static const struct shard_member members[] = {
#define NUMBER(of, member, name)  MEMBER(of, member, name, false)
#define INTENTS(of, member, name) MEMBER(of, member, name, true)
#include "report/shard_members.def"
#undef NUMBER
#undef INTENTS
};

enum { MEMBER_COUNT = sizeof(members) / sizeof(members[0]) };

/* ---- members of any size ---- */

static uint64_t get(const struct shard_member *member, const void *from)
{
    const char *at = (const char *)from + member->offset;
    bool flag;
    uint32_t word;
    uint64_t number;
    switch (member->bytes) {
    case sizeof(flag): memcpy(&flag, at, sizeof(flag)); return flag;
    case sizeof(word): memcpy(&word, at, sizeof(word)); return word;
    default: memcpy(&number, at, sizeof(number)); return number;
    }
}

static bool set(const struct shard_member *member, void *into, uint64_t number)
{
    char *at = (char *)into + member->offset;
    const bool flag = number != 0;
    const uint32_t word = (uint32_t)number;
    switch (member->bytes) {
    case sizeof(flag): memcpy(at, &flag, sizeof(flag)); return number <= 1;
    case sizeof(word): memcpy(at, &word, sizeof(word)); return number <= UINT32_MAX;
    default: memcpy(at, &number, sizeof(number)); return true;
    }
}

/* ---- writing ---- */

static void write_bits(struct json_out *json, const char *name, uint64_t bits)
{
    json_array_begin(json, name);
    for (unsigned i = 0; i < 64; i++)
        if (bits >> i & 1)
            json_unsigned(json, NULL, i);
    json_array_end(json);
}

void shard_members_write(struct json_out *json, enum shard_struct kind, const void *from)
{
    for (uint32_t i = 0; i < MEMBER_COUNT; i++) {
        const struct shard_member *member = &members[i];
        const uint64_t number = member->kind == kind ? get(member, from) : 0;
        if (number && member->bits)
            write_bits(json, member->name, number);
        else if (number)
            json_unsigned(json, member->name, number);
    }
}

/* ---- reading ---- */

static bool read_bits(const struct value *list, uint64_t *bits)
{
    if (list->kind != VALUE_SEQUENCE)
        return false;
    for (uint32_t i = 0; i < list->count; i++) {
        int64_t number;
        if (!value_read_integer(&list->items[i], &number) || number < 0 || number > 63)
            return false;
        *bits |= UINT64_C(1) << number;
    }
    return true;
}

static void read_member(const struct shard_member *member, const struct value *value, void *into,
                        struct problems *problems)
{
    uint64_t number = 0;
    int64_t read = 0;
    bool good;
    if (member->bits) {
        good = read_bits(value, &number);
    } else {
        good = value_read_integer(value, &read) && read >= 0;
        number = (uint64_t)read;
    }
    if (!good || !set(member, into, number))
        value_expected(problems, value, member->name,
                       member->bits ? "a list of numbers from 0 to 63" : "a number");
}

void shard_members_read(const struct value *mapping, enum shard_struct kind, void *into,
                        struct problems *problems)
{
    for (uint32_t i = 0; i < MEMBER_COUNT; i++) {
        const struct shard_member *member = &members[i];
        const struct value *value = member->kind == kind ? value_find(mapping, member->name) : NULL;
        if (value)
            read_member(member, value, into, problems);
    }
}
