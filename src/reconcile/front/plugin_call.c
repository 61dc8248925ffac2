/* SPDX-License-Identifier: Apache-2.0 */
/* The call that a plugin is given, and how it fails. */
#include "reconcile/front/plugin.h"

struct plugin_call *plugin_call_of(struct fathom_call *call)
{
    return (struct plugin_call *)(void *)call;
}

void plugin_call_vfail(struct plugin_call *call, const char *format, va_list arguments)
{
    if (call->failed)
        return;
    call->failed = true;
    problem_error(call->problems, call->plugin->place, call->plugin->path, "%s of %s: %s",
                  call->function, call->plugin->table->name,
                  arena_vprintf(call->arena, format, arguments));
}

void plugin_call_fail(struct plugin_call *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    plugin_call_vfail(call, format, arguments);
    va_end(arguments);
}
