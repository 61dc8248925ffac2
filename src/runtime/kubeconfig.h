/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The address of an API server and the credentials for it: from a kubeconfig, or
 * from the service account of a pod.
 *
 * What a kubeconfig can ask for and this cannot do (programs that get credentials,
 * proxies) is refused; nothing is left out silently.
 */
#ifndef FATHOM_RUNTIME_KUBECONFIG_H
#define FATHOM_RUNTIME_KUBECONFIG_H

#include "base/error.h"

/* PEM, in memory or in a file; both NULL: none. */
struct credential {
    const char *content;
    size_t length;
    const char *file;
};

struct kube_access {
    const char *server;     /* "https://10.0.0.1:6443", without a slash at the end */
    const char *name_space; /* of the context; NULL: none */
    struct credential authority;
    struct credential certificate;
    struct credential key;
    const char *token;
    const char *token_file; /* read anew for every request, since tokens are renewed */
    const char *user;       /* with `password`: basic authentication */
    const char *password;
    bool insecure; /* the server's certificate is not checked */
};

struct kube_access_request {
    const char *kubeconfig; /* --kubeconfig; NULL: $KUBECONFIG, ~/.kube/config, the pod's */
    const char *context;    /* --context; NULL: the current one */
    /* Of a pod; NULL: the usual folder. */
    const char *service_account;
};

/* False with problems. Everything lives in the arena. */
bool kube_access_find(struct arena *arena, const struct kube_access_request *request,
                      struct kube_access *access, struct problems *problems);

#endif
