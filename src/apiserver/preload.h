/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of manifests, created as a client would create them. */
#ifndef FATHOM_APISERVER_PRELOAD_H
#define FATHOM_APISERVER_PRELOAD_H

#include "apiserver/apiserver.h"
#include "manifest/document.h"

/* Namespaces and definitions of custom resources first, then the rest in their
 * order; objects that name no namespace get `name_space`. False if some were
 * refused, each with a problem at its place. */
bool apiserver_preload(struct apiserver *server, struct arena *arena,
                       const struct documents *documents, const char *name_space,
                       struct problems *problems);

#endif
