/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which writes may have caused a write W of actor A to object o?
 *
 * Candidates are the latest writes since A's previous write to o, to o itself by
 * others, to its owners, to what it owns, to what it names and to what names it. A
 * status says something about o and what is below it; the rest of o is the work of
 * those above it. Where the records name a version or a generation, they say
 * who wrote it, and the edge is exact:
 *
 *   precondition  an update insists on the version that its writer has read
 *   generation    a status first observes a generation: it goes back to the write
 *                 that made this generation
 *   involved      an Event names the version that its writer has read
 *
 * A write makes a generation for certain if the version that it replaced is known
 * to have the one before. Of a patch it is not told which version it replaced; then it must
 * mention the spec, and no version of the object may be missing from the log.
 */
#include "tracing/import/import_internal.h"

#include <string.h>

static const struct note *note_at(const struct import *import, uint32_t note)
{
    return &import->collection->notes.items[note];
}

static bool is_of_status(const struct note *note)
{
    return strcmp(note->action, "status") == 0;
}

static struct last_write *find_last_write(const struct object_life *life, const char *actor)
{
    for (uint32_t i = 0; i < life->last_writes.count; i++)
        if (life->last_writes.items[i].actor == actor)
            return &life->last_writes.items[i];
    return NULL;
}

static int64_t last_write(const struct object_life *life, const char *actor)
{
    const struct last_write *last = find_last_write(life, actor);
    if (!last)
        return NO_NOTE;
    return last->of_status > last->of_rest ? last->of_status : last->of_rest;
}

/* The actor's write before of the same sort. That a scheduler has said in a pod's
 * status why it could not place it does not mean that it has placed it. */
static int64_t last_of_sort(const struct object_life *life, const struct note *note)
{
    const struct last_write *last = find_last_write(life, note->actor);
    if (!last)
        return NO_NOTE;
    return is_of_status(note) ? last->of_status : last->of_rest;
}

/* The last note that this write before can have seen: none of the requests of its
 * own reconcile, and nothing that came in between. */
static int64_t seen_before(const struct import *import, const struct object_life *life,
                           const struct note *note)
{
    const int64_t last = last_of_sort(life, note);
    return last == NO_NOTE ? NO_NOTE : (int64_t)import->first_of_burst[last] - 1;
}

/* Could the writer have seen this write? A write whose request began later cannot
 * have been seen. Only times of the API server's own clock are compared. */
static bool was_visible(const struct note *note, int64_t horizon_ns)
{
    return note->source != SOURCE_AUDIT || note->start_ns < horizon_ns;
}

/* A reconcile looks first and then makes its requests, one after the other. When
 * did the requests begin that this one belongs to? They are about the object, what
 * it owns, or (from above) about its neighbours. */
static int64_t find_horizon(struct import *import, const struct object_life *life, uint32_t index)
{
    const struct note *note = note_at(import, index);
    const int64_t last = last_of_sort(life, note); /* a reconcile writes a status but once */
    int64_t horizon_ns = note->start_ns;
    import->first_of_burst[index] = index;
    uint32_t i = life->below.count;
    uint32_t j = life->writes.count;
    while (note->source == SOURCE_AUDIT && (i > 0 || j > 0)) {
        const bool below =
            j == 0 || (i > 0 && life->below.items[i - 1] > life->writes.items[j - 1]);
        const uint32_t at = below ? life->below.items[--i] : life->writes.items[--j];
        const struct note *before = note_at(import, at);
        if (at == last || horizon_ns - before->end_ns > BURST_GAP_NS)
            break;
        if (before->actor != note->actor || before->start_ns >= horizon_ns)
            continue;
        horizon_ns = before->start_ns;
        import->first_of_burst[index] = at;
    }
    return horizon_ns;
}

static bool add_candidate(struct cause_candidates *found, uint32_t note, enum change_label label,
                          const char *rule)
{
    for (uint32_t i = 0; i < found->count; i++)
        if (found->items[i].note == note)
            return true; /* the first rule that finds it is the strongest */
    if (found->count == CANDIDATES_MOST) {
        found->unlisted++;
        return false;
    }
    found->items[found->count++] = (struct cause_candidate){note, label, rule};
    return true;
}

/* ---- exact ---- */

/* A patch that changed nothing answers with a version that another client wrote. If
 * writes of the object are missing from the log, that may have been one of them. */
static bool is_certain(const struct object_life *life, const struct note *write)
{
    return !write->uncertain && !(write->patches && life->gap);
}

static bool find_read_version(const struct import *import, const struct object_life *life,
                              const struct note *note, struct cause_candidates *found)
{
    for (uint32_t i = life->writes.count; note->version_read != NOTE_NONE && i-- > 0;) {
        const struct note *write = note_at(import, life->writes.items[i]);
        if (write->version != NOTE_NONE && write->version < note->version_read)
            break;
        if (write->version != note->version_read)
            continue;
        add_candidate(found, life->writes.items[i],
                      is_certain(life, write) ? CHANGE_EXACT : CHANGE_TIME_WINDOW,
                      note->kind == NOTE_EVENT ? "involved" : "precondition");
        return true;
    }
    return false;
}

/* Is it certain that this write is the first to observe its generation? Then the
 * version that it replaced is known, and did not. */
static bool observes_first(const struct import *import, const struct note *note,
                           const struct cause_candidates *found)
{
    if (note->source == SOURCE_RECORDING)
        return true;
    if (found->count == 0)
        return false;
    const struct note *replaced = note_at(import, found->items[0].note);
    return replaced->whole && replaced->observed < note->observed;
}

static void find_generation(const struct import *import, const struct object_life *life,
                            const struct note *note, struct cause_candidates *found)
{
    if (note->observed == NOTE_NONE || note->observed <= life->observed || note->creates)
        return;
    const bool first = observes_first(import, note, found);
    for (uint32_t i = life->makers.count; i-- > 0;)
        if (life->makers.items[i].generation == note->observed) {
            add_candidate(found, life->makers.items[i].note,
                          first && life->makers.items[i].certain ? CHANGE_EXACT
                                                                 : CHANGE_TIME_WINDOW,
                          "generation");
            return;
        }
}

/* ---- owners and neighbours ---- */

static bool is_of_spec(const struct import *import, const struct object_life *life, uint32_t index)
{
    const struct note *note = note_at(import, index);
    if (note->creates || note->deletes || strcmp(note->action, "scale") == 0)
        return true;
    for (uint32_t i = life->makers.count; i-- > 0;)
        if (life->makers.items[i].note == index)
            return true;
    return false;
}

/* The latest write to a thing since then, by others, or its deletion by anybody. If
 * asked for, what says what is wanted goes before what says how things are. */
static int64_t latest_by_others(const struct import *import, const struct object_life *life,
                                const struct window *window, const char *actor, bool spec_first)
{
    int64_t latest = NO_NOTE;
    for (uint32_t i = life->writes.count;
         i-- > 0 && (int64_t)life->writes.items[i] > window->since;) {
        const uint32_t index = life->writes.items[i];
        const struct note *note = note_at(import, index);
        if ((note->actor == actor && !note->deletes) || !was_visible(note, window->horizon_ns))
            continue;
        if (!spec_first || is_of_spec(import, life, index))
            return index;
        if (latest == NO_NOTE)
            latest = index;
    }
    return latest;
}

static int64_t find_owners(const struct import *import, const struct object_life *life,
                           const struct note *note, const struct window *window,
                           struct cause_candidates *found)
{
    int64_t newest = NO_NOTE;
    for (uint32_t i = 0; i < life->owners.count; i++) {
        const struct object_life *owner = &import->lives[life->owners.items[i]];
        const int64_t cause = latest_by_others(import, owner, window, note->actor, true);
        if (cause == NO_NOTE)
            continue;
        if (life->guessed)
            add_candidate(found, (uint32_t)cause, CHANGE_TIME_WINDOW, "name");
        else
            add_candidate(found, (uint32_t)cause, CHANGE_OWNER, "owner");
        newest = cause > newest ? cause : newest;
    }
    return newest;
}

/* What this object owns or selects: of each the latest write. That a pod was bound
 * changes nothing for those above it. */
static void find_below(const struct import *import, const struct object_life *life,
                       const struct window *window, struct cause_candidates *found)
{
    uint32_t seen[CANDIDATES_MOST];
    uint32_t seen_count = 0;
    for (uint32_t i = life->below.count;
         i-- > 0 && (int64_t)life->below.items[i] > window->since;) {
        const struct note *write = note_at(import, life->below.items[i]);
        bool known = strcmp(write->action, "bind") == 0 || !was_visible(write, window->horizon_ns);
        for (uint32_t s = 0; s < seen_count && !known; s++)
            known = seen[s] == write->thing;
        if (known)
            continue;
        if (seen_count < CANDIDATES_MOST)
            seen[seen_count++] = write->thing;
        if (!add_candidate(found, life->below.items[i], CHANGE_TIME_WINDOW, "below") &&
            found->unlisted >= CANDIDATES_MOST)
            return; /* enough to say that there are many */
    }
}

/* Neighbours under the same owner, since this actor last did anything there. */
static void find_siblings(const struct import *import, const struct object_life *life,
                          const struct note *note, const struct window *window,
                          struct cause_candidates *found)
{
    for (uint32_t o = 0; o < life->owners.count; o++) {
        const struct object_life *owner = &import->lives[life->owners.items[o]];
        const int64_t since = last_write(owner, note->actor);
        for (uint32_t i = owner->below.count; i-- > 0;) {
            const struct note *neighbour = note_at(import, owner->below.items[i]);
            if (neighbour->actor == note->actor || (int64_t)owner->below.items[i] < since)
                break;
            if (was_visible(neighbour, window->horizon_ns))
                add_candidate(found, owner->below.items[i], CHANGE_TIME_WINDOW, "sibling");
        }
    }
}

static void find_named(const struct import *import, const struct object_life *life,
                       const struct note *note, const struct window *window,
                       struct cause_candidates *found)
{
    for (uint32_t i = 0; i < life->named.count; i++) {
        const int64_t cause =
            latest_by_others(import, &import->lives[life->named.items[i]], window, NULL, true);
        if (cause != NO_NOTE)
            add_candidate(found, (uint32_t)cause, CHANGE_TIME_WINDOW, "named");
    }
    for (uint32_t i = 0; i < life->naming.count; i++) {
        /* Only an actor that also writes the thing that names it acts because of this. */
        const struct object_life *naming = &import->lives[life->naming.items[i]];
        if (last_write(naming, note->actor) == NO_NOTE)
            continue;
        const int64_t cause = latest_by_others(import, naming, window, note->actor, true);
        if (cause != NO_NOTE)
            add_candidate(found, (uint32_t)cause, CHANGE_TIME_WINDOW, "naming");
    }
}

/* For an object without a known creation: one of the creations whose name is not known. */
static void find_nameless(const struct import *import, const struct object_life *life,
                          const struct note *note, struct cause_candidates *found)
{
    const struct known_thing *thing = &import->collection->things.items[note->thing];
    if (life->writes.count > 0 || note->creates)
        return;
    for (uint32_t i = import->nameless.count; i-- > 0;) {
        const struct note *creation = note_at(import, import->nameless.items[i]);
        const struct known_thing *created = &import->collection->things.items[creation->thing];
        if (created->kind == thing->kind && created->namespace == thing->namespace)
            add_candidate(found, import->nameless.items[i], CHANGE_TIME_WINDOW, "creation");
        if (found->count == CANDIDATES_MOST)
            return;
    }
}

void import_find_causes(struct import *import, uint32_t index, struct cause_candidates *found)
{
    const struct note *note = note_at(import, index);
    const struct object_life *life = &import->lives[note->thing];
    const struct window window = {seen_before(import, life, note),
                                  find_horizon(import, life, index)};
    const bool of_status = is_of_status(note);
    const bool of_pod = strcmp(note->action, "bind") == 0 || strcmp(note->action, "evict") == 0;
    found->count = 0;
    found->unlisted = 0;
    const bool read_known = find_read_version(import, life, note, found);
    if (note->kind != NOTE_EVENT)
        find_generation(import, life, note, found);
    if (note->user || (note->kind == NOTE_EVENT && read_known))
        return;
    const bool from_above = !of_status && !of_pod && !life->terminating && note->kind != NOTE_EVENT;
    const int64_t owner = from_above ? find_owners(import, life, note, &window, found) : NO_NOTE;
    if (!read_known) {
        const int64_t own = latest_by_others(import, life, &window, note->actor, false);
        if (own != NO_NOTE && own > owner)
            add_candidate(found, (uint32_t)own, CHANGE_TIME_WINDOW, "object");
    }
    /* What has no status of its own, and nobody above, tells about what is below in itself. */
    const bool tells =
        of_status || (life->owners.count == 0 && strcmp(note->action, "update") == 0);
    if (tells && note->kind != NOTE_EVENT)
        find_below(import, life, &window, found);
    if (from_above && !note->creates && !note->deletes)
        find_siblings(import, life, note, &window, found);
    const bool is_pod = strcmp(import->collection->things.items[note->thing].kind, "Pod") == 0;
    if (note->kind != NOTE_EVENT && (found->count == 0 || !is_pod))
        find_named(import, life, note, &window, found);
    find_nameless(import, life, note, found);
}

/* ---- remembering ---- */

/* What the object's generation is after this write, as far as told. */
static int64_t generation_after(const struct object_life *life, const struct note *note)
{
    if (note->generation != NOTE_NONE)
        return note->generation;
    if (strcmp(note->action, "scale") == 0 && life->generation != NOTE_NONE &&
        note->version != NOTE_NONE)
        return life->generation + 1; /* a scale changes the replicas and nothing else */
    return NOTE_NONE;
}

static bool made_for_certain(const struct object_life *life, const struct note *note)
{
    if (note->creates || note->source == SOURCE_RECORDING)
        return true;
    if (note->version_read != NOTE_NONE)
        return note->version_read == life->generation_version;
    return note->patches && note->says_spec && is_certain(life, note);
}

static void remember_generation(struct import *import, struct object_life *life, uint32_t index)
{
    const struct note *note = note_at(import, index);
    const int64_t generation = generation_after(life, note);
    const bool of_status = is_of_status(note);
    if (note->creates)
        life->makers.count = 0;
    if (generation == NOTE_NONE) {
        return;
    }
    const bool stepped = life->generation != NOTE_NONE && generation == life->generation + 1;
    if ((note->creates && generation == 1) || (stepped && !of_status)) {
        const struct maker maker = {generation, index, made_for_certain(life, note)};
        VEC_PUSH(import->collection->arena, &life->makers, maker);
    }
    life->generation = generation;
    if (note->version != NOTE_NONE)
        life->generation_version = note->version;
}

/* Without bodies the owners are not known. The names of objects that controllers
 * create begin with the names of their owners. */
static void guess_owner(struct import *import, struct object_life *life, const struct note *note)
{
    static const char *const above[][2] = {
        {"ReplicaSet", "Deployment"}, {"Pod", "ReplicaSet"}, {"Pod", "StatefulSet"},
        {"Pod", "DaemonSet"},         {"Pod", "Job"},        {"Job", "CronJob"},
    };
    struct note_collection *collection = import->collection;
    const struct known_thing *thing = &collection->things.items[note->thing];
    const char *dash = strrchr(thing->name, '-');
    for (size_t i = 0; dash && i < sizeof(above) / sizeof(*above); i++) {
        if (strcmp(above[i][0], thing->kind) != 0)
            continue;
        const struct arena_mark mark = arena_mark(collection->arena);
        const char *key = arena_printf(collection->arena, "%s/%s/%.*s", above[i][1],
                                       thing->namespace, (int)(dash - thing->name), thing->name);
        const uintptr_t owner = (uintptr_t)map_get(&collection->by_name, key);
        arena_rewind(collection->arena, mark);
        if (owner) {
            life->owners = notes_one_thing(collection, (uint32_t)(owner - 1));
            life->guessed = true;
            return;
        }
    }
}

/* Does every line of the selector stand in the labels? */
static bool selects(const char *selector, const char *labels)
{
    while (*selector) {
        const char *end = strchr(selector, '\n');
        const size_t length = (size_t)(end - selector) + 1;
        const char *line = labels;
        while (*line && strncmp(line, selector, length) != 0)
            line = strchr(line, '\n') + 1;
        if (!*line)
            return false;
        selector = end + 1;
    }
    return true;
}

/* Tells those that select this pod. */
static void tell_selectors(struct import *import, uint32_t index)
{
    const struct note_collection *collection = import->collection;
    const struct known_thing *thing = &collection->things.items[note_at(import, index)->thing];
    if (!thing->labels || strcmp(thing->kind, "Pod") != 0)
        return;
    for (uint32_t i = 0; i < import->selecting.count; i++) {
        const struct known_thing *other = &collection->things.items[import->selecting.items[i]];
        if (other->namespace == thing->namespace && selects(other->selector, thing->labels))
            VEC_PUSH(collection->arena, &import->lives[import->selecting.items[i]].below, index);
    }
}

static void remember_selector(struct import *import, struct object_life *life,
                              const struct note *note)
{
    const struct known_thing *thing = &import->collection->things.items[note->thing];
    if (life->selects || !thing->selector ||
        (strcmp(thing->kind, "PodDisruptionBudget") != 0 && strcmp(thing->kind, "Service") != 0))
        return;
    life->selects = true;
    VEC_PUSH(import->collection->arena, &import->selecting, note->thing);
}

void import_relate(struct import *import, uint32_t index)
{
    const struct note *note = note_at(import, index);
    struct object_life *life = &import->lives[note->thing];
    struct arena *arena = import->collection->arena;
    if (note->kind != NOTE_WRITE)
        return;
    if (note->owners.count > 0) {
        life->owners = note->owners;
        life->guessed = false;
    }
    if (life->owners.count == 0 && !note->whole && note->source == SOURCE_AUDIT)
        guess_owner(import, life, note);
    remember_selector(import, life, note);
    if (note->named.count == 0)
        return;
    life->named = note->named;
    for (uint32_t i = 0; i < note->named.count; i++) {
        struct object_life *named = &import->lives[note->named.items[i]];
        /* Pods that name their node would be too many, and are not needed. */
        if (strcmp(import->collection->things.items[note->thing].kind, "Pod") == 0)
            continue;
        bool known = false;
        for (uint32_t n = 0; n < named->naming.count && !known; n++)
            known = named->naming.items[n] == note->thing;
        if (!known)
            VEC_PUSH(arena, &named->naming, note->thing);
    }
}

void import_remember(struct import *import, uint32_t index)
{
    struct arena *arena = import->collection->arena;
    const struct note *note = note_at(import, index);
    struct object_life *life = &import->lives[note->thing];
    if (note->kind != NOTE_WRITE)
        return;
    if (note->version_read != NOTE_NONE && life->writes.count > 0) {
        struct cause_candidates known = {0};
        if (!find_read_version(import, life, note, &known))
            life->gap = true;
    }
    remember_generation(import, life, index);
    if (note->observed != NOTE_NONE)
        life->observed = note->observed;
    if (note->creates)
        life->observed = NOTE_NONE;
    life->terminating =
        note->creates ? false : life->terminating || note->terminating || note->deletes;
    VEC_PUSH(arena, &life->writes, index);
    for (uint32_t i = 0; i < life->owners.count; i++)
        VEC_PUSH(arena, &import->lives[life->owners.items[i]].below, index);
    tell_selectors(import, index);
    struct last_write *last = find_last_write(life, note->actor);
    if (!last) {
        const struct last_write first = {note->actor, NO_NOTE, NO_NOTE};
        VEC_PUSH(arena, &life->last_writes, first);
        last = &life->last_writes.items[life->last_writes.count - 1];
    }
    *(is_of_status(note) ? &last->of_status : &last->of_rest) = index;
    if (note->creates && import->collection->things.items[note->thing].name[0] == '?')
        VEC_PUSH(arena, &import->nameless, index);
}
