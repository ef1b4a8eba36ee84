# SPDX-License-Identifier: Apache-2.0
"""Where ampprof's own files are, and its command line."""

import os
import pathlib
import shutil
import subprocess
import sys


_STUB = "libampprof_preload.so"


class CommandError(RuntimeError):
    """What `ampprof` on the command line says is wrong. `exit_code` is its own."""

    def __init__(self, text, exit_code):
        super().__init__(text)
        self.exit_code = exit_code

    @classmethod
    def of(cls, done):
        """Of an `ampprof` that has ended."""
        return cls(done.stderr.removeprefix("ampprof: ").strip(), done.returncode)


def root():
    """The folder with bin/ and lib/ of ampprof: one above this package, as in a build or an installation (and in a wheel,
    which has them in the package); else that of the `ampprof` on the PATH."""
    candidates = [pathlib.Path(__file__).resolve().parent, *pathlib.Path(__file__).resolve().parents]
    command = shutil.which("ampprof")
    if command is not None:
        candidates.append(pathlib.Path(os.path.realpath(command)).parent.parent)
    for folder in candidates:
        if (folder / "bin" / "ampprof").is_file() and (folder / "lib" / _STUB).is_file():
            return folder
    raise CommandError(f"There is no bin/ampprof with lib/{_STUB} above {__file__}, nor on the PATH; install ampprof again.", 2)


def stub():
    """The library that records the process which loads it."""
    return root() / "lib" / _STUB


def flags(options):
    """Keyword arguments as flags: `what_if="fp16"` is `--what-if=fp16`; what is False or None is left out."""
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            words.append(f"{flag}={','.join(map(str, value)) if isinstance(value, (list, tuple)) else value}")
    return words


def ask(*words):
    """Runs `ampprof WORDS`, and returns it when it has ended."""
    return subprocess.run([root() / "bin" / "ampprof", *map(os.fspath, words)], capture_output=True, text=True)


def run_command(*words):
    """What `ampprof WORDS` prints. Raises CommandError with its sentence."""
    done = ask(*words)
    if done.returncode != 0:
        raise CommandError.of(done)
    return done.stdout


def become_command():
    """What a wheel installs as `ampprof`: the process goes on as the program of that name."""
    os.execv(root() / "bin" / "ampprof", ["ampprof", *sys.argv[1:]])
