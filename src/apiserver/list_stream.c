/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/list_stream.h"

#include <string.h>

struct list_stream {
    struct memory *memory;
    struct arena arena;   /* of the rendering and the snapshots */
    struct arena scratch; /* of one piece */
    struct rendering rendering;
    struct snapshot **snapshots;
    uint32_t count;
    uint32_t next; /* the first snapshot that was not written */
    uint64_t version;
    struct text piece;
    size_t sent; /* of the piece */
    bool begun;
    bool over;
};

struct list_stream *list_stream_open(struct apiserver *server, const struct http_request *request,
                                     const struct resource_type *type,
                                     const struct resource_version_served *served,
                                     struct snapshot *const *snapshots, uint32_t count,
                                     uint64_t version)
{
    struct list_stream *list = memory_allocate(&server->memory, sizeof(*list));
    *list = (struct list_stream){.memory = &server->memory, .count = count, .version = version};
    arena_init(&list->arena, list->memory);
    arena_init(&list->scratch, list->memory);
    text_init(&list->piece, list->memory);
    if (count > 0)
        list->snapshots = arena_copy(&list->arena, snapshots, sizeof(struct snapshot *) * count);
    list->rendering = rendering_of(server, &list->arena, resource_type_hold(type), served, request);
    list->rendering.arena = &list->scratch;
    return list;
}

/* Objects are let go as soon as they are written. */
static void write_piece(struct list_stream *list, uint32_t end)
{
    struct text *text = &list->piece;
    if (!list->begun)
        render_list_head(text, &list->rendering, list->version);
    list->begun = true;
    for (; list->next < end; list->next++) {
        if (list->next > 0)
            text_append_char(text, ',');
        render_list_item(text, &list->rendering, list->snapshots[list->next]->object);
        snapshot_release(list->snapshots[list->next]);
    }
    list->over = list->next == list->count;
    if (list->over) {
        render_list_tail(text);
        text_append_char(text, '\n');
    }
    arena_release(&list->scratch);
}

static void drop_piece(struct list_stream *list)
{
    text_release(&list->piece);
    text_init(&list->piece, list->memory);
    list->sent = 0;
}

/* While it waits for room it holds nothing. What is taken for the objects is a guess: some take
 * more as text. False: there is no room. */
static bool next_piece(struct list_stream *list, struct stream_room *room)
{
    size_t bytes = 0;
    const uint32_t end = snapshots_of_piece(list->snapshots, list->next, list->count, &bytes);
    drop_piece(list);
    if (!stream_room_take(room, 2 * bytes))
        return false;
    write_piece(list, end);
    if (stream_room_take(room, list->piece.capacity))
        return true;
    drop_piece(list);
    list->over = false;
    return false;
}

size_t list_stream_read(struct list_stream *list, struct stream_room *room, char *buffer,
                        size_t most)
{
    if (list->sent == list->piece.length && !list->over && !next_piece(list, room))
        return 0;
    size_t count = list->piece.length - list->sent;
    if (count > most)
        count = most;
    if (count)
        memcpy(buffer, list->piece.content + list->sent, count);
    list->sent += count;
    return count;
}

bool list_stream_broken(const struct list_stream *list)
{
    return !list->over;
}

void list_stream_close(struct list_stream *list)
{
    struct memory *memory = list->memory;
    for (; list->next < list->count; list->next++)
        snapshot_release(list->snapshots[list->next]);
    resource_type_release(list->rendering.type);
    text_release(&list->piece);
    arena_release(&list->arena);
    arena_release(&list->scratch);
    memory_release(memory, list, sizeof(*list));
}

void list_stream_drain(struct list_stream *list, struct text *text)
{
    char piece[4096];
    for (size_t count = 1; count > 0;) {
        count = list_stream_read(list, NULL, piece, sizeof(piece));
        text_append(text, piece, count);
    }
    list_stream_close(list);
}
