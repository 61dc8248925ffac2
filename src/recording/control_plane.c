/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/control_plane.h"

#include "base/saturating.h"
#include "object/time.h"

#include <stdlib.h>
#include <string.h>

#define NODE_MONITOR_SECONDS 5.0

static bool read_version(const struct value *value, const char *path, const char *text,
                         struct control_plane *plane, struct problems *problems)
{
    if (features_of_text(text, &plane->features))
        return true;
    problem_error(problems, value_place(value), path,
                  "expected a version from " FEATURES_RANGE ", found \"%s\"", text);
    return false;
}

/* The kubelet's version in a line with a whole Node; NULL: it does not tell. */
static const char *kubelet_version(const struct version *version)
{
    const struct value *status = value_find(value_find(version->line, "object"), "status");
    return strcmp(version->thing->kind, "Node") == 0
               ? value_find_string(value_find(status, "nodeInfo"), "kubeletVersion")
               : NULL;
}

static void read_kubelets(const struct recording *recording, struct control_plane *plane)
{
    for (uint32_t i = 0; i < recording->order.count; i++) {
        const char *text = kubelet_version(recording->order.items[i]);
        struct features features;
        if (!text || !features_of_text(text, &features))
            continue;
        plane->told = true;
        if (features.minor > plane->features.minor)
            plane->features = features;
    }
}

/* ---- flags ---- */

/* "A=true,B=false": gates that the model has no rule for are of no interest. */
static void set_gates(struct arena *arena, const char *text, struct features *features)
{
    while (*text) {
        const size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        if (equals)
            features_set(features, arena_strndup(arena, text, (size_t)(equals - text)),
                         strncmp(equals, "=true", strlen("=true")) == 0);
        text += length;
        text += *text == ',';
    }
}

/* What follows "--name=" in the flag; NULL: it is another one. */
static const char *flag_value(const char *flag, const char *name)
{
    const size_t length = strlen(name);
    flag += strspn(flag, "-");
    return strncmp(flag, name, length) == 0 && flag[length] == '=' ? flag + length + 1 : NULL;
}

static bool read_duration(const struct value *value, const char *name, int64_t *duration,
                          struct problems *problems)
{
    const char *text = flag_value(value->text, name);
    if (!text || duration_parse(text, duration, NULL))
        return true;
    problem_error(problems, value_place(value), name, "expected a duration, found \"%s\"", text);
    return false;
}

static bool read_flag(const struct value *value, struct arena *arena, struct control_plane *plane,
                      struct problems *problems)
{
    struct hpa_flags *autoscaler = &plane->autoscaler;
    const char *gates = flag_value(value->text, "feature-gates");
    const char *tolerance = flag_value(value->text, "horizontal-pod-autoscaler-tolerance");
    int64_t monitor =
        saturating_from_double(plane->node_monitor_seconds * (double)NANOSECONDS_PER_SECOND);
    if (gates)
        set_gates(arena, gates, &plane->features);
    if (tolerance)
        autoscaler->tolerance = strtod(tolerance, NULL);
    const bool good = read_duration(value, "horizontal-pod-autoscaler-downscale-stabilization",
                                    &autoscaler->downscale_window, problems) &&
                      read_duration(value, "horizontal-pod-autoscaler-cpu-initialization-period",
                                    &autoscaler->cpu_initialization, problems) &&
                      read_duration(value, "horizontal-pod-autoscaler-initial-readiness-delay",
                                    &autoscaler->initial_readiness_delay, problems) &&
                      read_duration(value, "node-monitor-period", &monitor, problems);
    plane->node_monitor_seconds = (double)monitor / (double)NANOSECONDS_PER_SECOND;
    return good;
}

static bool read_flags(const struct value *list, struct arena *arena, struct control_plane *plane,
                       struct problems *problems)
{
    bool good = true;
    for (uint32_t i = 0; list && list->kind == VALUE_SEQUENCE && i < list->count; i++)
        if (list->items[i].kind == VALUE_STRING)
            good = read_flag(&list->items[i], arena, plane, problems) && good;
    return good;
}

bool control_plane_read(const struct recording *recording, const struct features *given,
                        struct control_plane *plane, struct problems *problems)
{
    static const char *const programs[] = {"kube-apiserver", "kube-scheduler",
                                           "kube-controller-manager"};
    const struct value *told = value_find(recording->scenario, "controlPlane");
    const char *own = value_find_string(recording->version, RECORDING_VERSION_KEY);
    const struct value *version = own ? value_find(recording->version, RECORDING_VERSION_KEY)
                                      : value_find(told, "kubernetes");
    const char *text = own ? own : value_find_string(told, "kubernetes");
    bool good = true;
    *plane = (struct control_plane){
        .features = features_of_version(FEATURES_MINOR_FIRST),
        .told = text != NULL || given != NULL,
        .has_flags = !value_is_null(value_find(told, "kube-controller-manager")),
        .autoscaler = hpa_default_flags(),
        .node_monitor_seconds = NODE_MONITOR_SECONDS,
    };
    if (text && !given)
        good = read_version(version, own ? RECORDING_VERSION_KEY : "controlPlane.kubernetes", text,
                            plane, problems);
    else if (!given)
        read_kubelets(recording, plane);
    for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
        good = read_flags(value_find(told, programs[i]), recording->arena, plane, problems) && good;
    if (given)
        plane->features = *given;
    return good;
}
