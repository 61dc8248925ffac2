# SPDX-License-Identifier: Apache-2.0
"""A kubeconfig for an API server of a test on this machine."""

KUBECONFIG = """apiVersion: v1
kind: Config
current-context: f
clusters:
- name: f
  cluster: {{server: "http://127.0.0.1:{port}"}}
contexts:
- name: f
  context: {{cluster: f, user: f, namespace: default}}
users:
- name: f
  user: {{}}
"""


def write(path, port):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(KUBECONFIG.format(port=port))
