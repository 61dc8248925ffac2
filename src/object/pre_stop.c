/* SPDX-License-Identifier: Apache-2.0 */
/* How long a preStop hook delays the termination of its container. */
#include "object/pod_parts.h"
#include "object/schemas.h"

#include <stdlib.h>
#include <string.h>

/* "sleep 10", or "sleep 10 && nginx -s quit": at least that long. */
static int64_t sleep_of_words(const char *command, const char *argument)
{
    if (argument && strcmp(command, "sleep") == 0)
        command = argument;
    else if (strncmp(command, "sleep ", strlen("sleep ")) == 0)
        command += strlen("sleep ");
    else
        return 0;
    char *end = NULL;
    const long long seconds = strtoll(command, &end, 10);
    return end > command && seconds > 0 && (*end == '\0' || strchr("s ;&.", *end)) ? seconds : 0;
}

static int64_t sleep_of_command(const struct value *command)
{
    const char *first = NULL;
    const char *last = NULL;
    if (!command || command->kind != VALUE_SEQUENCE || command->count == 0 ||
        !value_read_string(&command->items[0], &first))
        return 0;
    const char *name = strrchr(first, '/');
    name = name ? name + 1 : first;
    if (strcmp(name, "sleep") == 0 && command->count == 2) {
        int64_t seconds;
        if (value_read_integer(&command->items[1], &seconds))
            return seconds > 0 ? seconds : 0;
        return value_read_string(&command->items[1], &last) ? sleep_of_words("sleep", last) : 0;
    }
    const char *option = NULL;
    if (command->count == 3 && value_read_string(&command->items[1], &option) &&
        strcmp(option, "-c") == 0 && value_read_string(&command->items[2], &last))
        return sleep_of_words(last, NULL);
    return 0;
}

static void decode_lifecycle(struct reading *reading, const struct path *path,
                             const struct value *value, void *base)
{
    (void)reading;
    (void)path;
    const struct value *hook = value_find(value, "preStop");
    const struct value *pause = value_find(value_find(hook, "sleep"), "seconds");
    struct container *container = base;
    int64_t seconds;
    if (pause && value_read_integer(pause, &seconds))
        container->pre_stop_seconds = seconds > 0 ? seconds : 0;
    else
        container->pre_stop_seconds =
            sleep_of_command(value_find(value_find(hook, "exec"), "command"));
}

/* Hooks are not encoded, because only their duration was read. */
const struct field_hook lifecycle_hook = {decode_lifecycle, encode_nothing};
