/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States as words.
 *
 *     word 0       operations of the script done, crashes, failures, stale reads
 *     word 1       how many slots, orphans and lagging objects there are
 *     word 2       the next numbers (if they are not renamed)
 *     slots        two words each, sorted by key: the object's shape or the key,
 *                  and what is in flight
 *     external     the shape of the application's state (if it has any)
 *     rounds       shapes: scheduled (unless fused), resource, memory, pending
 *     users        shapes of requests in flight (if users are asynchronous)
 *     orphans      shapes of requests whose sender has crashed, sorted
 *     lagging      shapes of the objects of an earlier store
 *     holes        of all these shapes in this order, a byte each
 *
 * Renaming is part of writing: a state is written with its numbers renamed.
 */
#include "reconcile/environment_internal.h"

#include <string.h>

static const uint32_t NO_OBJECT = UINT32_C(1) << 31;

static const struct part none = {0};

enum { FLAG_COLLECTED = 1, FLAG_STABLE = 2, FLAG_BITS = 2 };

uint32_t environment_length_most(const struct environment *environment)
{
    (void)environment;
    return (uint32_t)(sizeof(((struct env_worker *)NULL)->next) / sizeof(uint32_t)) - 1;
}

struct slot *draft_slot(struct draft *draft, uint32_t key)
{
    for (uint32_t i = 0; i < draft->slot_count; i++)
        if (draft->slots[i].key == key)
            return &draft->slots[i];
    return NULL;
}

/* --- Reading --- */

struct reading {
    const struct shape_table *shapes;
    const uint32_t *words;
    const uint8_t *holes;
};

static struct part part_of(const struct reading *reading, uint32_t shape)
{
    if (shape == 0)
        return (struct part){0};
    const struct shape *known = shape_at(reading->shapes, shape);
    return (struct part){.shape = shape, .versions = known->versions, .uids = known->uids};
}

static void take_holes(struct reading *reading, struct part *part)
{
    part->holes = reading->holes;
    reading->holes += (uint32_t)part->versions + part->uids;
}

static struct part read_part(struct reading *reading)
{
    return part_of(reading, *reading->words++);
}

static void read_slot(struct reading *reading, struct slot *slot)
{
    const uint32_t object = *reading->words++;
    const uint32_t flags = *reading->words++;
    slot->object = (struct part){0};
    if ((object & NO_OBJECT) != 0) {
        slot->key = object & ~NO_OBJECT;
    } else {
        slot->object = part_of(reading, object);
        slot->key = shape_at(reading->shapes, object)->key;
    }
    slot->collected = (flags & FLAG_COLLECTED) != 0;
    slot->stable = (flags & FLAG_STABLE) != 0;
    slot->status = part_of(reading, flags >> FLAG_BITS);
}

static void read_round(struct reading *reading, bool fused, struct round *round)
{
    round->scheduled = none;
    if (!fused)
        round->scheduled = read_part(reading);
    round->resource = read_part(reading);
    round->memory = read_part(reading);
    round->pending = read_part(reading);
}

static void read_holes(struct reading *reading, const struct environment *environment,
                       struct draft *draft)
{
    for (uint32_t i = 0; i < draft->slot_count; i++) {
        take_holes(reading, &draft->slots[i].object);
        take_holes(reading, &draft->slots[i].status);
    }
    take_holes(reading, &draft->external);
    for (uint32_t i = 0; i < environment->resource_count; i++) {
        struct round *round = &draft->rounds[i];
        take_holes(reading, &round->scheduled);
        take_holes(reading, &round->resource);
        take_holes(reading, &round->memory);
        take_holes(reading, &round->pending);
    }
    for (uint32_t i = 0; environment->options.client_async && i < environment->options.script_count;
         i++)
        take_holes(reading, &draft->users[i]);
    for (uint32_t i = 0; i < draft->orphan_count; i++)
        take_holes(reading, &draft->orphans[i]);
    for (uint32_t i = 0; i < draft->lagging_count; i++)
        take_holes(reading, &draft->lagging[i]);
}

void draft_read(struct env_worker *worker, const uint32_t *words, uint32_t length,
                struct draft *draft)
{
    (void)length;
    const struct environment *environment = worker->environment;
    const struct environment_options *options = &environment->options;
    struct reading reading = {.shapes = &environment->shapes, .words = words + 2};
    draft->script_done = words[0] & 0xff;
    draft->crashes = words[0] >> 8 & 0xff;
    draft->failures = words[0] >> 16 & 0xff;
    draft->stale_reads = words[0] >> 24;
    draft->slot_count = words[1] & 0xff;
    draft->orphan_count = words[1] >> 8 & 0xff;
    draft->lagging_count = words[1] >> 16 & 0xff;
    draft->lags = words[1] >> 24 != 0;
    if (options->renaming == RENAME_NONE) {
        draft->next_version = *reading.words & 0xffff;
        draft->next_uid = *reading.words++ >> 16;
    }
    for (uint32_t i = 0; i < draft->slot_count; i++)
        read_slot(&reading, &draft->slots[i]);
    draft->external = none;
    if (environment->controller->external)
        draft->external = read_part(&reading);
    for (uint32_t i = 0; i < environment->resource_count; i++)
        read_round(&reading, options->fuse_schedule, &draft->rounds[i]);
    for (uint32_t i = 0; options->client_async && i < options->script_count; i++)
        draft->users[i] = read_part(&reading);
    for (uint32_t i = 0; i < draft->orphan_count; i++)
        draft->orphans[i] = read_part(&reading);
    for (uint32_t i = 0; i < draft->lagging_count; i++)
        draft->lagging[i] = read_part(&reading);
    reading.holes = (const uint8_t *)reading.words;
    read_holes(&reading, environment, draft);
}

/* --- Writing --- */

struct writing {
    struct env_worker *worker;
    uint32_t *words;
    uint32_t part_count;
};

static void note_part(struct writing *writing, const struct part *part)
{
    if (part->versions + part->uids > 0)
        writing->worker->parts[writing->part_count++] = *part;
}

static void write_part(struct writing *writing, const struct part *part)
{
    *writing->words++ = part->shape;
    note_part(writing, part);
}

static uint32_t write_slots(struct writing *writing, const struct draft *draft)
{
    const bool keep_all = writing->worker->environment->options.keep_all;
    uint32_t count = 0;
    for (uint32_t i = 0; i < draft->slot_count; i++) {
        const struct slot *slot = &draft->slots[i];
        const bool stable = slot->stable && (slot->object.shape != 0 || keep_all);
        if (slot->object.shape == 0 && slot->status.shape == 0 && !slot->collected && !stable)
            continue;
        count++;
        *writing->words++ = slot->object.shape != 0 ? slot->object.shape : NO_OBJECT | slot->key;
        *writing->words++ = slot->status.shape << FLAG_BITS |
                            (slot->collected ? FLAG_COLLECTED : 0) | (stable ? FLAG_STABLE : 0);
        note_part(writing, &slot->object);
        note_part(writing, &slot->status);
    }
    return count;
}

/* In the order in which they occur. */
static bool name_by_place(struct writing *writing, uint8_t *holes, uint32_t *hole_count)
{
    struct question *names = &writing->worker->question;
    uint32_t count = 0;
    names->epoch++;
    names->version_count = 0;
    names->uid_count = 0;
    for (uint32_t i = 0; i < writing->part_count; i++) {
        const struct part *part = &writing->worker->parts[i];
        uint32_t k = 0;
        for (; k < part->versions; k++) {
            const uint8_t value = part->holes[k];
            if (names->version_epoch[value] != names->epoch) {
                names->version_epoch[value] = names->epoch;
                names->version_number[value] = (uint8_t)names->version_count++;
            }
            holes[count++] = names->version_number[value];
        }
        for (; k < (uint32_t)part->versions + part->uids; k++) {
            const uint8_t value = part->holes[k];
            if (names->uid_epoch[value] != names->epoch) {
                names->uid_epoch[value] = names->epoch;
                names->uid_number[value] = (uint8_t)names->uid_count++;
            }
            holes[count++] = names->uid_number[value];
        }
    }
    *hole_count = count;
    return names->version_count < MEMO_NUMBERS_MOST && names->uid_count < MEMO_NUMBERS_MOST;
}

static void rank(const bool *present, uint8_t *ranks, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < 256; i++) {
        ranks[i] = (uint8_t)*count;
        *count += present[i];
    }
}

/* In the order of the numbers; a fresh one is the greatest. */
static bool name_by_order(struct writing *writing, uint8_t *holes, uint32_t *hole_count)
{
    bool versions[256] = {0};
    bool uids[256] = {0};
    uint8_t version_ranks[256];
    uint8_t uid_ranks[256];
    uint32_t version_count = 0;
    uint32_t uid_count = 0;
    for (uint32_t i = 0; i < writing->part_count; i++) {
        const struct part *part = &writing->worker->parts[i];
        for (uint32_t k = 0; k < (uint32_t)part->versions + part->uids; k++)
            (k < part->versions ? versions : uids)[part->holes[k]] = true;
    }
    rank(versions, version_ranks, &version_count);
    rank(uids, uid_ranks, &uid_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < writing->part_count; i++) {
        const struct part *part = &writing->worker->parts[i];
        for (uint32_t k = 0; k < (uint32_t)part->versions + part->uids; k++)
            holes[count++] = (k < part->versions ? version_ranks : uid_ranks)[part->holes[k]];
    }
    *hole_count = count;
    return version_count < MEMO_NUMBERS_MOST && uid_count < MEMO_NUMBERS_MOST;
}

/* As they are; a fresh one is the next of its kind. */
static bool name_by_count(struct writing *writing, const struct draft *draft, uint8_t *holes,
                          uint32_t *hole_count, uint32_t *next)
{
    uint32_t next_version = draft->next_version;
    uint32_t next_uid = draft->next_uid;
    uint32_t count = 0;
    for (uint32_t i = 0; i < writing->part_count; i++) {
        const struct part *part = &writing->worker->parts[i];
        for (uint32_t k = 0; k < (uint32_t)part->versions + part->uids; k++) {
            uint8_t value = part->holes[k];
            if (value == MEMO_FRESH && k < part->versions) {
                value = (uint8_t)draft->next_version;
                next_version = draft->next_version + 1;
            } else if (value == MEMO_FRESH) {
                value = (uint8_t)draft->next_uid;
                next_uid = draft->next_uid + 1;
            }
            holes[count++] = value;
        }
    }
    *hole_count = count;
    *next = next_version | next_uid << 16;
    return next_version < MEMO_NUMBERS_MOST && next_uid < MEMO_NUMBERS_MOST;
}

static void write_round(struct writing *writing, bool fused, const struct round *round)
{
    if (!fused)
        write_part(writing, &round->scheduled);
    write_part(writing, &round->resource);
    write_part(writing, &round->memory);
    write_part(writing, &round->pending);
}

uint32_t draft_write(struct env_worker *worker, const struct draft *draft, uint32_t *words)
{
    const struct environment *environment = worker->environment;
    const struct environment_options *options = &environment->options;
    struct writing writing = {.worker = worker, .words = words + 2};
    words[0] =
        draft->script_done | draft->crashes << 8 | draft->failures << 16 | draft->stale_reads << 24;
    uint32_t *numbers = options->renaming == RENAME_NONE ? writing.words++ : NULL;
    const uint32_t slot_count = write_slots(&writing, draft);
    words[1] = slot_count | draft->orphan_count << 8 | draft->lagging_count << 16 |
               (uint32_t)draft->lags << 24;
    if (environment->controller->external)
        write_part(&writing, &draft->external);
    for (uint32_t i = 0; i < environment->resource_count; i++)
        write_round(&writing, options->fuse_schedule, &draft->rounds[i]);
    for (uint32_t i = 0; options->client_async && i < options->script_count; i++)
        write_part(&writing, &draft->users[i]);
    for (uint32_t i = 0; i < draft->orphan_count; i++)
        write_part(&writing, &draft->orphans[i]);
    for (uint32_t i = 0; i < draft->lagging_count; i++)
        write_part(&writing, &draft->lagging[i]);
    uint8_t *holes = (uint8_t *)writing.words;
    uint32_t hole_count = 0;
    bool named = false;
    switch (options->renaming) {
    case RENAME_BY_PLACE: named = name_by_place(&writing, holes, &hole_count); break;
    case RENAME_BY_ORDER: named = name_by_order(&writing, holes, &hole_count); break;
    case RENAME_NONE: named = name_by_count(&writing, draft, holes, &hole_count, numbers); break;
    }
    if (!named)
        return 0;
    while (hole_count % 4 != 0)
        holes[hole_count++] = 0;
    return (uint32_t)(writing.words - words) + hole_count / 4;
}
