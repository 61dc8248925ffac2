/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom init`: a Check for the manifests, or the live cluster, at hand. It asks nothing: what is
 * likely is there, what else may be worth asking stands beside it as a comment.
 */
#include "base/output_file.h"
#include "cli/input.h"
#include "cli/live_cluster.h"
#include "cli/render.h"
#include "object/autoscaler.h"
#include "object/workload.h"
#include "setup/setup.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usual_file[] = "fathom-check.yaml";

struct init {
    struct session *session;
    const struct objects *objects;
    bool rendered; /* what is verified has to be given with -f, or is a live cluster */
    struct text *text;
};

/* ---- what is there ---- */

static bool is_asked_about(const struct object *object)
{
    return object->kind == OBJECT_DEPLOYMENT || object->kind == OBJECT_STATEFUL_SET ||
           object->kind == OBJECT_DAEMON_SET || object->kind == OBJECT_JOB ||
           (object->kind == OBJECT_REPLICA_SET && !object_meta_controller(object->meta));
}

static bool has_kind(const struct objects *objects, enum object_kind kind)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == kind)
            return true;
    return false;
}

static const char *name_of(struct arena *arena, const struct object *object)
{
    const struct object_name name = {object->kind_name, object->meta->namespace,
                                     object->meta->name};
    return object_name_format(arena, &name);
}

static const struct horizontal_pod_autoscaler *autoscaler_of(const struct objects *objects,
                                                             const struct object *workload)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            autoscaler_targets(objects->items[i].as.horizontal_pod_autoscaler, workload))
            return objects->items[i].as.horizontal_pod_autoscaler;
    return NULL;
}

/* The name of the first operand without its folders and its ending, as objects are named. */
static const char *check_name(const struct session *session, struct arena *arena)
{
    const char *path = session->line.operands.count       ? session->line.operands.items[0]
                       : session->options.filename.count  ? session->options.filename.items[0]
                       : session->options.kustomize.count ? session->options.kustomize.items[0]
                       : session->options.helm.count      ? session->options.helm.items[0]
                                                          : "cluster";
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && path[start - 1] != '/')
        start--;
    char *name = arena_strndup(arena, path + start, length - start);
    name[strcspn(name, ".")] = '\0';
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
    return *name && isalnum((unsigned char)name[0]) &&
                   isalnum((unsigned char)name[strlen(name) - 1])
               ? name
               : "manifests";
}

/* ---- the Check ---- */

/* The Check's name in its own comment; what goes to standard output is named by who keeps it. */
static const char *file_of(const struct session *session)
{
    const char *to = session->options.to;
    return to && strcmp(to, "-") != 0 ? to : usual_file;
}

/* Manifests are named from the folder of the Check. */
static const char *named_from(const struct session *session, struct arena *arena, const char *path)
{
    char whole[PATH_MAX];
    if (path[0] == '/' || !strchr(file_of(session), '/') || !realpath(path, whole))
        return path;
    return arena_printf(arena, "%s", whole);
}

static void write_head(const struct init *init)
{
    const struct session *session = init->session;
    const bool live = live_cluster_is_meant(session);
    text_printf(init->text,
                "# What may happen, and what must hold whatever happens in whatever order.\n"
                "# Verify it:  fathom verify %s%s\n"
                "# All about an event or an intent:  fathom help maintenance\n"
                "apiVersion: fathom/v1\n"
                "kind: Check\n"
                "metadata: {name: %s}\n"
                "spec:\n",
                file_of(session),
                live             ? " -A"
                : init->rendered ? " -f FILE|DIR (what is rendered cannot be named below)"
                                 : "",
                check_name(session, &init->session->arena));
}

static void write_manifests(const struct init *init)
{
    const struct option_list *lists[] = {&init->session->line.operands,
                                         &init->session->options.filename};
    if (init->rendered)
        return;
    text_append_string(init->text, "  manifests:\n");
    for (size_t l = 0; l < 2; l++)
        for (uint32_t i = 0; i < lists[l]->count; i++)
            text_printf(init->text, "  - %s\n",
                        named_from(init->session, &init->session->arena, lists[l]->items[i]));
}

static void write_nodes(const struct init *init)
{
    if (has_kind(init->objects, OBJECT_NODE))
        return;
    text_append_string(
        init->text,
        "  # The nodes that the cluster may have: every number of them is tried. Make them\n"
        "  # like yours; with Node objects among the manifests this is not needed.\n"
        "  nodeGroups:\n");
    for (int zone = 'a'; zone <= 'c'; zone++)
        text_printf(init->text,
                    "  - name: zone-%c\n"
                    "    count: {min: 1, max: 1}\n"
                    "    node:\n"
                    "      metadata: {labels: {topology.kubernetes.io/zone: zone-%c}}\n"
                    "      status: {allocatable: {cpu: \"4\", memory: 16Gi, pods: \"110\"}}\n",
                    zone, zone);
}

/* A level around the target: one that scales up. */
static void write_load(const struct init *init, const struct object *object)
{
    const struct horizontal_pod_autoscaler *autoscaler = autoscaler_of(init->objects, object);
    if (autoscaler)
        text_printf(
            init->text,
            "  # %s is autoscaled: pods may use more and less CPU.\n"
            "  # - {name: cpuChange, workload: %s, levels: [20%%, 120%%], after: settled}\n",
            object->meta->name, name_of(&init->session->arena, object));
}

static void write_events(const struct init *init)
{
    text_append_string(
        init->text,
        "  # What happens from outside, each at most once and once everything is ready. Take out\n"
        "  # the # in front of more; every event makes more runs to explore.\n"
        "  start: settled\n"
        "  events:\n"
        "  - {name: maintenance, atMost: 1, after: settled}\n"
        "  # - {name: nodeFailure, recovers: true, atMost: 1, after: settled}\n"
        "  # - {name: zoneOutage, recovers: true, atMost: 1, after: settled}\n"
        "  # - {name: apply, manifests: [next-version.yaml], after: settled}\n");
    for (uint32_t i = 0; i < init->objects->count; i++)
        if (is_asked_about(&init->objects->items[i]))
            write_load(init, &init->objects->items[i]);
}

static void write_intents_of(const struct init *init, const struct object *object)
{
    const char *name = name_of(&init->session->arena, object);
    const bool keeps_running = object->kind != OBJECT_JOB;
    text_printf(init->text, "  # %s\n", name);
    text_printf(init->text, "  - {name: podsSchedulable, workload: %s, mode: eventually}\n", name);
    if (keeps_running && object->kind != OBJECT_DAEMON_SET)
        text_printf(init->text, "  - {name: drainCompletes, workload: %s}\n", name);
    if (keeps_running && object->kind != OBJECT_DAEMON_SET && workload_replicas(object) > 1)
        text_printf(init->text, "  - {name: replicasAtLeast, workload: %s, value: 1}\n", name);
    if (object->kind == OBJECT_DEPLOYMENT)
        text_printf(init->text,
                    "  # - {name: rolloutCompletes, workload: %s}    # with the event apply\n",
                    name);
    if (autoscaler_of(init->objects, object))
        text_printf(
            init->text,
            "  # - {name: noReplicaOscillation, workload: %s}    # with the event cpuChange\n",
            name);
}

static uint32_t write_intents(const struct init *init)
{
    uint32_t count = 0;
    text_append_string(init->text, "  # What must hold in every run, for each workload.\n"
                                   "  intents:\n");
    for (uint32_t i = 0; i < init->objects->count; i++)
        if (is_asked_about(&init->objects->items[i])) {
            write_intents_of(init, &init->objects->items[i]);
            count++;
        }
    return count;
}

/* ---- the command ---- */

static bool is_rendered(struct session *session)
{
    const struct option_list *lists[] = {&session->line.operands, &session->options.filename};
    bool rendered = session->options.kustomize.count > 0 || session->options.helm.count > 0 ||
                    live_cluster_is_meant(session);
    for (size_t l = 0; l < 2; l++)
        for (uint32_t i = 0; i < lists[l]->count; i++)
            rendered |= strcmp(lists[l]->items[i], "-") == 0 ||
                        render_kind_of(&session->arena, lists[l]->items[i]) != RENDER_NOTHING;
    return rendered;
}

static int write_check(struct session *session, const struct text *text)
{
    const char *path = session->options.to ? session->options.to : usual_file;
    if (strcmp(path, "-") == 0) {
        fwrite(text_content(text), 1, text->length, stdout); /* main looks at it */
        return EXIT_HOLDS;
    }
    if (access(path, F_OK) == 0) {
        session_say(session, "%s: is there already; --to names another file", path);
        return EXIT_INPUT;
    }
    const char *why = output_file_write(path, text);
    if (why)
        session_say(session, "%s: cannot be written: %s", path, why);
    else
        printf("%s is written; now: %s verify %s%s\n", path, session->program, path,
               live_cluster_is_meant(session) ? " -A" : "");
    return why ? EXIT_INPUT : EXIT_HOLDS;
}

int cmd_init(struct session *session)
{
    struct input input;
    struct text text;
    if (!session_read(session, &input_init, &input) && input.units.count == 0) {
        session_accepts(session, &input_init, &input);
        return EXIT_INPUT;
    }
    if (!session_accepts(session, &input_init, &input))
        return EXIT_INPUT;
    text_init(&text, &session->memory);
    const struct init init = {
        .session = session,
        .objects = &input.units.items[0].objects,
        .rendered = is_rendered(session),
        .text = &text,
    };
    write_head(&init);
    write_manifests(&init);
    write_nodes(&init);
    write_events(&init);
    const uint32_t count = write_intents(&init);
    int code = EXIT_INPUT;
    if (count > 0)
        code = write_check(session, &text);
    else
        session_say(session, "init: expected a workload among the manifests, found none");
    text_release(&text);
    return code;
}
