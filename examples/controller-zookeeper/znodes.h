/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ZooKeeper as its operator sees it: a tree of znodes, with versions, that answers
 * while servers run with a configuration that they accept. And what must not happen
 * to it.
 */
#ifndef ZNODES_H
#define ZNODES_H

#include "fathom/parts.h"

#include <stdio.h>

#define PARENT "/zookeeper-operator"

/* A number of zoo.cfg; -1 if it is not there. */
static int config_number(const char *config, const char *key)
{
    const char *line = strstr(config, key);
    int number = -1;
    return line && sscanf(line + strlen(key), "=%d", &number) == 1 ? number : -1;
}

/* Whether servers run that could answer. */
static const struct fathom_value *running(struct fathom_call *call,
                                          const struct fathom_value *content,
                                          const struct fathom_store *store)
{
    const char *name = fathom_text(call, content, "cluster", "");
    const char *name_space = fathom_text(call, content, "namespace", "");
    const struct fathom_value *set = fathom_find(call, store, "StatefulSet", name_space, name);
    const struct fathom_value *map =
        fathom_find(call, store, "ConfigMap", name_space, fathom_print(call, "%s-configmap", name));
    const char *config = fathom_text(call, map, "data[\"zoo.cfg\"]", "");
    return fathom_number(call, set, "spec.replicas", 0) > 0 &&
                   config_number(config, "syncLimit") >= 1 &&
                   config_number(config, "minSessionTimeout") <=
                       config_number(config, "maxSessionTimeout")
               ? set
               : NULL;
}

static struct fathom_external_answer answer(enum fathom_error error,
                                            const struct fathom_value *content,
                                            const struct fathom_value *state)
{
    return (struct fathom_external_answer){{error, content}, state};
}

/* The state is {CLUSTER: {set: uid of its StatefulSet, nodes: {PATH: {data, version}}}}:
 * another StatefulSet of the same name has other disks, so other znodes. */
static struct fathom_external_answer external(struct fathom_call *call,
                                              const struct fathom_value *content,
                                              const struct fathom_store *store,
                                              const struct fathom_value *state,
                                              const struct fathom_value *fresh)
{
    const struct fathom_value *set = running(call, content, store);
    if (!set)
        return answer(FATHOM_OTHER, NULL, state);
    const struct fathom_value *uid = fathom_at(call, set, "metadata.uid");
    const char *cluster =
        fathom_print(call, "[\"%s/%s\"]", fathom_text(call, content, "namespace", ""),
                     fathom_text(call, content, "cluster", ""));
    const struct fathom_value *ours = fathom_at(call, state, cluster);
    if (!fathom_equal(call, fathom_at(call, ours, "set"), uid))
        ours = fathom_make(call, "{set: %v, nodes: {}}", uid);
    const char *path = fathom_text(call, content, "path", "");
    const char *node = fathom_print(call, "nodes[\"%s\"]", path);
    const struct fathom_value *found = fathom_at(call, ours, node);
    const char *what = fathom_text(call, content, "call", "");
    if (strcmp(what, "exists") == 0)
        return answer(FATHOM_OK,
                      found ? fathom_make(call, "{version: %v}", fathom_at(call, found, "version"))
                            : NULL,
                      state);
    if (strcmp(what, "create") == 0 && found)
        return answer(FATHOM_ALREADY_EXISTS, NULL, state);
    if (strcmp(what, "create") == 0
            ? strcmp(path, PARENT) != 0 && !fathom_at(call, ours, "nodes[\"" PARENT "\"]")
            : !found || !fathom_equal(call, fathom_at(call, found, "version"),
                                      fathom_at(call, content, "version")))
        return answer(FATHOM_OTHER, NULL, state);
    ours = fathom_with(
        call, ours, node,
        fathom_make(call, "{data: %v, version: %v}", fathom_at(call, content, "data"), fresh));
    return answer(FATHOM_OK, NULL, fathom_with(call, state, cluster, ours));
}

/* A StatefulSet shrinks to n members only when its znode says n or less. */
static const char *const safety_names[] = {"members are told before they go", NULL};

static const char *safety(struct fathom_call *call, const struct fathom_store *before,
                          const struct fathom_store *after, const struct fathom_value *zookeeper)
{
    for (uint32_t i = 0; i < fathom_store_count(call, after); i++) {
        const struct fathom_value *set = fathom_store_item(call, after, i);
        const char *name_space = fathom_text(call, set, "metadata.namespace", "");
        const char *name = fathom_text(call, set, "metadata.name", "");
        int64_t size = fathom_number(call, set, "spec.replicas", 0);
        if (strcmp(fathom_text(call, set, "kind", ""), "StatefulSet") != 0 ||
            size >= fathom_number(call, fathom_find(call, before, "StatefulSet", name_space, name),
                                  "spec.replicas", 0))
            continue;
        const struct fathom_value *ours =
            fathom_at(call, zookeeper, fathom_print(call, "[\"%s/%s\"]", name_space, name));
        const char *data =
            fathom_text(call, ours, fathom_print(call, "nodes[\"" PARENT "/%s\"].data", name), "");
        int told = config_number(data, "CLUSTER_SIZE");
        if (told < 0 || told > size ||
            !fathom_equal(call, fathom_at(call, ours, "set"), fathom_at(call, set, "metadata.uid")))
            return safety_names[0];
    }
    return NULL;
}

#endif
