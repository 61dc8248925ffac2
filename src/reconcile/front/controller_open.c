/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/front/controller_open.h"

#include "object/schema.h"
#include "reconcile/front/machine.h"
#include "reconcile/front/plugin.h"
#include "reconcile/front/plugin_guard.h"
#include "reconcile/front/program.h"

#include <string.h>

struct source {
    const char *plugin;
    const struct value *parameters;
    struct string_list command;
    const struct value *machine;
    struct string_list custom_kinds;
    struct string_list user_kinds;
};

static void keep_machine(struct reading *reading, const struct path *path,
                         const struct value *value, void *base)
{
    (void)reading;
    (void)path;
    ((struct source *)base)->machine = value;
}

static void keep_parameters(struct reading *reading, const struct path *path,
                            const struct value *value, void *base)
{
    if (mapping_expected(reading, path, value))
        ((struct source *)base)->parameters = value;
}

static const struct field_hook machine_hook = {keep_machine, NULL, NULL};
static const struct field_hook parameters_hook = {keep_parameters, NULL, NULL};

static const struct field source_fields[] = {
    FIELD_STRINGS("command", source, command, 0),
    FIELD_STRINGS("customKinds", source, custom_kinds, 0),
    FIELD_HOOK("machine", machine_hook),
    FIELD_HOOK("parameters", parameters_hook),
    FIELD_STRING("plugin", source, plugin, 0),
    FIELD_STRINGS("userKinds", source, user_kinds, 0),
};
static const struct schema source_schema = SCHEMA_STRICT(source, source_fields);

/* The folder of the check; NULL: here. */
static const char *folder_of(struct arena *arena, const struct value *document)
{
    const char *slash = document->file ? strrchr(document->file, '/') : NULL;
    if (!slash)
        return NULL;
    return slash == document->file
               ? "/"
               : arena_strndup(arena, document->file, (size_t)(slash - document->file));
}

static const char *const *ended_list(struct arena *arena, const struct string_list *list)
{
    const char **ended = ARENA_ARRAY(arena, const char *, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++)
        ended[i] = list->items[i];
    return ended;
}

static int64_t time_for_answer(const struct controller_options *options)
{
    return options->timeout_ns > 0 ? options->timeout_ns : CONTROLLER_TIMEOUT_DEFAULT_NS;
}

static bool open_plugin(struct reading *reading, const struct path *path,
                        const struct source *source, const struct controller_options *options,
                        struct controller *controller)
{
    struct arena *arena = reading->arena;
    struct path name = path_field(path, "plugin");
    struct controller_plugin *plugin = ARENA_NEW(arena, struct controller_plugin);
    plugin->place = path_place(reading->root, &name);
    plugin->path = path_text(arena, &name);
    if (source->parameters)
        plugin->parameters = datum_of_value(arena, source->parameters, reading->problems);
    const char *folder = folder_of(arena, reading->root);
    const char *file = source->plugin[0] == '/' || !folder
                           ? source->plugin
                           : arena_printf(arena, "%s/%s", folder, source->plugin);
    plugin_guard_start(time_for_answer(options));
    if (!plugin_load(arena, plugin, file, reading->problems))
        return false;
    plugin_controller_init(controller, plugin);
    return true;
}

static bool open_program(struct reading *reading, const struct path *path,
                         const struct source *source, const struct controller_options *options,
                         struct controller *controller)
{
    struct arena *arena = reading->arena;
    struct path command = path_field(path, "command");
    struct program *program = ARENA_NEW(arena, struct program);
    program->memory = arena->memory;
    program->argv = ARENA_ARRAY(arena, char *, source->command.count + 1);
    for (uint32_t i = 0; i < source->command.count; i++)
        program->argv[i] = arena_strdup(arena, source->command.items[i]);
    program->folder = folder_of(arena, reading->root);
    program->timeout_ns = time_for_answer(options);
    program->place = path_place(reading->root, &command);
    program->path = path_text(arena, &command);
    return program_controller_init(arena, controller, program, reading->problems);
}

static bool open_machine(struct reading *reading, const struct path *path,
                         const struct source *source, struct controller *controller)
{
    struct path machine = path_field(path, "machine");
    struct controller_plugin *plugin = ARENA_NEW(reading->arena, struct controller_plugin);
    plugin->place = path_place(reading->root, &machine);
    plugin->path = path_text(reading->arena, &machine);
    if (!machine_read(reading, &machine, source->machine, plugin))
        return false;
    plugin_controller_init(controller, plugin);
    return true;
}

/* Exactly one of the three ways must be given, without fields of the others. */
static void source_validate(struct reading *reading, const struct path *path,
                            const struct source *source)
{
    int ways = (source->plugin != NULL) + (source->command.count > 0) + (source->machine != NULL);
    struct path parameters = path_field(path, "parameters");
    if (ways != 1)
        reading_error(reading, path, "expected one of plugin, command and machine, found %s",
                      ways == 0 ? "none" : "several");
    else if (source->parameters && !source->plugin)
        reading_error(reading, &parameters,
                      "parameters are for plugins; a program has its command");
}

bool controller_open(struct arena *arena, const struct value *check,
                     const struct controller_options *options, struct controller *controller,
                     struct problems *problems)
{
    struct path spec = path_field(&path_root, "spec");
    struct path here = path_field(&spec, "controller");
    const struct path *path = &here;
    struct reading reading;
    reading_init(&reading, arena, check, problems);
    uint32_t before = problems->errors;
    struct source source = {0};
    schema_init(&source_schema, &source);
    const struct value *value = path_value(check, path);
    if (value_is_null(value)) {
        reading_missing(&reading, path);
        return false;
    }
    schema_decode(&reading, path, &source_schema, value, &source);
    if (problems->errors == before)
        source_validate(&reading, path, &source);
    if (problems->errors > before)
        return false;
    bool open = source.plugin ? open_plugin(&reading, path, &source, options, controller)
                : source.command.count > 0
                    ? open_program(&reading, path, &source, options, controller)
                    : open_machine(&reading, path, &source, controller);
    if (!open)
        return false;
    if (source.custom_kinds.count > 0)
        controller->custom_kinds = ended_list(arena, &source.custom_kinds);
    if (source.user_kinds.count > 0)
        controller->user_kinds = ended_list(arena, &source.user_kinds);
    return true;
}
