# SPDX-License-Identifier: Apache-2.0
"""Runs the ampprof command line for the benchmarks of impacts."""

import csv
import io
import subprocess


class Recorder:
    """Runs ampprof in a folder, and writes the reports there."""

    def __init__(self, ampprof, folder):
        self.ampprof, self.folder = ampprof, folder

    def call(self, *words):
        done = subprocess.run([self.ampprof, *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))}\n{done.stderr}")
        return done.stdout

    def run(self, report, flags, *words):
        return self.call("run", "--force", "-o", report, *flags, *words)

    def rows(self, report, query):
        return list(csv.DictReader(io.StringIO(self.call("sql", report, "--format", "csv", query))))
