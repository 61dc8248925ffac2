/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a plugin must not do: end the process, crash, or never return.
 *
 * A plugin runs in this process. Where it goes wrong there may be nothing left to
 * go on with, not even an allocator; so the process ends with a message that names
 * the plugin, and with an exit code that says that nothing is known.
 */
#ifndef FATHOM_RECONCILE_FRONT_PLUGIN_GUARD_H
#define FATHOM_RECONCILE_FRONT_PLUGIN_GUARD_H

#include <stdbool.h>
#include <stdint.h>

enum { PLUGIN_GUARD_NAME_BYTES = 256 };

/* From now on calls are guarded. One call may take so long. */
void plugin_guard_start(int64_t call_most_ns);
/* All calls together may take until then (clock_now_ns): a call that goes on is given up soon
 * after, as undecided. */
void plugin_guard_until(int64_t deadline_ns);
/* This thread calls this function of this plugin; the texts live on. */
void plugin_guard_enter(const char *plugin, const char *function);
void plugin_guard_leave(void);

/* Before plugins are loaded: a process that forks this one's work off can ask afterwards which call
 * was under way in the child when it ended. False: there is no memory to share. */
bool plugin_guard_share(void);
/* In the process that has shared: "step of NAME" of a call that never came back; false: none. */
bool plugin_guard_last_call(char caller[PLUGIN_GUARD_NAME_BYTES]);

#endif
