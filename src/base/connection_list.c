/* SPDX-License-Identifier: Apache-2.0 */
#include "base/connection_list.h"

#include <stddef.h>
#include <sys/socket.h>

void connection_list_init(struct connection_list *list, uint32_t most)
{
    *list = (struct connection_list){.most = most};
    pthread_mutex_init(&list->lock, NULL);
}

void connection_list_destroy(struct connection_list *list)
{
    pthread_mutex_destroy(&list->lock);
}

static void add_last(struct connection_list *list, struct connection_entry *entry)
{
    entry->waits = true;
    entry->next = NULL;
    entry->previous = list->last;
    if (list->last)
        list->last->next = entry;
    else
        list->first = entry;
    list->last = entry;
}

static void take_out(struct connection_list *list, struct connection_entry *entry)
{
    if (!entry->waits)
        return;
    entry->waits = false;
    if (entry->previous)
        entry->previous->next = entry->next;
    else
        list->first = entry->next;
    if (entry->next)
        entry->next->previous = entry->previous;
    else
        list->last = entry->previous;
}

/* Whoever serves it notices that the connection is gone. */
static void tell_to_close(struct connection_list *list, struct connection_entry *entry)
{
    take_out(list, entry);
    entry->closing = true;
    list->open--;
    shutdown(entry->socket, SHUT_RDWR);
}

void connection_opened(struct connection_list *list, struct connection_entry *entry, int socket)
{
    *entry = (struct connection_entry){.socket = socket};
    pthread_mutex_lock(&list->lock);
    add_last(list, entry);
    list->open++;
    if (list->open > list->most)
        tell_to_close(list, list->first);
    pthread_mutex_unlock(&list->lock);
}

void connection_closed(struct connection_list *list, struct connection_entry *entry)
{
    pthread_mutex_lock(&list->lock);
    take_out(list, entry);
    list->open -= !entry->closing;
    pthread_mutex_unlock(&list->lock);
}

void connection_works(struct connection_list *list, struct connection_entry *entry)
{
    pthread_mutex_lock(&list->lock);
    take_out(list, entry);
    pthread_mutex_unlock(&list->lock);
}

void connection_waits(struct connection_list *list, struct connection_entry *entry)
{
    pthread_mutex_lock(&list->lock);
    take_out(list, entry);
    if (!entry->closing)
        add_last(list, entry);
    pthread_mutex_unlock(&list->lock);
}
