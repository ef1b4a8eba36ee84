#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of documents, and compares their output. Run: check.py ROOT BUILD [DOCUMENT...]

Commands in `console` blocks run in a temporary folder per document, with the files of prepared.py. Commands
in not_run.txt do not run. A command in another block must be in not_run.txt, with the reason."""
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import prepared
from blocks import document
from masks import difference

HERE = pathlib.Path(__file__).parent
LIMIT_S = 60


def not_run():
    """Returns {pattern: reason} from not_run.txt."""
    listed = {}
    for line in (HERE / "not_run.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            pattern, _, reason = line.partition("  | ")
            assert reason, f"not_run.txt: no reason in: {line}"
            listed[pattern.strip()] = reason
    return listed


class Check:
    def __init__(self, root, build):
        self.root, self.build = root, build
        self.listed = not_run()
        self.used = set()
        self.wrong = []
        self.ran = 0
        self.help = {}

    def reason(self, command):
        for pattern in self.listed:
            if fnmatch.fnmatchcase(command.text, pattern):
                self.used.add(pattern)
                return self.listed[pattern]
        return None

    def environment(self, folder):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("AMPPROF")}
        return kept | {"PATH": f"{self.build}/bin:{kept['PATH']}", "HOME": str(folder), "COLUMNS": "100", "NO_COLOR": "1",
                       "OMP_NUM_THREADS": "1", "QT_QPA_PLATFORM": "offscreen"}

    def shell(self, text, folder):
        return subprocess.run(["bash", "-c", text], cwd=folder, env=self.environment(folder), timeout=LIMIT_S, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def has_python(self, folder):
        probe = "python -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec(\"torch\") is None)'"
        return self.shell(probe, folder).returncode == 0

    def needs_python(self, command):
        return " python " in command.text or "--confirm" in command.text

    def lacks(self, command, folder):
        """Returns whether a report or policy is missing that an earlier command would have written."""
        read = re.sub(r"(?:-o|--output) \S+", "", command.text)
        return any(not (folder / name).exists() for name in re.findall(r"(?<!\S)[\w-]+\.(?:ampprof|amp)(?!\S)", read))

    def run(self, command, folder):
        if (self.needs_python(command) or self.lacks(command, folder)) and not self.has_python(folder):
            print(f"{command.place}: not run, no Python on PATH has LibTorch: {command.text}")
            return
        done = self.shell(command.text, folder)
        self.ran += 1
        if done.returncode != 0:
            self.wrong.append(f"{command.place}: {command.text}\nends with {done.returncode}:\n{done.stdout}")
        elif command.output:
            printed = done.stdout.replace(str(folder), "/tmp/try")  # independent of TMPDIR
            if found := difference(command.output, printed.splitlines()):
                self.wrong.append(f"{command.place}: {command.text}\n{found}\n--- all of it:\n{done.stdout}")

    def check_flags(self, command, folder):
        """Adds a fault if the verb or a flag of `ampprof VERB --flag` does not exist."""
        shown = re.match(r"(?:.*?\s)?ampprof ([a-z]+)\b(.*?)(?: -- |$)", command.text)
        if not shown or not re.match(r"(?:[A-Z_]+=\S+ )*ampprof ", command.text):
            return
        verb, rest = shown[1], shown[2]
        if verb not in self.help:
            self.help[verb] = self.shell(f"ampprof {verb} --help", folder)
        if self.help[verb].returncode != 0:
            self.wrong.append(f"{command.place}: there is no verb: {command.text}")
            return
        for flag in re.findall(r"(?<!\S)--[a-z][a-z-]*", rest):
            if not re.search(re.escape(flag) + r"(?![a-z-])", self.help[verb].stdout):
                self.wrong.append(f"{command.place}: {verb} has no {flag}: {command.text}")

    def check(self, path):
        name = str(path.relative_to(self.root))
        found = document(name, path.read_text())
        with tempfile.TemporaryDirectory(prefix="ampprof-documents-") as temporary:
            folder = pathlib.Path(temporary)
            prepared.fill(folder, self.root, self.build)
            for command in found.run:
                if self.reason(command) is None:
                    self.run(command, folder)
            for command in found.other:
                if self.reason(command) is None:
                    self.wrong.append(f"{command.place}: neither in a console block nor in not_run.txt: {command.text}")
            for command in found.run + found.other + found.spans:
                self.check_flags(command, folder)


def main(root, build, *documents):
    root, build = pathlib.Path(root), pathlib.Path(build)
    tracked = subprocess.run(["git", "ls-files", "*.md"], cwd=root, text=True, stdout=subprocess.PIPE).stdout.split()
    paths = [root / name for name in documents or tracked] or sorted(root.glob("**/*.md"))
    check = Check(root, build)
    for path in paths:
        check.check(path)
    if not documents:
        check.wrong += [f"not_run.txt: no document has: {pattern}" for pattern in check.listed if pattern not in check.used]
    for wrong in check.wrong:
        print(wrong, end="\n\n")
    print(f"{check.ran} commands of {len(paths)} documents ran; {len(check.wrong)} faults")
    return 1 if check.wrong else 0


sys.exit(main(*sys.argv[1:]))
