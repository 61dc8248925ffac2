/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a plugin may ask of Fathom: the functions behind include/fathom/controller.h.
 *
 * A plugin's mistakes (a path that is none, a value that cannot be made) do not end
 * the process: the call is marked as failed, the function gives NULL, and the caller
 * of the plugin ends the check with the first message.
 */
#include "reconcile/front/plugin.h"

#include <string.h>

static const struct fathom_value *host_at(struct fathom_call *call,
                                          const struct fathom_value *value, const char *path)
{
    if (!datum_path_is_well_formed(path)) {
        plugin_call_fail(plugin_call_of(call), "\"%s\" is not a path", path);
        return NULL;
    }
    return plugin_value(datum_at(plugin_datum(value), path));
}

static const char *host_text(const struct fathom_value *value, const char *fallback)
{
    return datum_text(plugin_datum(value), fallback);
}

static int64_t host_number(const struct fathom_value *value, int64_t fallback)
{
    return datum_number(plugin_datum(value), fallback);
}

static bool host_truth(const struct fathom_value *value, bool fallback)
{
    const struct datum *datum = plugin_datum(value);
    if (datum && (datum->kind == DATUM_TRUE || datum->kind == DATUM_FALSE))
        return datum->kind == DATUM_TRUE;
    return fallback;
}

static bool host_equal(const struct fathom_value *a, const struct fathom_value *b)
{
    return datum_equal(plugin_datum(a), plugin_datum(b));
}

static bool holds_others(const struct datum *datum)
{
    return datum && (datum->kind == DATUM_LIST || datum->kind == DATUM_OBJECT);
}

static uint32_t host_count(const struct fathom_value *value)
{
    return holds_others(plugin_datum(value)) ? plugin_datum(value)->count : 0;
}

static const struct fathom_value *host_item(const struct fathom_value *value, uint32_t index)
{
    const struct datum *datum = plugin_datum(value);
    if (index >= host_count(value))
        return NULL;
    return plugin_value(datum->kind == DATUM_LIST ? datum->items[index]
                                                  : datum->members[index].value);
}

static const char *host_key(const struct fathom_value *value, uint32_t index)
{
    const struct datum *datum = plugin_datum(value);
    if (index >= host_count(value) || datum->kind != DATUM_OBJECT)
        return NULL;
    return datum->members[index].key;
}

static const struct fathom_value *host_make(struct fathom_call *call, const char *form,
                                            va_list arguments)
{
    return plugin_value(plugin_form_make(plugin_call_of(call), form, arguments));
}

static const struct fathom_value *host_with(struct fathom_call *call,
                                            const struct fathom_value *value, const char *path,
                                            const struct fathom_value *member)
{
    if (!path || !datum_path_is_well_formed(path)) {
        plugin_call_fail(plugin_call_of(call), "\"%s\" is not a path", path ? path : "");
        return NULL;
    }
    return plugin_value(
        datum_with(plugin_call_of(call)->arena, plugin_datum(value), path, plugin_datum(member)));
}

static char *host_print(struct fathom_call *call, const char *format, va_list arguments)
{
    return arena_vprintf(plugin_call_of(call)->arena, format, arguments);
}

static const struct object_list *store_of(const struct fathom_store *store)
{
    return (const struct object_list *)(const void *)store;
}

static int compare_key(const struct datum *object, const char *kind, const char *name_space,
                       const char *name)
{
    const struct datum *metadata = datum_member(object, "metadata");
    int order = strcmp(datum_text(datum_member(object, "kind"), ""), kind);
    if (!order)
        order = strcmp(datum_text(datum_member(metadata, "namespace"), ""), name_space);
    return order ? order : strcmp(datum_text(datum_member(metadata, "name"), ""), name);
}

static const struct fathom_value *host_find(const struct fathom_store *store, const char *kind,
                                            const char *name_space, const char *name)
{
    const struct object_list *objects = store_of(store);
    uint32_t low = 0;
    uint32_t high = objects->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_key(objects->items[middle], kind, name_space, name);
        if (!order)
            return plugin_value(objects->items[middle]);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static uint32_t host_store_count(const struct fathom_store *store)
{
    return store_of(store)->count;
}

static const struct fathom_value *host_store_item(const struct fathom_store *store, uint32_t index)
{
    const struct object_list *objects = store_of(store);
    return index < objects->count ? plugin_value(objects->items[index]) : NULL;
}

static const struct fathom_value *host_parameters(struct fathom_call *call)
{
    return plugin_value(plugin_call_of(call)->plugin->parameters);
}

static void host_fail(struct fathom_call *call, const char *format, va_list arguments)
{
    plugin_call_vfail(plugin_call_of(call), format, arguments);
}

const struct fathom_host plugin_host = {
    .abi = FATHOM_CONTROLLER_ABI,
    .size = sizeof(struct fathom_host),
    .at = host_at,
    .text = host_text,
    .number = host_number,
    .truth = host_truth,
    .equal = host_equal,
    .count = host_count,
    .item = host_item,
    .key = host_key,
    .make = host_make,
    .with = host_with,
    .print = host_print,
    .find = host_find,
    .store_count = host_store_count,
    .store_item = host_store_item,
    .parameters = host_parameters,
    .fail_with = host_fail,
};
