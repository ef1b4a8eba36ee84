# SPDX-License-Identifier: Apache-2.0
"""Finds ampprof's own files, and runs its command line."""

import os
import pathlib
import shutil
import subprocess
import sys


_STUB = "libampprof_preload.so"


class CommandError(RuntimeError):
    """An error of the `ampprof` command line, with the command's message. `exit_code`: the command's exit code, an
    int."""

    def __init__(self, text, exit_code):
        super().__init__(text)
        self.exit_code = exit_code

    @classmethod
    def of(cls, done):
        """Returns the error of a completed `ampprof` process."""
        return cls(done.stderr.removeprefix("ampprof: ").strip(), done.returncode)


def root():
    """Returns the folder with ampprof's bin/ and lib/. In a build or an installation it is a folder above this package,
    and in a wheel it is the package itself. Otherwise it is the folder of the `ampprof` on the PATH."""
    candidates = [pathlib.Path(__file__).resolve().parent, *pathlib.Path(__file__).resolve().parents]
    command = shutil.which("ampprof")
    if command is not None:
        candidates.append(pathlib.Path(os.path.realpath(command)).parent.parent)
    for folder in candidates:
        if (folder / "bin" / "ampprof").is_file() and (folder / "lib" / _STUB).is_file():
            return folder
    raise CommandError(f"There is no bin/ampprof with lib/{_STUB} above {__file__}, nor on the PATH; install ampprof again.", 2)


def stub():
    """Returns the path of the preload stub, which records the process that loads it."""
    return root() / "lib" / _STUB


def flags(options):
    """Turns keyword arguments into flags: `what_if="fp16"` becomes `--what-if=fp16`. Leaves out False and None."""
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            words.append(f"{flag}={','.join(map(str, value)) if isinstance(value, (list, tuple)) else value}")
    return words


def ask(*words):
    """Runs `ampprof WORDS` to its end. Returns the completed process."""
    return subprocess.run([root() / "bin" / "ampprof", *map(os.fspath, words)], capture_output=True, text=True)


def run_command(*words):
    """Returns what `ampprof WORDS` prints. Raises CommandError with the command's message."""
    done = ask(*words)
    if done.returncode != 0:
        raise CommandError.of(done)
    return done.stdout


def become_command():
    """Replaces this process with the `ampprof` program. A wheel installs this function as `ampprof`."""
    os.execv(root() / "bin" / "ampprof", ["ampprof", *sys.argv[1:]])
