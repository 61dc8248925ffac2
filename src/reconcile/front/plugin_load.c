/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens a plugin's shared object. Everything that can be known to be wrong is found
 * before the first call: no such file, no shared object, no table, another version.
 */
#include "base/late_library.h"
#include "reconcile/front/plugin.h"
#include "reconcile/front/plugin_guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static bool is_readable_file(const struct controller_plugin *plugin, const char *file,
                             struct problems *problems)
{
    struct stat status;
    const char *wrong = NULL;
    if (stat(file, &status) != 0 || access(file, R_OK) != 0)
        wrong = strerror(errno);
    else if (!S_ISREG(status.st_mode))
        wrong = "not a file";
    if (wrong)
        problem_error(problems, plugin->place, plugin->path, "%s: %s", file, wrong);
    return !wrong;
}

/* The table as this Fathom knows it: what an older plugin does not have is absent. */
static const struct fathom_controller *table_copy(struct arena *arena,
                                                  const struct fathom_controller *table)
{
    size_t bytes = table->size;
    if (bytes < offsetof(struct fathom_controller, match) || bytes > sizeof *table)
        return table; /* refused by plugin_table_validate */
    struct fathom_controller *copy = ARENA_NEW(arena, struct fathom_controller);
    memcpy(copy, table, bytes);
    copy->size = sizeof *copy;
    return copy;
}

static bool plugin_open(struct arena *arena, struct controller_plugin *plugin, const char *shared,
                        const char *file, struct problems *problems)
{
    /* A name without '/' would be looked for among the system's libraries. */
    const char *name = strchr(shared, '/') ? shared : arena_printf(arena, "./%s", shared);
    plugin_guard_enter(file, "loading"); /* which runs its constructors */
    const char *why = NULL;
    plugin->library = late_library_open(name, &why);
    plugin_guard_leave();
    if (!plugin->library) {
        problem_error(problems, plugin->place, plugin->path, "%s: cannot be loaded: %s", file, why);
        return false;
    }
    const struct fathom_controller *table = dlsym(plugin->library, "fathom_controller");
    if (!table) {
        problem_error(problems, plugin->place, plugin->path,
                      "%s: has no symbol fathom_controller, so it is no plugin (see "
                      "fathom/controller.h)",
                      file);
        return false;
    }
    plugin->table = table->abi == FATHOM_CONTROLLER_ABI ? table_copy(arena, table) : table;
    return plugin_table_validate(plugin, file, problems);
}

bool plugin_load(struct arena *arena, struct controller_plugin *plugin, const char *file,
                 struct problems *problems)
{
    if (!is_readable_file(plugin, file, problems))
        return false;
    const char *shared = ends_in(file, ".c") ? plugin_compile(arena, plugin, file, problems) : file;
    bool opened = shared && plugin_open(arena, plugin, shared, file, problems);
    plugin_forget_temporary(arena, plugin);
    if (opened)
        return true;
    if (plugin->library)
        dlclose(plugin->library);
    plugin->library = NULL;
    return false;
}
