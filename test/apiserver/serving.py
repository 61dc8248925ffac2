# SPDX-License-Identifier: Apache-2.0
"""A running `fathom apiserver --memory`, for tests."""

import os
import subprocess

FATHOM = []  # the program to test, set by whoever runs


class Server:
    """Listens at a port of its own; `kubeconfig` is a file that leads to it."""

    def __init__(self, folder, *options, port=0):
        self.kubeconfig = os.path.join(folder, "kubeconfig")
        self.process = subprocess.Popen(
            [os.path.abspath(FATHOM[0]), "apiserver", "--memory", "--port", str(port)]
            + ["--write-kubeconfig", self.kubeconfig, *options],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.url = self.process.stdout.readline().strip()
        assert self.url, "the server did not start"
        self.port = int(self.url.rsplit(":", 1)[1])

    def stop(self):
        """Asks it to end; its exit code."""
        self.process.terminate()
        self.process.stdout.close()
        return self.process.wait(timeout=30)

    def kill(self):
        self.process.kill()
        self.process.stdout.close()
        self.process.wait()
