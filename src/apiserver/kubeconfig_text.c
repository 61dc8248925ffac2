/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/kubeconfig_text.h"

#include "base/base64.h"

#include <string.h>

void kubeconfig_text(struct arena *arena, const struct http_server_settings *settings,
                     const char *url, struct text *text)
{
    text_printf(text,
                "apiVersion: v1\nkind: Config\ncurrent-context: fathom\nclusters:\n- name: fathom\n"
                "  cluster:\n    server: %s\n",
                url);
    if (settings->certificate)
        text_printf(text, "    certificate-authority-data: %s\n",
                    base64_encode(arena, settings->certificate, strlen(settings->certificate)));
    text_append_string(text, "contexts:\n- name: fathom\n  context: {cluster: fathom, user: "
                             "fathom, namespace: default}\nusers:\n- name: fathom\n");
    if (settings->token) {
        text_append_string(text, "  user:\n    token: \"");
        text_append_string(text, settings->token);
        text_append_string(text, "\"\n");
    } else {
        text_append_string(text, "  user: {}\n");
    }
}
