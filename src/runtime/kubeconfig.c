/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kubeconfig.h"

#include "base/base64.h"
#include "manifest/manifest.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SERVICE_ACCOUNT "/var/run/secrets/kubernetes.io/serviceaccount"

static const struct place nowhere = {0};

/* --- One kubeconfig, or several that count as one --- */

struct config {
    struct arena *arena;
    struct documents documents; /* the first that says something counts */
    struct problems *problems;
};

/* The `inner` mapping of the item of a list (clusters, users, contexts) by its name. */
static const struct value *find_named(const struct config *config, const char *list,
                                      const char *inner, const char *name)
{
    for (uint32_t i = 0; i < config->documents.count; i++) {
        const struct value *items = value_find(&config->documents.items[i].root, list);
        if (!items || items->kind != VALUE_SEQUENCE)
            continue;
        VALUE_EACH_ITEM(items, item)
        {
            const char *own = value_find_string(item, "name");
            if (own && strcmp(own, name) == 0)
                return value_find(item, inner);
        }
    }
    return NULL;
}

static const char *current_context(const struct config *config)
{
    for (uint32_t i = 0; i < config->documents.count; i++) {
        const char *name = value_find_string(&config->documents.items[i].root, "current-context");
        if (name && *name)
            return name;
    }
    return NULL;
}

/* Files are relative to the kubeconfig that names them. */
static const char *beside(struct arena *arena, const struct value *value, const char *file)
{
    const char *slash = value->file ? strrchr(value->file, '/') : NULL;
    if (*file == '/' || !slash)
        return arena_strdup(arena, file);
    return arena_printf(arena, "%.*s/%s", (int)(slash - value->file), value->file, file);
}

static void read_credential(const struct config *config, const struct value *mapping,
                            const char *key, struct credential *credential)
{
    const char *data_key = arena_printf(config->arena, "%s-data", key);
    const char *data = value_find_string(mapping, data_key);
    const char *file = value_find_string(mapping, key);
    if (data && *data) {
        credential->content = base64_decode(config->arena, data, &credential->length);
        if (!credential->content)
            problem_error(config->problems, value_place(value_find(mapping, data_key)), data_key,
                          "expected base64");
    } else if (file && *file) {
        credential->file = beside(config->arena, mapping, file);
        if (access(credential->file, R_OK) != 0)
            problem_error(config->problems, value_place(value_find(mapping, key)), key,
                          "%s cannot be read", credential->file);
    }
}

static void refuse(const struct config *config, const struct value *mapping, const char *key,
                   const char *why)
{
    const struct value *found = value_find(mapping, key);
    if (!value_is_null(found))
        problem_error(config->problems, value_place(found), key, "%s", why);
}

static void read_cluster(const struct config *config, const struct value *cluster,
                         struct kube_access *access)
{
    const char *server = value_find_string(cluster, "server");
    if (!server || (strncmp(server, "http://", 7) != 0 && strncmp(server, "https://", 8) != 0)) {
        problem_error(config->problems, value_place(cluster), "server",
                      "expected http://... or https://...");
        return;
    }
    size_t length = strlen(server);
    while (length && server[length - 1] == '/')
        length--;
    access->server = arena_strndup(config->arena, server, length);
    read_credential(config, cluster, "certificate-authority", &access->authority);
    value_read_boolean(value_find(cluster, "insecure-skip-tls-verify"), &access->insecure);
    refuse(config, cluster, "tls-server-name", "servers under another name are not supported");
    refuse(config, cluster, "proxy-url", "proxies are not supported here; HTTPS_PROXY is obeyed");
}

static void read_user(const struct config *config, const struct value *user,
                      struct kube_access *access)
{
    const char *file = value_find_string(user, "tokenFile");
    access->token = value_find_string(user, "token");
    if (file && *file)
        access->token_file = beside(config->arena, user, file);
    access->user = value_find_string(user, "username");
    access->password = value_find_string(user, "password");
    read_credential(config, user, "client-certificate", &access->certificate);
    read_credential(config, user, "client-key", &access->key);
    refuse(config, user, "exec",
           "programs that get credentials are not run; give a token or a client certificate");
    refuse(config, user, "auth-provider",
           "authentication providers are not supported; give a token or a client certificate");
    refuse(config, user, "as", "acting as somebody else is not supported");
}

static bool read_context(struct config *config, const char *name, struct kube_access *access)
{
    const struct value *context = find_named(config, "contexts", "context", name);
    if (!context) {
        problem_error(config->problems, nowhere, NULL, "the kubeconfig has no context \"%s\"",
                      name);
        return false;
    }
    const char *cluster_name = value_find_string(context, "cluster");
    const char *user_name = value_find_string(context, "user");
    const struct value *cluster =
        cluster_name ? find_named(config, "clusters", "cluster", cluster_name) : NULL;
    const struct value *user = user_name ? find_named(config, "users", "user", user_name) : NULL;
    access->name_space = value_find_string(context, "namespace");
    if (!cluster) {
        problem_error(config->problems, value_place(context), "cluster",
                      "there is no cluster of this name in the kubeconfig");
        return false;
    }
    read_cluster(config, cluster, access);
    if (user)
        read_user(config, user, access);
    else if (user_name && *user_name && !find_named(config, "users", "name", user_name))
        problem_error(config->problems, value_place(context), "user",
                      "there is no user of this name in the kubeconfig");
    return true;
}

/* --- Where it comes from --- */

/* "a:b": all that exist. */
static void load_all(struct config *config, const char *paths, bool must_exist)
{
    while (*paths) {
        const size_t length = strcspn(paths, ":");
        const char *path = arena_strndup(config->arena, paths, length);
        const struct manifest_paths one = {.items = &path, .count = 1};
        if (length && (must_exist || access(path, F_OK) == 0))
            manifest_load(config->arena, &one, &config->documents, config->problems);
        paths += length + (paths[length] == ':');
    }
}

static bool in_cluster(struct arena *arena, const char *folder, struct kube_access *access_found)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST");
    const char *port = getenv("KUBERNETES_SERVICE_PORT");
    const char *token = arena_printf(arena, "%s/token", folder);
    if (!host || !*host || access(token, R_OK) != 0)
        return false;
    const bool six = strchr(host, ':') != NULL;
    access_found->server = arena_printf(arena, "https://%s%s%s:%s", six ? "[" : "", host,
                                        six ? "]" : "", port && *port ? port : "443");
    access_found->token_file = token;
    access_found->authority.file = arena_printf(arena, "%s/ca.crt", folder);
    return true;
}

bool kube_access_find(struct arena *arena, const struct kube_access_request *request,
                      struct kube_access *access_found, struct problems *problems)
{
    const uint32_t errors = problems->errors;
    struct config config = {.arena = arena, .problems = problems};
    const char *variable = getenv("KUBECONFIG");
    const char *home = getenv("HOME");
    *access_found = (struct kube_access){0};
    if (request->kubeconfig)
        load_all(&config, request->kubeconfig, true);
    else if (variable && *variable)
        load_all(&config, variable, false);
    else if (home)
        load_all(&config, arena_printf(arena, "%s/.kube/config", home), false);
    if (problems->errors > errors)
        return false;
    if (!config.documents.count && !request->kubeconfig && !request->context &&
        in_cluster(arena, request->service_account ? request->service_account : SERVICE_ACCOUNT,
                   access_found))
        return true;
    const char *context = request->context ? request->context : current_context(&config);
    if (!config.documents.count || !context) {
        problem_error(problems, nowhere, NULL,
                      config.documents.count
                          ? "the kubeconfig has no current context; --context names one"
                          : "there is no kubeconfig; --kubeconfig names one");
        return false;
    }
    read_context(&config, context, access_found);
    return problems->errors == errors;
}
