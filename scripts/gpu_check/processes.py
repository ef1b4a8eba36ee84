# SPDX-License-Identifier: Apache-2.0
"""Runs commands with a time limit. Kills them together with all processes that they started."""
import dataclasses
import os
import signal
import subprocess
import sys
import time

_running = set()  # child processes that have not ended, each the leader of its own session


@dataclasses.dataclass
class Outcome:
    """The result of a command. After a signal, `code` is 128 + the signal's number, as in a shell."""

    code: int
    out: str
    err: str
    seconds: float
    timed_out: bool = False

    @property
    def why(self):
        """Returns the exit code, and after a failure the last line of output."""
        if self.timed_out:
            return f"no end within {self.seconds:.0f} s"
        if self.code == 0:
            return "exit code 0"
        said = [line.strip() for line in (self.out + self.err).splitlines() if line.strip()]
        own = [line for line in said if not line.startswith("ampprof: ")]
        return f"exit code {self.code}: {(own or said or ['it printed nothing'])[-1][:200]}"


def end_phase(process):
    """Ends a phase, which kills all its commands on SIGTERM. Returns the number of its failed checks."""
    process.send_signal(signal.SIGTERM)
    try:
        return process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return 0


def kill(process):
    """Kills a command that run() or start() started, with its whole session."""
    _running.discard(process)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_all_at_sigterm(exit_code):
    """Makes SIGTERM kill all running commands, and end this process with the exit code that `exit_code()` returns."""

    def handler(*_):
        for process in list(_running):
            kill(process)
        sys.stdout.flush()
        os._exit(exit_code())

    signal.signal(signal.SIGTERM, handler)


def start(command, **options):
    process = subprocess.Popen([str(word) for word in command], start_new_session=True, stdin=subprocess.DEVNULL, **options)
    _running.add(process)
    return process


def run(command, variables=None, cwd=None, timeout=120):
    """Runs a command for at most `timeout` seconds. Adds `variables` to its environment."""
    begun = time.monotonic()
    process = start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", cwd=cwd,
                    env={**os.environ, **(variables or {})})
    timed_out = False
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
        kill(process)
        out, err = process.communicate()
    _running.discard(process)
    code = 128 - process.returncode if process.returncode < 0 else process.returncode
    return Outcome(code, out, err, time.monotonic() - begun, timed_out)
