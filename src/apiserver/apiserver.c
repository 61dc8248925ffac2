/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/apiserver.h"

#include "apiserver/change.h"
#include "apiserver/collector.h"

static void add_namespace(struct apiserver *server, const char *name)
{
    struct arena arena;
    arena_init(&arena, &server->memory);
    pthread_mutex_lock(&server->store.lock);
    const struct change change = {
        .server = server,
        .arena = &arena,
        .type = resource_type_find(&server->store.types, "", "v1", "namespaces", NULL),
        .version = "v1",
        .name_space = "",
        .name = "",
    };
    change_create(&change, datum_with(&arena, NULL, "metadata.name", datum_string(&arena, name)));
    pthread_mutex_unlock(&server->store.lock);
    arena_release(&arena);
}

void apiserver_start(struct apiserver *server, const struct apiserver_settings *settings)
{
    *server = (struct apiserver){.settings = *settings};
    memory_init(&server->memory, SIZE_MAX);
    atomic_init(&server->stopping, false);
    object_store_create(&server->store, &server->memory, settings->store);
    add_namespace(server, "default");
    add_namespace(server, "kube-system");
    if (!settings->no_collector)
        server->collector = collector_start(server);
}

void apiserver_stop(struct apiserver *server)
{
    atomic_store(&server->stopping, true);
    pthread_mutex_lock(&server->store.lock);
    object_store_wake(&server->store);
    pthread_mutex_unlock(&server->store.lock);
}

void apiserver_free(struct apiserver *server)
{
    if (!atomic_load(&server->stopping))
        apiserver_stop(server);
    if (server->collector)
        collector_end(server->collector);
    object_store_free(&server->store);
}
