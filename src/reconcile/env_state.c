/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States as words.
 *
 *     word 0       operations of the script done, crashes, failures, stale reads
 *     word 1       how many slots, orphans and lagging objects there are
 *     word 2       the next numbers (if they are not renamed)
 *     slots        a word or two each, sorted by key: the object's shape or the key,
 *                  and what is in flight
 *     holes        of these, a byte each
 *     external     the shape of the application's state (if it has any)
 *     rounds       shapes: scheduled (unless fused), resource, memory, pending
 *     users        shapes of requests in flight (if users are asynchronous)
 *     orphans      shapes of requests whose sender has crashed, sorted
 *     lagging      shapes of the objects of an earlier store
 *     holes        of all these shapes in this order, a byte each, so that what
 *                  changes together lies together
 *     padding      zeros
 *
 * Renaming is part of writing: a state is written with its numbers renamed.
 */
#include "reconcile/environment_internal.h"

#include <string.h>

/* The word of a slot: the object's shape, or the key if there is none, and flags. A
 * report of its status in flight takes a second word. */
enum {
    SLOT_NUMBER = (1 << 24) - 1,
    SLOT_NO_OBJECT = 1 << 24,
    SLOT_COLLECTED = 1 << 25,
    SLOT_STABLE = 1 << 26,
    SLOT_STATUS = 1 << 27,
};
_Static_assert((uint64_t)SHAPE_CHUNK *SHAPE_CHUNKS_MOST <= SLOT_NUMBER + 1, "shapes fit");

static const struct memo_part none = {0};

uint32_t environment_length_most(const struct environment *environment)
{
    (void)environment;
    return (uint32_t)(sizeof(((struct env_worker *)NULL)->next) / sizeof(uint32_t)) - 1;
}

struct object_slot *draft_slot(struct object_draft *draft, uint32_t key)
{
    for (uint32_t i = 0; i < draft->slot_count; i++)
        if (draft->slots[i].key == key)
            return &draft->slots[i];
    return NULL;
}

static uint32_t words_for(uint32_t bytes)
{
    return (bytes + 3) / 4;
}

/* --- Reading --- */

struct state_reading {
    const struct shape_table *shapes;
    const uint32_t *words;
    const uint8_t *holes;
};

static struct memo_part part_of(const struct state_reading *reading, uint32_t shape)
{
    if (shape == 0)
        return (struct memo_part){0};
    const struct shape *known = shape_at(reading->shapes, shape);
    return (struct memo_part){.shape = shape, .versions = known->versions, .uids = known->uids};
}

static void take_holes(struct state_reading *reading, struct memo_part *part)
{
    part->holes = reading->holes;
    reading->holes += (uint32_t)part->versions + part->uids;
}

static struct memo_part read_part(struct state_reading *reading)
{
    return part_of(reading, *reading->words++);
}

static void read_slot(struct state_reading *reading, struct object_slot *slot)
{
    const uint32_t word = *reading->words++;
    const uint32_t number = word & SLOT_NUMBER;
    slot->object = none;
    slot->status = none;
    if ((word & SLOT_NO_OBJECT) != 0) {
        slot->key = number;
    } else {
        slot->object = part_of(reading, number);
        slot->key = shape_at(reading->shapes, number)->key;
    }
    slot->collected = (word & SLOT_COLLECTED) != 0;
    slot->stable = (word & SLOT_STABLE) != 0;
    if ((word & SLOT_STATUS) != 0)
        slot->status = read_part(reading);
}

static void read_round(struct state_reading *reading, bool fused, struct round *round)
{
    round->scheduled = none;
    if (!fused)
        round->scheduled = read_part(reading);
    round->resource = read_part(reading);
    round->memory = read_part(reading);
    round->pending = read_part(reading);
}

static void read_slots(struct state_reading *reading, struct object_draft *draft)
{
    for (uint32_t i = 0; i < draft->slot_count; i++)
        read_slot(reading, &draft->slots[i]);
    const uint8_t *holes = (const uint8_t *)reading->words;
    reading->holes = holes;
    for (uint32_t i = 0; i < draft->slot_count; i++) {
        take_holes(reading, &draft->slots[i].object);
        take_holes(reading, &draft->slots[i].status);
    }
    reading->words += words_for((uint32_t)(reading->holes - holes));
}

static void read_holes(struct state_reading *reading, const struct environment *environment,
                       struct object_draft *draft)
{
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
                struct object_draft *draft)
{
    (void)length;
    const struct environment *environment = worker->environment;
    const struct environment_options *options = &environment->options;
    struct state_reading reading = {.shapes = &environment->shapes, .words = words + 2};
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
    read_slots(&reading, draft);
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
    uint32_t hole_count;
};

static void note_part(struct writing *writing, const struct memo_part *part)
{
    if (part->versions + part->uids == 0)
        return;
    writing->worker->parts[writing->part_count++] = *part;
    writing->hole_count += (uint32_t)part->versions + part->uids;
}

static void write_part(struct writing *writing, const struct memo_part *part)
{
    *writing->words++ = part->shape;
    note_part(writing, part);
}

static uint32_t write_slots(struct writing *writing, const struct object_draft *draft)
{
    const bool keep_all = writing->worker->environment->options.keep_all;
    uint32_t count = 0;
    for (uint32_t i = 0; i < draft->slot_count; i++) {
        const struct object_slot *slot = &draft->slots[i];
        const bool stable = slot->stable && (slot->object.shape != 0 || keep_all);
        if (slot->object.shape == 0 && slot->status.shape == 0 && !slot->collected && !stable)
            continue;
        count++;
        *writing->words++ =
            (slot->object.shape != 0 ? slot->object.shape : SLOT_NO_OBJECT | slot->key) |
            (slot->collected ? SLOT_COLLECTED : 0) | (stable ? SLOT_STABLE : 0) |
            (slot->status.shape != 0 ? SLOT_STATUS : 0);
        if (slot->status.shape != 0)
            *writing->words++ = slot->status.shape;
        note_part(writing, &slot->object);
        note_part(writing, &slot->status);
    }
    return count;
}

/* Renames numbers in the order in which they occur in the state. */
static bool name_by_place(struct writing *writing, uint8_t *holes)
{
    struct memo_question *names = &writing->worker->question;
    uint32_t count = 0;
    names->epoch++;
    names->version_count = 0;
    names->uid_count = 0;
    for (uint32_t i = 0; i < writing->part_count; i++) {
        const struct memo_part *part = &writing->worker->parts[i];
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
    return names->version_count < MEMO_NUMBERS_MOST && names->uid_count < MEMO_NUMBERS_MOST;
}

/* A set of numbers, and the place of each in it. */
struct number_set {
    uint64_t bits[4];
    uint8_t places[256]; /* of those that are in it */
};

static void number_set_add(struct number_set *set, uint8_t number)
{
    set->bits[number >> 6] |= UINT64_C(1) << (number & 63);
}

/* How many there are; from now on their places are known. */
static uint32_t number_set_count(struct number_set *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; i++)
        for (uint64_t bits = set->bits[i]; bits != 0; bits &= bits - 1)
            set->places[i * 64 + (uint32_t)__builtin_ctzll(bits)] = (uint8_t)count++;
    return count;
}

/* Renames numbers so that their order is kept; a fresh one is the greatest. */
static bool name_by_order(struct writing *writing, uint8_t *holes)
{
    struct number_set versions;
    struct number_set uids;
    memset(versions.bits, 0, sizeof(versions.bits));
    memset(uids.bits, 0, sizeof(uids.bits));
    for (uint32_t i = 0; i < writing->part_count; i++) {
        const struct memo_part *part = &writing->worker->parts[i];
        uint32_t k = 0;
        for (; k < part->versions; k++)
            number_set_add(&versions, part->holes[k]);
        for (; k < (uint32_t)part->versions + part->uids; k++)
            number_set_add(&uids, part->holes[k]);
    }
    const uint32_t version_count = number_set_count(&versions);
    const uint32_t uid_count = number_set_count(&uids);
    uint32_t count = 0;
    for (uint32_t i = 0; i < writing->part_count; i++) {
        const struct memo_part *part = &writing->worker->parts[i];
        uint32_t k = 0;
        for (; k < part->versions; k++)
            holes[count++] = versions.places[part->holes[k]];
        for (; k < (uint32_t)part->versions + part->uids; k++)
            holes[count++] = uids.places[part->holes[k]];
    }
    return version_count < MEMO_NUMBERS_MOST && uid_count < MEMO_NUMBERS_MOST;
}

/* Keeps the numbers; a fresh one is the next of its kind. */
static bool name_by_count(struct writing *writing, const struct object_draft *draft, uint8_t *holes,
                          uint32_t *next)
{
    uint32_t next_version = draft->next_version;
    uint32_t next_uid = draft->next_uid;
    uint32_t count = 0;
    for (uint32_t i = 0; i < writing->part_count; i++) {
        const struct memo_part *part = &writing->worker->parts[i];
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

/* States of the same length share their trees in the core's store, and a step that
 * keeps the length costs least: lengths come in strides. */
static uint32_t padded(uint32_t *words, uint32_t length)
{
    enum { STRIDE = 16 };
    while (length % STRIDE != 0)
        words[length++] = 0;
    return length;
}

static bool name_holes(struct writing *writing, const struct object_draft *draft, uint8_t *holes,
                       uint32_t *numbers)
{
    switch (writing->worker->environment->options.renaming) {
    case RENAME_BY_PLACE: return name_by_place(writing, holes);
    case RENAME_BY_ORDER: return name_by_order(writing, holes);
    case RENAME_NONE: return name_by_count(writing, draft, holes, numbers);
    }
    return false;
}

static void copy_holes(uint32_t *words, const uint8_t *holes, uint32_t count)
{
    if (count == 0)
        return;
    words[words_for(count) - 1] = 0;
    memcpy(words, holes, count);
}

uint32_t draft_write(struct env_worker *worker, const struct object_draft *draft, uint32_t *words)
{
    const struct environment *environment = worker->environment;
    const struct environment_options *options = &environment->options;
    struct writing writing = {.worker = worker, .words = words + 2};
    words[0] =
        draft->script_done | draft->crashes << 8 | draft->failures << 16 | draft->stale_reads << 24;
    uint32_t *numbers = options->renaming == RENAME_NONE ? writing.words++ : NULL;
    const uint32_t slot_count = write_slots(&writing, draft);
    uint32_t *slot_holes = writing.words;
    const uint32_t slot_hole_count = writing.hole_count;
    writing.words += words_for(slot_hole_count);
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
    uint8_t *holes = worker->named;
    if (writing.hole_count > sizeof(worker->named) || !name_holes(&writing, draft, holes, numbers))
        return 0;
    copy_holes(slot_holes, holes, slot_hole_count);
    copy_holes(writing.words, holes + slot_hole_count, writing.hole_count - slot_hole_count);
    writing.words += words_for(writing.hole_count - slot_hole_count);
    return padded(words, (uint32_t)(writing.words - words));
}
