/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders that are no manifests but make some: kustomizations and Helm charts. They are rendered by
 * the tools that people deploy them with; where these are not installed, the message has the very
 * command to type. They are never read as plain objects, which they are not.
 */
#ifndef FATHOM_CLI_RENDER_H
#define FATHOM_CLI_RENDER_H

#include "cli/session.h"
#include "object/input.h"

enum render_kind { RENDER_NOTHING, RENDER_KUSTOMIZE, RENDER_HELM };

/* What the folder is. */
enum render_kind render_kind_of(struct arena *arena, const char *folder);

/* Adds what it makes to the texts. False, with a problem, if it cannot be rendered. */
bool render(struct session *session, enum render_kind kind, const char *path,
            struct input_texts *texts, struct problems *problems);

/* Folders inside that would have to be rendered (-R): each is a problem. */
bool render_refuse_inside(struct session *session, const char *folder, struct problems *problems);

#endif
