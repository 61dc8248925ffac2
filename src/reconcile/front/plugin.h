/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C plugins inside: the tables of include/fathom/controller.h from Fathom's side.
 *
 * A `struct fathom_value` is a `struct datum`; a `struct fathom_store` is an
 * `struct object_list`. Every call of the plugin gets a `struct plugin_call`, of
 * which it sees the first member only.
 */
#ifndef FATHOM_RECONCILE_FRONT_PLUGIN_H
#define FATHOM_RECONCILE_FRONT_PLUGIN_H

#include "fathom/controller.h"
#include "reconcile/controller.h"

struct machine;

struct controller_plugin {
    const struct fathom_controller *table;
    void *library; /* of dlopen; NULL: built in */
    const struct datum *parameters;
    const struct machine *machine; /* of the one that is built in */
    struct place place;            /* where the check names it, for messages */
    const char *path;              /* likewise */
    const char *temporary;         /* NULL, or a folder made to compile in */
};

struct plugin_call {
    struct fathom_call base;
    const struct controller_plugin *plugin;
    struct arena *arena;
    struct problems *problems;
    const char *function; /* which of the plugin's is called */
    bool failed;
};

extern const struct fathom_host plugin_host;

/* The call that the plugin was given. */
struct plugin_call *plugin_call_of(struct fathom_call *call);

/* The plugin has made a mistake. Only the first one of a call is reported. */
__attribute__((format(printf, 2, 3))) void plugin_call_fail(struct plugin_call *call,
                                                            const char *format, ...);
__attribute__((format(printf, 2, 0))) void plugin_call_vfail(struct plugin_call *call,
                                                             const char *format, va_list arguments);

/* A value from a form (fathom_make); NULL after plugin_call_fail if it is malformed. */
const struct datum *plugin_form_make(struct plugin_call *call, const char *form, va_list arguments);

/* The text or number that a value is, inside a text; false after plugin_call_fail if it
 * is neither. `where` is for the message. */
bool plugin_append_scalar(struct plugin_call *call, struct text *text, const struct datum *value,
                          const char *where);

static inline const struct datum *plugin_datum(const struct fathom_value *value)
{
    return (const struct datum *)(const void *)value;
}

static inline const struct fathom_value *plugin_value(const struct datum *datum)
{
    return (const struct fathom_value *)(const void *)datum;
}

/* Whether this table can be called: false after a problem that says what it lacks. */
bool plugin_table_validate(const struct controller_plugin *plugin, const char *file,
                           struct problems *problems);

/* The controller that the plugin is. `plugin` must live as long; release closes its
 * library. */
void plugin_controller_init(struct controller *controller, struct controller_plugin *plugin);

/* Opens a shared object, or compiles a .c file and opens that. `file` as it is to be
 * found from here. */
bool plugin_load(struct arena *arena, struct controller_plugin *plugin, const char *file,
                 struct problems *problems);
/* The shared object made of a source file: its name, or NULL after a problem. */
const char *plugin_compile(struct arena *arena, struct controller_plugin *plugin, const char *file,
                           struct problems *problems);
/* Once it is loaded: the folder that was made for it, if any, goes. */
void plugin_forget_temporary(struct arena *arena, struct controller_plugin *plugin);

#endif
