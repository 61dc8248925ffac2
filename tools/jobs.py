# SPDX-License-Identifier: Apache-2.0
"""Commands that run side by side, as many as there are processors, and what they cost.

Whatever waits, the job that is expected to take longest starts first: so the
last ones to run are short, and no processor is idle for long. Jobs that mostly sleep
have a place of their own beside them, one after the other.
"""

import heapq
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback


def slots():
    """How many commands run side by side."""
    return len(os.sched_getaffinity(0))


class Done:
    """A command that has ended; standard error is part of its output."""

    def __init__(self, code, output, seconds, cpu_seconds, timed_out=False):
        self.code = code
        self.output = output
        self.seconds = seconds
        self.cpu_seconds = cpu_seconds
        self.timed_out = timed_out


class Running:
    """The process groups that are alive, to end them when the user does."""

    def __init__(self):
        self.lock = threading.Lock()
        self.groups = set()
        self.stopped = False

    def add(self, group):
        with self.lock:
            self.groups.add(group)
            if self.stopped:
                os.killpg(group, signal.SIGKILL)

    def remove(self, group):
        with self.lock:
            self.groups.discard(group)

    def stop(self):
        with self.lock:
            self.stopped = True
            for group in self.groups:
                os.killpg(group, signal.SIGKILL)


RUNNING = Running()


def run(command, folder, environment=None, timeout=None):
    """Runs without input. The processor time is that of all processes which the
    command has waited for."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as stream:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        RUNNING.add(process.pid)
        late = threading.Event()

        def end():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(timeout, end) if timeout else None
        if timer:
            timer.start()
        # Seen to have ended, but not yet gone: until then its number is not reused.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        if timer:
            timer.cancel()
            timer.join()
        RUNNING.remove(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        stream.seek(0)
        output = stream.read().decode("utf-8", "backslashreplace")
    return Done(process.returncode, output, time.monotonic() - start,
                usage.ru_utime + usage.ru_stime, late.is_set())


class Pool:
    """Runs functions without arguments in threads; each may add others."""

    def __init__(self, slots):
        self.slots = slots
        self.changed = threading.Condition()
        self.waiting = []
        self.sleepers = []  # waiting functions that need hardly a processor
        self.unfinished = 0
        self.order = itertools.count()
        self.errors = []

    def add(self, function, expected_seconds=0, sleeps=False):
        with self.changed:
            heap = self.sleepers if sleeps else self.waiting
            heapq.heappush(heap, (-expected_seconds, next(self.order), function))
            self.unfinished += 1
            self.changed.notify_all()

    def _work(self, waiting):
        while True:
            with self.changed:
                self.changed.wait_for(lambda: waiting or not self.unfinished)
                if not waiting:
                    return
                function = heapq.heappop(waiting)[2]
            try:
                function()
            except BaseException:  # a mistake of the function's: told by wait()
                self.errors.append(traceback.format_exc())
            with self.changed:
                self.unfinished -= 1
                self.changed.notify_all()

    def wait(self):
        """Until everything has run. What runs ends when this program is ended. Gives
        what functions have raised, as text."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: sys.exit(128 + number))
        heaps = [self.waiting] * self.slots + [self.sleepers]
        threads = [threading.Thread(target=self._work, args=(heap,), daemon=True) for heap in heaps]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException:
            RUNNING.stop()
            raise
        return self.errors
