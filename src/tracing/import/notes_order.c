/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of commits.
 *
 * Resource versions come from one counter, so where they are known they are the
 * order. Some requests do not tell theirs (a binding answers with a Status) and
 * are put where their start falls: a request starts only after its causes were
 * committed. Versions of the same object that show the effect of such a request,
 * or do not show it yet, say more than clocks do.
 */
#include "tracing/import/import.h"

#include <stdlib.h>
#include <string.h>

/* A version and when its request started. */
struct moment {
    int64_t start_ns;
    int64_t version;
};

struct ordering {
    struct note_collection *collection;
    VEC(struct moment) moments; /* by start; versions are running maxima */
    VEC(uint32_t) known;        /* notes that tell their version, by thing and version */
};

static int compare_moments(const void *left, const void *right)
{
    const struct moment *a = left;
    const struct moment *b = right;
    return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

static int compare_known(const void *left, const void *right, void *context)
{
    const struct note_collection *collection = context;
    const struct note *a = &collection->notes.items[*(const uint32_t *)left];
    const struct note *b = &collection->notes.items[*(const uint32_t *)right];
    if (a->thing != b->thing)
        return a->thing < b->thing ? -1 : 1;
    if (a->version != b->version)
        return a->version < b->version ? -1 : 1;
    if (a->patches != b->patches) /* a patch may have changed nothing */
        return a->patches ? 1 : -1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int compare_positions(const void *left, const void *right, void *context)
{
    const struct note_collection *collection = context;
    const struct note *a = left;
    const struct note *b = right;
    if (a->position != b->position)
        return a->position < b->position ? -1 : 1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    /* Dumps tell seconds only: owners come before what they own, creations first. */
    const uint32_t deep = collection->things.items[a->thing].depth;
    const uint32_t deeper = collection->things.items[b->thing].depth;
    if (a->creates != b->creates)
        return a->creates ? -1 : 1;
    if (deep != deeper)
        return deep < deeper ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The last version whose request had started by then; 0: none. */
static int64_t version_by(const struct ordering *ordering, int64_t start_ns)
{
    uint32_t low = 0;
    uint32_t high = ordering->moments.count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (ordering->moments.items[middle].start_ns <= start_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? ordering->moments.items[low - 1].version : 0;
}

static uint32_t first_known(const struct ordering *ordering, uint32_t thing)
{
    uint32_t low = 0;
    uint32_t high = ordering->known.count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (ordering->collection->notes.items[ordering->known.items[middle]].thing < thing)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Between the last version that does not show its effect and the first that does. */
static int64_t place_by_effect(const struct ordering *ordering, const struct note *note,
                               int64_t position)
{
    for (uint32_t i = first_known(ordering, note->thing); i < ordering->known.count; i++) {
        const struct note *version = &ordering->collection->notes.items[ordering->known.items[i]];
        if (version->thing != note->thing)
            break;
        if (!version->whole)
            continue;
        const bool shows = note->deletes ? version->terminating : version->bound;
        if (shows && version->version * 2 <= position)
            return version->version * 2 - 1;
        if (!shows && version->version * 2 > position && version->start_ns < note->start_ns)
            position = version->version * 2 + 1;
    }
    return position;
}

static void give_depths(struct note_collection *collection)
{
    for (uint32_t i = 0; i < collection->notes.count; i++) {
        const struct note *note = &collection->notes.items[i];
        uint32_t depth = 0;
        for (uint32_t o = 0; o < note->owners.count; o++) {
            const uint32_t above = collection->things.items[note->owners.items[o]].depth;
            depth = above + 1 > depth ? above + 1 : depth;
        }
        if (depth > collection->things.items[note->thing].depth && depth < 64)
            collection->things.items[note->thing].depth = depth;
    }
}

/* A number beyond what any cluster has counts as not known. */
static int64_t counted(int64_t number)
{
    return number < 0 || number > INT64_MAX / 4 ? NOTE_NONE : number;
}

static void tame(struct note *note)
{
    note->start_ns = change_instant(note->start_ns);
    note->end_ns = change_instant(note->end_ns);
    note->version = counted(note->version);
    note->version_read = counted(note->version_read);
    note->generation = counted(note->generation);
    note->observed = counted(note->observed);
}

static bool is_known(const struct note *note)
{
    return note->kind == NOTE_WRITE && note->version != NOTE_NONE;
}

/* A deletion may answer with the last version that there was, which is not its own. */
static void forget_borrowed_versions(struct ordering *ordering)
{
    struct note_collection *collection = ordering->collection;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ordering->known.count; i++) {
        struct note *note = &collection->notes.items[ordering->known.items[i]];
        struct note *before =
            kept ? &collection->notes.items[ordering->known.items[kept - 1]] : NULL;
        if (before && before->thing == note->thing && before->version == note->version) {
            before->uncertain |= before->patches && note->patches; /* which of them wrote it? */
            note->position = note->version * 2 + 1;                /* at the earliest */
            note->version = NOTE_NONE;
            if (!note->deletes && note->source == SOURCE_AUDIT)
                note->kind = NOTE_NOTHING; /* a patch that changed nothing */
        } else {
            ordering->known.items[kept++] = ordering->known.items[i];
        }
    }
    ordering->known.count = kept;
}

static void find_moments(struct ordering *ordering)
{
    const struct note_collection *collection = ordering->collection;
    for (uint32_t i = 0; i < collection->notes.count; i++) {
        const struct note *note = &collection->notes.items[i];
        if (is_known(note))
            VEC_PUSH(collection->arena, &ordering->moments,
                     ((struct moment){note->start_ns, note->version}));
    }
    if (ordering->moments.count > 1)
        qsort(ordering->moments.items, ordering->moments.count, sizeof(*ordering->moments.items),
              compare_moments);
    for (uint32_t i = 1; i < ordering->moments.count; i++)
        if (ordering->moments.items[i].version < ordering->moments.items[i - 1].version)
            ordering->moments.items[i].version = ordering->moments.items[i - 1].version;
}

void notes_order(struct note_collection *collection)
{
    struct ordering ordering = {.collection = collection};
    for (uint32_t i = 0; i < collection->notes.count; i++) {
        collection->notes.items[i].number = i;
        tame(&collection->notes.items[i]);
    }
    for (int round = 0; round < 4; round++) /* owners may be told after what they own */
        give_depths(collection);
    for (uint32_t i = 0; i < collection->notes.count; i++)
        if (is_known(&collection->notes.items[i]))
            VEC_PUSH(collection->arena, &ordering.known, i);
    if (ordering.known.count > 1)
        qsort_r(ordering.known.items, ordering.known.count, sizeof(*ordering.known.items),
                compare_known, collection);
    forget_borrowed_versions(&ordering);
    find_moments(&ordering);
    for (uint32_t i = 0; i < collection->notes.count; i++) {
        struct note *note = &collection->notes.items[i];
        if (is_known(note)) {
            note->position = note->version * 2;
            continue;
        }
        const int64_t by_time = version_by(&ordering, note->start_ns) * 2 + 1;
        note->position = by_time > note->position ? by_time : note->position;
        if (note->kind == NOTE_EVENT && note->version_read * 2 >= note->position)
            note->position = note->version_read * 2 + 1;
        if (note->kind == NOTE_WRITE && note->source == SOURCE_AUDIT &&
            (strcmp(note->action, "evict") == 0 || strcmp(note->action, "bind") == 0))
            note->position = place_by_effect(&ordering, note, note->position);
    }
    if (collection->notes.count > 1)
        qsort_r(collection->notes.items, collection->notes.count, sizeof(*collection->notes.items),
                compare_positions, collection);
}
