/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/import/import_internal.h"

#include <string.h>

const char *const change_label_names[CHANGE_LABEL_COUNT] = {"exact", "owner", "time-window"};

static const char *version_text(struct arena *arena, int64_t version)
{
    return version == NOTE_NONE ? NULL : arena_printf(arena, "%lld", (long long)version);
}

static const char *failure_text(struct arena *arena, const struct note *note)
{
    if (note->kind != NOTE_REFUSED)
        return NULL;
    return note->message ? arena_printf(arena, "%u: %s", note->code, note->message)
                         : arena_printf(arena, "%u", note->code);
}

static void add_span(struct import *import, uint32_t number, const struct cause_candidates *found,
                     bool root, uint32_t context)
{
    struct arena *arena = import->collection->arena;
    const struct note *note = &import->collection->notes.items[number];
    const struct known_thing *thing = &import->collection->things.items[note->thing];
    struct change_cause *causes =
        found->count ? ARENA_ARRAY(arena, struct change_cause, found->count) : NULL;
    uint32_t choices = 0;
    for (uint32_t i = 0; i < found->count; i++) {
        causes[i] = (struct change_cause){found->items[i].note, (uint8_t)found->items[i].label,
                                          found->items[i].rule};
        choices += found->items[i].label == CHANGE_TIME_WINDOW;
    }
    const bool is_event = note->kind == NOTE_EVENT;
    const struct change_span span = {
        .cpid = import->contexts.items[context - 1].id,
        .id = note->id,
        .start_ns = note->start_ns,
        .end_ns = note->end_ns,
        .service = note->actor,
        .name = is_event ? note->action : arena_printf(arena, "%s %s", note->action, thing->kind),
        .object = {thing->kind, thing->namespace, thing->name, thing->uid},
        .version_read = version_text(arena, note->version_read),
        .version_written = version_text(arena, note->version),
        .origin = note->origin,
        .failure = failure_text(arena, note),
        .step = -1,
        .root = root,
        .call = !is_event,
        .causes = causes,
        .cause_count = found->count,
        .choices = choices > 1 || found->unlisted ? choices : 0,
        .unlisted = found->unlisted,
    };
    VEC_PUSH(arena, &import->graph->spans, span);
}

void change_import(struct note_collection *collection, const struct import_options *options,
                   struct change_graph *graph)
{
    const uint32_t things = collection->things.count;
    const uint32_t notes = collection->notes.count;
    struct import import = {
        .collection = collection,
        .options = options,
        .graph = graph,
        .lives = ARENA_ARRAY(collection->arena, struct object_life, things ? things : 1),
        .note_context = ARENA_ARRAY(collection->arena, uint32_t, notes ? notes : 1),
        .first_of_burst = ARENA_ARRAY(collection->arena, uint32_t, notes ? notes : 1),
    };
    *graph = (struct change_graph){.arena = collection->arena};
    map_init(&import.context_index, collection->arena);
    for (uint32_t i = 0; i < things; i++) {
        import.lives[i].generation = NOTE_NONE;
        import.lives[i].observed = NOTE_NONE;
        import.lives[i].generation_version = NOTE_NONE;
    }
    for (uint32_t i = 0; i < notes; i++) {
        struct cause_candidates found;
        import_relate(&import, i);
        import_find_causes(&import, i, &found);
        uint32_t done_under;
        const bool root = import_give_context(&import, i, &found, &done_under);
        import_remember(&import, i);
        add_span(&import, i, &found, root, done_under);
    }
}
