/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects of the cluster that kubectl talks to, and its version. kubectl itself asks for them,
 * so that every way to log in works that works for kubectl.
 *
 * Workloads are those of one namespace (-n), of all (-A), or with labels (-l). Nodes, pods and what
 * else decides where pods fit are read of the whole cluster: pods of others take room, too.
 */
#ifndef FATHOM_CLI_LIVE_CLUSTER_H
#define FATHOM_CLI_LIVE_CLUSTER_H

#include "cli/session.h"
#include "object/input.h"

/* Does the command line mean a live cluster: no manifests are given, but Checks may be, and -A, -l,
 * --context or --kubeconfig is; or nothing at all, and kubectl runs this program? */
bool live_cluster_is_meant(const struct session *session);

/* Adds the objects to the texts, and gives the version of the API server (NULL: it is not told).
 * False, with problems, if the cluster cannot be read. */
bool live_cluster_read(struct session *session, struct input_texts *texts, const char **version,
                       struct problems *problems);

#endif
