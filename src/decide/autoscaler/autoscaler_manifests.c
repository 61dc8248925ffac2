/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/autoscaler_manifests.h"

#include "decide/autoscaler/expander.h"
#include "decide/autoscaler/group_reading.h"
#include "decide/scenario.h"
#include "manifest/document.h"

#include <stdlib.h>
#include <string.h>

struct manifest_flags {
    struct cluster_autoscaler *autoscaler;
    struct problems *problems;
    struct place place; /* of the autoscaler's container */
    bool good;
};

static void complain(struct manifest_flags *flags, const char *name, const char *wanted,
                     const char *text)
{
    problem_error(flags->problems, flags->place, name, "expected %s, found \"%s\"", wanted, text);
    flags->good = false;
}

/* "1:10:workers" */
static void read_nodes(struct manifest_flags *flags, const char *text)
{
    enum { DIGITS = 10 };
    char *end;
    const long long min = strtoll(text, &end, DIGITS);
    const long long max = *end == ':' ? strtoll(end + 1, &end, DIGITS) : -1;
    if (min < 0 || max < min || max > GROUP_SIZE_MOST || *end != ':' || end[1] == '\0') {
        complain(flags, "--nodes", "MIN:MAX:NAME", text);
        return;
    }
    struct autoscaler_group *group = groups_add(flags->autoscaler, end + 1);
    if (!group) {
        complain(flags, "--nodes", "a group that was not given before", text);
        return;
    }
    group->min = min;
    group->max = max;
}

/* "10:200", of cores or gibibytes. */
static void read_range(struct manifest_flags *flags, const char *name, const char *text,
                       int64_t *min, int64_t *max)
{
    if (!autoscaler_limits_read(text, min, max))
        complain(flags, name, "MIN:MAX", text);
}

static void add_word(struct arena *arena, struct string_list *list, const char *word)
{
    const char **items = ARENA_ARRAY(arena, const char *, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++)
        items[i] = list->items[i];
    items[list->count++] = word;
    list->items = items;
}

static void read_flag(struct manifest_flags *flags, const char *name, const char *text)
{
    struct autoscaler_options *options = &flags->autoscaler->options;
    struct arena *arena = flags->autoscaler->arena;
    const char *why;
    if (strcmp(name, "nodes") == 0)
        return; /* they are read when the options are known */
    if (strcmp(name, "cores-total") == 0)
        read_range(flags, "--cores-total", text, &options->cores_min, &options->cores_max);
    else if (strcmp(name, "memory-total") == 0)
        read_range(flags, "--memory-total", text, &options->memory_min, &options->memory_max);
    else if (strcmp(name, "ignore-taint") == 0)
        add_word(arena, &options->ignored_taints, text);
    else if (strcmp(name, "balancing-ignore-label") == 0)
        add_word(arena, &options->ignored_labels, text);
    else if (!autoscaler_options_set(arena, options, name, text, &why))
        complain(flags, arena_printf(arena, "--%s", name), why, text);
}

typedef void flag_reader(struct manifest_flags *flags, const char *name, const char *text);

static void read_group_flag(struct manifest_flags *flags, const char *name, const char *text)
{
    if (strcmp(name, "nodes") == 0)
        read_nodes(flags, text);
}

/* "--name=text", "--name text" and "--name", with one dash or two. */
static void each_flag(struct manifest_flags *flags, const struct value *words, flag_reader *read)
{
    struct arena *arena = flags->autoscaler->arena;
    if (!words || words->kind != VALUE_SEQUENCE)
        return;
    for (uint32_t i = 0; i < words->count; i++) {
        const char *word;
        const char *next = NULL;
        if (!value_read_string(&words->items[i], &word) || word[0] != '-')
            continue;
        word += word[1] == '-' ? 2 : 1;
        const char *equals = strchr(word, '=');
        if (equals) {
            read(flags, arena_strndup(arena, word, (size_t)(equals - word)), equals + 1);
            continue;
        }
        if (i + 1 < words->count)
            value_read_string(&words->items[i + 1], &next);
        read(flags, word, next && next[0] != '-' ? next : "true");
    }
}

static bool runs_autoscaler(const struct value *container)
{
    const char *image = value_find_string(container, "image");
    return image && strstr(image, "cluster-autoscaler");
}

/* The autoscaler's container in a workload or a pod; NULL if there is none. */
static const struct value *find_container(const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (!object->source)
            continue;
        const struct value *spec = value_find(&object->source->root, "spec");
        const struct value *template = value_find(spec, "template");
        const struct value *containers =
            value_find(template ? value_find(template, "spec") : spec, "containers");
        if (!containers || containers->kind != VALUE_SEQUENCE)
            continue;
        VALUE_EACH_ITEM(containers, container)
        {
            if (runs_autoscaler(container))
                return container;
        }
    }
    return NULL;
}

static void read_priorities(struct cluster_autoscaler *autoscaler, const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->source && strcmp(object->kind_name, "ConfigMap") == 0 && object->meta->name &&
            strcmp(object->meta->name, "cluster-autoscaler-priority-expander") == 0)
            autoscaler->priorities =
                value_find_string(value_find(&object->source->root, "data"), "priorities");
    }
}

static bool names_group(const struct labels *labels, const char *id)
{
    for (uint32_t i = 0; i < labels->count; i++)
        if (strcmp(labels->items[i].value, id) == 0)
            return true;
    return false;
}

static void count_nodes(struct cluster_autoscaler *autoscaler, const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct node *node = objects->items[i].as.node;
        if (objects->items[i].kind != OBJECT_NODE)
            continue;
        for (uint32_t g = 0; g < autoscaler->groups.count; g++) {
            struct autoscaler_group *group = autoscaler->groups.items[g];
            if (!names_group(&node->meta.labels, group->id) &&
                !names_group(&node->meta.annotations, group->id))
                continue;
            group->target++;
            autoscaler_record(autoscaler, node->meta.name)->group = group;
            break;
        }
    }
}

/* Of a group without a node it is not known what its nodes look like. */
static void drop_unknown_groups(struct cluster_autoscaler *autoscaler, struct place place,
                                struct problems *problems)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        if (group->target == 0) {
            problem_warning(problems, place, "--nodes",
                            "group %s has no node, so what its nodes look like is not known; it is "
                            "left out",
                            group->id);
            continue;
        }
        group->position = kept;
        autoscaler->groups.items[kept++] = group;
    }
    autoscaler->groups.count = kept;
}

static bool read_flags(struct cluster_autoscaler *autoscaler, const struct value *container,
                       struct problems *problems)
{
    struct manifest_flags flags = {autoscaler, problems, value_place(container), true};
    const struct value *command = value_find(container, "command");
    const struct value *args = value_find(container, "args");
    const char *why;
    each_flag(&flags, command, read_flag);
    each_flag(&flags, args, read_flag);
    each_flag(&flags, command, read_group_flag);
    each_flag(&flags, args, read_group_flag);
    autoscaler_options_settle(&autoscaler->features, &autoscaler->options, flags.place, problems);
    const char *wrong = expanders_wrong(autoscaler->arena, &autoscaler->options.expander);
    if (wrong) {
        problem_error(problems, flags.place, "--expander", "%s", wrong);
        flags.good = false;
    }
    if (autoscaler->priorities &&
        !priorities_check(autoscaler->arena, autoscaler->priorities, &why))
        complain(&flags, "priorities", "regular expressions that Fathom understands", why);
    return flags.good;
}

bool autoscaler_of_manifests(struct arena *arena, const struct objects *objects,
                             const struct features *features, struct cluster_autoscaler *autoscaler,
                             struct problems *problems)
{
    const struct value *container = find_container(objects);
    if (!container) {
        problem_error(
            problems, (struct place){0}, NULL,
            "expected the cluster autoscaler's own Deployment or Pod, whose flags say how "
            "it decides; found no image with \"cluster-autoscaler\"");
        return false;
    }
    autoscaler_init(autoscaler, arena, features, scenario_present(objects));
    autoscaler->initialised = true;
    autoscaler->groups_by_records = true;
    read_priorities(autoscaler, objects);
    if (!read_flags(autoscaler, container, problems))
        return false;
    if (autoscaler->groups.count == 0) {
        problem_error(
            problems, value_place(container), "--nodes",
            "expected the node groups as --nodes=MIN:MAX:NAME; groups that the autoscaler "
            "discovers at the provider are not known here");
        return false;
    }
    count_nodes(autoscaler, objects);
    drop_unknown_groups(autoscaler, value_place(container), problems);
    autoscaler_world_set(&autoscaler->world, objects);
    return true;
}
