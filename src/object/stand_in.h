/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that put stand-ins (stand_ins.h) have in common. */
#ifndef FATHOM_OBJECT_STAND_IN_H
#define FATHOM_OBJECT_STAND_IN_H

#include "manifest/document.h"

struct standing {
    struct arena *arena;
    struct documents *documents;
    struct problems *problems;
};

/* `group` is the beginning of the apiVersion, up to a slash. */
bool stand_in_is_of(const struct value *root, const char *group, const char *kind);
bool stand_in_is_named(const struct value *root, const char *name);
bool stand_in_same_space(const struct value *left, const struct value *right);
/* A document of this kind, as it stands now, in the namespace of `like`; NULL: there is none. */
struct document *stand_in_find(const struct standing *standing, const char *group, const char *kind,
                               const char *name, const struct value *like);
struct value stand_in_retyped(struct arena *arena, const struct value *root, const char *version,
                              const char *kind);
/* Puts `root` in the place of the document, and warns: the kind is taken to be that. */
void stand_in_put(const struct standing *standing, struct document *document,
                  const struct value *root, const char *as);

/* Of a Rollout, as a Deployment has it (stand_in_rollouts.c): the strategy in the words of a
 * rolling update, and the pods of the workload that it names. */
struct value rollout_strategy(struct arena *arena, const struct value *spec);
/* False: the document is no Rollout of another workload's pods. */
bool rollout_put_referenced(const struct standing *standing, struct document *document);

/* KEDA's ScaledObject and ScaledJob (stand_in_keda.c). False: the document is none. */
bool keda_put(const struct standing *standing, struct document *document);

#endif
