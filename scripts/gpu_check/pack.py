# SPDX-License-Identifier: Apache-2.0
"""Locates programs, libraries and data, in a folder made by gpu-pack or in a checkout with a build."""
import json
import os
import pathlib
import re
import shutil
import sys

from gpu_check import processes

OF_TORCH = "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"


class Pack:
    """Paths and commands on this machine. If nothing can be checked, `problem` says why; else it is ""."""

    def __init__(self, beside):
        is_packed = (beside / "bin").is_dir()
        self.sources = beside if is_packed else beside.parent
        self.built = beside if is_packed else pathlib.Path(os.environ.get("AMPPROF_BUILD", beside.parent / "build")).resolve()
        self.scripts = [self.sources / "tests" / "end_to_end" / "programs", beside / "gpu_check" / "programs"]
        self.ampprof = self.built / "bin" / "ampprof"
        self.torch = os.environ.get("LIBTORCH") or _torch_of(shutil.which("python3"))
        self.bound = self.built / "lib" / f"torch-{_version_of(self.torch)}"
        self.problem = self._find_problem()
        self._python = None

    def _find_problem(self):
        if not os.access(self.ampprof, os.X_OK):
            return f"{self.ampprof} does not exist: build everything, or run this in the folder that scripts/gpu-pack made"
        if not self.torch or not os.path.isdir(f"{self.torch}/lib"):
            return "set LIBTORCH to the folder that holds LibTorch's lib/"
        if not self.bound.is_dir():
            return f"there is no {self.bound}: ampprof was not built for the LibTorch of {self.torch}"
        return ""

    def environment(self):
        """Returns variables with which programs find LibTorch and ampprof's libraries, and are deterministic."""
        cuda = pathlib.Path(self.torch, "../nvidia/cu13/lib").resolve()  # CUDA from pip packages, with CUPTI
        libraries = [f"{self.torch}/lib", str(self.bound), f"{self.built}/lib", f"{self.built}/lib/carried", str(cuda),
                     os.environ.get("LD_LIBRARY_PATH")]
        return {"LIBTORCH": str(self.torch), "LD_LIBRARY_PATH": ":".join(filter(None, libraries)),
                "CUBLAS_WORKSPACE_CONFIG": ":4096:8", "PYTHONDONTWRITEBYTECODE": "1"}

    @property
    def python(self):
        """Returns the Python whose torch package is this LibTorch, or None."""
        if self._python is None:
            beside = pathlib.Path(self.torch, "../../../../bin/python").resolve()
            candidates = [sys.executable, str(beside), shutil.which("python3"), shutil.which("python")]
            same = [each for each in candidates if _torch_of(each) and os.path.samefile(_torch_of(each), self.torch)]
            self._python = same[0] if same else ""
        return self._python or None

    def program(self, name):
        bound = self.bound / name
        return bound if bound.exists() else self.built / "bin" / name

    def script(self, name):
        """Returns the path of a Python program, from the end-to-end tests or from gpu_check/programs/."""
        return next(folder / name for folder in self.scripts if (folder / name).exists())

    def python_command(self, name, *arguments):
        return [self.python or "python3", "-W", "ignore", self.script(name), *arguments]

    def record(self, report, options, command, timeout=120, variables=None):
        """Runs a command under `ampprof run`. The outcome has the exit code of ampprof."""
        report.unlink(missing_ok=True)
        line = [self.ampprof, "run", "--force", "-o", report, *options, "--", *command]
        return processes.run(line, variables, cwd=report.parent, timeout=timeout)

    def query(self, report, sql):
        """Returns the rows of an SQL query as dictionaries; [] if the report cannot be read."""
        return self.json([self.ampprof, "sql", report, sql, "--format", "json"])

    def value(self, report, sql):
        """Returns the first value of an SQL query's first row; None if there is no row."""
        rows = self.query(report, sql)
        return next(iter(rows[0].values())) if rows else None

    def show(self, report, view, *options):
        return self.json([self.ampprof, "show", report, view, "--format", "json", *options])

    def text(self, report, *options):
        """Returns a view as `ampprof show` prints it."""
        return processes.run([self.ampprof, "show", report, *options], {"COLUMNS": "140"}).out

    def json(self, command):
        """Returns the parsed JSON output of a command; [] if it fails."""
        found = processes.run(command)
        return json.loads(found.out) if found.code == 0 and found.out.strip() else []


def _version_of(torch):
    """Returns the version of a LibTorch without a suffix, as in "2.11.0"; "" if there is no LibTorch."""
    for name in ("version.py", "build-version"):
        file = pathlib.Path(torch or "/nowhere", name)
        found = re.search(r"\d+\.\d+\.\d+", file.read_text()) if file.exists() else None
        if found:
            return found[0]
    return ""


def _torch_of(python):
    if not python or not os.path.exists(python):
        return ""
    found = processes.run([python, "-c", OF_TORCH], timeout=30)
    return found.out.strip()
