/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Manifests as `kubectl apply -f FOLDER` takes them, for manifests without a Check: of an object
 * that is given several times the last one counts, and what is no manifest is left out.
 */
#ifndef FATHOM_OBJECT_KUBECTL_WAY_H
#define FATHOM_OBJECT_KUBECTL_WAY_H

#include "manifest/document.h"
#include "object/object.h"

/* Warnings say what was left out, unless it makes no difference. */
void documents_keep_last(struct arena *arena, struct documents *documents, const char *name_space,
                         struct problems *problems);
void documents_drop_others(struct documents *documents, struct problems *problems);
/* Leaves out kinds by which no pod comes, goes or moves: "9 ConfigMap, 1 Ingress"; NULL: there are
 * none. */
const char *documents_drop_harmless(struct arena *arena, struct documents *documents);

/* A custom resource of which nothing is known: its controller might make pods of it. */
bool object_may_make_pods(const struct object *object);

#endif
