#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom controller run` ends after SIGTERM although the API server never answers a request."""
import os
import signal
import socket
import subprocess
import sys
import tempfile

import kubeconfig

FATHOM = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    # Without SIGTERM a request is given up after half a minute.
    seconds = 120
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        path = os.path.join(folder, "kubeconfig")
        kubeconfig.write(path, server.getsockname()[1])
        check = os.path.join(ROOT, "examples", "controller-machine", "check.yaml")
        run = subprocess.Popen([FATHOM, "controller", "run", check, "--kubeconfig", path],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        server.settimeout(60)
        connection, _ = server.accept()
        connection.recv(1)
        run.send_signal(signal.SIGTERM)
        try:
            run.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            run.kill()
            sys.exit(f"still there {seconds} s after SIGTERM")
        connection.close()


main()
