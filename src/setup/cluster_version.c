/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/cluster_version.h"

#include "object/node.h"
#include "object/pod.h"

#include <stdio.h>
#include <string.h>

/* v1.31.4 as numbers, so that versions can be compared. */
struct release {
    const char *text; /* NULL: none */
    int minor;
    int patch;
};

static struct release release_of(const char *text)
{
    struct release release = {.text = text};
    if (!text || sscanf(text, "v1.%d.%d", &release.minor, &release.patch) < 1)
        release.text = NULL;
    return release;
}

static bool is_older(const struct release *left, const struct release *right)
{
    return left->minor != right->minor ? left->minor < right->minor : left->patch < right->patch;
}

static void see_oldest(struct release *oldest, struct release seen)
{
    if (seen.text && (!oldest->text || is_older(&seen, oldest)))
        *oldest = seen;
}

static void see_newest(struct release *newest, struct release seen)
{
    if (seen.text && (!newest->text || is_older(newest, &seen)))
        *newest = seen;
}

static const char *tag_of(const char *image)
{
    const char *colon = image ? strrchr(image, ':') : NULL;
    return colon && !strchr(colon, '/') ? colon + 1 : NULL;
}

/* Of the oldest API server: while they are upgraded, it decides what is written. */
static struct release api_server_release(const struct objects *objects)
{
    struct release oldest = {0};
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        const struct pod_spec *spec = object->kind == OBJECT_POD ? &object->as.pod->spec : NULL;
        for (uint32_t c = 0; spec && c < spec->container_count; c++)
            if (strcmp(spec->containers[c].name, "kube-apiserver") == 0)
                see_oldest(&oldest, release_of(tag_of(spec->containers[c].image)));
    }
    return oldest;
}

bool cluster_version_find(struct arena *arena, const struct objects *objects,
                          struct cluster_version *found)
{
    struct release oldest = {0};
    struct release newest = {0};
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_NODE)
            continue;
        const struct node *node = objects->items[i].as.node;
        const struct release release = release_of(node->status.kubelet_version);
        see_oldest(&oldest, release);
        see_newest(&newest, release);
    }
    const struct release server = api_server_release(objects);
    const bool by_server = server.text && !is_older(&server, &newest);
    const struct release *chosen = by_server ? &server : &newest;
    const char *whose =
        by_server ? "by the API server of the cluster" : "by the kubelets of the cluster";
    if (!chosen->text)
        return false;
    if (!features_of_text(chosen->text, &found->features))
        found->features = features_of_version(chosen->minor);
    found->release = chosen->text;
    found->known = found->features.minor == chosen->minor;
    found->sentence =
        arena_printf(arena, "Kubernetes 1.%d (%s %s", found->features.minor, chosen->text, whose);
    if (!found->known)
        found->sentence =
            arena_printf(arena, "%s, which is not known: the nearest version", found->sentence);
    if (oldest.text && is_older(&oldest, &newest))
        found->sentence = arena_printf(arena, "%s; kubelets are at %s to %s", found->sentence,
                                       oldest.text, newest.text);
    found->sentence = arena_printf(arena, "%s)", found->sentence);
    return true;
}
