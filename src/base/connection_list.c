/* SPDX-License-Identifier: Apache-2.0 */
#include "base/connection_list.h"

#include <stddef.h>
#include <sys/resource.h>
#include <sys/socket.h>

enum { DESCRIPTORS_BESIDE = 64 }; /* that are not for connections */

uint32_t connections_that_fit(uint32_t wanted, uint32_t descriptors_each)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return wanted;
    const rlim_t needed = descriptors_each * (rlim_t)wanted + DESCRIPTORS_BESIDE;
    if (limit.rlim_cur < needed) {
        limit.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0)
            return wanted;
    }
    const rlim_t fit = limit.rlim_cur > DESCRIPTORS_BESIDE + descriptors_each
                           ? (limit.rlim_cur - DESCRIPTORS_BESIDE) / descriptors_each
                           : 1;
    return fit < wanted ? (uint32_t)fit : wanted;
}

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
    list->strangers -= !entry->asked;
    shutdown(entry->socket, SHUT_RDWR);
}

/* There is one: the new connection waits, and is a stranger. */
static struct connection_entry *longest_waiting(const struct connection_list *list)
{
    struct connection_entry *entry = list->first;
    while (list->strangers > list->most / 2 && entry && entry->asked)
        entry = entry->next;
    return entry ? entry : list->first;
}

void connection_opened(struct connection_list *list, struct connection_entry *entry, int socket)
{
    *entry = (struct connection_entry){.socket = socket};
    pthread_mutex_lock(&list->lock);
    add_last(list, entry);
    list->open++;
    list->strangers++;
    if (list->open > list->most)
        tell_to_close(list, longest_waiting(list));
    pthread_mutex_unlock(&list->lock);
}

void connection_closed(struct connection_list *list, struct connection_entry *entry)
{
    pthread_mutex_lock(&list->lock);
    take_out(list, entry);
    list->open -= !entry->closing;
    list->strangers -= !entry->closing && !entry->asked;
    pthread_mutex_unlock(&list->lock);
}

void connection_works(struct connection_list *list, struct connection_entry *entry)
{
    pthread_mutex_lock(&list->lock);
    take_out(list, entry);
    list->strangers -= !entry->closing && !entry->asked;
    entry->asked = true;
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
